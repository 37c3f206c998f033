"""Taps on what a scenario brings, and on the goals at the end."""

import pytest
from attrs import evolve

from companion.screens.gallery import samples, samples_scenario as scenario
from companion.screens.keys import ENTER, act_for_key
from companion.screens.view_models.goals import BLUE, GREEN, YELLOW, goal_cards, judged, toggled
from companion.screens.view_models.special import SPECIAL_ROWS, special_card
from companion.session import actions
from companion.simulation.player import EndingView, GoalResult, PlayerView, SpecialView
from tests.screens.stage import Stage

pytestmark = pytest.mark.screens


def counting() -> tuple[PlayerView, EndingView]:
    colony = scenario.COUNTING.colony
    assert colony is not None
    assert colony.ending is not None
    return colony, colony.ending


def test_the_story_is_read_before_round_one(stage: Stage) -> None:
    stage.show(scenario.INTRODUCED)
    assert {scenario.STORY, *scenario.RULES} <= set(stage.texts())
    stage.tap_text("BEGIN")
    assert stage.puppet.actions == [actions.LeaveIntroduction()]
    stage.puppet.show(evolve(scenario.INTRODUCED, is_introducing=False))
    stage.settle()
    assert "NEXT" in stage.texts()


@pytest.mark.parametrize(("entry", "text"), [("The story", scenario.STORY), ("Set the table", scenario.LAID_OUT[0])])
def test_the_menu_brings_back_what_was_read(stage: Stage, entry: str, text: str) -> None:
    stage.show(scenario.HINTED).tap(stage.find(label="menu"))
    stage.tap_text(entry)
    assert text in stage.texts()
    stage.tap_text("CLOSE")
    assert "NEXT" in stage.texts()
    assert stage.puppet.actions == []


def test_enter_begins_the_round_after_the_story(stage: Stage) -> None:
    stage.show(scenario.INTRODUCED)
    assert act_for_key(stage.shell, ENTER, "", [])
    assert stage.puppet.actions == [actions.LeaveIntroduction()]


def test_a_hint_is_put_away_and_brought_back(stage: Stage) -> None:
    stage.show(scenario.HINTED)
    assert scenario.HINT in stage.texts()
    stage.tap(stage.find(label="put the hint away"))
    stage.puppet.show(scenario.PUT_AWAY)
    stage.settle()
    assert scenario.HINT not in stage.texts()
    stage.tap(stage.find(label="menu"))
    stage.tap_text("This round's hint")
    assert stage.puppet.actions == [actions.ShowHint(False), actions.ShowHint(True)]
    assert "NEXT" in stage.texts()


def test_a_plain_game_has_nothing_of_a_scenario_in_its_menu(stage: Stage) -> None:
    stage.show(samples.TABLE).tap(stage.find(label="menu"))
    assert not {"The story", "This round's hint", "Set the table"} & set(stage.texts())


def test_bars_stand_first_and_calm_states_make_room() -> None:
    assert scenario.PROGRESS.colony is not None
    rows = special_card(scenario.PROGRESS.colony).rows
    assert [row.title for row in rows[:2]] == ["Green laws passed", "Inhabitants"]
    assert [row.share for row in rows[:2]] == [12 / 20, 1]
    assert len(rows) == SPECIAL_ROWS
    raging = evolve(scenario.PROGRESS.colony, special=SpecialView(2, False, 0, True, ()))
    assert [row.title for row in special_card(raging).rows[2:]] == ["Riot", "Overcrowded"]


def test_each_manager_is_offered_blue_cards_and_their_own_green_one() -> None:
    colony, ending = counting()
    cards = goal_cards(ending, colony, "xu", {})
    assert (cards[0].id, cards[0].tone) == ("own", GREEN)
    assert {card.tone for card in cards[1:]} == {BLUE}
    assert "other" not in {card.id for card in cards}
    assert scenario.COMMON.colony is not None
    assert scenario.COMMON.colony.ending is not None
    yellow = goal_cards(scenario.COMMON.colony.ending, scenario.COMMON.colony, None, {})
    assert {card.tone for card in yellow} == {YELLOW}


def test_a_card_lies_before_one_manager_only() -> None:
    colony, ending = counting()
    picked = toggled({}, "xu", "streets")
    card = next(card for card in goal_cards(ending, colony, "mccain", picked) if card.id == "streets")
    assert (card.is_open, card.pill.text) == (False, "Ava Xu")
    assert toggled(picked, "xu", "streets") == {"xu": ()}


def test_what_the_app_cannot_see_is_not_counted() -> None:
    colony, ending = counting()
    vm = judged(ending, colony, "xu", {"xu": ("own", "small", "collector")})
    assert vm.points == 6 - 3
    rows = {item.title: item for item in vm.page.columns[0][0].items}
    assert rows["The collector"].text == "Count the artifacts before each Manager."
    assert rows["The collector"].value == ""
    zero = evolve(ending, goals=(evolve(ending.goals[0], results=(GoalResult("xu", 0, "Half of it"),)),))
    assert judged(zero, colony, "xu", {"xu": ("streets",)}).points == 0


def test_goals_are_judged_and_entered_manager_by_manager(stage: Stage) -> None:
    stage.show(scenario.COUNTING).tap(stage.find(key="goals"))
    stage.tap_text("JUDGE")  # nothing is picked yet: the figures alone
    assert {"GOALS OF AVA XU", "7,860", "Ava Xu: goals, artifacts and abilities"} <= set(stage.texts())
    stage.tap(stage.find(label="back"))
    for title in ("A hangar of one's own", "Full streets", "Small is beautiful"):
        stage.tap_text(title)
    stage.tap_text("JUDGE")
    assert {"+11 VP", "7,860", "Not met"} <= set(stage.texts())
    stage.tap(stage.find(key="more"))
    stage.tap(stage.find(key="confirm"))
    assert "GOALS OF MAC MCCAIN" in stage.texts()
    stage.tap(stage.find(label="back"))
    assert "FINISH" in stage.texts()
    assert stage.puppet.actions == [actions.EnterPoints("xu", 12)]


def test_back_from_the_results_lies_the_choice(stage: Stage) -> None:
    stage.show(scenario.COMMON).tap(stage.find(key="goals"))
    stage.tap_text("Full streets")
    stage.tap_text("JUDGE")
    stage.tap(stage.find(label="back"))
    assert "1 of 3 chosen" in stage.texts()
    stage.tap_text("JUDGE")
    stage.tap(stage.find(key="confirm"))
    assert stage.puppet.actions == [actions.EnterPoints(None, 8)]
    assert "FINISH" in stage.texts()
