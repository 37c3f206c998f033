"""Which of the four words a status gets, and which icon a balance or an accumulator: the only way numbers become visible."""

from companion.catalog.rules import Levels
from companion.simulation.colony import STATUS_TOP
from companion.simulation.words import Balance, Fill, Level

LEVELS = tuple(Level)
CRITICAL = LEVELS.index(Level.CRITICAL)
_DEVASTATING, _OVERFLOWING = -5, 5


def level_of(status: int, levels: Levels) -> int:
    """0 good … 3 critical."""
    if status >= levels.good:
        return 0
    if status >= levels.poor:
        return 1
    return 2 if status >= levels.alarming else 3


def middle_of(level: Level, levels: Levels) -> int:
    """The status in the middle of a level."""
    bounds = (STATUS_TOP, levels.good, levels.poor, levels.alarming, 0)
    place = LEVELS.index(level)
    return (bounds[place] + bounds[place + 1]) // 2


def balance_of(produced: int, consumed: int) -> Balance:
    difference = produced - consumed
    if difference <= _DEVASTATING:
        return Balance.DEVASTATING
    if difference >= _OVERFLOWING:
        return Balance.OVERFLOWING
    if difference == 0:
        return Balance.EVEN
    return Balance.SHORT if difference < 0 else Balance.SURPLUS


def fill_of(units: int, capacity: int) -> Fill:
    if units <= 0:
        return Fill.EMPTY
    return Fill.FULL if units >= capacity else Fill.INCOMPLETE
