"""What is asked beside the events: one question at a time, each told once how it ended, and nothing believed unchecked."""

from binascii import crc32
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, strategies as st

from companion.link import news
from companion.link.conversations import NO_LINK, NONSENSE, Conversations, Later, Refused, Talk
from companion.link.talks import (
    CHUNK,
    HEAD_SIZE,
    MODULE_TRIES,
    KeptGame,
    forget_tablet,
    leave_game,
    part_twins,
    read_counters,
    read_game,
    read_game_head,
    read_log,
    read_modules,
    resalt_module,
    test_itself as self_test,
)
from protocol import messages as m
from protocol.messages import Message
from protocol.reason_texts import REASON_TEXT

DEVICE = bytes(6)


class Line:
    """A link to nobody: answers are given by hand. `ended` is how each talk ended, in order; `pauses` what waits for the clock."""

    def __init__(self) -> None:
        self.sent: list[Message] = []
        self.is_up = True
        self.ended: list[Any] = []
        self.pauses: list[tuple[int, Callable[[], None]]] = []
        self.talk = Conversations(self._send, lambda ms, call: self.pauses.append((ms, call)))

    def _send(self, command: Message) -> bool:
        if self.is_up:
            self.sent.append(command)
        return self.is_up

    def begin(self, talk: Talk[Any], *, is_long: bool = False) -> None:
        self.talk.begin(talk, self.ended.append, lambda why: self.ended.append(("failed", why)), is_long=is_long)

    def pass_time(self) -> int:
        """To the end of the oldest pause."""
        ms, call = self.pauses.pop(0)
        call()
        return ms

    def answer(self, data: bytes = b"") -> None:
        self.talk.handle(news.Answered(self.sent[-1], data))

    def refuse(self, text: str, reason: int = m.UNSUPPORTED) -> None:
        self.talk.handle(news.CommandRefused(self.sent[-1], reason, text))


@pytest.fixture
def line() -> Line:
    return Line()


def kept(data: bytes) -> bytes:
    return m.GameHead(3, len(data), crc32(data), 7, 41).pack() + data


def serve(line: Line, data: bytes, size: int) -> None:
    """Answer GAME_READs as a board does, `size` bytes at a time."""
    while isinstance(line.sent[-1], m.GameRead) and not line.ended:
        offset = line.sent[-1].offset
        line.answer(data[offset : offset + size])


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


@given(st.binary(min_size=1, max_size=2_000))
def test_a_game_goes_in_order_and_whole(data: bytes) -> None:
    line = Line()
    line.begin(leave_game(data, 7, 41))
    while not line.ended:
        line.answer()
    assert line.ended == [crc32(data)]
    assert line.sent[0] == m.GameBegin(0, len(data), crc32(data), 7, 41)
    chunks = [command for command in line.sent if isinstance(command, m.GameChunk)]
    assert [chunk.offset for chunk in chunks] == list(range(0, len(data), CHUNK))
    assert b"".join(chunk.data for chunk in chunks) == data
    assert all(len(command.encode()) <= CHUNK + 6 for command in line.sent)


@given(st.binary(min_size=1, max_size=600), st.integers(18, 300))
def test_a_kept_game_is_read_whole_whatever_fits(data: bytes, size: int) -> None:
    line = Line()
    line.begin(read_game())
    serve(line, kept(data), size)
    assert line.ended == [KeptGame(m.GameHead(3, len(data), crc32(data), 7, 41), data)]


def test_no_kept_game(line: Line) -> None:
    line.begin(read_game_head())
    line.answer(b"")
    line.begin(read_game())
    line.answer(b"")
    assert line.ended == [None, None]


@pytest.mark.parametrize(
    "answers",
    [
        (b"x" * 5,),
        (m.GameHead(1, 0, 0, 1, 1).pack(),),
        (m.GameHead(1, m.MAX_GAME + 1, 0, 1, 1).pack(),),
        (kept(b"abcd")[:-1], b""),
        (kept(b"abcd")[:-1] + b"x",),
        (kept(b"abcd") + b"more",),
    ],
)
def test_a_damaged_game_is_not_taken(line: Line, answers: tuple[bytes, ...]) -> None:
    line.begin(read_game())
    for answer in answers:
        line.answer(answer)
    assert line.ended == [("failed", NONSENSE)]


@given(st.lists(st.binary(max_size=60), min_size=1, max_size=5))
def test_no_answer_of_any_kind_makes_an_exception(answers: list[bytes]) -> None:
    for talk in (read_game, read_game_head, read_counters, self_test, read_log):
        line = Line()
        line.begin(talk())
        for answer in answers:
            if not line.ended:
                line.answer(answer)


def test_a_log_without_end_is_cut(line: Line) -> None:
    line.begin(read_log())
    while not line.ended:
        line.answer(b"x" * 200)
    assert 16 * 1024 <= len(line.ended[0]) < 17 * 1024
    assert HEAD_SIZE == 18


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


STATUS = m.ModuleStatus(0, 2, 1, 1, 0x10, 1, 7, 3300, 0, 1, 0, 0x11, 1)


def test_modules_tell_what_they_run_those_that_have_just_come_a_little_later(line: Line) -> None:
    told: list[tuple[int, m.ModuleStatus]] = []
    line.begin(read_modules((1, 2, 3), lambda instance, status: told.append((instance, status))))
    line.refuse("busy", m.BUSY)
    line.refuse("gone", m.UNKNOWN_MODULE)
    line.answer(STATUS.pack() + b"of a later version")
    assert told == [(3, STATUS)]
    line.pass_time()
    assert line.sent[-1] == m.ReadModule(0, 1)
    line.answer(STATUS.pack())
    assert (told[1:], line.ended) == ([(1, STATUS)], [None])


def test_a_module_that_says_nonsense_does_not_hide_the_others(line: Line) -> None:
    told: list[int] = []
    line.begin(read_modules((1, 2), lambda instance, _: told.append(instance)))
    line.answer(b"nonsense")
    line.answer(STATUS.pack())
    assert (told, line.ended) == ([2], [None])


def test_an_older_arc_cannot_tell_and_a_module_that_never_answers_is_left(line: Line) -> None:
    line.begin(read_modules((1, 2), lambda *_: pytest.fail("nothing is known")))
    line.refuse("what?", m.UNSUPPORTED)
    assert (len(line.sent), line.ended) == (1, [None])
    line.begin(read_modules((1,), lambda *_: pytest.fail("nothing is known")))
    for _ in range(MODULE_TRIES):
        line.refuse("busy", m.BUSY)
        line.pass_time()
    assert line.ended == [None, None]


def test_one_of_two_modules_gets_another_number_as_soon_as_it_can(line: Line) -> None:
    line.begin(resalt_module(50, 0, 2))
    assert line.sent[-1] == m.ResaltModule(0, 50, 0, 2)
    line.refuse("busy", m.BUSY)
    line.pass_time()
    assert line.sent[-1] == m.ResaltModule(0, 50, 0, 2)
    line.answer((0xCAFE0001).to_bytes(4, "little"))
    assert line.ended == [0xCAFE0001]


def test_the_place_that_came_last_is_tried_first_and_one_that_moved_is_passed_over(line: Line) -> None:
    places = ((50, 0, 1), (50, 0, 2), (50, 7, 3))
    line.begin(part_twins(places))
    assert line.sent[-1] == m.ResaltModule(0, 50, 7, 3)
    line.refuse("nobody there", m.UNKNOWN_MODULE)
    assert line.sent[-1] == m.ResaltModule(0, 50, 0, 2)
    line.answer((0xCAFE0001).to_bytes(4, "little"))
    line.begin(part_twins(places[:1]))
    line.refuse("nobody there", m.UNKNOWN_MODULE)
    line.begin(part_twins(places))
    line.refuse("too old", m.UNSUPPORTED)
    assert line.ended == [0xCAFE0001, None, ("failed", "too old")]


def test_a_module_that_keeps_its_number_is_told(line: Line) -> None:
    line.begin(resalt_module(50, 0, 2))
    line.refuse("nobody there", m.UNKNOWN_MODULE)
    line.begin(resalt_module(50, 0, 2))
    for _ in range(MODULE_TRIES):
        line.refuse("busy", m.BUSY)
        line.pass_time()
    line.begin(resalt_module(50, 0, 2))
    line.answer(b"xyz")
    assert line.ended == [("failed", "nobody there"), ("failed", REASON_TEXT[m.BUSY]), ("failed", NONSENSE)]


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
