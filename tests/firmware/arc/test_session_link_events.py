"""Events over one connection: units, window, resend, overrun, another log, an app that only reads."""

import pytest

from protocol.events import Event
from protocol.messages import (
    MALFORMED,
    READS_ONLY,
    Ack,
    Lost,
    Ok,
    ResumeAnswer,
)
from tests.firmware.arc.link_board import Board, resumed, sequences


def test_resume_is_answered_before_the_first_event_and_names_what_comes() -> None:
    board = Board()
    board.happen(5)
    peer = board.connect()
    answer = peer.resume(board.pair(), 2)
    assert isinstance(answer, Ok)
    assert ResumeAnswer.unpack(answer.data, 0) == ResumeAnswer(0xBEEF, 3, 5)
    assert sequences(peer) == [3, 4, 5]


@pytest.mark.parametrize("max_size", [20, 22, 60, 185, 244, 512])
def test_units_hold_as_many_whole_records_as_fit_and_four_are_under_way(max_size: int) -> None:
    board = Board()
    board.happen(200)
    peer = resumed(board, max_size=244)
    peer.link.max_size = max_size
    units = 0
    while (unit := peer.link.outgoing(0)) is not None:
        assert len(unit) <= max_size
        assert len(unit) + 20 > max_size or len(unit) >= 17 * (max_size // 20)
        peer.link.sent(0)
        units += 1
    assert units == 4


def test_an_acknowledgement_opens_the_window_again() -> None:
    board = Board()
    board.happen(6)
    peer = resumed(board, max_size=20 + 14)
    peer.link.max_size = 20
    assert sequences(peer) == [1, 2, 3, 4]
    peer.say(Ack(0, 0xBEEF, 2))
    assert sequences(peer) == [5, 6]


def test_an_acknowledgement_is_not_answered_unless_refused() -> None:
    board = Board()
    board.happen(2)
    peer = resumed(board)
    assert sequences(peer) == [1, 2]
    peer.say(Ack(3, 0xBEEF, 2))
    assert list(peer.hear()) == []
    assert peer.refusal(Ack(3, 0xBEEF, 3)) == MALFORMED
    assert peer.refusal(Ack(3, 0xBEE0, 2)) == MALFORMED


def test_without_progress_everything_unacknowledged_is_sent_again_after_1_2_4_8_8_s() -> None:
    board = Board()
    board.happen(2)
    peer = resumed(board)
    assert sequences(peer) == [1, 2]
    at = 0
    for wait in (1_000, 2_000, 4_000, 8_000, 8_000):
        assert sequences(peer, at + wait - 1) == []
        assert peer.link.wait_ms(at) == wait
        at += wait
        assert sequences(peer, at) == [1, 2]
    peer.say(Ack(0, 0xBEEF, 1), at)
    assert sequences(peer, at + 1_000) == [2]
    assert peer.link.resends == 6


def test_a_host_away_for_an_hour_gets_what_waits() -> None:
    board = Board()
    board.happen(1)
    peer = resumed(board)
    assert sequences(peer) == [1]
    board.happen(1)
    hour = 3_600_000
    assert sequences(peer, hour) == [1, 2]
    peer.say(Ack(0, 0xBEEF, 2), hour)
    assert sequences(peer, 2 * hour) == []


def test_refused_transport_gets_the_same_unit_again() -> None:
    board = Board()
    board.happen(2)
    peer = resumed(board)
    first = peer.link.outgoing(0)
    assert first is not None
    assert bytes(first) == bytes(peer.link.outgoing(0) or b"")
    assert sequences(peer) == [1, 2]


def test_overrun_is_told_in_its_place() -> None:
    board = Board(blocks=4)
    board.happen(100)
    peer = board.connect()
    answer = peer.resume(board.pair(), 10)
    assert isinstance(answer, Ok)
    oldest = board.outbox.oldest
    assert ResumeAnswer.unpack(answer.data, 0).first == oldest
    parts = list(peer.hear())
    assert parts[0] == Lost(0xBEEF, 11, oldest - 1)
    assert [part.sequence for part in parts[1:] if isinstance(part, Event)] == list(range(oldest, 101))


def test_overrun_while_streaming_is_told_too() -> None:
    board = Board(blocks=4)
    board.happen(2)
    peer = resumed(board)
    assert sequences(peer) == [1, 2]
    board.happen(100)
    parts = list(peer.hear(1_000))
    assert parts[0] == Lost(0xBEEF, 1, board.outbox.oldest - 1)
    peer.say(Ack(0, 0xBEEF, board.outbox.oldest - 1))
    assert peer.link.refusals == 0


def test_another_epoch_gets_everything_held() -> None:
    board = Board(blocks=4)
    board.happen(100)
    peer = board.connect()
    answer = peer.resume(board.pair(), 500, epoch=0x1234)
    assert isinstance(answer, Ok)
    assert ResumeAnswer.unpack(answer.data, 0) == ResumeAnswer(0xBEEF, board.outbox.oldest, 100)
    parts = list(peer.hear())
    assert parts[0] == Lost(0xBEEF, 1, board.outbox.oldest - 1)


def test_an_app_ahead_of_the_log_is_told_where_the_log_ends() -> None:
    board = Board()
    board.happen(3)
    peer = board.connect()
    answer = peer.resume(board.pair(), 10)
    assert isinstance(answer, Ok)
    assert ResumeAnswer.unpack(answer.data, 0) == ResumeAnswer(0xBEEF, 4, 3)
    assert list(peer.hear()) == []
    board.happen(1)
    assert sequences(peer) == [4]


def test_for_one_who_only_reads_nothing_counts_as_taken() -> None:
    board = Board()
    board.happen(3)
    token = board.pair()
    peer = board.connect()
    answer = peer.resume(token, 2 | READS_ONLY)
    assert isinstance(answer, Ok)
    assert ResumeAnswer.unpack(answer.data, 0) == ResumeAnswer(0xBEEF, 3, 3)
    board.happen(5)
    assert sequences(peer) == [3, 4, 5, 6, 7, 8]
    peer.say(Ack(3, 0xBEEF, 8))
    assert list(peer.hear(now_ms=60_000)) == [], "its window moves all the same"
    assert board.outbox.acknowledged == 0
    assert isinstance(peer.resume(token, 8), Ok)
    assert board.outbox.acknowledged == 8


def test_how_long_nothing_will_have_to_be_sent() -> None:
    board = Board()
    peer = resumed(board)
    assert peer.link.wait_ms(0) == 8_000
    board.happen(1)
    assert sequences(peer, 100) == [1]
    assert [peer.link.wait_ms(now_ms) for now_ms in (100, 500, 1_100, 5_000)] == [1_000, 600, 0, 0]
    peer.say(Ack(0, 0xBEEF, 1), 500)
    assert peer.link.wait_ms(500) == 8_000
    assert Board().connect().link.wait_ms(0) == 8_000


def test_resuming_again_on_the_same_connection_begins_behind_the_new_cursor() -> None:
    board = Board()
    board.happen(10)
    peer = board.connect()
    token = board.pair()
    assert isinstance(peer.resume(token), Ok)
    peer.link.max_size = 20
    assert sequences(peer) == [1, 2, 3, 4]
    peer.link.max_size = 244
    assert isinstance(peer.resume(token, 2), Ok)
    assert sequences(peer) == list(range(3, 11))
    assert peer.link.resumes == 2


def test_the_wait_for_progress_counts_from_the_first_unit_under_way() -> None:
    board = Board()
    board.happen(1)
    peer = resumed(board)
    assert sequences(peer, 0) == [1]
    board.happen(1)
    assert sequences(peer, 900) == [2]
    assert sequences(peer, 1_000) == [1, 2]


def test_an_acknowledgement_without_progress_does_not_put_the_wait_off() -> None:
    board = Board()
    board.happen(2)
    peer = resumed(board)
    assert sequences(peer, 0) == [1, 2]
    peer.say(Ack(0, 0xBEEF, 1), 500)
    peer.say(Ack(0, 0xBEEF, 1), 1_400)
    assert sequences(peer, 1_500) == [2]
