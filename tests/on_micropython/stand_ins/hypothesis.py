"""Runs on MicroPython in hypothesis's place: the same properties, over fewer examples, drawn without shrinking.

The dice begin at the same place for every test, so what failed fails again.
"""

import random as dice

from pytest import cases_of

EXAMPLES = 12
"""How many draws of each property are played. Finding counter-examples is the work of the run on CPython."""


class Strategy:
    """`draw(rng)` gives one value."""

    def __init__(self, draw) -> None:
        self.draw = draw

    def map(self, change) -> "Strategy":
        return Strategy(lambda rng: change(self.draw(rng)))

    def flatmap(self, change) -> "Strategy":
        return Strategy(lambda rng: change(self.draw(rng)).draw(rng))

    def filter(self, is_wanted) -> "Strategy":
        return Strategy(lambda rng: _until(lambda: self.draw(rng), is_wanted))


def _until(draw, is_wanted):
    for _ in range(1000):
        value = draw()
        if is_wanted(value):
            return value
    raise ValueError("a thousand draws and none was wanted")


class strategies:
    """The strategies that the tests use. Ends of ranges and empty collections come more often than by chance."""

    @staticmethod
    def integers(least: int = -(1 << 40), most: int = 1 << 40, *, min_value=None, max_value=None) -> Strategy:
        least = least if min_value is None else min_value
        most = most if max_value is None else max_value

        def draw(rng) -> int:
            way = rng.randrange(8)
            return least if way == 0 else most if way == 1 else least + rng.randrange(most - least + 1)

        return Strategy(draw)

    @staticmethod
    def floats(least: float, most: float) -> Strategy:
        return Strategy(lambda rng: least + (most - least) * rng.random())

    @staticmethod
    def booleans() -> Strategy:
        return Strategy(lambda rng: rng.randrange(2) == 1)

    @staticmethod
    def sampled_from(values) -> Strategy:
        values = list(values)
        return Strategy(lambda rng: rng.choice(values))

    @staticmethod
    def binary(min_size: int = 0, max_size: int = 40) -> Strategy:
        size = strategies.integers(min_size, max_size)
        return Strategy(lambda rng: rng.randbytes(size.draw(rng)))

    @staticmethod
    def tuples(*parts) -> Strategy:
        return Strategy(lambda rng: tuple([part.draw(rng) for part in parts]))

    @staticmethod
    def lists(part: Strategy, min_size: int = 0, max_size: int = 12, unique: bool = False, unique_by=None) -> Strategy:
        size = strategies.integers(min_size, max_size)
        key = unique_by or (lambda value: value)

        def is_there(value, values) -> bool:
            return (unique or unique_by is not None) and key(value) in [key(other) for other in values]

        def draw(rng) -> list:
            values = []
            for _ in range(size.draw(rng)):
                values.append(_until(lambda: part.draw(rng), lambda value: not is_there(value, values)))
            return values

        return Strategy(draw)

    @staticmethod
    def builds(make, *parts) -> Strategy:
        return Strategy(lambda rng: make(*[part.draw(rng) for part in parts]))


class _Property:
    """What `given` makes of a test: called without the drawn arguments, it draws them, example after example."""

    def __init__(self, function) -> None:
        self.function = function
        self.parts, self.named = (), {}
        self.examples = []

    def __call__(self, **others) -> None:
        for values in self.examples:
            self.function(*values, **others)
        rng = dice.Random(20)
        for _ in range(EXAMPLES):
            drawn = {name: part.draw(rng) for name, part in self.named.items()}
            drawn.update(others)
            self.function(*[part.draw(rng) for part in self.parts], **drawn)


def _property_of(cases) -> _Property:
    """`example` stands under `given` or over it: whichever comes first makes the property."""
    if not isinstance(cases.function, _Property):
        cases.function = _Property(cases.function)
    return cases.function


def given(*parts, **named):
    def decorate(test):
        cases = cases_of(test)
        made = _property_of(cases)
        made.parts, made.named = parts, named
        return cases

    return decorate


def example(*values):
    def decorate(test):
        cases = cases_of(test)
        _property_of(cases).examples.append(values)
        return cases

    return decorate


def settings(**_limits):
    return lambda test: test
