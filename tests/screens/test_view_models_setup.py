"""View models of the wizard, without Kivy: what it asks, offers and makes of the answers."""

import pytest
from attrs import evolve

from companion import catalog
from companion.screens.gallery import samples, samples_setup as wizard
from companion.screens.view_models.setup import choose_mode, pick_assistant, problem, setup_screen, start_action, steps
from companion.screens.view_models.setup_draft import Draft, Step
from companion.screens.view_models.setup_modes import first_sentences
from companion.session.table import ScenarioChoice
from companion.simulation.words import Mode


def test_the_wizard_asks_what_is_missing() -> None:
    view = wizard.SETUP_VIEW
    assert problem(evolve(view, seated=("xu",)), Draft(Step.MANAGERS)) == "1 more manager needed"
    assert problem(evolve(view, seated=tuple("abcdef")), Draft(Step.MANAGERS)) == "At most 5 managers"
    assert problem(view, Draft(Step.PLANET)) == "Choose a planet"
    assert problem(view, Draft(Step.TABLE, name=" ")) == "Name the colony"
    assert problem(view, Draft(Step.MANAGERS)) == ""


def test_solo_seats_nobody_and_picks_three_assistants() -> None:
    view = wizard.SETUP_VIEW
    draft = choose_mode(view, Draft(Step.MODE, planet="proxima", name="Alone"), "solo")
    assert Step.MANAGERS not in steps(view, draft)
    draft = evolve(draft, step=Step.ASSISTANTS)
    assert problem(view, draft) == "3 more assistants needed"
    for id in ("pilot", "kingpin", "sergeant", "ai"):
        draft = pick_assistant(view, draft, id)
    assert draft.picked == ("kingpin", "sergeant", "ai")
    setup = start_action(view, draft).setup
    assert (setup.managers, setup.assistants, setup.mode) == ((), ("kingpin", "sergeant", "ai"), Mode.SOLO)


def test_a_scenario_brings_mode_and_planet() -> None:
    view = evolve(wizard.SETUP_VIEW, scenarios=(ScenarioChoice("s", "S", "", "Hard", Mode.SEMI_COOP, "kepler"),))
    draft = choose_mode(view, Draft(), "s")
    assert (draft.mode, draft.planet, draft.scenario) == (Mode.SEMI_COOP, "kepler", "s")
    assert Step.PLANET not in steps(view, draft)


def test_the_planets_points_are_shown_where_they_count() -> None:
    view, arc = wizard.SETUP_VIEW, samples.READY
    plain = setup_screen(view, arc, Draft(Step.PLANET))
    common = setup_screen(view, arc, Draft(Step.PLANET, mode=Mode.CO_OP))
    assert not any("VP" in card.text for card in plain.cards)
    assert all("you need more than" in card.text for card in common.cards)


def test_the_tables_checklist_is_that_of_the_planned_game() -> None:
    view = evolve(wizard.SETUP_VIEW, table_setup=("Put 7 PA in the bank.", "Shuffle the artifacts."))
    block = setup_screen(view, samples.READY, Draft(Step.TABLE)).page.columns[0][0]
    assert tuple(item.text for item in block.items) == view.table_setup
    unfinished = setup_screen(wizard.SETUP_VIEW, samples.READY, Draft(Step.TABLE)).page.columns[0][0]
    assert unfinished.items == ()
    assert "still to be chosen" in unfinished.lead


def test_scenarios_and_tutorials_stand_under_their_own_headings() -> None:
    groups = setup_screen(wizard.SETUP_VIEW, samples.READY, Draft(Step.MODE, scenario="quiet")).groups
    assert [(group.title, [card.id for card in group.cards]) for group in groups] == [
        ("", ["semi-coop", "co-op", "solo"]),
        ("SCENARIOS", ["strike", "harvest", "quiet"]),
        ("TUTORIALS", ["first", "second"]),
    ]
    assert [card.id for group in groups for card in group.cards if card.is_chosen] == ["quiet"]
    without = evolve(wizard.SETUP_VIEW, scenarios=())
    assert len(setup_screen(without, samples.READY, Draft(Step.MODE)).groups) == 1


@pytest.mark.parametrize(
    ("text", "taste"),
    [
        ("One word. Two! Three?", "One word. Two!"),
        ("Far longer than the room for it. Two.", "Far longer than the room for it."),
        ("No end", "No end"),
        ("It costs 1.5 CR. Pay.", "It costs 1.5 CR."),
    ],
)
def test_a_story_begins_with_whole_sentences(text: str, taste: str) -> None:
    assert first_sentences(text, 16) == taste


def test_the_shipped_stories_begin_with_two_lines_at_most() -> None:
    scenarios = catalog.load().scenarios.values()
    assert scenarios
    assert [one.name for one in scenarios if len(first_sentences(one.text)) > 130] == []
