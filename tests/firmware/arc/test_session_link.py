"""One connection's state table: greeting, resume, commands and their limits, on the real log, pairing and settings."""

import pytest

from firmware.arc.session_link import CLOSED, GREETED, MAX_ANSWERS, OPEN, RESUMED, SessionLink
from protocol.gatt import MAX_COMMAND
from protocol.messages import (
    BUSY,
    MALFORMED,
    NOT_AUTHORISED,
    UNSUPPORTED,
    VERSION_MISMATCH,
    Ack,
    Hello,
    Info,
    LightTable,
    Mark,
    Message,
    Ok,
    Pair,
    Refused,
    Resume,
    session_mac,
)
from tests.firmware.arc.link_board import TABLET, Board, resumed, sequences


def test_nothing_is_sent_before_an_accepted_resume() -> None:
    board = Board()
    board.happen(3)
    peer = board.connect()
    assert list(peer.hear()) == []
    peer.hello()
    assert list(peer.hear()) == []


@pytest.mark.parametrize("command", [Pair(5, TABLET), Mark(5), Ack(5, 0xBEEF, 1), Resume(5, TABLET, 1, 1, bytes(8))])
def test_everything_but_hello_is_refused_before_hello(command: Message) -> None:
    peer = Board().connect()
    assert peer.refusal(command) == NOT_AUTHORISED
    assert peer.link.state == OPEN


@pytest.mark.parametrize("command", [Mark(5), Ack(5, 0xBEEF, 0)])
def test_commands_are_refused_before_resume(command: Message) -> None:
    peer = Board().connect()
    peer.hello()
    assert peer.refusal(command) == NOT_AUTHORISED
    assert peer.link.state == GREETED


def test_another_major_is_refused_with_ours_and_leads_back_to_open() -> None:
    peer = Board().connect()
    peer.hello()
    answer = peer.ask(Hello(9, 2, 0))
    assert answer == Refused(9, VERSION_MISMATCH, b"\x01\x00")
    assert peer.link.state == OPEN


def test_another_minor_is_welcome() -> None:
    assert isinstance(Board().connect().ask(Hello(9, 1, 77)), Ok)


@pytest.mark.parametrize(
    ("data", "reason", "request_id"),
    [
        (b"", MALFORMED, 0),
        (b"\x05", MALFORMED, 0),
        (b"\x05\x07\x00", MALFORMED, 7),
        (b"\x03\x09\x00", MALFORMED, 9),
        (b"\x3b\x0a", UNSUPPORTED, 10),
        (b"\x40\x0b", UNSUPPORTED, 11),
        (b"\xff\x0c", UNSUPPORTED, 12),
    ],
)
def test_bytes_that_are_no_command_are_refused(data: bytes, reason: int, request_id: int) -> None:
    peer = resumed(Board())
    assert peer.ask(data) == Refused(request_id, reason, b"")
    assert peer.link.state == RESUMED


def test_at_the_smallest_mtu_hello_brings_the_nonce_alone_and_no_other_tablet_changes_it() -> None:
    """INFO, which has the rest, shows whoever asked last."""
    board = Board()
    token = board.pair()
    peer, stranger = board.connect(max_size=20), board.connect(max_size=20)
    ok = peer.ask(Hello(1, 1, 0))
    stranger.ask(Hello(1, 1, 0))
    assert isinstance(ok, Ok)
    assert ok.data != Info.decode(board.acts.shown).nonce
    mac = session_mac(token, ok.data, TABLET, 0xBEEF, 0)
    assert isinstance(peer.ask(Resume(2, TABLET, 0xBEEF, 0, mac)), Ok)


def test_commands_beyond_what_the_link_holds_are_left_with_the_transport() -> None:
    peer = resumed(Board())
    for _ in range(MAX_ANSWERS):
        assert peer.link.can_receive()
        peer.say(Mark(1))
    assert not peer.link.can_receive()
    assert len(list(peer.hear())) == MAX_ANSWERS
    assert peer.link.can_receive()


def test_refusals_and_bad_commands_are_counted() -> None:
    peer = Board().connect()
    peer.say(Mark(1))
    peer.say(b"")
    peer.say(b"\x34\x01")
    assert (peer.link.refusals, peer.link.bad_commands) == (3, 2)


def test_answers_do_not_outlive_their_connection() -> None:
    peer = Board().connect()
    peer.say(Hello(1, 1, 0))
    peer.link.connect(0)
    assert list(peer.hear()) == []


def test_counters_that_do_not_fit_are_cut_behind_a_whole_one() -> None:
    board = Board()
    peer = resumed(board)
    board.acts.carry_out = lambda command, now_ms, max_size: bytes(range(28))  # type: ignore[method-assign]
    assert peer.ask(Mark(1)) == Ok(1, bytes(range(28)))
    peer.link.max_size = 21
    assert peer.ask(Mark(1)) == Ok(1, bytes(range(16)))


def test_a_link_begins_at_the_smallest_size_and_a_displaced_one_can_be_used_again() -> None:
    board = Board()
    link = SessionLink(board.outbox, board.pairing, board.seat, board.acts, board.random_bytes)
    assert (link.max_size, link.must_close) == (20, False)
    link.connect(0)
    link.displace()
    link.connect(0)
    assert not link.must_close


def test_a_session_that_was_ended_sends_no_more_and_can_begin_anew() -> None:
    board = Board()
    board.happen(2)
    peer = board.connect()
    token = board.pair()
    assert isinstance(peer.resume(token), Ok)
    peer.link.end_session()
    assert board.seat.holder is None
    assert sequences(peer) == []
    assert peer.refusal(Mark(1)) == NOT_AUTHORISED
    assert isinstance(peer.resume(token), Ok)
    assert sequences(peer) == [1, 2]


@pytest.mark.parametrize(("length", "is_known"), [(MAX_COMMAND, True), (MAX_COMMAND + 1, False)])
def test_a_command_has_a_greatest_length(length: int, is_known: bool) -> None:
    peer = resumed(Board())
    answer = peer.ask(LightTable(7, bytes(length - 2)))
    assert answer == (Ok(7, b"") if is_known else Refused(7, MALFORMED, b""))


@pytest.mark.parametrize("max_size", [32, 33])
def test_hello_carries_info_as_soon_as_it_fits(max_size: int) -> None:
    board = Board()
    answer = board.connect(max_size).ask(Hello(1, 1, 0))
    assert answer == Ok(1, board.acts.shown if max_size == 33 else Info.decode(board.acts.shown).nonce)


def test_what_the_board_refuses_is_refused_with_its_reason() -> None:
    board = Board()
    peer = resumed(board)
    board.acts.carry_out = lambda command, now_ms, max_size: BUSY  # type: ignore[method-assign]
    assert peer.ask(Mark(9)) == Refused(9, BUSY, b"")


def test_a_closed_connection_is_silent() -> None:
    board = Board()
    board.happen(1)
    peer = resumed(board)
    peer.link.disconnect()
    peer.say(Hello(1, 1, 0))
    assert peer.link.state == CLOSED
    assert list(peer.hear()) == []
    assert board.seat.holder is None
