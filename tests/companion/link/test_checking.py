"""Pages are read while the table goes on changing: what the game is told of it must be true at the event it has come to."""

import random
from collections.abc import Callable

import pytest

from companion.link import news
from protocol import messages as m
from protocol.events import (
    DETACHED_ITSELF,
    CardPresented,
    CardRemoved,
    Event,
    ModuleAttached,
    ModuleDetached,
    TopologyChanged,
)
from protocol.pages import state_hash
from tests.companion.link.board import Board
from tests.companion.link.pair import Pair

SOLAR, WELL = 50, 60
EDGE = {SOLAR: (0, 0, SOLAR, 0), WELL: (0, 1, WELL, 0)}
PORTS = {SOLAR: 0x00, WELL: 0x10}
LOOP = (SOLAR, 1, WELL, 1)


class Table:
    """What lies on the table, and what was true after each event."""

    def __init__(self, board: Board) -> None:
        self._board = board
        self.modules: set[int] = set()
        self.loops: list[tuple[int, int, int, int]] = []
        self.cards: set[int] = set()
        self.was: dict[int, tuple[set[int], set[int]]] = {}
        self.show()

    def show(self) -> None:
        table = self._board.table
        table.set_modules(
            [(instance, 1, 0) for instance in sorted(self.modules)],
            sorted([*(EDGE[instance] for instance in self.modules), *self.loops]),
        )
        table.set_tags([(code, _uid(code)) for code in sorted(self.cards)])
        self.was[self._board.outbox.newest] = (set(self.modules), set(self.cards))

    def plug(self, instance: int) -> None:
        self.modules ^= {instance}
        there = instance in self.modules
        if not there:
            self.loops.clear()
        body = ModuleAttached(1, instance, bytes(3), PORTS[instance])
        self._emit(body if there else ModuleDetached(instance, DETACHED_ITSELF))

    def close_loop(self) -> None:
        if len(self.modules) < len(EDGE):
            return
        self.loops = [] if self.loops else [LOOP]
        self._emit(TopologyChanged(len(self.loops)))

    def lay(self, code: int) -> None:
        self.cards ^= {code}
        self._emit(CardPresented(code, _uid(code)) if code in self.cards else CardRemoved(code, _uid(code)))

    def _emit(self, body: ModuleAttached | ModuleDetached | TopologyChanged | CardPresented | CardRemoved) -> None:
        """As the controller does: log and table change together, only then anything is sent."""
        self._board.outbox.append(body, self._board.now_ms)
        self.show()
        self._board.pump()


def _uid(code: int) -> bytes:
    return b"\x04\x01\x02\x03\x04\x05" + bytes((code,))


def _interrupt(pair: Pair, happen: Callable[[m.Message], None]) -> None:
    """`happen(answer)` between the ARC's answering a PAGE or a hash and its arrival."""
    arrive, sent = pair.board.give, pair.sent

    def give(unit: bytes) -> None:
        if unit[0] in (m.Page.KIND, m.Ok.KIND) and sent and isinstance(sent[-1], m.ReadPage | m.ReadHash):
            happen(sent[-1])
        arrive(unit)

    pair.board.give = give


@pytest.mark.parametrize("when", [0, 1, 2, 3], ids=["modules", "edges", "tags", "hash"])
def test_a_module_that_reports_while_pages_are_read_is_not_told_as_gone(when: int) -> None:
    pair = Pair()
    table = Table(pair.board)
    answers: list[m.Message] = []

    def happen(command: m.Message) -> None:
        answers.append(command)
        if len(answers) == when + 1:
            table.plug(SOLAR)

    _interrupt(pair, happen)
    pair.connect()
    (attached,) = (
        i for i, one in enumerate(pair.app.delivered) if isinstance(one, Event) and isinstance(one.body, ModuleAttached)
    )
    told = [one.modules for one in pair.app.delivered[attached:] if isinstance(one, news.Snapshot)]
    assert told == [((SOLAR, 1),)]
    assert pair.connection.is_settled
    assert pair.connection.mismatches == 0


def test_a_loop_that_closes_while_the_edges_are_read_is_told() -> None:
    pair = Pair().connect()
    table = Table(pair.board)
    table.plug(SOLAR)
    table.plug(WELL)
    reads: list[m.Message] = []

    def happen(command: m.Message) -> None:
        reads.append(command)
        if len(reads) == 1:
            table.close_loop()

    _interrupt(pair, happen)
    table.close_loop()
    assert [type(one).__name__ for one in reads] == ["ReadPage", "ReadPage"]
    assert [one.pairs for one in pair.app.of(news.EdgesRead) if isinstance(one, news.EdgesRead)] == [
        ((0, SOLAR), (0, WELL))
    ]


def test_a_hash_that_was_asked_before_the_pages_says_nothing_of_them() -> None:
    pair = Pair().connect()
    table = Table(pair.board)
    pair.drop()
    pair.board.mute = {m.ReadHash}
    pair.connect()
    assert pair.kinds()[-1] == "ReadHash"
    pair.board.mute.clear()
    epoch, newest = pair.board.outbox.epoch, pair.board.outbox.newest
    late = m.HashAnswer(newest, pair.board.table.hash())
    # a hole in the stream: now all pages are read, and one of them is under way
    pair.hold = True
    pair.connection.received(m.Lost(epoch, newest + 1, newest + 1).encode(), pair.now_ms)
    pair.flush()
    request = next(one.request for one in reversed(pair.sent) if isinstance(one, m.ReadHash))
    table.plug(SOLAR)
    pair.connection.received(m.Ok(request, late.pack()).encode(), pair.now_ms)
    asked = pair.kinds().count("ReadHash")
    pair.release(0, 1)
    assert pair.kinds().count("ReadHash") > asked
    assert pair.connection.is_settled


def _waiting_for_an_event(pages: dict[int, bytes]) -> tuple[Pair, Table]:
    """These pages are read with a hash of the event that SOLAR's coming will be, which is not told yet."""
    pair = Pair()
    table = Table(pair.board)
    pair.board.table._pages = dict(pages)
    pair.board.mute = {m.ReadHash}
    pair.connect()
    request = next(one.request for one in reversed(pair.sent) if isinstance(one, m.ReadHash))
    pair.board.mute.clear()
    answer = m.HashAnswer(pair.board.outbox.newest + 1, state_hash(*pages.values()))
    pair.connection.received(m.Ok(request, answer.pack()).encode(), pair.now_ms)
    assert not pair.connection.is_settled
    return pair, table


def test_pages_that_are_none_begin_the_session_anew_whenever_their_event_comes() -> None:
    pair, table = _waiting_for_an_event({m.PAGE_MODULES: b"\x01", m.PAGE_EDGES: b"", m.PAGE_TAGS: b""})
    table.plug(SOLAR)
    assert pair.connection.bad_units == 1
    assert pair.connection.is_settled
    assert [one.modules for one in pair.app.of(news.Snapshot) if isinstance(one, news.Snapshot)] == [((SOLAR, 1),)]


def test_pages_are_read_again_when_the_event_that_they_waited_for_is_lost() -> None:
    pair, table = _waiting_for_an_event({m.PAGE_MODULES: b"", m.PAGE_EDGES: b"", m.PAGE_TAGS: b""})
    pair.hold = True
    table.plug(SOLAR)
    table.plug(WELL)
    pair.release()
    epoch, newest = pair.board.outbox.epoch, pair.board.outbox.newest
    pair.connection.received(m.Lost(epoch, newest - 1, newest).encode(), pair.now_ms)
    pair.flush()
    assert pair.connection.is_settled
    told = [one.modules for one in pair.app.of(news.Snapshot) if isinstance(one, news.Snapshot)]
    assert told == [((SOLAR, 1), (WELL, 1))]


@pytest.mark.parametrize("seed", range(40))
def test_every_snapshot_is_true_at_the_event_it_comes_after(seed: int) -> None:
    chance = random.Random(seed)
    pair = Pair()
    table = Table(pair.board)
    acts: list[Callable[[], None]] = [
        lambda: table.plug(SOLAR),
        lambda: table.plug(WELL),
        lambda: table.lay(chance.randrange(1, 4)),
        table.close_loop,
    ]

    def happen(_command: m.Message) -> None:
        if chance.random() < 0.4:
            chance.choice(acts)()

    _interrupt(pair, happen)
    for _ in range(6):
        pair.connect()
        for _ in range(chance.randrange(4)):
            chance.choice(acts)()
        pair.wait(300)
        pair.drop()
        if chance.random() < 0.5:
            pair.connection._delivery.mirror = None  # as after a restart of the app
    pair.board.give = pair._arrive
    pair.connect()
    at = 0
    for one in pair.app.delivered:
        if isinstance(one, Event):
            at = one.sequence
        elif isinstance(one, news.Snapshot) and at:
            modules, cards = table.was[at]
            assert ({instance for instance, _ in one.modules}, {code for code, _ in one.tags}) == (modules, cards)
    assert pair.connection.is_settled
    mirror = pair.connection._delivery.mirror
    assert mirror is not None
    assert mirror.hash() == pair.board.table.hash()


def test_pages_that_never_have_their_hash_are_believed_after_a_few_times() -> None:
    pair = Pair()
    Table(pair.board).plug(SOLAR)
    pair.board.table.hash = lambda: 1  # type: ignore[method-assign]  # an ARC that counts wrongly
    pair.connect()
    assert pair.connection.is_settled
    assert 1 < pair.kinds().count("ReadHash") < 6
    assert [one.modules for one in pair.app.of(news.Snapshot) if isinstance(one, news.Snapshot)] == [((SOLAR, 1),)]


def test_an_arc_that_refuses_its_pages_is_not_asked_for_ever_and_events_go_on() -> None:
    pair = Pair()
    table = Table(pair.board)
    pair.board.refuse[m.ReadPage] = m.UNSUPPORTED
    pair.connect()
    assert pair.connection.is_settled
    assert 1 < pair.kinds().count("ReadPage") < 6
    asked = pair.kinds().count("ReadPage")
    table.plug(SOLAR)
    assert pair.app.events() == [pair.board.outbox.newest]
    assert pair.kinds().count("ReadPage") - asked < 6
    pair.board.refuse.clear()
    pair.drop()
    pair.connect()
    assert [one.modules for one in pair.app.of(news.Snapshot) if isinstance(one, news.Snapshot)] == [((SOLAR, 1),)]


def test_without_a_hash_the_pages_are_believed() -> None:
    pair = Pair()
    Table(pair.board).plug(SOLAR)
    pair.board.refuse[m.ReadHash] = m.BUSY
    pair.connect()
    assert pair.connection.is_settled
    assert [one.modules for one in pair.app.of(news.Snapshot) if isinstance(one, news.Snapshot)] == [((SOLAR, 1),)]
    pair.drop()
    pair.connect()
    assert pair.connection.is_settled
    assert pair.kinds().count("ReadHash") == 2


@pytest.mark.parametrize(("page", "index"), [(m.PAGE_TAGS, 0), (m.PAGE_MODULES, 1)])
def test_a_page_that_was_not_asked_for_begins_the_session_anew(page: int, index: int) -> None:
    pair = Pair()
    arrive, wrong = pair.board.give, [True]

    def give(unit: bytes) -> None:
        if unit[0] == m.Page.KIND and wrong:
            wrong.pop()
            unit = m.Page(pair.sent[-1].request, page, 1, index, 2, b"").encode()  # type: ignore[attr-defined]  # commands have one
        arrive(unit)

    pair.board.give = give
    pair.connect()
    assert pair.connection.bad_units == 1
    assert pair.kinds().count("Hello") == 2
    assert pair.connection.is_settled
