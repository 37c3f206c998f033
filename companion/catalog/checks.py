"""Validators for catalog values. Each raises ValueError with the reason and what would be right."""

import re
from collections.abc import Callable, Iterable
from difflib import get_close_matches
from typing import Any

Validator = Callable[[Any, Any, Any], None]
_COLOUR = re.compile("#[0-9A-Fa-f]{6}")


def one_of(choices: Iterable[str]) -> Validator:
    """The value (or each of a tuple, or each key of a table) is one of `choices`."""
    known = tuple(choices)

    def check(_: object, attribute: Any, value: Any) -> None:
        names = (value,) if isinstance(value, str) else tuple(value)
        for name in names:
            if name not in known:
                raise ValueError(f"{attribute.name} = {name!r} is not known; {suggest(name, known)}")

    return check


def between(low: int, high: int) -> Validator:
    """The number (or each value of a table) lies in low … high."""

    def check(_: object, attribute: Any, value: Any) -> None:
        numbers = value.values() if isinstance(value, dict) else (value,)
        for number in numbers:
            if not low <= number <= high:
                raise ValueError(f"{attribute.name} = {number} is out of range; right is {low} to {high}")

    return check


def not_zero(_: object, attribute: Any, value: int) -> None:
    """A change by nothing is a mistake."""
    if value == 0:
        raise ValueError(f"{attribute.name} = 0 would change nothing; give a number above or below zero")


def has_text(_: object, attribute: Any, value: str) -> None:
    """Players read this."""
    if not value.strip():
        raise ValueError(f"{attribute.name} is empty; players read this text")


def is_colour(_: object, attribute: Any, value: str) -> None:
    """Screens draw in it."""
    if not _COLOUR.fullmatch(value):
        raise ValueError(f"{attribute.name} = {value!r} is no colour; write six digits, like #4CC9F0")


def is_character(_: object, attribute: Any, value: str) -> None:
    """One sign on a portrait."""
    if len(value) != 1 or not value.isalnum():
        raise ValueError(f"{attribute.name} = {value!r} does not fit on a portrait; give one letter or digit")


def suggest(name: str, known: Iterable[str]) -> str:
    """«did you mean …?», or the whole list when nothing is near."""
    names = sorted(known)
    near = get_close_matches(name, names, n=1)
    if near:
        return f"did you mean {near[0]!r}?"
    return "right is one of: " + ", ".join(names)
