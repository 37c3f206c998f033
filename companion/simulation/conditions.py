"""Whether a catalog's `when` holds in a colony: one small question a key, asked only where the author gave the key."""

from collections.abc import Callable
from typing import Any

from companion.catalog.conditions import STATIC_KEYS, Condition
from companion.catalog.targets import GROUPS, LEVELS, RESOURCE_INDEX
from companion.simulation.colony import HAPPINESS, SECURITY, TECHNICAL
from companion.simulation.draft import Draft
from companion.simulation.levels import level_of
from companion.simulation.words import Condition as ModuleCondition

_WORKING = ModuleCondition.WORKING
_AWAITING = ModuleCondition.AWAITING_BUILDER


def holds(condition: Condition | None, draft: Draft, seat: int = -1) -> bool:
    """All keys hold. `seat` is the owner for the keys that look at one."""
    return condition is None or all(_ASK[key](draft, wanted, seat) for key, wanted in condition.given)


def holds_for_game(condition: Condition, draft: Draft) -> bool:
    """The keys that cannot change during a game hold."""
    return all(_ASK[key](draft, wanted, -1) for key, wanted in condition.given if key in STATIC_KEYS)


def holds_now(condition: Condition, draft: Draft) -> bool:
    """The other keys hold."""
    return all(_ASK[key](draft, wanted, -1) for key, wanted in condition.given if key not in STATIC_KEYS)


def _level(draft: Draft, status: int) -> str:
    return LEVELS[level_of(draft.statuses[status], draft.rules.levels)]


def _works(draft: Draft, names: tuple[str, ...]) -> bool:
    by_type = draft.catalog.module_by_type
    return any(
        m.condition is _WORKING and (kind := by_type(m.type_id)) is not None and kind.id in names for m in draft.modules
    )


def _is_connected(draft: Draft, names: tuple[str, ...]) -> bool:
    by_type = draft.catalog.module_by_type
    return any((kind := by_type(m.type_id)) is not None and kind.id in names for m in draft.modules)


def _built(draft: Draft) -> int:
    return sum(m.condition is _WORKING for m in draft.modules)


def _is_building(draft: Draft) -> bool:
    return any(m.condition is not _WORKING and m.condition is not _AWAITING for m in draft.modules)


def _share(draft: Draft, group: str) -> int:
    return 100 * draft.groups[GROUPS.index(group)] // max(1, sum(draft.groups))


def _some_resource(names: tuple[str, ...], question: Callable[[int], bool]) -> bool:
    return any(question(RESOURCE_INDEX[name][0]) for name in names)


def president_seat(draft: Draft) -> int:
    """The highest support; a tie goes to the higher order of command (GAP-22). −1 where nobody is elected."""
    if not draft.setup.managers:
        return -1
    managers = draft.catalog.managers
    return max(range(len(draft.support)), key=lambda s: (draft.support[s], managers[draft.setup.managers[s]].order))


_ASK: dict[str, Callable[[Draft, Any, int], bool]] = {
    "planet": lambda d, v, _: d.setup.planet in v,
    "environment": lambda d, v, _: any(name in v for name in d.planet.environment),
    "manager": lambda d, v, _: any(name in v for name in d.setup.managers),
    "mode": lambda d, v, _: d.setup.mode.value in v,
    "players_min": lambda d, v, _: max(1, len(d.setup.managers)) >= v,
    "players_max": lambda d, v, _: max(1, len(d.setup.managers)) <= v,
    "assistant": lambda d, v, _: any(name in v for name in d.assistants),
    "module": lambda d, v, _: _works(d, v),
    "without_module": lambda d, v, _: not _is_connected(d, v),
    "happiness": lambda d, v, _: _level(d, HAPPINESS) in v,
    "security": lambda d, v, _: _level(d, SECURITY) in v,
    "technical": lambda d, v, _: _level(d, TECHNICAL) in v,
    "stock_min": lambda d, v, _: d.stock >= v,
    "stock_max": lambda d, v, _: d.stock <= v,
    "round_min": lambda d, v, _: d.round >= v,
    "round_max": lambda d, v, _: d.round <= v,
    "citizens_min": lambda d, v, _: sum(d.groups) >= v,
    "citizens_max": lambda d, v, _: sum(d.groups) <= v,
    "share_min": lambda d, v, _: all(_share(d, group) >= least for group, least in v.items()),
    "share_max": lambda d, v, _: all(_share(d, group) <= most for group, most in v.items()),
    "modules_min": lambda d, v, _: _built(d) >= v,
    "modules_max": lambda d, v, _: _built(d) <= v,
    "building": lambda d, v, _: _is_building(d) is v,
    "riot": lambda d, v, _: (d.riot_stage > 0) is v,
    "overcrowded": lambda d, v, _: d.is_overcrowded is v,
    "dependence_min": lambda d, v, _: d.dependence >= v,
    "shortage": lambda d, v, _: _some_resource(v, lambda r: d.imported[r] > 0),
    "accumulator_empty": lambda d, v, _: _some_resource(v, lambda r: d.accumulators[r] == 0),
    "accumulator_full": lambda d, v, _: _some_resource(v, lambda r: d.accumulators[r] >= d.capacity(r)),
    "counter_min": lambda d, v, _: all(d.counters.get(name, 0) >= least for name, least in v.items()),
    "own_modules_min": lambda d, v, seat: d.built[seat] >= v,
    "own_greens_min": lambda d, v, seat: d.greens[seat] >= v,
    "is_governor": lambda d, v, seat: (d.seat(d.governor) == seat) is v,
    "is_president": lambda d, v, seat: (president_seat(d) == seat) is v,
}
