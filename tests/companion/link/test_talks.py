"""Each talk in its commands and in what comes of any answer: nothing is believed unchecked, and nobody is asked for ever."""

from binascii import crc32

import pytest
from hypothesis import given, strategies as st

from companion.link.conversations import NONSENSE
from companion.link.talks import (
    CHUNK,
    HEAD_SIZE,
    MODULE_TRIES,
    KeptGame,
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
from protocol.reason_texts import REASON_TEXT
from tests.companion.link.line import Line


def kept(data: bytes) -> bytes:
    return m.GameHead(3, len(data), crc32(data), 7, 41).pack() + data


def serve(line: Line, data: bytes, size: int) -> None:
    """Answer GAME_READs as a board does, `size` bytes at a time."""
    while isinstance(line.sent[-1], m.GameRead) and not line.ended:
        offset = line.sent[-1].offset
        line.answer(data[offset : offset + size])


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
