"""Runs on MicroPython in pytest's place: as much of it as the unit tests of the firmware use.

A decorated test becomes a `Cases`: its rows of arguments and what draws the rest. `run_units.py` plays them.
"""

from pathlib import Path
from tempfile import TemporaryDirectory

fixtures = {"tmp_path": lambda: Path(TemporaryDirectory().name)}
"""Name → what makes it."""


class Cases:
    """A test function with its rows of named arguments. Functions have no attributes here, so it wraps them."""

    def __init__(self, function) -> None:
        self.function = function
        self.rows = [{}]
        self.is_soak = False

    def multiply(self, rows: "list[dict]") -> None:
        self.rows = [_joined(row, more) for row in self.rows for more in rows]


def cases_of(test) -> Cases:
    return test if isinstance(test, Cases) else Cases(test)


def _joined(row: dict, more: dict) -> dict:
    both = dict(row)
    both.update(more)
    return both


class _Param:
    def __init__(self, values: tuple, is_soak: bool) -> None:
        self.values = values
        self.is_soak = is_soak


def _values(names: "list[str]", value) -> tuple:
    return (value,) if len(names) == 1 else value


def param(*values, id=None, marks=None) -> _Param:
    return _Param(values, marks is mark.soak)


def fixture(function):
    fixtures[function.__name__] = function
    return function


class _Mark:
    @staticmethod
    def soak(test) -> Cases:
        cases = cases_of(test)
        cases.is_soak = True
        return cases

    @staticmethod
    def parametrize(names, values, ids=None):
        names = [name.strip() for name in names.split(",")] if isinstance(names, str) else names
        params = [value if isinstance(value, _Param) else _Param(_values(names, value), False) for value in values]
        rows = [dict(zip(names, made.values)) for made in params if not made.is_soak]

        def decorate(test) -> Cases:
            cases = cases_of(test)
            cases.multiply(rows)
            return cases

        return decorate


mark = _Mark()


class raises:
    """The block raises this, with a text in which `match` is found; `.value` is what was raised."""

    def __init__(self, kind, match: str = "") -> None:
        self.kind = kind
        self.match = match
        self.value = None

    def __enter__(self) -> "raises":
        return self

    def __exit__(self, kind, value, traceback) -> bool:
        import re

        assert value is not None, "nothing was raised"
        if not isinstance(value, self.kind):
            return False
        assert re.search(self.match, str(value)), f"{value!r} says nothing of {self.match!r}"
        self.value = value
        return True


class MonkeyPatch:
    """Named in annotations only."""
