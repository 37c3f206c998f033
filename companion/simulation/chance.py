"""The colony's own chance: SplitMix64 (Steele, Lea, Flood 2014), 64 bits of state that are saved with the colony.

Each draw adds the golden gamma to the state and mixes the sum; numbers below n are the high half of draw × n, which
is off from even by less than n / 2^64. Whole numbers only, so that every machine plays the same game.
"""

from collections.abc import Sequence

_MASK = (1 << 64) - 1
_GAMMA = 0x9E3779B97F4A7C15


class Chance:
    """A generator that goes on from `state`; keep `state` when done."""

    __slots__ = ("state",)

    def __init__(self, state: int) -> None:
        self.state = state & _MASK

    def draw(self) -> int:
        """The next 64 bits."""
        self.state = z = (self.state + _GAMMA) & _MASK
        z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & _MASK
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & _MASK
        return z ^ (z >> 31)

    def below(self, count: int) -> int:
        """0 … count − 1."""
        return (self.draw() * count) >> 64

    def spread(self, width: int) -> int:
        """−width … +width, every whole number alike."""
        return self.below(2 * width + 1) - width

    def happens(self, permille: int) -> bool:
        """True in `permille` of 1,000 cases; always draws, so that later draws do not shift."""
        return self.below(1000) < permille

    def pick(self, weights: Sequence[int]) -> int:
        """An index with the chance of its weight; the sum must be above zero."""
        at = self.below(sum(weights))
        for index, weight in enumerate(weights):
            at -= weight
            if at < 0:
                return index
        raise AssertionError("weights are never below zero")
