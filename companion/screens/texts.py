"""Words for the players' eyes. Every text goes through `_`, so a catalogue of translations can take over."""

import gettext

_translations = gettext.translation("colonies", localedir=None, fallback=True)


def _(text: str) -> str:
    return _translations.gettext(text)


def count(number: int, one: str, many: str) -> str:
    """«1 module», «3 modules»: `one` and `many` have `{n}` where the number goes."""
    return _translations.ngettext(one, many, number).format(n=figure(number))


def figure(number: int) -> str:
    """12,400: thin groups of three, minus as a minus sign."""
    return f"{number:,}".replace("-", "−")


def signed(number: int) -> str:
    """+4, −3, ±0"""
    return f"±{number}" if number == 0 else f"{number:+,}".replace("-", "−")
