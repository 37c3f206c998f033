"""Colours, fonts and sizes of the drawn table, and the few shapes it is made of. Must be imported after Kivy's settings."""

from functools import lru_cache
from typing import Any

from kivy.core.text import Label as CoreLabel, LabelBase
from kivy.graphics import Color, Rectangle, SmoothEllipse, SmoothLine, SmoothRoundedRectangle
from kivy.metrics import dp, sp

from firmware.desk.processes import ROOT

Rgba = tuple[float, float, float, float]


def rgba(code: str, alpha: float = 1.0) -> Rgba:
    """`#RRGGBB` as Kivy wants it."""
    return int(code[1:3], 16) / 255, int(code[3:5], 16) / 255, int(code[5:7], 16) / 255, alpha


GROUND, FELT, PANEL, PIECE = rgba("#0A0F1A"), rgba("#0E1626"), rgba("#141E31"), rgba("#1F2C47")
HAIRLINE, TEXT, MUTED, DIM = rgba("#2A3A57"), rgba("#EEF3FB"), rgba("#A9B7CF"), rgba("#6F7F9B")
ACCENT, WARN = rgba("#4CC9F0"), rgba("#F5B83D")
KIND_COLOURS = {"green": rgba("#2DD4A7"), "red": rgba("#FF6B57"), "directive": rgba("#5BB8F5"), "tag": rgba("#A9B7CF")}

_ASSETS = ROOT / "companion" / "screens" / "assets"
BODY, STRONG, TITLE = "Barlow", "BarlowStrong", "Rajdhani"


def register_fonts() -> None:
    """The app's fonts, so that table and tablet look like one set."""
    LabelBase.register(BODY, str(_ASSETS / "Barlow-Medium.ttf"))
    LabelBase.register(STRONG, str(_ASSETS / "Barlow-SemiBold.ttf"))
    LabelBase.register(TITLE, str(_ASSETS / "Rajdhani-Bold.ttf"))


@lru_cache(maxsize=512)
def _texture(text: str, font: str, size: float, width: float | None, lines: int) -> Any:
    label = CoreLabel(
        text=text, font_name=font, font_size=size, text_size=(width, None), halign="center", max_lines=lines, shorten=lines == 1
    )  # fmt: skip
    label.refresh()
    return label.texture


def write(
    text: str,
    x: float,
    y: float,
    colour: Rgba = TEXT,
    *,
    font: str = BODY,
    size: float = 14,
    width: float = 0,
    lines: int = 1,
) -> None:
    """Text centred on (x, y), wrapped at `width` and cut after `lines`."""
    texture = _texture(text, font, sp(size), width or None, lines)
    Color(*colour)
    Rectangle(texture=texture, pos=(x - texture.width / 2, y - texture.height / 2), size=texture.size)


@lru_cache(maxsize=512)
def fitting_size(text: str, width: float, largest: float, *, smallest: float = 9) -> float:
    """The largest size at which no word of `text` is broken at `width`, within limits."""
    label = CoreLabel(font_name=BODY, font_size=sp(largest))
    widest = max((label.get_extents(word)[0] for word in text.split()), default=1)
    return max(smallest, min(largest, largest * width / max(widest, 1)))


def block(
    x: float, y: float, width: float, height: float, fill: Rgba, edge: Rgba | None = HAIRLINE, radius: float = 14
) -> None:
    """A rounded block with its lower left corner at (x, y)."""
    Color(*fill)
    SmoothRoundedRectangle(pos=(x, y), size=(width, height), radius=[dp(radius)])
    if edge:
        Color(*edge)
        SmoothLine(rounded_rectangle=(x, y, width, height, dp(radius)), width=dp(1))


def disc(x: float, y: float, radius: float, fill: Rgba) -> None:
    """A filled circle round (x, y)."""
    Color(*fill)
    SmoothEllipse(pos=(x - radius, y - radius), size=(2 * radius, 2 * radius))


def glow(x: float, y: float, radius: float, light: tuple[int, int, int]) -> None:
    """A lamp of this colour: dark glass when it is off, else a core with a halo."""
    brightest = max(light)
    if not brightest:
        disc(x, y, radius, rgba("#101828"))
        Color(*HAIRLINE)
        SmoothLine(circle=(x, y, radius), width=dp(1))
        return
    # a lit lamp looks whiter than its colour
    red, green, blue = (0.18 + 0.82 * part / brightest for part in light)
    # people see a lamp at a tenth of its current as not much darker
    seen = 0.45 + 0.55 * (brightest / 255) ** 0.4
    for step in (2.6, 2.1, 1.6):
        disc(x, y, radius * step, (red, green, blue, 0.10 * seen))
    disc(x, y, radius, (red, green, blue, seen))
    disc(x, y + radius * 0.25, radius * 0.35, (1, 1, 1, 0.45 * seen))
