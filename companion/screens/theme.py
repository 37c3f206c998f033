"""The look in numbers: colours, sizes, fonts. Plain values, no Kivy; a colour is an RGBA tuple of 0 … 1."""

from pathlib import Path

Rgba = tuple[float, float, float, float]


def rgba(code: str, alpha: float = 1.0) -> Rgba:
    red, green, blue = (int(code[i : i + 2], 16) / 255 for i in (1, 3, 5))
    return (red, green, blue, alpha)


def mix(over: Rgba, share: float, under: Rgba) -> Rgba:
    """An opaque blend: stacked translucent fills come out muddy."""
    red, green, blue = (o * share + u * (1 - share) for o, u in zip(over[:3], under[:3], strict=True))
    return (red, green, blue, 1.0)


CLEAR: Rgba = (0.0, 0.0, 0.0, 0.0)
GROUND = rgba("#0A0F1A")
PANEL = rgba("#0E1626")
CARD = rgba("#141E31")
TRACK = rgba("#1B2740")
HAIRLINE = rgba("#2A3A57")
TEXT = rgba("#EEF3FB")
MUTED = rgba("#A9B7CF")
DIM = rgba("#6F7F9B")
ACCENT = rgba("#4CC9F0")
SHADE = rgba("#05080F", 0.72)

TONES = {
    "good": rgba("#2DD4A7"),
    "poor": rgba("#F2D149"),
    "alarming": rgba("#FF9D47"),
    "critical": rgba("#FF6B57"),
    "info": rgba("#5BB8F5"),
    "accent": ACCENT,
    "stock": rgba("#E9DCA0"),
    "muted": MUTED,
    "dim": DIM,
    "text": TEXT,
    "colonists": rgba("#F5B83D"),
    "secforce": rgba("#5BB8F5"),
    "scientists": rgba("#2DD4A7"),
    "marines": rgba("#FF6B57"),
    "prisoners": rgba("#D98CC4"),
    "power": rgba("#F5B83D"),
    "life_support": rgba("#2DD4A7"),
    "gas": rgba("#5BB8F5"),
    "liquids": rgba("#4CC9F0"),
}
"""Every colour a view model may name. A tone never stands alone: a word and an icon go with it."""


def tone(name: str) -> Rgba:
    """The colour of a tone, or of a manager's `#RRGGBB`."""
    return rgba(name) if name.startswith("#") else TONES[name]


def tint(name: str, share: float = 0.16) -> Rgba:
    """A panel's fill in this tone."""
    return mix(tone(name), share, CARD)


ASSETS = Path(__file__).parent / "assets"
BODY = "Barlow"
STRONG = "BarlowStrong"
TITLE = "Rajdhani"
ICONS = "Icons"
FONT_FILES = {
    BODY: "Barlow-Medium.ttf",
    STRONG: "Barlow-SemiBold.ttf",
    TITLE: "Rajdhani-Bold.ttf",
    ICONS: "icons.ttf",
}

# Sizes in dp; the grid is 4.
EDGE = 16
GAP = 12
TOP_BAR = 64
BOTTOM_BAR = 72
TAP = 56
"""An icon button; nothing that can be tapped is smaller than 48."""
WIDE = 900
"""From this width in sp on the cards lie side by side; below they stack."""
TALL = 620
"""Below this width in sp no two cards share a row."""
