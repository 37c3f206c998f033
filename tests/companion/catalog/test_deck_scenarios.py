"""The shipped scenarios and tutorials: each begins, tells its story, and can be lost or won by what it says."""

from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import pytest
from attrs import evolve, fields, has

from companion import catalog, simulation
from companion.catalog.conditions import Condition
from companion.catalog.effects import ChangeCounter
from companion.catalog.scenario import Scenario
from companion.simulation.colony import Colony, Module
from companion.simulation.commands import Settle, Setup
from companion.simulation.words import Condition as State, Ending, Mode

SHIPPED = catalog.load()
ALL = [pytest.param(scenario, id=scenario.id) for scenario in SHIPPED.scenarios.values()]
STORIES = [pytest.param(one, id=one.id) for one in SHIPPED.scenarios.values() if not one.tutorial]
CORE = {ending.value for ending in Ending} - {"depopulation", "scenario_won", "scenario_lost"}


def begin(scenario: Scenario, seed: int = 3) -> Colony:
    planet = scenario.planet or "rustfall"
    return simulation.new_game(
        Setup(Mode(scenario.mode), ("bloch", "gore"), planet, scenario=scenario.id), seed, SHIPPED
    )


def play(colony: Colony, level: int, stock: int, **held: Any) -> Colony:
    """To the end, with statuses, bank and whatever else held where they are told."""
    for _ in range(colony.max_rounds + 1):
        if colony.endings:
            break
        colony = evolve(colony, statuses=(level,) * 3, stock=stock, riot_stage=0, dependence=0, **held)
        answer = simulation.step(colony, Settle(), SHIPPED)
        assert isinstance(answer, simulation.Stepped)
        colony = answer.colony
        assert simulation.problems(colony, SHIPPED) == ()
    return colony


def whole_city() -> tuple[Module, ...]:
    """Every kind of module at work."""
    kinds = list(SHIPPED.modules.values())[:14]
    kinds += [SHIPPED.modules[name] for name in ("laboratory", "testchamber") if SHIPPED.modules[name] not in kinds]
    return tuple(
        Module(200 + i, kind.type_id, "bloch", State.WORKING, 1, 1000 * kind.rounds, 1000 * kind.rounds, 1, True)
        for i, kind in enumerate(kinds)
    )


def values_of(value: Any, kind: type) -> Iterator[Any]:
    if isinstance(value, kind):
        yield value
    elif isinstance(value, tuple):
        for item in value:
            yield from values_of(item, kind)
    elif has(type(value)):
        for attribute in fields(type(value)):
            yield from values_of(getattr(value, attribute.name), kind)


@pytest.mark.parametrize("scenario", ALL)
def test_it_ends_by_its_last_round_whatever_happens(scenario: Scenario) -> None:
    ended = play(begin(scenario), 50_000, 15)
    assert ended.endings
    assert ended.round <= ended.max_rounds
    assert set(ended.endings) <= {Ending.SCENARIO_WON, Ending.SCENARIO_LOST}


@pytest.mark.parametrize("scenario", STORIES)
def test_doing_nothing_loses(scenario: Scenario) -> None:
    assert play(begin(scenario), 30_000, 5).endings == (Ending.SCENARIO_LOST,)


@pytest.mark.parametrize("scenario", ALL)
def test_a_great_city_wins(scenario: Scenario) -> None:
    city = whole_city()
    wires = tuple(pairwise([0, *(module.instance for module in city)]))
    colony = evolve(begin(scenario), modules=city, connections=wires)
    ended = play(
        colony, 75_000, 60, modules=city, greens=(14, 14), groups=(5200, 500, 700, 300, 100), extra_housing=20_000
    )
    assert ended.endings == (Ending.SCENARIO_WON,)


@pytest.mark.parametrize("scenario", ALL)
def test_its_bars_exist_and_move(scenario: Scenario) -> None:
    bars = {bar.id for bar in scenario.progress}
    asked = {name for condition in values_of(scenario, Condition) for name in condition.counter_min}
    called = [SHIPPED.occurrences[event.occurrence] for event in scenario.events if event.occurrence]
    moved = {effect.of for thing in (scenario, *called) for effect in values_of(thing, ChangeCounter)}
    assert asked | moved <= bars
    assert {bar.id for bar in scenario.progress if bar.counts == "effects"} <= moved


@pytest.mark.parametrize("scenario", ALL)
def test_its_events_and_hints_fall_within_it(scenario: Scenario) -> None:
    last = scenario.max_rounds or SHIPPED.rules.start.max_rounds
    assert all(1 <= number <= last for event in scenario.events for number in event.rounds)
    assert all(hint.round <= last for hint in scenario.hints)
    assert set(scenario.without) <= CORE


def test_scenario_occurrences_come_only_when_called() -> None:
    called = {event.occurrence for scenario in SHIPPED.scenarios.values() for event in scenario.events}
    for card in SHIPPED.occurrences.values():
        assert (card.weight == 0) == (card.id in called), card.id


def test_every_difficulty_and_more_than_one_mode() -> None:
    stories = [scenario for scenario in SHIPPED.scenarios.values() if not scenario.tutorial]
    assert {story.difficulty for story in stories} == {"gentle", "standard", "hard", "extreme"}
    assert {story.mode for story in stories} == {"co-op", "semi-coop"}
