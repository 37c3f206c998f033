"""What is looked at beside the game: the wizard's plan, the introduction of a scenario, a tutorial's hint."""

import pytest
from attrs import evolve

from companion import catalog as catalogs, simulation
from companion.session import actions
from companion.session.colonies import Colonies
from companion.session.table import Phase
from companion.simulation import commands as c
from companion.simulation.words import Mode
from tests.companion.session.hands import Hands

CATALOG = catalogs.load()
RULES = Colonies(CATALOG)
TUTORIAL = CATALOG.scenarios["tutorial-landing"]
SETUP = c.Setup(Mode.CO_OP, ("bloch", "gore"), "verdance", scenario="tutorial-landing")


def hands_at_setup(*seated: str) -> Hands:
    hands = Hands(rules=RULES, uses_arc=False)
    hands.act(*(actions.ToggleManager(id) for id in seated))
    return hands


def modifiers(hands: Hands) -> dict[str, int]:
    view = hands.table().setup
    assert view is not None
    return {planet.id: planet.vp_modifier for planet in view.planets}


def checklist(hands: Hands) -> tuple[str, ...]:
    view = hands.table().setup
    assert view is not None
    return view.table_setup


@pytest.mark.parametrize("seated", [("bloch", "gore"), ("bloch", "gore", "xu", "chen", "carter")])
def test_a_planets_points_follow_the_number_of_managers(seated: tuple[str, ...]) -> None:
    hands = hands_at_setup(*seated)
    hands.act(actions.PlanGame(c.Setup(Mode.CO_OP, (), "")))
    asked = c.Setup(Mode.CO_OP, seated, "")
    expected = {id: simulation.planet_modifier(evolve(asked, planet=id), CATALOG) for id in CATALOG.planets}
    assert modifiers(hands) == expected


def test_more_managers_need_other_points() -> None:
    few, many = hands_at_setup("bloch", "gore"), hands_at_setup("bloch", "gore", "xu", "chen", "carter")
    assert modifiers(few) != modifiers(many)


def test_the_checklist_is_that_of_the_planned_game() -> None:
    hands = hands_at_setup("bloch", "gore")
    assert checklist(hands) == ()
    hands.act(actions.PlanGame(evolve(SETUP, managers=(), scenario=None)))
    plain = checklist(hands)
    hands.act(actions.PlanGame(evolve(SETUP, managers=(), fleet=next(iter(CATALOG.fleets)))))
    assert set(TUTORIAL.rules_text) <= set(checklist(hands)) - set(plain)
    assert any(line.startswith(next(iter(CATALOG.fleets.values())).name) for line in checklist(hands))
    hands.act(actions.ToggleManager("gore"))
    assert checklist(hands) == ()


def test_the_plan_is_not_in_the_journal() -> None:
    hands = hands_at_setup("bloch", "gore")
    before = len(hands.store.journal("g"))
    hands.act(actions.PlanGame(SETUP))
    assert len(hands.store.journal("g")) == before


def test_a_scenario_is_introduced_once_and_its_hint_can_be_put_away() -> None:
    hands = hands_at_setup("bloch", "gore")
    hands.act(actions.StartGame("Dawn", SETUP))
    table = hands.table()
    assert (table.phase, table.is_introducing) == (Phase.ROUND, True)
    assert table.colony is not None
    assert table.colony.scenario_text == TUTORIAL.text
    assert table.hint == TUTORIAL.hints[0].text
    hands.act(actions.LeaveIntroduction(), actions.ShowHint(False))
    assert (hands.table().is_introducing, hands.table().hint) == (False, "")
    hands.act(actions.ShowHint(True))
    assert hands.table().hint == TUTORIAL.hints[0].text
    hands.act(actions.ShowHint(False), actions.Next(), actions.Choose("confirm"))
    while hands.table().phase is Phase.SUMMARY:
        hands.act(actions.TurnPage(1))
    assert hands.table().hint == TUTORIAL.hints[1].text
    assert not hands.table().is_introducing


def test_a_plain_game_has_no_introduction() -> None:
    hands = hands_at_setup("bloch", "gore")
    hands.act(actions.StartGame("Dawn", evolve(SETUP, scenario=None)))
    assert (hands.table().is_introducing, hands.table().hint) == (False, "")


def test_a_start_that_is_refused_introduces_nothing() -> None:
    hands = hands_at_setup("bloch")
    hands.act(actions.StartGame("Dawn", evolve(SETUP, managers=("bloch",))))
    assert hands.table().phase is Phase.SETUP
    assert not hands.table().is_introducing


def test_the_ambassador_without_dependence_is_warned_of() -> None:
    hands = hands_at_setup("bloch", "gore")
    hands.act(actions.StartGame("Dawn", evolve(SETUP, scenario=None)), actions.TapCard("ambassador"))
    dialog = hands.table().dialog
    assert dialog is not None
    assert "no Terran Dependence" in dialog.lines[0]
