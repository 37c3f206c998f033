"""`view`: the colony as players may know it at any time (colonies-rules part 4 lists what they may not)."""

from typing import Any

from companion.catalog import Catalog
from companion.simulation.checklist import table_setup
from companion.simulation.colony import Colony, Module, Past
from companion.simulation.draft import Draft
from companion.simulation.levels import LEVELS, balance_of, fill_of, level_of
from companion.simulation.player import (
    AssistantView,
    ConstructionView,
    EconomyView,
    ManagerView,
    ModuleView,
    PlayerView,
    PopulationView,
    RegisteredAct,
    ResourceView,
    SpecialView,
    StatusView,
)
from companion.simulation.scoring import view_ending
from companion.simulation.settlement.riot import is_critical
from companion.simulation.settlement.supply import produced_and_consumed
from companion.simulation.wording import act_text
from companion.simulation.words import Condition, Group, Mode, Resource, Status

_SHOWN_IN_TREND = 3
_QUARTERS = 4
_SOLO_COLOUR = "#E6E1D3"
_IN_QUEUE = (Condition.UNDER_CONSTRUCTION, Condition.UNDER_RECONSTRUCTION, Condition.DAMAGED)
_GROUPS, _STATUSES, _RESOURCES = tuple(Group), tuple(Status), tuple(Resource)


def view(colony: Colony, catalog: Catalog, name: str = "") -> PlayerView:
    """Everything a screen may draw. `name` is what the players call their colony."""
    draft = Draft(colony, catalog)
    planet = catalog.planets[colony.setup.planet].name
    return PlayerView(
        colony_name=name or planet,
        planet_name=planet,
        mode=colony.setup.mode,
        round=colony.round,
        max_rounds=colony.max_rounds,
        managers=view_managers(colony, catalog),
        statuses=_statuses(colony, draft),
        resources=_resources(draft),
        population=_population(colony, draft),
        economy=_economy(colony, draft),
        special=_special(colony, draft),
        modules=tuple(_module(module, catalog) for module in colony.modules),
        registered=tuple(RegisteredAct(act.kind, act.manager, *act_text(act, catalog)) for act in colony.acts),
        is_last_round=colony.round >= colony.max_rounds,
        ending=view_ending(colony, catalog) if colony.has_ended else None,
        achievements=achievements(colony, catalog, colony.counters),
        **_scenario(colony, catalog),
        table_setup=table_setup(colony.setup, catalog) if colony.settlement is None else (),
        assistants=_assistants(colony, catalog),
    )


def _scenario(colony: Colony, catalog: Catalog) -> dict[str, Any]:
    if colony.setup.scenario is None:
        return {}
    scenario = catalog.scenarios[colony.setup.scenario]
    hint = next((hint.text for hint in scenario.hints if hint.round == colony.round), "")
    texts = {"scenario_name": scenario.name, "scenario_text": scenario.text}
    return {**texts, "scenario_rules": scenario.rules_text, "hint": hint}


def view_managers(colony: Colony, catalog: Catalog) -> tuple[ManagerView, ...]:
    """In turn order: the Governor, then clockwise. In solo one seat, the player's."""
    if colony.setup.mode is Mode.SOLO:
        return (ManagerView(colony.governor, "You", "★", _SOLO_COLOUR, False, False),)
    seats = colony.setup.managers
    first = seats.index(colony.governor)
    return tuple(_manager(name, colony, catalog) for name in (*seats[first:], *seats[:first]))


def _manager(name: str, colony: Colony, catalog: Catalog) -> ManagerView:
    manager = catalog.managers[name]
    becomes = colony.next_governor == name and colony.governor != name
    return ManagerView(name, manager.name, manager.letter, manager.colour, colony.governor == name, becomes)


def status_views(levels: tuple[int, ...], past: tuple[Past, ...]) -> tuple[StatusView, ...]:
    """`past` begins with the start; its last row is the round before `levels` were reached, or those levels themselves."""
    previous = past[-2] if len(past) > 1 else None
    return tuple(
        StatusView(
            status,
            LEVELS[levels[i]],
            LEVELS[previous.levels[i]] if previous else None,
            tuple(LEVELS[row.levels[i]] for row in past[1:]),
        )
        for i, status in enumerate(_STATUSES)
    )


def _statuses(colony: Colony, draft: Draft) -> tuple[StatusView, ...]:
    levels = tuple(level_of(status, draft.rules.levels) for status in colony.statuses)
    return status_views(levels, colony.past)


def _resources(draft: Draft) -> tuple[ResourceView, ...]:
    produced, consumed = produced_and_consumed(draft)
    return tuple(
        ResourceView(
            resource,
            produced[i],
            consumed[i],
            balance_of(produced[i], consumed[i]),
            fill_of(draft.accumulators[i], draft.capacity(i)),
        )
        for i, resource in enumerate(_RESOURCES)
    )


def _population(colony: Colony, draft: Draft) -> PopulationView:
    arriving = sorted((g for g in range(len(_GROUPS)) if colony.arrivals[g] > 0), key=lambda g: -colony.arrivals[g])
    return PopulationView(
        groups=tuple(zip(_GROUPS, colony.groups, strict=True)),
        housing=draft.housing(),
        trend=tuple(_GROUPS[g] for g in arriving[:_SHOWN_IN_TREND]),
        is_leaving=sum(colony.arrivals) < 0,
        history=tuple(row.citizens for row in colony.past[1:]),
    )


def _economy(colony: Colony, draft: Draft) -> EconomyView:
    history = tuple(row.stock for row in colony.past[1:])
    return EconomyView(colony.stock, _queue(colony, draft.catalog), history, draft.rules.construction.cost)


def _assistants(colony: Colony, catalog: Catalog) -> tuple[AssistantView, ...]:
    """Cards of which both sides are known."""
    sides = {(one.manager, one.id in colony.assistants): one for one in catalog.assistants.values()}
    return tuple(
        AssistantView(one.id, one.name, one.letter, one.colour, sides[one.id, True].name, sides[one.id, False].name)
        for one in catalog.managers.values()
        if (one.id, True) in sides and (one.id, False) in sides
    )


def _queue(colony: Colony, catalog: Catalog) -> tuple[ConstructionView, ...]:
    return tuple(
        ConstructionView(
            module.instance,
            module_name(module, catalog),
            _QUARTERS * module.progress // module.work if module.work else 0,
            module.was_finished,
        )
        for module in colony.modules
        if module.condition in _IN_QUEUE
    )


def _special(colony: Colony, draft: Draft) -> SpecialView:
    return SpecialView(
        riot_stage=colony.riot_stage,
        riot_warning=colony.riot_stage == 0 and is_critical(draft),
        terran_dependence=colony.dependence,
        is_overcrowded=colony.is_overcrowded,
        damaged=tuple(module.instance for module in colony.modules if module.is_hit),
        loan=draft.rules.economy.loan,
    )


def module_name(module: Module, catalog: Catalog) -> str:
    kind = catalog.module_by_type(module.type_id)
    return kind.name if kind else f"Module of type {module.type_id}"


def _module(module: Module, catalog: Catalog) -> ModuleView:
    name = module_name(module, catalog)
    return ModuleView(module.instance, module.type_id, name, module.condition, module.tier, module.builder)


def achievements(
    colony: Colony, catalog: Catalog, counters: tuple[tuple[str, int], ...]
) -> tuple[tuple[str, int, int], ...]:
    """The scenario's progress bars: (text, reached, needed)."""
    if colony.setup.scenario is None:
        return ()
    reached = dict(counters)
    bars = catalog.scenarios[colony.setup.scenario].progress
    return tuple((bar.text, min(bar.needed, reached.get(bar.id, 0)), bar.needed) for bar in bars)
