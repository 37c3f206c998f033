"""Icon names to characters of the icon font."""

import json
from functools import cache

from companion.screens.theme import ASSETS


@cache
def _codes() -> dict[str, int]:
    codes: dict[str, int] = json.loads((ASSETS / "icons.json").read_text())
    return codes


def glyph(name: str) -> str:
    """The character of an icon; an empty name gives nothing. KeyError: not among the icons of `icon-names.txt`."""
    return chr(_codes()[name]) if name else ""
