"""One connection as a state table: the app's half against the firmware's, with time driven by hand."""

from itertools import permutations

import pytest

from companion.link import news
from companion.link.delivery import ACK_AFTER_MS
from companion.link.opening import ATTEMPTS, Stage
from companion.link.reasons import Reason
from companion.link.requests import ANSWER_MS
from protocol import messages as m
from protocol.events import BatteryMeasured, CardRemoved, ModuleAttached, encode_record
from protocol.reading import decode_notification
from tests.companion.link.pair import UID, Pair, card


def test_a_session_begins_with_hello_and_resume_and_ends_settled() -> None:
    pair = Pair().connect()
    assert pair.kinds() == ["Hello", "Resume", "ReadPage", "ReadPage", "ReadPage", "ReadHash"]
    assert pair.app.states() == [news.LinkState.READY]
    assert pair.app.of(news.Snapshot) == [news.Snapshot((), (), ())]
    assert pair.connection.is_settled


def test_events_come_in_order_and_are_acknowledged_after_200_ms() -> None:
    pair = Pair().connect()
    pair.board.happen(card(1), card(2))
    first = pair.board.outbox.newest - 1
    assert pair.app.events() == [first, first + 1]
    assert pair.acks() == []
    assert pair.connection.wait_ms(pair.now_ms) == ACK_AFTER_MS
    pair.wait(ACK_AFTER_MS)
    assert pair.acks() == [first + 1]


def test_eight_events_are_acknowledged_at_once() -> None:
    pair = Pair().connect()
    pair.board.happen(*(card(code) for code in range(1, 8)))
    assert pair.acks() == []
    pair.board.happen(card(8))
    assert pair.acks() == [pair.board.outbox.newest]


def test_nothing_is_acknowledged_that_was_not_journaled() -> None:
    pair = Pair().connect()
    pair.app.full = True
    with pytest.raises(OSError, match="no space"):
        pair.board.happen(card(1))
    pair.wait(ACK_AFTER_MS)
    assert pair.acks() == []
    pair.app.full = False
    pair.wait(1_000)
    assert pair.app.events() == [pair.board.outbox.newest]


def test_a_duplicate_is_dropped_and_acknowledged_at_once() -> None:
    pair = Pair().connect()
    pair.hold = True
    pair.board.happen(card(1))
    pair.release(0, 0)
    assert pair.app.events() == [pair.board.outbox.newest]
    assert pair.acks() == [pair.board.outbox.newest]


def test_a_gap_leads_back_to_hello_and_nothing_is_taken_behind_it() -> None:
    pair = Pair().connect()
    pair.hold = True
    pair.board.happen(card(1))
    pair.board.happen(card(2))
    pair.sent.clear()
    pair.release(1)
    assert pair.kinds()[:2] == ["Hello", "Resume"]
    newest = pair.board.outbox.newest
    assert pair.app.events() == [newest - 1, newest]


@pytest.mark.parametrize("order", [*permutations(range(4)), (0, 0, 1, 2, 3), (3, 3, 3, 3), (1, 3), (2,), ()])
def test_any_order_of_arrival_ends_the_same(order: tuple[int, ...]) -> None:
    pair = Pair().connect()
    before = pair.board.outbox.newest
    pair.hold = True
    for body in (card(1), CardRemoved(1, UID), card(2), ModuleAttached(3, 50, bytes(3), 0x21)):
        pair.board.happen(body)
    pair.board.table.set_modules([(50, 3, 0)], [(0, 2, 50, 1)])
    pair.board.table.set_tags([(2, UID)])
    pair.release(*order)
    pair.wait(1_000)
    assert pair.app.events() == [before + number for number in (1, 2, 3, 4)]
    assert pair.connection.modules == ((50, 3),)
    assert pair.connection.is_settled
    assert pair.connection.mismatches == 0


def test_a_lost_answer_is_asked_for_again() -> None:
    pair = Pair()
    pair.hold = True
    pair.connect()
    pair.release()
    assert pair.connection.stage is Stage.HELLO
    pair.wait(ANSWER_MS)
    assert pair.connection.is_settled
    assert pair.connection.restarts == 1


def test_silence_is_given_up() -> None:
    pair = Pair()
    pair.board.mute = {m.Hello}
    pair.connect()
    for _ in range(ATTEMPTS):
        pair.wait(ANSWER_MS)
    assert pair.connection.failure is not None
    assert pair.connection.failure.reason is Reason.NO_ANSWER
    assert pair.connection.outgoing() == []


def test_a_serial_host_keeps_itself_known() -> None:
    pair = Pair(keepalive=True).connect()
    pair.sent.clear()
    for _ in range(30):
        pair.wait(1_000)
    assert 5 <= pair.kinds().count("_Keepalive") + pair.kinds().count("Mark") <= 6
    assert pair.app.of(news.MarkAnswered) == []


def test_garbage_changes_nothing() -> None:
    pair = Pair().connect()
    before = list(pair.app.delivered)
    for unit in (b"", b"\x00", b"\xff\x01", b"\x90\x01\x02", b"\x42\x01", bytes(20)):
        pair.connection.received(unit, pair.now_ms)
    assert pair.app.delivered == before
    pair.board.happen(BatteryMeasured(4800, 90, 0))
    assert pair.app.events() == [pair.board.outbox.newest]


def test_an_answer_to_nobody_is_ignored() -> None:
    pair = Pair().connect()
    before = list(pair.app.delivered)
    pair.connection.received(m.Ok(200, b"\x01\0\0\0").encode(), pair.now_ms)
    pair.connection.received(m.Page(201, 1, 0, 0, 1, b"").encode(), pair.now_ms)
    assert pair.app.delivered == before


def test_a_refused_ack_means_that_the_sides_differ() -> None:
    pair = Pair().connect()
    pair.sent.clear()
    pair.connection.received(m.Refused(255, m.MALFORMED, b"").encode(), pair.now_ms)
    pair.flush()
    assert pair.kinds()[:2] == ["Hello", "Resume"]
    assert pair.connection.is_settled


def test_a_whole_batch_is_applied_event_by_event() -> None:
    pair = Pair().connect()
    pair.hold = True
    for code in range(1, 13):
        pair.board.outbox.append(card(code), 0)
    pair.board.pump()
    assert len(decode_notification(pair.units[0])) > 5
    pair.release(*range(len(pair.units)))
    assert len(pair.app.events()) == 12


@pytest.mark.parametrize("before", [0, 2])
def test_an_event_that_this_app_does_not_know_ends_the_link_with_a_word_about_versions(before: int) -> None:
    """It cannot be passed over, and asked for again and again it would come as fast as the link carries it."""
    pair = Pair().connect()
    epoch, newest = pair.board.outbox.epoch, pair.board.outbox.newest
    known = [encode_record(0x82, epoch, newest + 1 + i, 0, b"\x01") for i in range(before)]
    unknown = encode_record(0xA9, epoch, newest + 1 + before, 0, b"\x01\x02")
    acks = pair.acks()
    pair.connection.received(b"".join((*known, unknown)), pair.now_ms)
    pair.flush()
    failure = pair.connection.failure
    assert failure is not None
    assert (failure.reason, failure.detail, failure.retry_ms) == (Reason.VERSION, "(an event of kind 0xA9)", 30_000)
    assert pair.acks() == acks


def test_bytes_that_only_look_like_an_unknown_event_change_nothing() -> None:
    pair = Pair().connect()
    epoch, newest = pair.board.outbox.epoch, pair.board.outbox.newest
    for kind, of, sequence in ((0xA9, epoch, newest), (0xA9, epoch + 1, newest + 1), (0x49, epoch, newest + 1)):
        pair.connection.received(encode_record(kind, of, sequence, 0, b"\x01"), pair.now_ms)
    assert pair.connection.failure is None
    assert pair.connection.is_settled
