"""What a tap does: every act the tablet offers reaches the session as the right action."""

from typing import Any

import pytest
from attrs import evolve

from companion.screens.controller import TextSize
from companion.screens.gallery import (
    samples,
    samples_between as between,
    samples_settled as settled,
    samples_setup as wizard,
)
from companion.screens.gallery.scenes import Scene
from companion.screens.widgets import sheet
from companion.screens.widgets.toast import Toast
from companion.session import actions
from companion.simulation.commands import CorrectValue, Setup
from companion.simulation.words import Ending, Level, Mode, Status
from tests.screens.stage import TALL, WIDE, Stage

pytestmark = pytest.mark.screens


def test_next_asks_the_session(stage: Stage) -> None:
    stage.show(samples.TABLE).tap_text("NEXT")
    assert stage.puppet.actions == [actions.Next()]


def test_next_waits_while_the_round_is_settled(stage: Stage) -> None:
    stage.show(samples.SETTLING).tap_text("NEXT")
    assert stage.puppet.actions == []


@pytest.mark.parametrize(
    ("card", "deep"),
    [
        ("COLONY STATUS", "Last round"),
        ("RESOURCES", "Production"),
        ("POPULATION", "IMMIGRATION TREND"),
        ("SPECIAL STATES", "Dependence"),
        ("ECONOMY", "BUILDING QUEUE"),
    ],
)
def test_a_card_opens_its_details_and_back_again(stage: Stage, card: str, deep: str) -> None:
    stage.show(samples.TABLE).tap_text(card)
    assert deep in stage.texts()
    stage.tap(stage.find(label="back"))
    assert "NEXT" in stage.texts()


def test_details_lie_side_by_side(stage: Stage) -> None:
    stage.show(samples.TABLE).tap_text("ECONOMY")
    stage.tap(stage.find(label="card after"))
    assert "Last round" in stage.texts()
    stage.tap(stage.find(label="card before"))
    assert "BUILDING QUEUE" in stage.texts()


def test_undo_and_history(stage: Stage) -> None:
    stage.show(samples.TABLE).tap(stage.find(label="undo"))
    assert stage.puppet.actions == [actions.Undo()]
    stage.tap(stage.find(label="history"))
    assert "TURN ORDER" in stage.texts()
    stage.tap(stage.find(key="undo"))
    assert stage.puppet.actions == [actions.Undo(), actions.Undo()]


def test_nothing_to_undo(stage: Stage) -> None:
    stage.show(samples.FIRST_ROUND).tap(stage.find(label="undo"))
    assert stage.puppet.actions == []


def test_what_needs_attention_is_listed_and_closed(stage: Stage) -> None:
    stage.show(samples.TABLE).tap_text("3 things need you")
    assert "1 module waits for its builder" in stage.texts()
    stage.tap(stage.find(key="close"))
    assert "1 module waits for its builder" not in stage.texts()
    assert stage.puppet.actions == []


def test_a_manager_answers_by_tap(stage: Stage) -> None:
    stage.show(between.dialog_table("owner")).tap_text("Ava Xu")
    assert stage.puppet.actions == [actions.NameManager("xu")]


@pytest.mark.parametrize("dialog", list(between.DIALOGS))
def test_every_choice_of_every_dialog(stage: Stage, dialog: str) -> None:
    stage.show(between.dialog_table(dialog))
    keys = [choice.key for choice in between.DIALOGS[dialog].choices]
    for key in keys:
        stage.tap(stage.find(key=key))
    assert stage.puppet.actions == [actions.Choose(key) for key in keys]


@pytest.mark.parametrize("key", ["gore", "not_this_card"])
def test_a_finger_on_a_question_that_was_answered_meanwhile_answers_no_other(stage: Stage, key: str) -> None:
    """A token answers the first while the finger is on the glass; what was under the finger is a key of the next one too."""
    stage.show(between.dialog_table("owner"))
    finger = stage.finger_on(stage.find(key=key) if key == "not_this_card" else stage.find(text="Athena Gore"))
    stage.puppet.show(between.dialog_table("builder"))
    stage.settle()
    stage.lift(finger)
    assert stage.puppet.actions == []


@pytest.mark.parametrize(("number", "waiting", "counts"), [(2, 0, False), (1, 1, True)])
def test_two_questions_that_look_alike_are_two(stage: Stage, number: int, waiting: int, counts: bool) -> None:
    """And a question behind which another waits now is the same."""
    table = between.dialog_table("builder")
    assert table.dialog is not None
    stage.show(evolve(table, dialog=evolve(table.dialog, number=1)))
    finger = stage.finger_on(stage.find(key="nobody"))
    stage.puppet.show(evolve(table, dialog=evolve(table.dialog, number=number), waiting_dialogs=waiting))
    stage.settle()
    stage.lift(finger)
    assert stage.puppet.actions == ([actions.Choose("nobody")] if counts else [])


def test_a_finger_that_was_on_its_way_as_the_question_came_says_nothing(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A second tap of the same finger, too."""
    monkeypatch.setattr(sheet, "UNREAD_S", 600.0)
    stage.show(between.dialog_table("builder"))
    stage.tap(stage.find(key="nobody"))
    assert stage.puppet.actions == []
    monkeypatch.setattr(sheet, "UNREAD_S", 0.0)
    stage.tap(stage.find(key="nobody"))
    assert stage.puppet.actions == [actions.Choose("nobody")]


def test_a_finger_on_a_sheet_that_went_says_nothing(stage: Stage) -> None:
    stage.show(between.dialog_table("builder"))
    finger = stage.finger_on(stage.find(key="nobody"))
    stage.puppet.show(samples.TABLE)
    stage.settle()
    stage.lift(finger)
    assert stage.puppet.actions == []


def test_nothing_below_a_sheet_can_be_tapped(stage: Stage) -> None:
    stage.show(between.dialog_table("campaign")).tap_text("RESOURCES")
    assert stage.puppet.actions == []
    assert "Production" not in stage.texts()


def test_the_answered_sheet_goes(stage: Stage) -> None:
    stage.show(between.dialog_table("owner"))
    stage.puppet.show(samples.TABLE)
    stage.settle()
    assert "Ava Xu" not in stage.texts()


def test_toasts_can_be_dismissed_and_undone(stage: Stage) -> None:
    stage.show(between.NOTICES)
    crosses = [one for one in stage.walk() if getattr(one, "label", "") == "dismiss"]
    stage.tap(crosses[0])
    stage.tap(stage.find(key="undo"))
    assert {actions.DismissNotice(1), actions.Undo()} <= set(stage.puppet.actions)


@pytest.mark.parametrize("size", [WIDE, TALL])
@pytest.mark.parametrize("number", [1, 2])
def test_toasts_cover_neither_each_other_nor_a_card_nor_next(stage: Stage, size: tuple[int, int], number: int) -> None:
    stage.show(evolve(between.NOTICES, notices=between.NOTICES.notices[:number]), size)
    toasts = [one for one in stage.walk() if isinstance(one, Toast)]
    colony = stage.shell.screens.get_screen("colony")
    kept_clear = {**colony.cards, "next": colony.strips["next"]}
    assert len(toasts) == number
    assert [name for name, widget in kept_clear.items() for toast in toasts if overlap(toast, widget)] == []
    assert any(overlap(toast, colony.strips["attention"]) for toast in toasts)
    assert not overlap(toasts[0], toasts[-1]) or number == 1


LONG = "The ARC's log was formatted: compare the last acts with the list of the round. " * 3


@pytest.mark.parametrize("size", [WIDE, TALL])
@pytest.mark.parametrize("screen", ["colony", "menu", "dialog"])
def test_toasts_with_much_to_say_do_not_overlap(stage: Stage, size: tuple[int, int], screen: str) -> None:
    table = between.dialog_table("next") if screen == "dialog" else samples.TABLE
    notices = tuple(evolve(notice, text=LONG) for notice in between.NOTICES.notices)
    stage.show(evolve(table, notices=notices[:1]), size)
    if screen == "menu":
        stage.shell.go("menu")
    stage.settle(2)
    stage.puppet.show(evolve(table, notices=notices))
    stage.settle(1)
    first, second = (one for one in stage.walk() if isinstance(one, Toast))
    assert not overlap(first, second)
    assert all(toast.height > toast.ids.words.height for toast in (first, second))


def overlap(one: Any, other: Any) -> bool:
    (x, y), (other_x, other_y) = one.to_window(*one.pos), other.to_window(*other.pos)
    beside = x + one.width <= other_x or other_x + other.width <= x
    return not (beside or y + one.height <= other_y or other_y + other.height <= y)


def test_summary_forward_back_and_begin(stage: Stage) -> None:
    last = len(settled.SECTIONS) - 1
    stage.show(settled.summary_table(last)).tap_text("BEGIN")
    stage.tap(stage.find(key="backward"))
    assert stage.puppet.actions == [actions.TurnPage(1), actions.TurnPage(-1)]


def test_the_first_page_has_no_way_back(stage: Stage) -> None:
    stage.show(settled.summary_table(0)).tap(stage.find(key="backward"))
    assert stage.puppet.actions == []


def test_a_review_is_closed(stage: Stage) -> None:
    stage.show(settled.REVIEW).tap(stage.find(key="close"))
    assert stage.puppet.actions == [actions.CloseReview()]


def test_start_screen(stage: Stage) -> None:
    stage.play(Scene("", None)).tap_text("RESUME")
    stage.tap(stage.find(key="new"))
    stage.tap_text("Port Amara")
    assert stage.puppet.calls == ["open g1", "new", "open g2"]


def test_resume_plays_on(stage: Stage) -> None:
    stage.show(between.RESUME).tap_text("PLAY ON")
    assert stage.puppet.actions == [actions.LeaveResume()]


def test_the_wizard_from_the_arc_to_round_one(stage: Stage) -> None:
    stage.show(None)
    stage.show(wizard.SETUP).tap_text("CONTINUE")
    stage.tap_text("Semi-Coop")
    stage.tap_text("CONTINUE")
    stage.tap_text("Art Chen")
    stage.tap_text("CONTINUE")
    stage.tap_text("Pilot")
    assert "Kingpin" in stage.texts()
    stage.tap_text("CONTINUE")
    stage.tap_text("CONTINUE")  # refused: no planet yet
    stage.tap_text("Proxima b")
    stage.tap_text("CONTINUE")
    stage.tap_text("Hospital Ship")
    stage.tap_text("CONTINUE")
    stage.find(hint="Name of the colony").fill_in("  New Helvetia ")
    stage.settle()
    stage.tap_text("START")
    setup = Setup(Mode.SEMI_COOP, ("bloch", "gore", "xu"), "proxima", "hospital", None, ("kingpin", "sergeant", "ai"))
    plans = [act for act in stage.puppet.actions if isinstance(act, actions.PlanGame)]
    others = [act for act in stage.puppet.actions if act not in plans]
    assert plans[-1] == actions.PlanGame(setup)
    assert others == [actions.ToggleManager("chen"), actions.StartGame("New Helvetia", setup)]


def test_leaving_the_wizard(stage: Stage) -> None:
    stage.show(None)
    stage.show(wizard.SETUP).tap(stage.find(label="back"))
    assert stage.puppet.calls == ["close"]


def test_points_are_typed_in_one_manager_after_the_other(stage: Stage) -> None:
    stage.show(settled.COUNTING)
    for key in ("much more", "more", "more", "less"):
        stage.tap(stage.find(key=key))
    stage.tap(stage.find(key="confirm"))
    assert stage.puppet.actions == [actions.EnterPoints("xu", 11)]


def test_the_groups_points(stage: Stage) -> None:
    stage.show(settled.COMMON).tap(stage.find(key="confirm"))
    assert stage.puppet.actions == [actions.EnterPoints(None, 0)]


def test_a_finished_game_is_left(stage: Stage) -> None:
    stage.show(settled.defeat_table(Ending.RIOT)).tap_text("FINISH")
    assert stage.puppet.calls == ["close"]


def test_menu_governor_assistant_and_correction(stage: Stage) -> None:
    for entry, manager, action in (
        ("Change of Governor", "Ava Xu", actions.ClaimGovernor("xu")),
        ("Assistant turned over", "Mac McCain", actions.FlipAssistantCard("mccain")),
    ):
        stage.show(samples.TABLE).tap(stage.find(label="menu"))
        stage.tap_text(entry)
        stage.tap_text(manager)
        assert stage.puppet.actions == [action]
        assert "NEXT" in stage.texts()
    stage.show(samples.TABLE).tap(stage.find(label="menu"))
    stage.tap_text("Correct a value")
    stage.tap_text("STOCK")
    stage.tap(stage.find(key="less"))
    stage.tap(stage.find(key="confirm"))
    assert stage.puppet.actions == [actions.Correct(CorrectValue(26, stock=True))]


def test_a_status_is_corrected_by_its_word(stage: Stage) -> None:
    stage.show(samples.TABLE).tap(stage.find(label="menu"))
    stage.tap_text("Correct a value")
    stage.tap_text("Technical")
    stage.tap_text("Poor")
    assert stage.puppet.actions == [actions.Correct(CorrectValue(0, status=Status.TECHNICAL, level=Level.POOR))]
    assert "NEXT" in stage.texts()


def test_settings_are_kept(stage: Stage) -> None:
    stage.show(samples.TABLE).tap(stage.find(label="menu"))
    stage.tap_text("Text size")
    sizes = [stage.puppet.settings.text_size]
    for _ in range(2):
        stage.tap_text("Text size")
        sizes.append(stage.puppet.settings.text_size)
    assert sizes == [TextSize.LARGE, TextSize.HUGE, TextSize.NORMAL]
    stage.tap_text("Leave the game")
    assert stage.puppet.calls == ["close"]


def test_cards_and_modules_are_tapped_without_an_arc(stage: Stage) -> None:
    stage.show(between.TAPPED).tap(stage.find(label="tray"))
    stage.tap(stage.find(key="decrees"))
    stage.tap_text("Curfew")
    assert "NEXT" in stage.texts()
    stage.tap(stage.find(label="tray"))
    stage.tap(stage.find(key="modules"))
    stage.tap_text("Community Tower")
    stage.tap_text("Tanks")
    assert stage.puppet.actions == [actions.TapCard("curfew"), actions.TapModule(19, 16)]


def test_a_module_that_is_not_there_cannot_be_tapped(stage: Stage) -> None:
    stage.show(between.TAPPED).tap(stage.find(label="tray"))
    stage.tap(stage.find(key="modules"))
    stage.tap_text("Nuclear Power Plant")
    assert stage.puppet.actions == []
    assert "The ARC" not in stage.texts()


def test_an_overlay_closes_when_the_round_is_over(stage: Stage) -> None:
    stage.show(samples.TABLE).tap_text("RESOURCES")
    stage.puppet.show(settled.summary_table(0))
    stage.settle()
    assert "NEWS OF THE ROUND" in stage.texts()
    stage.puppet.show(samples.TABLE)
    stage.settle()
    assert "NEXT" in stage.texts()


def test_points_that_were_typed_wrongly_are_put_right(stage: Stage) -> None:
    stage.show(settled.ENDED).tap(stage.find(key="correct"))
    assert "Athena Gore" in stage.texts()
    stage.tap(stage.find(key="more"))
    stage.tap(stage.find(key="confirm"))
    assert stage.puppet.actions == [actions.EnterPoints("gore", 22)]
    for manager, points in (("bloch", 26), ("xu", 17), ("mccain", 12)):
        stage.tap(stage.find(key="confirm"))
        assert stage.puppet.actions[-1] == actions.EnterPoints(manager, points)
    assert "confirm" not in {getattr(one, "key", "") for one in stage.walk()}
    stage.tap(stage.find(key="correct"))
    stage.tap(stage.find(key="correct"))
    assert "confirm" not in {getattr(one, "key", "") for one in stage.walk()}


@pytest.mark.parametrize("entry", ["Change of Governor", "Assistant turned over"])
def test_the_second_tap_of_two_is_for_no_card_that_came_in_between(
    stage: Stage, monkeypatch: pytest.MonkeyPatch, entry: str
) -> None:
    stage.show(samples.TABLE).tap(stage.find(label="menu"))
    stage.tap_text(entry)
    monkeypatch.setattr(sheet, "UNREAD_S", 600.0)
    stage.tap_text("Athena Gore")
    assert stage.puppet.actions == []
    monkeypatch.setattr(sheet, "UNREAD_S", 0.0)
    stage.tap_text("Athena Gore")
    assert len(stage.puppet.actions) == 1
