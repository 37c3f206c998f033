"""Scenarios as data (colonies-rules 1.18): changed rules, bars, events, own endings, hints; no code of the author's."""

from pathlib import Path

import pytest
from attrs import evolve

from companion import catalog, simulation
from companion.simulation.commands import Settle, Setup
from companion.simulation.player_report import AchievementSection, ColonyStatusSection, PlayerReport
from companion.simulation.words import Ending, Mode
from tests.companion.simulation.games import with_modules

TEXT = """
[[occurrence]]
id = "signal"
title = "The signal"
text = "It repeats."
weight = 0
effects = [{ do = "counter", of = "decoded", by = 2 }]

[[scenario]]
id = "beacon"
name = "The Beacon"
text = "Something out there is calling."
rules_text = ["Nobody may use the Pilot."]
mode = "co-op"
difficulty = "hard"
planet = "rustfall"
max_rounds = 6
rules = { "start.stock" = 55, "riot.warning_rounds" = 0 }
start = [{ do = "people", of = "scientists", by = 100 }]
progress = [
    { id = "decoded", text = "Signal decoded", needed = 4, start = 1 },
    { id = "domes", text = "Modules working", needed = 3, counts = "modules" },
]
events = [
    { rounds = [2, 3], occurrence = "signal" },
    { when = { counter_min = { decoded = 4 } }, once = true, title = "Decoded", text = "It is a map.", effects = [{ do = "stock", by = 9 }] },
]
endings = [
    { won = true, when = { counter_min = { decoded = 4 }, modules_min = 1 }, title = "The map", text = "You follow it." },
    { won = false, when = { round_min = 5, modules_max = 0 }, title = "Silence", text = "It has stopped." },
]
without = ["fifteen_thousand"]
hints = [{ round = 1, text = "Build something." }, { round = 3, text = "Listen." }]
"""


@pytest.fixture
def shelf(tmp_path: Path) -> catalog.Catalog:
    (tmp_path / "beacon.toml").write_text(TEXT)
    return catalog.load(tmp_path)


def begin(shelf: catalog.Catalog, planet: str = "rustfall", mode: Mode = Mode.CO_OP) -> simulation.Colony:
    return simulation.new_game(Setup(mode, ("bloch", "gore"), planet, scenario="beacon"), 5, shelf)


def settle(colony: simulation.Colony, shelf: catalog.Catalog, times: int = 1) -> simulation.Colony:
    for _ in range(times):
        answer = simulation.step(evolve(colony, stock=60, statuses=(70_000,) * 3), Settle(), shelf)
        assert isinstance(answer, simulation.Stepped)
        colony = answer.colony
    return colony


def report(colony: simulation.Colony, shelf: catalog.Catalog) -> PlayerReport:
    made = simulation.report(colony, shelf)
    assert made is not None
    return made


def test_sc1_changed_numbers_and_rounds(shelf: catalog.Catalog) -> None:
    colony = begin(shelf)
    plain = simulation.new_game(Setup(Mode.CO_OP, ("bloch", "gore"), "rustfall"), 5, shelf)
    assert (colony.stock, colony.max_rounds) == (55, 6)
    assert (plain.stock, plain.max_rounds) == (shelf.rules.start.stock, shelf.rules.start.max_rounds)
    assert colony.groups[2] == plain.groups[2] + 100


def test_changed_rules_hold_in_the_settlement(shelf: catalog.Catalog) -> None:
    angry = evolve(begin(shelf), statuses=(0, 0, 60_000))
    answer = simulation.step(angry, Settle(), shelf)
    assert isinstance(answer, simulation.Stepped)
    assert answer.colony.riot_stage == 1  # no round of warning


def test_setup_must_fit(shelf: catalog.Catalog) -> None:
    for setup, code in (
        (Setup(Mode.CO_OP, ("bloch", "gore"), "verdance", scenario="beacon"), "scenario_planet"),
        (Setup(Mode.SEMI_COOP, ("bloch", "gore"), "rustfall", scenario="beacon"), "scenario_mode"),
    ):
        refusal = simulation.check_setup(setup, shelf)
        assert refusal is not None
        assert refusal.code == code


def test_sc2_bars_move_by_effects_and_by_themselves(shelf: catalog.Catalog) -> None:
    colony = begin(shelf)
    assert simulation.view(colony, shelf).achievements == (("Signal decoded", 1, 4), ("Modules working", 0, 3))
    colony = settle(with_modules(colony, "solar"), shelf, 2)
    assert simulation.view(colony, shelf).achievements == (("Signal decoded", 3, 4), ("Modules working", 1, 3))
    (section,) = [s for s in report(colony, shelf).sections if isinstance(s, AchievementSection)]
    assert section.lines[0] == ("Signal decoded", 3, 4)


def test_events_call_occurrences_in_their_rounds_only(shelf: catalog.Catalog) -> None:
    colony, called = begin(shelf), []
    for _ in range(3):
        colony = settle(colony, shelf)
        assert colony.settlement is not None
        called.append(colony.settlement.occurrence == "signal")
    assert called == [False, True, True]


def test_events_with_a_condition_fire_once_and_say_so(shelf: catalog.Catalog) -> None:
    colony = settle(begin(shelf), shelf, 4)
    assert colony.settlement is not None
    assert ("scenario", 9) in colony.settlement.ledger
    (section,) = [s for s in report(colony, shelf).sections if isinstance(s, ColonyStatusSection)]
    assert any((title, text) == ("Decoded", "It is a map.") for _, title, text in section.notices)
    again = settle(colony, shelf)
    assert again.settlement is not None
    assert not any(line == "scenario" for line, _ in again.settlement.ledger)


def test_own_endings_won_and_lost(shelf: catalog.Catalog) -> None:
    won = settle(with_modules(begin(shelf), "solar"), shelf, 3)
    assert won.endings == (Ending.SCENARIO_WON,)
    ending = simulation.view(won, shelf).ending
    assert ending is not None
    assert (ending.is_victory, ending.title, ending.text) == (True, "The map", "You follow it.")
    lost = settle(begin(shelf), shelf, 5)
    assert lost.endings == (Ending.SCENARIO_LOST,)
    ending = simulation.view(lost, shelf).ending
    assert ending is not None
    assert (ending.is_victory, ending.title) == (False, "Silence")


def test_core_endings_can_be_off(shelf: catalog.Catalog) -> None:
    crowd = evolve(begin(shelf), groups=(15_500, 0, 0, 0, 0), extra_housing=20_000)
    assert settle(crowd, shelf).endings == ()


def test_view_has_the_story_of_the_round(shelf: catalog.Catalog) -> None:
    colony = begin(shelf)
    first, second = simulation.view(colony, shelf), simulation.view(settle(colony, shelf), shelf)
    assert (first.scenario_name, first.scenario_rules) == ("The Beacon", ("Nobody may use the Pilot.",))
    assert (first.hint, second.hint) == ("Build something.", "")


def test_text_and_problems_know_scenarios(shelf: catalog.Catalog) -> None:
    colony = settle(begin(shelf), shelf, 4)
    assert simulation.problems(colony, shelf) == ()
    assert simulation.from_text(simulation.to_text(colony)) == colony
    said = [problem.text for problem in simulation.problems(colony, catalog.load())]
    assert "the catalog has no scenario 'beacon'" in said
