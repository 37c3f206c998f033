"""Carries out the catalog's effects on a draft: one short function a verb."""

from collections.abc import Callable, Sequence
from typing import Any

from attrs import evolve, frozen

from companion.catalog import effects as verbs
from companion.catalog.targets import GROUP_INDEX, GROUPS, RESOURCE_INDEX, STATUS_INDEX
from companion.simulation.colony import ROUND_OF_WORK, STATUS_TOP, Lasting
from companion.simulation.conditions import holds
from companion.simulation.damage import can_be_hit, strike
from companion.simulation.draft import Draft
from companion.simulation.people import add_people, convert_people
from companion.simulation.words import Condition

_IN_ECONOMY = ("stock", "resource", "upkeep", "import_price", "tax", "construction_cost")


@frozen
class Cause:
    """Who or what an effect comes from."""

    line: str
    """Line of the economy screen for STOCK."""
    seat: int = -1
    """The card's owner."""


def apply_effects(draft: Draft, effects: Sequence[verbs.Effect], cause: Cause) -> int:
    """Carries out those whose `when` holds, in order; bit i of the answer is set where effect i did something."""
    applied = 0
    for index, effect in enumerate(effects):
        if holds(effect.when, draft, cause.seat):
            done = _APPLY[type(effect)](draft, effect, cause)
            applied |= (done is not False) << index
    return applied


def move_status(draft: Draft, status: int, amount: int) -> None:
    """By thousandths of a point, within the scale."""
    draft.statuses[status] = min(STATUS_TOP, max(0, draft.statuses[status] + amount))


def _last(draft: Draft, kind: str, index: int, amount: int, rounds: int) -> None:
    """Counts for `rounds` settlements, beginning with this one where its subject is still to come (order in README.md)."""
    first = draft.round + 1 if draft.economy_is_done and kind in _IN_ECONOMY else draft.round
    draft.lasting.append(Lasting(kind, index, amount, first, first + rounds - 1))


def _status(draft: Draft, effect: verbs.ChangeStatus, cause: Cause) -> None:
    rules = draft.rules.moods
    percent = rules.card_arrows.at(len(draft.support)) if cause.seat >= 0 else 100
    for status in STATUS_INDEX[effect.of]:
        move_status(draft, status, effect.steps * rules.step * percent // 100)


def _stock(draft: Draft, effect: verbs.ChangeStock, cause: Cause) -> None:
    draft.pay(cause.line, effect.by)
    if effect.rounds > 1:
        now = draft.round
        draft.lasting.append(Lasting("stock", -1, effect.by, now + 1, now + effect.rounds - 1))


def _resource(draft: Draft, effect: verbs.ChangeResource, _: Cause) -> None:
    for resource in RESOURCE_INDEX[effect.of]:
        _last(draft, "resource", resource, effect.by, effect.rounds)


def _accumulator(draft: Draft, effect: verbs.FillAccumulator, _: Cause) -> None:
    for resource in RESOURCE_INDEX[effect.of]:
        units = draft.accumulators[resource] + effect.by
        draft.accumulators[resource] = max(0, min(units, max(draft.capacity(resource), draft.accumulators[resource])))


def _capacity(draft: Draft, effect: verbs.ChangeCapacity, _: Cause) -> None:
    for resource in RESOURCE_INDEX[effect.of]:
        draft.extra_capacity[resource] += effect.by
        draft.accumulators[resource] = min(draft.accumulators[resource], draft.capacity(resource))


def _people(draft: Draft, effect: verbs.ChangePeople, _: Cause) -> None:
    add_people(draft, GROUP_INDEX[effect.of], effect.by)


def _people_share(draft: Draft, effect: verbs.ChangePeopleShare, _: Cause) -> None:
    groups = GROUP_INDEX[effect.of]
    count = sum(draft.groups[g] for g in groups) * abs(effect.percent) // 100
    add_people(draft, groups, count if effect.percent > 0 else -count)


def _convert(draft: Draft, effect: verbs.ConvertPeople, _: Cause) -> bool:
    moved = convert_people(draft, GROUPS.index(effect.source), GROUPS.index(effect.to), effect.by)
    return moved > 0


def _immigration(draft: Draft, effect: verbs.ChangeImmigration, _: Cause) -> None:
    if effect.of == "all":
        _last(draft, "immigration", -1, effect.percent, effect.rounds)
    else:
        _last(draft, "attracts", GROUPS.index(effect.of), effect.percent, effect.rounds)


def _housing(draft: Draft, effect: verbs.ChangeHousing, _: Cause) -> None:
    draft.extra_housing += effect.by


def _dependence(draft: Draft, effect: verbs.ChangeDependence, _: Cause) -> bool:
    before = draft.dependence
    draft.dependence = max(0, before + effect.by)
    return draft.dependence != before


def _break_riot(draft: Draft, _: verbs.BreakRiot, __: Cause) -> bool:
    was_riot = draft.riot_stage > 0
    draft.riot_stage = draft.riot_warnings = 0
    return was_riot


def _governor(draft: Draft, _: verbs.TakeGovernor, cause: Cause) -> None:
    if cause.seat >= 0 and draft.setup.managers:
        draft.next_governor = draft.setup.managers[cause.seat]


def _block_decrees(_: Draft, __: verbs.BlockDecrees, ___: Cause) -> None:
    """Blocking happens before the votes, in `settlement.votes`."""


def _seats_meant(draft: Draft, who: str, cause: Cause) -> list[int]:
    seats = range(len(draft.support))
    return [s for s in seats if who == "all" or (s == cause.seat) == (who == "owner")]


def _support(draft: Draft, effect: verbs.ChangeSupport, cause: Cause) -> None:
    for seat in _seats_meant(draft, effect.of, cause):
        draft.support[seat] += effect.points


def _approval(draft: Draft, effect: verbs.ChangeApproval, cause: Cause) -> None:
    for seat in _seats_meant(draft, effect.of, cause):
        first = draft.round + 1
        draft.lasting.append(Lasting("approval", seat, effect.percent, first, first + effect.rounds - 1))


def _construction(draft: Draft, effect: verbs.AdvanceConstruction, _: Cause) -> bool:
    done, before = ROUND_OF_WORK * effect.percent // 100, list(draft.modules)
    for index, module in enumerate(draft.modules):
        if module.condition in (Condition.UNDER_CONSTRUCTION, Condition.UNDER_RECONSTRUCTION):
            draft.modules[index] = evolve(module, progress=max(0, min(module.work, module.progress + done)))
            draft.modules_changed()
    return draft.modules != before


def _lasting(kind: str, amount: str) -> Callable[[Draft, Any, Cause], None]:
    def apply(draft: Draft, effect: Any, _: Cause) -> None:
        _last(draft, kind, -1, getattr(effect, amount), effect.rounds)

    return apply


def _named(draft: Draft, type_id: int, names: tuple[str, ...]) -> bool:
    kind = draft.catalog.module_by_type(type_id)
    return not names or (kind is not None and kind.id in names)


def _catastrophe(draft: Draft, effect: verbs.StrikeCatastrophe, _: Cause) -> bool:
    targets = [
        i
        for i, m in enumerate(draft.modules)
        if can_be_hit(m) and m.condition is Condition.WORKING and _named(draft, m.type_id, effect.module)
    ]
    if targets:
        strike(draft, targets[draft.chance.below(len(targets))])
    return bool(targets)


def _upgrade(draft: Draft, effect: verbs.UpgradeModule, _: Cause) -> bool:
    ready = [
        i
        for i, m in enumerate(draft.modules)
        if m.condition is Condition.WORKING and m.tier == 1 and _named(draft, m.type_id, effect.module)
    ]
    if ready:
        oldest = min(ready, key=lambda i: draft.modules[i].since)
        draft.modules[oldest] = evolve(draft.modules[oldest], tier=2)
        draft.modules_changed()
        draft.upgraded.append(draft.modules[oldest].instance)
    return bool(ready)


def _max_rounds(draft: Draft, effect: verbs.ChangeRounds, _: Cause) -> None:
    draft.max_rounds = max(draft.round, draft.max_rounds + effect.by)


def _counter(draft: Draft, effect: verbs.ChangeCounter, _: Cause) -> None:
    draft.counters[effect.of] = max(0, draft.counters.get(effect.of, 0) + effect.by)


# False: there was nothing to do it to
_APPLY: dict[type[verbs.Effect], Callable[[Draft, Any, Cause], bool | None]] = {
    verbs.ChangeStatus: _status,
    verbs.ChangeStock: _stock,
    verbs.ChangeResource: _resource,
    verbs.FillAccumulator: _accumulator,
    verbs.ChangeCapacity: _capacity,
    verbs.ChangePeople: _people,
    verbs.ChangePeopleShare: _people_share,
    verbs.ConvertPeople: _convert,
    verbs.ChangeImmigration: _immigration,
    verbs.ChangeHousing: _housing,
    verbs.ChangeDependence: _dependence,
    verbs.BreakRiot: _break_riot,
    verbs.TakeGovernor: _governor,
    verbs.BlockDecrees: _block_decrees,
    verbs.ChangeSupport: _support,
    verbs.ChangeApproval: _approval,
    verbs.AdvanceConstruction: _construction,
    verbs.ChangeConstructionCost: _lasting("construction_cost", "by"),
    verbs.ChangeUpkeep: _lasting("upkeep", "by"),
    verbs.ChangeImportPrice: _lasting("import_price", "by"),
    verbs.ChangeTax: _lasting("tax", "percent"),
    verbs.StrikeCatastrophe: _catastrophe,
    verbs.ChangeCatastropheRisk: _lasting("catastrophe_risk", "percent"),
    verbs.UpgradeModule: _upgrade,
    verbs.ChangeRounds: _max_rounds,
    verbs.ChangeCounter: _counter,
}
