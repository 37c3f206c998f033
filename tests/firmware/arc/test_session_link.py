"""One connection's state table, row by row, on the real log, pairing and settings."""

import random
from collections.abc import Iterator

import pytest

from firmware.arc.outbox import Outbox
from firmware.arc.pairing import Pairing
from firmware.arc.session_link import CLOSED, GREETED, MAX_ANSWERS, OPEN, RESUMED, Seat, SessionLink
from firmware.desk.chips.flash import Flash
from firmware.drivers.flash_ring import FlashRing
from firmware.drivers.settings_store import SettingsStore
from protocol.events import CardPresented, Event
from protocol.gatt import MAX_COMMAND
from protocol.messages import (
    BUSY,
    IN_USE,
    LOCKED,
    MALFORMED,
    NOT_AUTHORISED,
    NOT_PAIRING,
    READS_ONLY,
    TOO_MANY_TABLETS,
    UNSUPPORTED,
    VERSION_MISMATCH,
    WRONG_MAC,
    Ack,
    Hello,
    Info,
    LightTable,
    Lost,
    Mark,
    Message,
    Ok,
    Pair,
    Refused,
    Resume,
    ResumeAnswer,
    session_mac,
)
from protocol.reading import decode_notification
from tests.firmware.arc.acts import Acts

TABLET, OTHER = 0x1111, 0x2222


class Board:
    """Log, pairing and seat; as many connections as a test wants."""

    def __init__(self, blocks: int = 64) -> None:
        rng = random.Random(1)
        self.random_bytes = rng.randbytes
        self.outbox = Outbox(FlashRing(Flash(blocks * 256, 256)), lambda: 0xBEEF)
        self.pairing = Pairing(SettingsStore(Flash(512, 256), 0), rng.randbytes)
        self.seat = Seat()
        self.acts = Acts(self.outbox)

    def connect(self, max_size: int = 244) -> "Peer":
        link = SessionLink(self.outbox, self.pairing, self.seat, self.acts, self.random_bytes)
        link.max_size = max_size
        link.connect(0)
        return Peer(link)

    def happen(self, count: int = 1) -> None:
        for _ in range(count):
            self.outbox.append(CardPresented(self.outbox.newest + 1, b"\x04\x01\x02\x03"), 0)

    def pair(self, tablet: int = TABLET) -> bytes:
        self.pairing.open_window(0)
        token = self.pairing.pair(tablet, 0)
        self.pairing.close_window()
        assert isinstance(token, bytes)
        return token


class Peer:
    """The other end of one connection: says what it is told to and keeps what comes."""

    def __init__(self, link: SessionLink) -> None:
        self.link = link

    def say(self, command: Message | bytes, now_ms: int = 0) -> None:
        self.link.receive(command if isinstance(command, bytes) else command.encode(), now_ms)

    def hear(self, now_ms: int = 0) -> Iterator[Event | Message]:
        while (unit := self.link.outgoing(now_ms)) is not None:
            assert len(unit) <= self.link.max_size
            yield from decode_notification(bytes(unit))
            self.link.sent(now_ms)

    def ask(self, command: Message | bytes, now_ms: int = 0) -> Message:
        self.say(command, now_ms)
        unit = self.link.outgoing(now_ms)
        assert unit is not None
        (answer,) = decode_notification(bytes(unit))
        self.link.sent(now_ms)
        assert isinstance(answer, Message)
        return answer

    def refusal(self, command: Message | bytes, now_ms: int = 0) -> int:
        answer = self.ask(command, now_ms)
        assert isinstance(answer, Refused), answer
        return answer.reason

    def hello(self) -> bytes:
        answer = self.ask(Hello(1, 1, 0))
        assert isinstance(answer, Ok)
        return Info.decode(answer.data).nonce

    def resume(self, token: bytes, sequence: int = 0, epoch: int = 0xBEEF, tablet: int = TABLET) -> Message:
        mac = session_mac(token, self.hello(), tablet, epoch, sequence)
        return self.ask(Resume(2, tablet, epoch, sequence, mac))


def resumed(board: Board, sequence: int = 0, max_size: int = 244) -> Peer:
    peer = board.connect(max_size)
    answer = peer.resume(board.pair(), sequence)
    assert isinstance(answer, Ok), answer
    return peer


def sequences(peer: Peer, now_ms: int = 0) -> list[int]:
    return [part.sequence for part in peer.hear(now_ms) if isinstance(part, Event)]


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


def test_a_nonce_serves_once() -> None:
    board = Board()
    token = board.pair()
    peer = board.connect()
    mac = session_mac(token, peer.hello(), TABLET, 0xBEEF, 0)
    assert isinstance(peer.ask(Resume(2, TABLET, 0xBEEF, 0, mac)), Ok)
    assert peer.refusal(Resume(2, TABLET, 0xBEEF, 0, mac)) == WRONG_MAC
    assert peer.link.state == RESUMED
    again = board.connect()
    again.hello()
    assert again.refusal(Resume(2, TABLET, 0xBEEF, 0, mac)) == WRONG_MAC


def test_a_forged_field_is_refused() -> None:
    board = Board()
    token = board.pair()
    peer = board.connect()
    mac = session_mac(token, peer.hello(), TABLET, 0xBEEF, 5)
    assert peer.refusal(Resume(2, TABLET, 0xBEEF, 4, mac)) == WRONG_MAC


def test_five_wrong_answers_lock_everybody_for_30_s() -> None:
    board = Board()
    token = board.pair()
    for _ in range(5):
        peer = board.connect()
        peer.hello()
        assert peer.refusal(Resume(2, OTHER, 0xBEEF, 0, bytes(8))) == WRONG_MAC
    peer = board.connect()
    mac = session_mac(token, peer.hello(), TABLET, 0xBEEF, 0)
    answer = peer.ask(Resume(2, TABLET, 0xBEEF, 0, mac), 10_000)
    assert answer == Refused(2, LOCKED, bytes((20,)))
    mac = session_mac(token, peer.hello(), TABLET, 0xBEEF, 0)
    assert isinstance(peer.ask(Resume(2, TABLET, 0xBEEF, 0, mac), 30_000), Ok)


def test_a_right_answer_sets_the_count_of_wrong_ones_back() -> None:
    board = Board()
    token = board.pair()
    for _ in range(3):
        peer = board.connect()
        for _ in range(4):
            peer.hello()
            assert peer.refusal(Resume(2, TABLET, 0xBEEF, 0, bytes(8))) == WRONG_MAC
        assert isinstance(peer.resume(token), Ok)


def test_a_second_tablet_is_told_that_the_arc_is_in_use() -> None:
    board = Board()
    other = board.pair(OTHER)
    first = resumed(board)
    second = board.connect()
    answer = second.resume(other, tablet=OTHER)
    assert answer == Refused(2, IN_USE, b"")
    first.link.disconnect()
    assert isinstance(second.resume(other, tablet=OTHER), Ok)


def test_the_same_tablet_takes_its_session_over_and_the_old_connection_closes() -> None:
    board = Board()
    token = board.pair()
    old, new = board.connect(), board.connect()
    assert isinstance(old.resume(token), Ok)
    assert isinstance(new.resume(token), Ok)
    assert old.link.must_close
    board.happen(1)
    assert sequences(old) == []
    assert sequences(new) == [1]
    old.link.disconnect()
    assert board.seat.holder is new.link


def test_pairing_needs_the_window_and_gives_a_token_that_resumes() -> None:
    board = Board()
    peer = board.connect()
    peer.hello()
    assert peer.refusal(Pair(3, TABLET), 0) == NOT_PAIRING
    board.pairing.open_window(0)
    answer = peer.ask(Pair(3, TABLET), 59_999)
    assert isinstance(answer, Ok)
    assert isinstance(peer.resume(answer.data), Ok)
    assert peer.refusal(Pair(3, TABLET), 60_000) == NOT_PAIRING


def test_a_fifth_tablet_is_refused_and_a_forgotten_one_makes_room() -> None:
    board = Board()
    for tablet in range(1, 5):
        board.pair(tablet)
    board.pairing.open_window(0)
    peer = board.connect()
    peer.hello()
    assert peer.ask(Pair(3, 5)) == Refused(3, TOO_MANY_TABLETS, bytes((4,)))
    assert board.pairing.forget(1)
    assert not board.pairing.forget(1)
    assert isinstance(peer.ask(Pair(3, 5)), Ok)


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


def test_a_displaced_connection_keeps_nothing_of_its_session() -> None:
    board = Board()
    board.happen(2)
    token = board.pair()
    old, new = board.connect(), board.connect()
    assert isinstance(old.resume(token), Ok)
    old.say(Mark(5))
    assert isinstance(new.resume(token), Ok)
    assert list(old.hear()) == []


def test_a_closed_connection_is_silent() -> None:
    board = Board()
    board.happen(1)
    peer = resumed(board)
    peer.link.disconnect()
    peer.say(Hello(1, 1, 0))
    assert peer.link.state == CLOSED
    assert list(peer.hear()) == []
    assert board.seat.holder is None
