"""Values put right by hand, and the points that were won on the table."""

from attrs import evolve

from companion.catalog import Catalog
from companion.catalog.targets import GROUPS, RESOURCES, STATUSES
from companion.simulation.colony import SOLO_SEAT, STATUS_TOP, Act, Colony
from companion.simulation.commands import CorrectValue, EnterTablePoints, Refusal
from companion.simulation.draft import Draft
from companion.simulation.levels import fill_of, middle_of
from companion.simulation.words import Fill, Mode

_MOST_STOCK, _MOST_CITIZENS, _MOST_POINTS = 999, 20_000, 500
_MOST_STATUS = STATUS_TOP // 1000


def correct_value(colony: Colony, command: CorrectValue, catalog: Catalog) -> Colony | Refusal:
    """Exactly one target; statuses are given in points from 0 to 100."""
    targets = (command.stock, command.round, command.status, command.accumulator, command.group)
    if sum(bool(target) for target in targets) != 1:
        return Refusal("one_target", "A correction names exactly one value.")
    corrected = _correct(colony, command, catalog)
    if isinstance(corrected, Refusal):
        return corrected
    act = Act("correction", None, _subject(command), command.value)
    return evolve(corrected, acts=(*colony.acts, act))


def _subject(command: CorrectValue) -> str:
    named = command.status or command.accumulator or command.group
    return named.value if named else ("stock" if command.stock else "round")


def _correct(colony: Colony, command: CorrectValue, catalog: Catalog) -> Colony | Refusal:
    value = command.value
    if command.stock:
        refusal = _check(value, -_MOST_STOCK, _MOST_STOCK)
        return refusal or evolve(colony, stock=value)
    if command.round:
        refusal = _check(value, 1, colony.max_rounds)
        return refusal or evolve(colony, round=value)
    if command.status is not None:
        index = STATUSES.index(command.status.value)
        if command.level is not None:
            middle = middle_of(command.level, Draft(colony, catalog).rules.levels)
            return evolve(colony, statuses=_put(colony.statuses, index, middle))
        refusal = _check(value, 0, _MOST_STATUS)
        return refusal or evolve(colony, statuses=_put(colony.statuses, index, value * 1000))
    if command.accumulator is not None:
        index = RESOURCES.index(command.accumulator.value)
        capacity = Draft(colony, catalog).capacity(index)
        if command.fill is not None:
            value = {Fill.EMPTY: 0, Fill.INCOMPLETE: capacity // 2, Fill.FULL: capacity}[command.fill]
            if fill_of(value, capacity) is not command.fill:
                return Refusal("no_such_fill", f"This accumulator is too small to be {command.fill.value}.")
        refusal = _check(value, 0, capacity)
        return refusal or evolve(colony, accumulators=_put(colony.accumulators, index, value))
    assert command.group is not None
    index = GROUPS.index(command.group.value)
    refusal = _check(value, 0, _MOST_CITIZENS)
    return refusal or evolve(colony, groups=_put(colony.groups, index, value))


def _put(numbers: tuple[int, ...], index: int, value: int) -> tuple[int, ...]:
    return (*numbers[:index], value, *numbers[index + 1 :])


def _check(value: int, low: int, high: int) -> Refusal | None:
    if low <= value <= high:
        return None
    return Refusal("out_of_range", f"The value {value} does not fit here; {low} to {high} would.")


def enter_table_points(colony: Colony, command: EnterTablePoints, _: Catalog) -> Colony | Refusal:
    """After a positive end; entering again replaces."""
    if not colony.has_ended:
        return Refusal("not_ended", "Table points are entered when the game is over.")
    if not all(ending.is_positive for ending in colony.endings):
        return Refusal("game_lost", "The game was lost: no points are counted.")
    is_common = colony.setup.mode is not Mode.SEMI_COOP
    manager = None if is_common and command.manager in (None, SOLO_SEAT) else command.manager
    if is_common and manager is not None:
        return Refusal("common_score", "All points of this mode go into one sum.")
    if not is_common and manager not in colony.setup.managers:
        return Refusal("not_seated", "Name a manager who took part.")
    refusal = _check(command.points, -_MOST_POINTS, _MOST_POINTS)
    others = tuple(entry for entry in colony.table_points if entry[0] != manager)
    return refusal or evolve(colony, table_points=(*others, (manager, command.points)))
