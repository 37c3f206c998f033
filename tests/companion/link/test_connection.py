"""One connection as a state table: the app's half against the firmware's, with time driven by hand."""

import struct

import pytest

from companion.link import news
from companion.link.connection import ATTEMPTS, Connection, Stage
from companion.link.delivery import ACK_AFTER_MS, Delivery
from companion.link.reasons import Reason
from companion.link.requests import ANSWER_MS
from protocol import messages as m
from protocol.events import BatteryMeasured, CardPresented, CardRemoved, Event, ModuleAttached, TopologyChanged
from protocol.reading import decode_notification
from tests.companion.link.board import DEVICE, TABLET, Board

UID = b"\x04\xa3\xc6\xca\xe2\x61\x80"


def card(code: int) -> CardPresented:
    return CardPresented(code, UID)


class App:
    """The app behind the connection; it remembers what was delivered, and is told to fail when a test wants it."""

    def __init__(self, board: Board) -> None:
        self.tokens = {DEVICE: board.pair()}
        self.delivered: list[news.News] = []
        self.point: tuple[int, int] | None = (board.outbox.epoch, board.outbox.newest)
        self.full = False

    def resume_point(self, info: m.Info) -> tuple[int, int] | None:
        return self.point

    def token(self, device: bytes) -> bytes | None:
        return self.tokens.get(device)

    def keep_token(self, device: bytes, token: bytes) -> None:
        self.tokens[device] = token

    def deliver(self, message: news.News) -> None:
        if self.full:
            raise OSError("no space left")
        self.delivered.append(message)
        if isinstance(message, Event | news.Skipped):
            self.point = (message.epoch, message.sequence)

    def events(self) -> list[int]:
        return [message.sequence for message in self.delivered if isinstance(message, Event)]

    def states(self) -> list[news.LinkState]:
        return [message.state for message in self.delivered if isinstance(message, news.LinkChanged)]

    def of(self, kind: type) -> list[news.News]:
        return [message for message in self.delivered if isinstance(message, kind)]


class Pair:
    """Both halves with a perfect wire between them; `wire` may be replaced to lose, double or hold units."""

    def __init__(self, board: Board | None = None, keepalive: bool = False) -> None:
        self.board = board or Board()
        self.app = App(self.board)
        self.connection = Connection(Delivery(self.app), TABLET, keepalive=keepalive)
        self.sent: list[m.Message] = []
        self.units: list[bytes] = []
        self.hold = False
        self.board.give = self._arrive

    @property
    def now_ms(self) -> int:
        return self.board.now_ms

    def _arrive(self, unit: bytes) -> None:
        if self.hold:
            self.units.append(unit)
            return
        self.connection.received(unit, self.now_ms)
        self.flush()

    def release(self, *order: int) -> None:
        """Lets held units arrive, in this order; those not named are lost."""
        held, self.units, self.hold = self.units, [], False
        for index in order:
            self._arrive(held[index])

    def flush(self) -> None:
        for data in self.connection.outgoing():
            self.sent.append(m.decode_command(data))
            self.board.receive(data)
        if self.connection.needs_info:
            self.connection.informed(self.board.shown, self.now_ms)
            self.flush()

    def connect(self) -> "Pair":
        self.board.connect()
        self.connection.opened(self.now_ms)
        self.flush()
        return self

    def drop(self) -> None:
        self.connection.closed()
        self.board.link.disconnect()

    def wait(self, ms: int) -> None:
        self.board.now_ms += ms
        self.connection.tick(self.now_ms)
        self.flush()
        self.board.pump()

    def kinds(self) -> list[str]:
        return [type(message).__name__ for message in self.sent]

    def acks(self) -> list[int]:
        return [message.sequence for message in self.sent if isinstance(message, m.Ack)]


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


@pytest.mark.parametrize("order", [(1, 0, 2), (2, 1, 0), (0, 2, 1), (2, 0, 1), (0, 0, 1, 2), (2,), ()])
def test_any_order_of_arrival_ends_the_same(order: tuple[int, ...]) -> None:
    pair = Pair().connect()
    pair.hold = True
    for code in (1, 2, 3):
        pair.board.happen(card(code))
    pair.release(*order)
    pair.wait(1_000)
    newest = pair.board.outbox.newest
    assert pair.app.events() == [newest - 2, newest - 1, newest]


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


def test_an_unpaired_tablet_asks_until_the_button_is_pressed() -> None:
    pair = Pair()
    pair.board.pairing.forget(TABLET)
    pair.app.tokens.clear()
    pair.connect()
    assert pair.app.states() == [news.LinkState.PAIRING]
    pair.wait(1_000)
    pair.wait(1_000)
    assert pair.kinds() == ["Hello", "Pair", "Pair", "Pair"]
    pair.board.pairing.open_window(pair.now_ms)
    pair.wait(1_000)
    assert pair.connection.is_settled
    assert pair.app.states()[-1] is news.LinkState.READY


def test_a_forgotten_tablet_pairs_again_after_trying_twice() -> None:
    pair = Pair()
    pair.board.pairing.forget(TABLET)
    pair.connect()
    assert pair.kinds() == ["Hello", "Resume", "Hello", "Resume", "Hello", "Pair"]
    assert DEVICE in pair.app.tokens
    pair.board.pairing.open_window(pair.now_ms)
    pair.wait(1_000)
    assert pair.connection.is_settled


@pytest.mark.parametrize(
    ("answer", "reason", "text", "retry_ms"),
    [
        (m.Refused(1, m.VERSION_MISMATCH, b"\x02\x05"), Reason.VERSION, "(ARC: 2.5, app: 1.0)", 0),
        (m.Refused(1, m.LOCKED, b"\x11"), Reason.LOCKED, "", 17_000),
        (m.Refused(1, m.IN_USE, b""), Reason.IN_USE, "", 2_000),
        (m.Refused(1, m.TOO_MANY_TABLETS, b"\x04"), Reason.TOO_MANY_TABLETS, "", 2_000),
        (m.Ok(1, b"what is this?"), Reason.NOT_AN_ARC, "these bytes are no Info", 0),
    ],
)
def test_refusals_say_why(answer: m.Message, reason: Reason, text: str, retry_ms: int) -> None:
    connection = Connection(Delivery(App(Board())), TABLET)
    connection.opened(0)
    connection.outgoing()
    connection.received(answer.encode(), 0)
    failure = connection.failure
    assert failure is not None
    assert (failure.reason, failure.detail, failure.retry_ms) == (reason, text, retry_ms)


def test_another_arc_is_left_alone() -> None:
    pair = Pair()
    pair.app.point = None
    pair.connect()
    assert pair.kinds() == ["Hello"]
    assert pair.connection.failure is not None
    assert pair.connection.failure.reason is Reason.OTHER_ARC


def test_at_the_smallest_mtu_info_is_read() -> None:
    pair = Pair()
    pair.board.max_size = 20
    pair.connect()
    assert pair.connection.is_settled


def test_a_formatted_log_is_taken_from_its_beginning_and_told() -> None:
    pair = Pair().connect()
    pair.drop()
    pair.board.format_log(0x1234)
    pair.board.happen(card(1), card(2))
    pair.connect()
    (skipped,) = pair.app.of(news.Skipped)
    assert isinstance(skipped, news.Skipped)
    assert (skipped.epoch, skipped.sequence) == (0x1234, 0)
    assert "formatted" in skipped.text
    assert pair.app.events() == [1, 2]
    assert len(pair.app.of(news.Snapshot)) == 2


def test_an_overrun_is_told_once_with_a_snapshot() -> None:
    pair = Pair(Board(blocks=3)).connect()
    pair.drop()
    for code in range(1, 60):
        pair.board.happen(card(code))
    pair.connect()
    pair.wait(300)
    assert len(pair.app.of(news.Skipped)) == 1
    assert pair.app.events() == list(range(pair.board.outbox.oldest, pair.board.outbox.newest + 1))
    assert len(pair.app.of(news.Snapshot)) == 2


def test_a_hole_in_the_middle_of_the_stream_is_told_with_a_snapshot() -> None:
    pair = Pair().connect()
    epoch, sequence = pair.board.outbox.epoch, pair.board.outbox.newest
    snapshots = len(pair.app.of(news.Snapshot))
    for nothing_new in (m.Lost(epoch, 1, sequence), m.Lost(epoch + 1, sequence + 1, sequence + 9)):
        pair.connection.received(nothing_new.encode(), pair.now_ms)
        pair.flush()
    assert pair.app.of(news.Skipped) == []
    pair.connection.received(m.Lost(epoch, sequence + 1, sequence + 5).encode(), pair.now_ms)
    pair.flush()
    (skipped,) = pair.app.of(news.Skipped)
    assert isinstance(skipped, news.Skipped)
    assert (skipped.epoch, skipped.sequence) == (epoch, sequence + 5)
    assert len(pair.app.of(news.Snapshot)) == snapshots + 1
    # the board's log does not reach so far, so no hash can be compared: that ends, too
    assert pair.kinds().count("ReadHash") <= 2 * ATTEMPTS


def test_the_same_beliefs_need_no_second_snapshot() -> None:
    pair = Pair().connect()
    pair.board.table.set_modules([(50, 1, 0)], [(0, 2, 50, 1)])
    pair.board.table.set_tags([(7, UID)])
    pair.board.happen(ModuleAttached(1, 50, bytes(3), 0x21), card(7))
    pair.board.table.set_tags([])
    pair.board.happen(CardRemoved(7, UID))
    pair.drop()
    pair.connect()
    assert pair.connection.is_settled
    assert len(pair.app.of(news.Snapshot)) == 1
    assert pair.connection.mismatches == 0


def test_a_hash_is_asked_for_once_at_a_time_and_only_after_a_resume() -> None:
    pair = Pair().connect()
    pair.drop()
    pair.board.mute = {m.ReadHash}
    pair.sent.clear()
    pair.connect()
    pair.board.happen(card(1))
    pair.board.happen(card(2))
    assert pair.kinds().count("ReadHash") == 1
    assert not pair.connection.is_settled
    pair.board.mute.clear()
    pair.wait(ANSWER_MS)
    assert pair.connection.is_settled
    pair.sent.clear()
    pair.board.happen(card(3))
    assert "ReadHash" not in pair.kinds()


def test_different_beliefs_lead_to_a_snapshot() -> None:
    pair = Pair().connect()
    pair.drop()
    pair.board.table.set_modules([(50, 1, 0), (60, 2, 2)], [(0, 2, 50, 1)])
    pair.connect()
    assert pair.connection.mismatches == 1
    assert pair.app.of(news.Snapshot)[-1] == news.Snapshot(((50, 1), (60, 2)), ((0, 50),), ())
    assert pair.connection.is_settled


def test_pages_in_many_chunks_arrive_whole() -> None:
    pair = Pair()
    pair.board.max_size = 20
    modules = [(1000 + n, n, 0) for n in range(31)]
    pair.board.table.set_modules(modules, [(0, 0, 1000, 1)])
    pair.connect()
    (snapshot,) = pair.app.of(news.Snapshot)
    assert isinstance(snapshot, news.Snapshot)
    assert snapshot.modules == tuple((instance, type_id) for instance, type_id, _ in modules)
    assert pair.connection.is_settled


def test_a_closed_loop_is_read() -> None:
    pair = Pair().connect()
    pair.board.table.set_modules([(50, 1, 0), (60, 2, 0)], [(0, 0, 50, 0), (0, 1, 60, 0), (50, 1, 60, 1)])
    pair.board.happen(ModuleAttached(1, 50, bytes(3), 0), ModuleAttached(2, 60, bytes(3), 0x10), TopologyChanged(1))
    assert pair.app.of(news.EdgesRead) == [news.EdgesRead(((0, 50), (0, 60), (50, 60)))]


def test_a_mark_is_answered_with_where_the_log_stands() -> None:
    pair = Pair().connect()
    assert pair.connection.send(m.Mark(0), pair.now_ms)
    pair.flush()
    assert pair.app.of(news.MarkAnswered) == [news.MarkAnswered(pair.board.outbox.newest)]


def test_a_big_light_table_goes_in_several_commands() -> None:
    pair = Pair().connect()
    entries = b"".join(struct.pack("<IB", n, 0x11) for n in range(100))
    pair.connection.send(m.LightTable(0, entries), pair.now_ms)
    pair.flush()
    tables = [light for light in pair.board.lights if isinstance(light, m.LightTable)]
    assert b"".join(table.entries for table in tables) == entries
    assert all(len(table.encode()) <= 244 for table in tables)


def test_commands_without_a_session_are_not_kept() -> None:
    pair = Pair()
    assert not pair.connection.send(m.Mark(0), 0)
    pair.connect()
    pair.drop()
    assert not pair.connection.send(m.Mark(0), 0)


def test_a_refused_command_is_told_in_words() -> None:
    pair = Pair().connect()
    pair.board.refuse[m.LightModule] = m.UNKNOWN_MODULE
    pair.connection.send(m.LightModule(0, 5, 0x11), pair.now_ms)
    pair.flush()
    (refused,) = pair.app.of(news.CommandRefused)
    assert isinstance(refused, news.CommandRefused)
    assert refused.text == "that module is not connected"


def test_at_most_four_commands_are_under_way() -> None:
    pair = Pair().connect()
    pair.hold = True
    pair.sent.clear()
    for number in range(10):
        pair.connection.send(m.LightModule(0, number, 0x11), pair.now_ms)
    pair.flush()
    assert len(pair.sent) == 4
    pair.release(*range(len(pair.units)))
    assert [light.instance for light in pair.board.lights if isinstance(light, m.LightModule)] == list(range(10))


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
