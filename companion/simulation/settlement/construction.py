"""The building queue: cost, progress, completion and what happens once at completion (§4.9.2)."""

from attrs import evolve

from companion.simulation.colony import ROUND_OF_WORK, Module
from companion.simulation.draft import Draft
from companion.simulation.words import Condition

_BUILDING = Condition.UNDER_CONSTRUCTION
_REBUILDING = Condition.UNDER_RECONSTRUCTION
_DAMAGED = Condition.DAMAGED


def build(draft: Draft) -> None:
    """Every module in the queue costs STOCK and comes a round further, whatever the bank holds."""
    cost = max(0, draft.rules.construction.cost + draft.last_of("construction_cost"))
    for index, module in enumerate(draft.modules):
        begun = _begin_again(draft, module) if module.condition is _DAMAGED else module
        if begun.condition is _BUILDING or begun.condition is _REBUILDING:
            draft.pay("construction", -cost)
            draft.modules[index] = _advance(draft, begun)
            draft.modules_changed()


def _begin_again(draft: Draft, module: Module) -> Module:
    """After the round in which its ruin was announced. What was never finished goes on being built, from the start."""
    if not module.was_finished:
        return evolve(module, condition=_BUILDING)
    kind = draft.catalog.module_by_type(module.type_id)
    rounds = kind.rounds if kind is not None else 1
    work = max(ROUND_OF_WORK, rounds * ROUND_OF_WORK * draft.rules.construction.rebuild_percent // 100)
    return evolve(module, condition=_REBUILDING, work=work)


def _advance(draft: Draft, module: Module) -> Module:
    progress = module.progress + ROUND_OF_WORK
    if progress < module.work:
        return evolve(module, progress=progress)
    draft.completed.append(module.instance)
    if not module.was_finished:
        _complete_first_time(draft, module)
    return evolve(
        module, condition=Condition.WORKING, progress=module.work, since=draft.round, was_finished=True, is_hit=False
    )


def _complete_first_time(draft: Draft, module: Module) -> None:
    """What a module does once; never again after a reconstruction (GAP-20)."""
    kind = draft.catalog.module_by_type(module.type_id)
    if kind is None:
        return
    draft.pay("gifts", kind.once_stock)
    draft.dependence = max(0, draft.dependence + kind.once_dependence)
