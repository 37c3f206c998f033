"""Rounded surfaces and what can be pressed: cards, buttons, pills, portraits."""

from kivy.properties import BooleanProperty, ColorProperty, NumericProperty, ObjectProperty, StringProperty
from kivy.uix.anchorlayout import AnchorLayout
from kivy.uix.behaviors import ButtonBehavior
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.widget import Widget

from companion.screens import theme
from companion.screens.icons import glyph
from companion.screens.view_models.cards import PillVM


class Surface(Widget):
    """A rounded rectangle with a hairline; mix into a layout."""

    fill = ColorProperty(theme.CARD)
    line = ColorProperty(theme.HAIRLINE)
    radius = NumericProperty("16dp")


class Card(Surface, BoxLayout):
    """A vertical panel."""


class PressCard(ButtonBehavior, Card):
    """A whole card as one tap target."""


class Meaning:
    """Before a button whose `vm` may come to say something else under a finger. A tap that ends is meant when the button still
    stands for what it stood for as the finger came down."""

    _meant: object = None

    def meaning(self) -> object:
        raise NotImplementedError

    def on_press(self) -> None:
        self._meant = self.meaning()

    @property
    def is_meant(self) -> bool:
        return self._meant == self.meaning()


class Filler(Widget):
    """Takes `share` of a column's spare height; at share 0 it is `least` high, whatever it took before."""

    share = NumericProperty(0.0)
    least = NumericProperty(0.0)


class CardHead(BoxLayout):
    """Icon, title, a pill and the chevron that says «tap me»."""

    icon = StringProperty("")
    tone = StringProperty("accent")
    title = StringProperty("")
    pill = ObjectProperty(PillVM(), rebind=True)
    chevron = BooleanProperty(True)
    zoom = NumericProperty(1.0)


class Pill(Surface, BoxLayout):
    """A word with its icon in a tinted capsule; without text it takes no room."""

    vm = ObjectProperty(PillVM(), rebind=True)
    zoom = NumericProperty(1.0)


class IconButton(ButtonBehavior, Surface, AnchorLayout):
    icon = StringProperty("")
    tint = ColorProperty(theme.TEXT)
    label = StringProperty("")
    """What it does, for tests and for whoever reads the tree aloud."""


class TextButton(ButtonBehavior, Surface, AnchorLayout):
    """`style`: primary, plain or danger."""

    text = StringProperty("")
    icon = StringProperty("")
    style = StringProperty("plain")
    key = StringProperty("")


class NextButton(ButtonBehavior, Surface, BoxLayout):
    title = StringProperty("")
    text = StringProperty("")


SHAPES = (64, 6, 8, 5, 4)
"""Corners of the portraits: circle, hexagon, octagon, pentagon, diamond."""


class Portrait(Widget):
    """A manager as letter, hue and shape, so that none of the three is needed alone."""

    manager = StringProperty("")
    letter = StringProperty("")
    colour = StringProperty("#6F7F9B")

    def sign(self, letter: str) -> str:
        """The letter; for whoever has none (the player of a solo game) a star."""
        return letter if letter.isalnum() else glyph("star") if letter else ""

    def font_of(self, letter: str) -> str:
        return theme.TITLE if letter.isalnum() else theme.ICONS

    def corners(self, manager: str) -> int:
        return SHAPES[(len(manager) + ord(manager[:1] or "A")) % len(SHAPES)]
