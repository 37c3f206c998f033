"""Labels: a line that is as wide as its words, a paragraph as high as its width needs, an icon."""

from kivy.properties import ColorProperty, NumericProperty, StringProperty
from kivy.uix.label import Label

from companion.screens import theme


class Words(Label):
    """One line; as wide and high as its text."""


class Paragraph(Label):
    """Wraps in the width it is given and grows downwards."""


class Title(Words):
    """Capitals of a screen or card."""


class Icon(Label):
    """One glyph of the icon font by name."""

    icon = StringProperty("")
    icon_size = NumericProperty("24sp")
    tint = ColorProperty(theme.MUTED)
