"""What a catastrophe does: damage to a module, spread to those connected to it, casualties (§5.6.1)."""

from attrs import evolve

from companion.simulation.colony import Module
from companion.simulation.draft import Draft
from companion.simulation.people import add_people, groups_named
from companion.simulation.words import Condition

_CAN_BE_HIT = (Condition.WORKING, Condition.UNDER_CONSTRUCTION, Condition.UNDER_RECONSTRUCTION)


def can_be_hit(module: Module) -> bool:
    """Submitted, and not lying in ruins already."""
    return module.condition in _CAN_BE_HIT


def strike(draft: Draft, index: int) -> None:
    """Hits the module at `index`; each one directly connected may be hit too, and no further (GAP-16)."""
    origin = draft.modules[index].instance
    _damage(draft, index)
    neighbours = {b if a == origin else a for a, b in draft.connections if origin in (a, b)}
    for i, module in enumerate(draft.modules):
        is_near = module.instance in neighbours and can_be_hit(module)
        if is_near and draft.chance.happens(draft.rules.catastrophe.spread_permille):
            _damage(draft, i)


def _damage(draft: Draft, index: int) -> None:
    module = draft.modules[index]
    draft.modules[index] = evolve(module, condition=Condition.DAMAGED, progress=0, is_hit=True)
    draft.modules_changed()
    draft.hit.append(module.instance)
    kind = draft.catalog.module_by_type(module.type_id)
    if kind is not None:
        _take_casualties(draft, groups_named(kind.casualties))


def _take_casualties(draft: Draft, groups: tuple[int, ...]) -> None:
    count = sum(draft.groups[g] for g in groups) * draft.rules.catastrophe.casualties_permille // 1000
    add_people(draft, groups, -count)
    draft.lost += count
