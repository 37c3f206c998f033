"""Setup (colonies-rules 1.1): what begins a game, and what cannot."""

import pytest
from attrs import evolve

from companion import simulation
from companion.simulation.commands import Setup
from companion.simulation.opening import SetupError
from companion.simulation.pool import actions_per_round, base_endorsements, module_pool, political_advantage
from companion.simulation.words import Mode
from tests.companion.simulation.games import THREE, settle, shipped, start, start_solo

GOOD = Setup(Mode.SEMI_COOP, THREE, "rustfall")


def refusal(setup: Setup) -> str:
    found = simulation.check_setup(setup, shipped())
    assert found is not None
    with pytest.raises(SetupError, match=r"\S"):
        simulation.new_game(setup, 1, shipped())
    return found.code


def test_s04_two_to_five_managers() -> None:
    five = ("bloch", "gore", "chen", "xu", "mccain")
    assert simulation.check_setup(evolve(GOOD, managers=five), shipped()) is None
    assert refusal(evolve(GOOD, managers=(*five, "carter"))) == "manager_count"
    assert refusal(evolve(GOOD, managers=("bloch",))) == "manager_count"


def test_s05_managers_are_known_and_seated_once() -> None:
    assert refusal(evolve(GOOD, managers=("bloch", "gor"))) == "unknown_manager"
    assert "'gore'" in str(simulation.check_setup(evolve(GOOD, managers=("bloch", "gor")), shipped()))
    assert refusal(evolve(GOOD, managers=("bloch", "bloch"))) == "manager_twice"


def test_s06_s07_governor_first_then_clockwise() -> None:
    colony = start()
    assert colony.governor == "gore"  # the highest order of command of the three
    assert [manager.id for manager in simulation.view(colony, shipped()).managers] == ["gore", "chen", "bloch"]
    assert start(first_governor="chen").governor == "chen"
    assert refusal(evolve(GOOD, first_governor="xu")) == "governor_not_seated"


def test_s08_assistants_belong_to_seated_managers() -> None:
    assert start().assistants == tuple(
        a.id for a in shipped().assistants.values() if a.side == "a" and a.manager in THREE
    )
    assert refusal(evolve(GOOD, assistants=("kingpin",))) == "assistant_not_seated"
    assert refusal(evolve(GOOD, assistants=("pilot", "pilot"))) == "assistant_twice"
    assert refusal(evolve(GOOD, assistants=("pilott",))) == "unknown_assistant"


def test_s10_pool_has_each_listed_module_once() -> None:
    setup = evolve(GOOD, managers=("bloch", "carter"))  # both list the hangar
    names = [module.id for module in module_pool(setup, shipped())]
    assert names.count("hangar") == 1
    assert {"testchamber", "laboratory", "solar"} <= set(names)
    assert "bunker" not in names


def test_so3_solo_may_build_every_module() -> None:
    assert len(module_pool(start_solo().setup, shipped())) == len(shipped().modules)


@pytest.mark.parametrize(("players", "base"), [(2, 1), (3, 2), (4, 3), (5, 4)])
def test_s11_base_endorsements(players: int, base: int) -> None:
    five = ("bloch", "gore", "chen", "xu", "mccain")
    assert base_endorsements(evolve(GOOD, managers=five[:players])) == base


def test_s12_political_advantage_and_actions() -> None:
    solo = start_solo().setup
    assert (political_advantage(GOOD), political_advantage(solo), base_endorsements(solo)) == (6, 6, 2)
    assert actions_per_round(GOOD) == 2
    assert actions_per_round(evolve(GOOD, managers=("bloch", "gore"))) == 3


def test_s13_fleet_changes_the_start() -> None:
    plain, supplied = start(), start(fleet="supply")
    assert supplied.stock == plain.stock + 10
    assert start(fleet="ark").groups[0] == plain.groups[0] + 200
    assert start(fleet="tanker").accumulators == tuple(units + 2 for units in plain.accumulators)
    assert refusal(evolve(GOOD, fleet="ghosts")) == "unknown_fleet"


def test_s16_planet_and_scenario_must_exist() -> None:
    assert refusal(evolve(GOOD, planet="earth")) == "unknown_planet"
    assert refusal(evolve(GOOD, scenario="nothing")) == "unknown_scenario"


def test_s18_twenty_rounds() -> None:
    assert start().max_rounds == 20


def test_s19_starts_with_the_arc_only() -> None:
    colony = start()
    view = simulation.view(colony, shipped())
    assert colony.modules == ()
    assert all(resource.production > 0 for resource in view.resources)
    assert view.round == 1
    assert all(status.previous is None for status in view.statuses)
    assert simulation.report(colony, shipped()) is None


def test_solo_seats_nobody() -> None:
    assert refusal(evolve(GOOD, mode=Mode.SOLO)) == "solo_managers"
    (seat,) = simulation.view(start_solo(), shipped()).managers
    assert not seat.is_governor


def test_same_seed_same_colony_other_seed_other_chance() -> None:
    assert start(seed=5) == start(seed=5)
    assert start(seed=5).chance != start(seed=6).chance


def test_s22_what_to_lay_out_follows_mode_players_and_fleet() -> None:
    semi = simulation.view(start(fleet="merchant"), shipped()).table_setup
    assert "Athena Gore takes the Governor's token." in semi
    assert "Merchant Flotilla: Each Manager starts with 1 TG more." in semi
    assert any("4 blue Goals" in line for line in semi)
    assert any("6 PA" in line for line in semi)
    assert any(line.startswith("Add to the base modules:") and "Bunker" in line for line in semi)
    solo = simulation.view(start_solo(), shipped()).table_setup
    assert any("5 yellow Goals" in line for line in solo)
    assert any("Directives stay in the box" in line for line in solo)
    assert "Starting currencies: 2 Decrees, 2 CR and 1 TG." in solo
    assert "Starting currencies: 2 Decrees, 2 CR and 1 TG for each Manager." in semi
    assert not any("takes the Governor's token" in line for line in solo)
    assert simulation.view(settle(start()), shipped()).table_setup == ()
