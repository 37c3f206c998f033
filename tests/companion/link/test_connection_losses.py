"""What the log no longer has, and what the sides believe of the table: told, and read anew as pages."""

import pytest

from companion.link import news
from companion.link.opening import ATTEMPTS
from companion.link.requests import ANSWER_MS
from protocol import messages as m
from protocol.events import CardRemoved, ModuleAttached, TopologyChanged
from tests.companion.link.board import Board
from tests.companion.link.pair import UID, Pair, card


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


def test_a_hole_at_the_end_of_the_log_is_acknowledged_so_that_the_arc_stops_telling_it() -> None:
    pair = Pair().connect()
    board = pair.board
    read_into = board.outbox.read_into
    board.outbox.read_into = lambda sequence, into, at=0: 0  # type: ignore[method-assign]  # a cell has failed
    board.happen(card(1))
    hole = board.outbox.newest
    board.outbox.read_into = read_into  # type: ignore[method-assign]
    assert len(pair.app.of(news.Skipped)) == 1
    pair.wait(300)
    assert pair.acks()[-1] == hole
    for _ in range(20):
        pair.wait(1_000)
    assert board.link.resends == 0
    acks = len(pair.acks())
    pair.connection.received(m.Lost(board.outbox.epoch, hole, hole).encode(), pair.now_ms)
    pair.flush()
    assert pair.acks()[acks:] == [hole], "told again: the ACK of it was lost"


def test_pages_of_another_size_of_chunks_are_begun_again() -> None:
    """The MTU was agreed on while a page was read: chunks of before and after do not fit each other."""
    pair = Pair()
    pair.board.max_size = 23
    modules = [(instance, 1, 0) for instance in range(1, 21)]
    pair.board.table.set_modules(modules, [])
    carry_out = pair.board.carry_out

    def grown(command: m.Message, now_ms: int, max_size: int) -> bytes | int | m.Message:
        answer = carry_out(command, now_ms, max_size)
        if isinstance(command, m.ReadPage):
            pair.board.link.max_size = 60
        return answer

    pair.board.carry_out = grown  # type: ignore[method-assign]
    pair.connect()
    assert pair.connection.is_settled
    assert (pair.connection.mismatches, pair.connection.bad_units) == (0, 0)
    (snapshot,) = pair.app.of(news.Snapshot)
    assert isinstance(snapshot, news.Snapshot)
    assert [instance for instance, _ in snapshot.modules] == list(range(1, 21))


def test_a_hole_behind_events_that_did_not_arrive_takes_none_of_them_along() -> None:
    """A damaged frame on the cable, and then the word of what comes after it: the ARC has the first event still."""
    pair = Pair().connect()
    board, read_into = pair.board, pair.board.outbox.read_into
    pair.hold = True
    board.happen(card(1))
    arrives = board.outbox.newest

    def with_a_hole(sequence: int, into: bytearray | memoryview, at: int = 0) -> int:
        return 0 if sequence == arrives + 1 else read_into(sequence, into, at)

    board.outbox.read_into = with_a_hole  # type: ignore[method-assign]
    board.happen(card(2))
    pair.release(1)
    pair.wait(300)
    assert pair.app.events() == [arrives]
    assert len(pair.app.of(news.Skipped)) == 1
    assert pair.connection.is_settled
    assert pair.acks()[-1] == arrives + 1


@pytest.mark.parametrize(("first", "newest"), [(0, 5), (7, 5)])
def test_a_resume_that_is_answered_with_nonsense_moves_no_cursor(first: int, newest: int) -> None:
    pair = Pair()
    arrive, wrong = pair.board.give, [True]

    def give(unit: bytes) -> None:
        if wrong and isinstance(pair.sent[-1], m.Resume):
            wrong.pop()
            unit = m.Ok(pair.sent[-1].request, m.ResumeAnswer(pair.board.outbox.epoch, first, newest).pack()).encode()
        arrive(unit)

    pair.board.give = give
    before = pair.app.point
    pair.connect()
    assert pair.connection.bad_units == 1
    assert pair.kinds().count("Hello") == 2
    assert pair.connection.is_settled
    assert pair.app.of(news.Skipped) == []
    assert pair.app.point == before
