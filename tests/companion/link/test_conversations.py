"""What is asked beside the events: one question at a time, each told once how it ended, long talks in between."""

from binascii import crc32

import pytest

from companion.link import news
from companion.link.conversations import NO_LINK, Later, Refused, Talk
from companion.link.talks import forget_tablet, leave_game, read_counters, read_log, test_itself as self_test
from protocol import messages as m
from tests.companion.link.line import Line

DEVICE = bytes(6)


def test_one_question_at_a_time_in_order(line: Line) -> None:
    line.begin(read_counters())
    line.begin(self_test())
    assert [type(command) for command in line.sent] == [m.ReadStatistics]
    for _ in range(4):
        line.answer(bytes(28))
    assert set(line.ended[0]) == {"reader", "bus", "link", "life"}
    assert isinstance(line.sent[-1], m.SelfTest)
    line.answer(bytes((1, 0, 2, 1)))
    assert line.ended[1] == ((1, 0), (2, 1))


def test_answers_to_others_are_not_taken(line: Line) -> None:
    line.begin(read_log())
    line.talk.handle(news.Answered(m.LogRead(0, 0), b"another's"))
    line.talk.handle(news.CommandRefused(m.LogRead(0, 0), 1, "another's"))
    assert line.ended == []
    line.answer(b"boot \xff\n")
    line.answer(b"")
    assert line.ended == ["boot \ufffd\n"]


def test_a_refusal_ends_one_talk_and_the_next_begins(line: Line) -> None:
    line.begin(leave_game(b"game", 1, 2))
    line.begin(forget_tablet(5))
    line.refuse("the ARC's battery is too low for this")
    assert line.ended == [("failed", "the ARC's battery is too low for this")]
    assert isinstance(line.sent[-1], m.ForgetTablet)
    line.answer()
    assert line.ended[1:] == [None]


@pytest.mark.parametrize(
    "end",
    [
        news.LinkChanged(news.LinkState.LOST, ""),
        news.Resumed(DEVICE, 1, 2),
        news.LinkChanged(news.LinkState.SEARCHING, ""),
    ],
)
def test_when_the_session_ends_all_are_told_once(line: Line, end: news.News) -> None:
    line.begin(read_log())
    line.begin(self_test())
    line.talk.handle(end)
    assert line.ended == [("failed", NO_LINK)] * 2
    line.answer(b"late")
    line.begin(self_test())
    line.answer(b"")
    assert line.ended[2:] == [()]


def test_ready_is_no_end(line: Line) -> None:
    line.begin(self_test())
    line.talk.handle(news.LinkChanged(news.LinkState.READY, ""))
    assert line.ended == []


def test_without_a_session_it_fails_at_once(line: Line) -> None:
    line.is_up = False
    line.begin(self_test())
    assert line.ended == [("failed", NO_LINK)]


def test_what_ends_may_begin_the_next(line: Line) -> None:
    line.talk.begin(self_test(), lambda _: line.begin(read_log()), lambda _: None)
    line.begin(forget_tablet(1))
    line.answer()
    assert [type(command) for command in line.sent] == [m.SelfTest, m.ForgetTablet]
    line.answer()
    assert isinstance(line.sent[-1], m.LogRead)


def chunks(count: int) -> Talk[str]:
    """A long talk that says by its offsets how far it is."""
    for offset in range(count):
        yield m.UpdateChunk(0, offset, b"x")
    return "all sent"


def patient() -> Talk[int]:
    """Asks until it is not refused any more, with pauses; how often it was."""
    refusals = 0
    while True:
        try:
            yield m.SelfTest(0)
        except Refused as refused:
            refusals += refused.reason == m.BUSY
            yield Later(50)
        else:
            return refusals


def test_a_long_talk_lets_others_pass_between_two_commands(line: Line) -> None:
    line.begin(chunks(3), is_long=True)
    line.begin(leave_game(b"game", 1, 2))
    line.begin(self_test())
    assert line.sent == [m.UpdateChunk(0, 0, b"x")]
    for _ in range(5):
        line.answer()
    assert line.ended == [crc32(b"game"), ()]
    assert [type(command) for command in line.sent[1:]] == [
        m.GameBegin,
        m.GameChunk,
        m.GameCommit,
        m.SelfTest,
        m.UpdateChunk,
    ]
    line.begin(forget_tablet(5))
    line.answer()
    assert isinstance(line.sent[-1], m.ForgetTablet)
    line.answer()
    line.answer()
    assert line.ended[2:] == [None, "all sent"]


def test_a_long_talk_is_not_overtaken_by_a_second_one(line: Line) -> None:
    line.begin(chunks(2), is_long=True)
    line.begin(chunks(1), is_long=True)
    for _ in range(3):
        line.answer()
    assert [command.offset for command in line.sent if isinstance(command, m.UpdateChunk)] == [0, 1, 0]


def test_a_talk_that_catches_its_refusal_asks_again_after_a_pause(line: Line) -> None:
    line.begin(patient())
    for _ in range(2):
        line.refuse("busy", m.BUSY)
        sent = len(line.sent)
        assert line.pass_time() == 50
        assert len(line.sent) == sent + 1
    line.answer()
    assert line.ended == [2]


def test_a_pause_is_used_by_others_and_who_comes_out_of_one_is_first_of_its_kind(line: Line) -> None:
    line.begin(patient(), is_long=True)
    line.refuse("busy", m.BUSY)
    line.begin(patient())
    line.refuse("busy", m.BUSY)
    line.begin(leave_game(b"game", 1, 2))
    assert isinstance(line.sent[-1], m.GameBegin)
    line.pass_time()
    line.pass_time()
    line.answer()
    assert isinstance(line.sent[-1], m.SelfTest)
    line.answer()
    assert line.ended == [1]
    assert isinstance(line.sent[-1], m.GameChunk)
    for _ in range(3):
        line.answer()
    assert line.ended == [1, crc32(b"game"), 1]


def test_a_session_that_ends_in_a_pause_ends_the_talk_once(line: Line) -> None:
    line.begin(patient())
    line.refuse("busy", m.BUSY)
    line.talk.handle(news.Resumed(DEVICE, 1, 2))
    assert line.ended == [("failed", NO_LINK)]
    line.pass_time()
    assert len(line.sent) == 1
    assert line.ended == [("failed", NO_LINK)]


def test_a_stopped_talk_says_nothing_more_and_the_next_has_its_turn(line: Line) -> None:
    talk, paused = chunks(3), patient()
    line.begin(talk, is_long=True)
    line.begin(paused)
    line.talk.stop(talk)
    late = line.sent[0]
    assert isinstance(line.sent[-1], m.SelfTest)
    line.talk.handle(news.Answered(late, b""))
    line.refuse("busy", m.BUSY)
    line.talk.stop(paused)
    line.talk.stop(paused)
    line.pass_time()
    assert (len(line.sent), line.ended) == (2, [])
    line.begin(self_test())
    line.answer()
    assert line.ended == [()]
