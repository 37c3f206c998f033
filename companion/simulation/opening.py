"""The first round's colony from what the players chose (§3), or why it cannot begin."""

from companion.catalog import Catalog
from companion.catalog.checks import suggest
from companion.simulation.chance import Chance
from companion.simulation.colony import SOLO_SEAT, Colony, Past
from companion.simulation.commands import Refusal, Setup
from companion.simulation.draft import Draft
from companion.simulation.effects import Cause, apply_effects
from companion.simulation.game_rules import rules_of
from companion.simulation.levels import level_of
from companion.simulation.settlement.population import expect_arrivals
from companion.simulation.settlement.scenario_turn import count_progress
from companion.simulation.words import Mode

MOST_MANAGERS, FEWEST_MANAGERS = 5, 2
SOLO_ASSISTANTS = 3


class SetupError(ValueError):
    """The setup does not fit; `refusal` says why, in words for players."""

    def __init__(self, refusal: Refusal) -> None:
        super().__init__(refusal.reason)
        self.refusal = refusal


def check_setup(setup: Setup, catalog: Catalog) -> Refusal | None:
    """Why this setup cannot begin; None when it can."""
    for check in (_check_seats, _check_world, _check_assistants):
        refusal = check(setup, catalog)
        if refusal is not None:
            return refusal
    return None


def new_game(setup: Setup, seed: int, catalog: Catalog) -> Colony:
    """Round 1. The same setup, seed and catalog give the same game. Raises `SetupError` when the setup does not fit."""
    refusal = check_setup(setup, catalog)
    if refusal is not None:
        raise SetupError(refusal)
    draft = Draft(_bare_colony(setup, seed, catalog), catalog)
    if setup.fleet is not None:
        apply_effects(draft, catalog.fleets[setup.fleet].effects, Cause("gifts"))
    if setup.scenario is not None:
        scenario = catalog.scenarios[setup.scenario]
        for bar in scenario.progress:
            draft.counters[bar.id] = bar.start
        apply_effects(draft, scenario.start, Cause("scenario"))
        count_progress(draft)
    draft.arrivals = expect_arrivals(draft, 0)
    levels = tuple(level_of(status, draft.rules.levels) for status in draft.statuses)
    draft.past = (Past(levels, sum(draft.groups), draft.stock),)
    return draft.freeze()


def first_governor(setup: Setup, catalog: Catalog) -> str:
    """Named at setup, or the highest order of command present (§3.1.7); in solo the player."""
    if not setup.managers:
        return SOLO_SEAT
    return setup.first_governor or max(setup.managers, key=lambda manager: catalog.managers[manager].order)


def default_assistants(setup: Setup, catalog: Catalog) -> tuple[str, ...]:
    """The sides named at setup; else side a of each manager's card."""
    if setup.assistants or setup.mode is Mode.SOLO:
        return setup.assistants
    return tuple(a.id for a in catalog.assistants.values() if a.side == "a" and a.manager in setup.managers)


def _bare_colony(setup: Setup, seed: int, catalog: Catalog) -> Colony:
    rules = rules_of(setup, catalog)
    start, nobody = rules.start, (0,) * max(1, len(setup.managers))
    scenario = catalog.scenarios[setup.scenario] if setup.scenario else None
    return Colony(
        setup=setup,
        catalog_version=catalog.version,
        chance=Chance(seed).draw(),
        round=1,
        max_rounds=(scenario.max_rounds if scenario else None) or start.max_rounds,
        governor=first_governor(setup, catalog),
        next_governor=None,
        assistants=default_assistants(setup, catalog),
        statuses=(start.happiness, start.security, start.technical),
        stock=start.stock,
        groups=(start.colonists, start.secforce, start.scientists, start.marines, start.prisoners),
        accumulators=(start.accumulator,) * 4,
        extra_capacity=(0, 0, 0, 0),
        extra_housing=0,
        support=nobody,
        built=nobody,
        greens=nobody,
        ambassadors=nobody,
    )


def _check_seats(setup: Setup, catalog: Catalog) -> Refusal | None:
    managers = setup.managers
    for manager in managers:
        if manager not in catalog.managers:
            return Refusal("unknown_manager", f"There is no manager {manager!r}; {suggest(manager, catalog.managers)}")
    if len(set(managers)) != len(managers):
        return Refusal("manager_twice", "A manager can take only one seat.")
    if setup.mode is Mode.SOLO:
        if managers:
            return Refusal("solo_managers", "In solo you play without a manager: no manager is seated.")
        return None
    if not FEWEST_MANAGERS <= len(managers) <= MOST_MANAGERS:
        return Refusal("manager_count", f"{FEWEST_MANAGERS} to {MOST_MANAGERS} managers can play, not {len(managers)}.")
    if setup.first_governor is not None and setup.first_governor not in managers:
        return Refusal("governor_not_seated", "The first Governor must be one of the seated managers.")
    return None


def _check_world(setup: Setup, catalog: Catalog) -> Refusal | None:
    if setup.planet not in catalog.planets:
        return Refusal(
            "unknown_planet", f"There is no planet {setup.planet!r}; {suggest(setup.planet, catalog.planets)}"
        )
    if setup.fleet is not None and setup.fleet not in catalog.fleets:
        return Refusal("unknown_fleet", f"There is no fleet {setup.fleet!r}; {suggest(setup.fleet, catalog.fleets)}")
    if setup.scenario is None:
        return None
    scenario = catalog.scenarios.get(setup.scenario)
    if scenario is None:
        return Refusal("unknown_scenario", f"There is no scenario {setup.scenario!r}.")
    if scenario.mode != setup.mode.value:
        return Refusal("scenario_mode", f"{scenario.name} is played as {scenario.mode}, not as {setup.mode.value}.")
    if scenario.planet is not None and scenario.planet != setup.planet:
        return Refusal("scenario_planet", f"{scenario.name} takes place on {catalog.planets[scenario.planet].name}.")
    return None


def _check_assistants(setup: Setup, catalog: Catalog) -> Refusal | None:
    owners: list[str] = []
    for name in setup.assistants:
        assistant = catalog.assistants.get(name)
        if assistant is None:
            return Refusal("unknown_assistant", f"There is no assistant {name!r}; {suggest(name, catalog.assistants)}")
        if setup.managers and assistant.manager not in setup.managers:
            return Refusal("assistant_not_seated", f"{assistant.name} belongs to a manager who is not seated.")
        owners.append(assistant.manager)
    if len(set(owners)) != len(owners):
        return Refusal("assistant_twice", "Each assistant card lies with one side up.")
    if setup.mode is Mode.SOLO and len(owners) > SOLO_ASSISTANTS:
        return Refusal("assistant_count", f"In solo {SOLO_ASSISTANTS} assistants take part.")
    return None
