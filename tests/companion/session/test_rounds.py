"""NEXT and everything round it: the mark, cards before and behind it, the link down, the summary, the end."""

import pytest

from companion.link import news
from companion.session import actions
from companion.session.table import DialogKind, Phase
from companion.simulation import commands as c
from protocol import events
from protocol.messages import Mark
from tests.companion.session.hands import DEVICE, EPOCH, Hands, info


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


def test_cards_of_another_log_are_not_taken_for_old_ones(hands: Hands) -> None:
    """Numbers of a log that was formatted begin anew: the mark of the log before says nothing of them."""
    hands.lose_link()
    hands.act(actions.Next())
    hands.choose("confirm", "settle")
    hands.connect(behind=5)
    hands.leave_summary()
    hands.sequence += 5
    assert hands.state().refuse_until == hands.sequence
    hands.lose_link()
    hands.sequence = 2
    assert hands.session.resume_point(info(2, epoch=8)) is not None
    hands.session.handle(news.Resumed(DEVICE, 8, 2))
    hands.session.handle(news.Skipped(8, 2, "The ARC's log was formatted."))
    hands.session.handle(news.LinkChanged(news.LinkState.READY, ""))
    hands.swipe("rations")
    assert hands.dialog().title == "Ration cards"
