"""One link after another: whoever comes next connects when the one before has let go, however many were left in between."""

import asyncio
from collections.abc import Callable

import pytest

from companion.arc_line import ArcLine
from companion.link import news
from companion.link.transport import Closed, Received
from companion.storage.memory import MemoryStore
from protocol import messages as m
from tests.companion.link.board import DEVICE, TABLET, Board
from tests.companion.tablets import TestTablet, Wire, until


class SlowWire(Wire):
    """Takes its time to hang up, as Bluetooth does."""

    def __init__(self, board: Board, opened: list["SlowWire"], may_close: asyncio.Event) -> None:
        super().__init__(board)
        self._opened, self._may_close = opened, may_close

    async def open(self, received: Received, closed: Closed) -> None:
        await super().open(received, closed)
        self._opened.append(self)

    async def close(self) -> None:
        if self.is_open:
            await self._may_close.wait()
        await super().close()


@pytest.mark.parametrize("began_to_wait", [True, False])
async def test_a_line_that_was_left_while_it_waited_is_not_overtaken(began_to_wait: bool) -> None:
    board, opened = Board(), list[SlowWire]()
    may_close = asyncio.Event()

    def line(before: "asyncio.Task[None] | None" = None) -> ArcLine:
        made = ArcLine(MemoryStore(), lambda wanted: SlowWire(board, opened, may_close), TABLET, before)
        made.carry_updates(lambda message: None)
        return made

    first = line()
    await until(lambda: opened)
    second = line(first.hang_up())
    if began_to_wait:
        await asyncio.sleep(0)
    third = line(second.hang_up())
    for _ in range(20):
        await asyncio.sleep(0)
    so_far = len(opened)
    may_close.set()
    await until(lambda: len(opened) == 2)
    await third.ended()
    assert so_far == 1, "the first was still hanging up"


async def test_a_game_that_was_left_hears_nothing_of_an_arc_that_answers_just_then(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """One that never began is gone from the store: no ARC can be its own any more."""
    board = Board()
    tablet = TestTablet(board)
    receive, asked = board.receive, asyncio.Event()

    def leave_before_the_answer(data: bytes) -> None:
        tablet.close_game()
        receive(data)
        asked.set()

    monkeypatch.setattr(board, "receive", leave_before_the_answer)
    tablet.new_game()
    await asked.wait()
    await tablet.stop()
    assert not caplog.records


class Neighbours(Board):
    """Another ARC in the room, which this tablet was paired with once."""

    def info(self, nonce: bytes, now_ms: int) -> m.Info:
        made = super().info(nonce, now_ms)
        made.device = bytes(6)
        self.shown = made.encode()
        return made


async def test_an_update_stays_with_its_arc_when_another_one_answers_first() -> None:
    own, other = Board(), Neighbours()
    store = MemoryStore()
    store.keep_token(DEVICE, own.pair())
    store.keep_token(bytes(6), other.pair())
    wanted: list[bytes | None] = []
    told: list[news.News] = []
    wires: list[Wire] = []

    class Room(Wire):
        """Of two ARCs the one that is looked for; the neighbours' while the own one restarts."""

        def __init__(self, look_for: Callable[[], bytes | None]) -> None:
            super().__init__(own)
            self._look_for = look_for

        async def open(self, received: Received, closed: Closed) -> None:
            wanted.append(self._look_for())
            self._board = own if len(wanted) == 1 else other
            self._peer = self._board.receive
            await super().open(received, closed)

    def make(look_for: Callable[[], bytes | None]) -> Room:
        wires.append(room := Room(look_for))
        return room

    line = ArcLine(store, make, TABLET)
    line.carry_updates(told.append)
    await until(lambda: line.arc.connection.is_settled)
    wires[0].drop()
    own.link.disconnect()
    await until(lambda: told and isinstance(told[-1], news.LinkChanged) and told[-1].state is news.LinkState.REFUSED)
    await line.ended()
    assert wanted == [None, DEVICE]
    assert [message.device for message in told if isinstance(message, news.Resumed)] == [DEVICE]
