"""NEXT and everything round it: the mark, cards before and behind it, the link down, the summary, the end, undo."""

import pytest

from companion.link import news
from companion.session import actions
from companion.session.table import ArcState, DialogKind, Phase
from companion.simulation import commands as c
from companion.storage.records import Cursor
from protocol import events
from protocol.messages import Mark
from tests.companion.session.hands import DEVICE, EPOCH, Hands, empty_store, info
from tests.companion.session.small_rules import SETUP, SmallRules


@pytest.fixture
def hands() -> Hands:
    return Hands().start()


def test_next_is_confirmed_then_marked_then_settled(hands: Hands) -> None:
    hands.act(actions.Next())
    assert hands.dialog().kind is DialogKind.NEXT
    hands.choose("confirm")
    assert hands.table().phase is Phase.SETTLING
    assert hands.commands() == []
    hands.answer_mark()
    assert hands.table().phase is Phase.SUMMARY
    assert hands.commands() == [c.Settle()]


def test_next_can_be_taken_back_before_it_is_confirmed(hands: Hands) -> None:
    hands.act(actions.Next())
    hands.choose("cancel")
    assert (hands.table().phase, hands.table().dialog) == (Phase.ROUND, None)


@pytest.mark.parametrize(
    ("lay", "named"),
    [
        (lambda hands: hands.swipe("rations"), "“Ration cards” waits for its owner"),
        (lambda hands: hands.plug(50), "Solar Power Plant waits for its builder"),
        (lambda hands: hands.plug(90, type_id=9), "Spaceport is not part of this game"),
        (lambda hands: hands.swipe("ava"), "the campaign of Ava Xu waits for an answer"),
        (lambda hands: hands.swipe("ambassador"), "the Ambassador waits for a manager"),
    ],
)
def test_next_is_blocked_by_a_question_and_names_it(hands: Hands, lay: object, named: str) -> None:
    assert callable(lay)
    lay(hands)
    hands.act(actions.Next())
    assert f"Before NEXT: {named}." in hands.texts
    assert hands.table().phase is Phase.ROUND


def test_a_card_from_before_the_mark_is_shown_first(hands: Hands) -> None:
    hands.act(actions.Next())
    hands.choose("confirm")
    hands.session.handle(news.MarkAnswered(hands.sequence + 1))
    assert hands.table().phase is Phase.SETTLING
    hands.swipe("rations")
    assert hands.table().phase is Phase.ROUND
    assert hands.dialog().title == "Ration cards"
    hands.swipe("ava")
    hands.sent = [message for message in hands.sent if not isinstance(message, Mark)]
    hands.settle()
    assert hands.commands() == [c.RegisterDecree("rations", "ava"), c.Settle()]


def test_the_mark_of_a_next_that_was_called_off_closes_no_round(hands: Hands) -> None:
    hands.act(actions.Next())
    hands.choose("confirm")
    hands.swipe("rations")
    hands.choose("not_this_card")
    hands.act(actions.Next())
    hands.choose("confirm")
    hands.answer_mark()
    assert hands.table().phase is Phase.SETTLING
    hands.answer_mark()
    assert hands.table().phase is Phase.SUMMARY


def test_a_card_behind_the_mark_belongs_to_no_round(hands: Hands) -> None:
    hands.settle()
    hands.swipe("rations")
    assert "Finish the summary first: what is laid down now belongs to no round." in hands.texts
    hands.leave_summary()
    assert hands.table().dialog is None
    assert hands.commands() == [c.Settle()]


def test_things_without_meaning_before_the_mark_do_not_hold_it_up(hands: Hands) -> None:
    hands.act(actions.Next())
    hands.choose("confirm")
    hands.session.handle(news.MarkAnswered(hands.sequence + 1))
    hands.event(events.BatteryMeasured(4800, 90, events.BATTERY_GOOD))
    assert hands.table().phase is Phase.SUMMARY


def test_a_module_during_the_summary_asks_afterwards(hands: Hands) -> None:
    hands.settle()
    hands.plug(50)
    assert (hands.table().phase, hands.table().dialog, hands.table().waiting_dialogs) == (Phase.SUMMARY, None, 1)
    hands.leave_summary()
    assert hands.dialog().kind is DialogKind.BUILDER


def test_without_the_link_people_decide(hands: Hands) -> None:
    hands.act(actions.Next())
    hands.lose_link()
    hands.choose("confirm")
    assert hands.dialog().kind is DialogKind.SETTLE_WITHOUT_ARC
    hands.choose("settle")
    assert hands.table().phase is Phase.SUMMARY


def test_next_goes_on_by_itself_when_the_link_is_back(hands: Hands) -> None:
    hands.act(actions.Next())
    hands.choose("confirm")
    hands.sent.clear()
    hands.lose_link()
    assert hands.table().dialog is not None
    hands.connect()
    assert hands.table().dialog is None
    hands.answer_mark()
    assert hands.table().phase is Phase.SUMMARY


def test_a_log_that_was_formatted_during_next_does_not_hold_it_for_ever(hands: Hands) -> None:
    hands.act(actions.Next())
    hands.choose("confirm")
    hands.session.handle(news.MarkAnswered(hands.sequence + 1))
    hands.sent.clear()
    hands.lose_link()
    hands.session.handle(news.Skipped(9, 0, "formatted"))
    hands.session.handle(news.Resumed(DEVICE, 9, 0))
    hands.session.handle(news.LinkChanged(news.LinkState.READY, ""))
    assert any(isinstance(message, Mark) for message in hands.session.take_commands())
    hands.session.handle(news.MarkAnswered(0))
    assert hands.table().phase is Phase.SUMMARY


def test_cards_that_a_settlement_did_not_know_of_are_refused(hands: Hands) -> None:
    """They were swiped while the link was down, the round was settled without them, and now they arrive."""
    hands.act(actions.Next())
    hands.lose_link()
    hands.choose("confirm", "settle")
    hands.leave_summary()
    hands.session.handle(news.Resumed(DEVICE, EPOCH, hands.sequence + 2))
    hands.session.handle(news.LinkChanged(news.LinkState.READY, ""))
    hands.swipe("rations")
    assert hands.table().dialog is None
    assert any("before the last settlement" in text for text in hands.texts)
    hands.swipe("rations")
    assert hands.table().dialog is not None


def test_the_summary_is_leafed_through_and_looked_at_again(hands: Hands) -> None:
    hands.settle()
    assert (hands.table().page, hands.table().report is not None) == (0, True)
    hands.act(actions.TurnPage(-1))
    assert hands.table().page == 0
    hands.act(actions.TurnPage(1))
    assert hands.table().page == 1
    hands.act(actions.TurnPage(1))
    assert hands.table().phase is Phase.ROUND
    assert (hands.table().is_reviewing, hands.table().page) == (False, 0)
    hands.act(actions.ReviewSummary())
    assert (hands.table().is_reviewing, hands.table().page) == (True, 0)
    hands.act(actions.TurnPage(1))
    assert hands.table().page == 1
    hands.act(actions.TurnPage(1))
    assert (hands.table().phase, hands.table().is_reviewing) == (Phase.ROUND, False)
    hands.act(actions.TurnPage(1))
    assert hands.table().phase is Phase.ROUND
    hands.act(actions.ReviewSummary())
    hands.act(actions.CloseReview())
    assert hands.table().is_reviewing is False


def test_the_last_round_ends_the_game(hands: Hands) -> None:
    for _ in range(3):
        hands.settle()
        hands.leave_summary()
    assert hands.table().phase is Phase.ENDED
    hands.act(actions.EnterPoints("ava", 12))
    assert hands.commands()[-1] == c.EnterTablePoints(12, "ava")
    hands.act(actions.Next(), actions.Undo(), actions.ClaimGovernor("ava"))
    assert hands.commands()[-1] == c.EnterTablePoints(12, "ava")
    assert hands.store.game("g").summary.is_ended


def test_points_wait_for_the_end(hands: Hands) -> None:
    hands.act(actions.EnterPoints("ava", 12))
    assert hands.commands() == []


# undo


def test_undo_names_what_it_takes_back_and_what_to_do_at_the_table(hands: Hands) -> None:
    hands.swipe("rations", "ava")
    assert hands.table().undo_text == "decree “Ration cards” by Ava Xu"
    hands.swipe("governor")
    assert hands.dialog().lines == (
        "Decree “Ration cards” by Ava Xu.",
        "The card goes back to the hand, and its fee to the Repository.",
    )


def test_undo_is_repeatable_to_the_start_of_the_round(hands: Hands) -> None:
    start = hands.state().colony
    hands.swipe("rations", "ava", "ambassador", "mac", "vlad")
    hands.choose("confirm")
    hands.act(actions.ClaimGovernor("mac"), actions.FlipAssistantCard("ava"))
    hands.act(actions.Correct(c.CorrectValue(40, stock=True)))
    texts = []
    for _ in range(6):
        texts.append(hands.table().undo_text)
        hands.swipe("governor", "governor")
    assert texts == [
        "the correction of STOCK to 40",
        "the turned assistant card of Ava Xu",
        "Mac McCain becomes Governor",
        "campaign of Vlad Pokorny",
        "the Ambassador, used by Mac McCain",
        "decree “Ration cards” by Ava Xu",
    ]
    assert hands.state().colony == start
    hands.swipe("governor")
    assert "There is nothing to take back in this round." in hands.texts


def test_one_resting_governor_token_undoes_nothing_by_itself(hands: Hands) -> None:
    hands.swipe("rations", "ava", "governor")
    assert hands.table().dialog is not None
    hands.wait(200_000)
    assert hands.table().dialog is None
    assert hands.table().undo_text is not None


def test_undo_of_a_module_asks_its_builder_again(hands: Hands) -> None:
    hands.plug(50)
    hands.swipe("ava")
    hands.swipe("governor", "governor")
    assert hands.dialog().kind is DialogKind.BUILDER
    hands.swipe("mac")
    assert hands.commands()[-1] == c.SubmitModule(50, "mac")


def test_a_module_whose_builder_was_undone_can_be_taken_off_without_trace(hands: Hands) -> None:
    hands.plug(50)
    hands.swipe("ava", "governor", "governor")
    hands.unplug(50)
    assert hands.table().dialog is None
    assert hands.state().connected == ()
    assert hands.state().submitted == ()


def test_undo_leaves_modules_that_were_plugged_in_later(hands: Hands) -> None:
    hands.swipe("rations", "ava")
    hands.plug(50)
    hands.swipe("governor")
    hands.choose("confirm")
    assert hands.state().knows(50)
    assert [module.instance for module in hands.table().colony.modules] == [50]  # type: ignore[union-attr]
    assert hands.table().undo_text is None


def test_a_settlement_is_never_undone(hands: Hands) -> None:
    hands.swipe("rations", "ava")
    hands.settle()
    hands.swipe("governor")
    assert "A settlement is never taken back." in hands.texts
    hands.leave_summary()
    hands.swipe("governor")
    assert hands.table().dialog is None


def test_undo_keeps_the_dice(hands: Hands) -> None:
    """What is settled after an undo is what would have been settled anyhow."""
    other = Hands().start()
    hands.swipe("rations", "ava", "governor", "governor", "curfew", "mac")
    other.swipe("curfew", "mac")
    hands.settle()
    other.settle()
    assert hands.state().colony == other.state().colony


def test_the_undo_button_asks_before_other_questions(hands: Hands) -> None:
    hands.swipe("rations", "ava")
    hands.plug(50)
    hands.act(actions.Undo(), actions.Undo())
    assert [dialog.kind for dialog in hands.state().dialogs] == [DialogKind.UNDO, DialogKind.BUILDER]


# without an ARC, and another ARC


def test_the_same_game_by_tapping() -> None:
    hands = Hands(uses_arc=False)
    hands.act(actions.StartGame("Dawn", SETUP))
    assert hands.table().arc.state is ArcState.NONE
    assert hands.table().tray is not None
    hands.act(actions.TapCard("rations"), actions.TapCard("ava"), actions.TapModule(1), actions.TapCard("mac"))
    hands.settle()
    assert hands.table().phase is Phase.SUMMARY
    assert [type(command) for command in hands.commands()] == [
        c.RegisterDecree, c.ConnectModule, c.SetConnections, c.SubmitModule, c.Settle,
    ]  # fmt: skip


def test_a_tapped_module_that_does_not_exist_is_refused() -> None:
    hands = Hands(uses_arc=False).start()
    hands.act(actions.TapModule(99))
    assert hands.texts == ["There is no module of type 99 in the catalog."]
    assert hands.commands() == []


def test_a_game_goes_from_taps_to_the_arc_and_back() -> None:
    tapping = Hands(uses_arc=False)
    tapping.act(actions.StartGame("Dawn", SETUP), actions.TapModule(1), actions.TapCard("mac"))
    instance = tapping.state().connected[0][0]

    board = Hands(tapping.store)
    assert [module.name for module in board.table().missing] == ["Solar Power Plant"]
    assert board.table().phase is Phase.RESUME
    board.plug(0xABCD1234, type_id=1)
    assert board.table().dialog is None
    assert "Solar Power Plant is on the ARC now." in board.texts
    assert board.table().missing == ()
    assert board.state().colony_instance(0xABCD1234) == instance
    board.swipe("rations", "ava")

    again = Hands(tapping.store, uses_arc=False)
    assert again.table().undo_text == "decree “Ration cards” by Ava Xu"
    again.act(actions.TapCard("curfew"), actions.TapCard("mac"))
    again.settle()
    assert again.table().phase is Phase.SUMMARY


def test_a_next_that_waited_for_the_arc_is_decided_without_it() -> None:
    board = Hands().start()
    board.act(actions.Next())
    board.choose("confirm")
    tapping = Hands(board.store, uses_arc=False)
    assert tapping.dialog().kind is DialogKind.SETTLE_WITHOUT_ARC
    tapping.choose("settle")
    assert tapping.table().phase is Phase.SUMMARY


def test_another_catalog_is_told_at_the_opening() -> None:
    class NewerRules(SmallRules):
        version = "v2"

    hands = Hands(Hands().start().store, NewerRules())
    assert any("begun with other cards" in text for text in hands.texts)


def test_another_arc_is_asked_about_first(hands: Hands) -> None:
    other = bytes(6)
    hands.lose_link()
    assert hands.session.resume_point(info(9, other)) is None
    assert hands.dialog().kind is DialogKind.OTHER_ARC
    hands.choose("wait")
    assert hands.table().dialog is None
    assert hands.session.resume_point(info(9, other)) is None
    assert hands.table().dialog is None
    hands.sit_down(connect=False)
    assert hands.session.resume_point(info(9, other)) is None
    hands.choose("continue")
    assert hands.session.resume_point(info(9, other)) == (EPOCH, 9)
    assert hands.store.game("g").cursor == Cursor(other.hex(), EPOCH, 9)


def test_a_new_game_begins_at_the_newest_event() -> None:
    hands = Hands(empty_store())
    assert hands.store.game("g").cursor == Cursor(DEVICE.hex(), EPOCH, hands.sequence)


def test_a_skip_moves_the_cursor_and_says_so(hands: Hands) -> None:
    hands.session.handle(news.Skipped(9, 4, "The ARC's log was formatted."))
    assert hands.store.game("g").cursor == Cursor(DEVICE.hex(), 9, 4)
    assert "The ARC's log was formatted." in hands.texts
