"""Tablets on one board in memory, for tests: each with a store of its own, one of them connected at a time."""

import asyncio
import itertools
import random
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

from companion.link.loopback import Loopback
from companion.link.transport import Closed, Received, Transport
from companion.session import actions
from companion.session.rules import Rules
from companion.storage.memory import MemoryStore
from companion.tablet import Tablet
from companion.updates.course import Updates
from protocol.events import CardPresented, CardRemoved
from tests.companion.link.board import Board
from tests.companion.session.small_rules import CODE, SETUP, SmallRules

NOW = datetime(2026, 5, 4, 21, 7, tzinfo=UTC)
WAIT_S = 20.0
_UIDS = itertools.count(1)


class Wire(Loopback):
    """A tablet's way to the board, which takes one connection at a time."""

    def __init__(self, board: Board) -> None:
        super().__init__(board.receive, lambda: board.shown)
        self._board = board

    async def open(self, received: Received, closed: Closed) -> None:
        await super().open(received, closed)
        self._board.give = self.give
        self._board.connect()

    async def close(self) -> None:
        if self.is_open:
            self._board.link.disconnect()
        await super().close()


class TestTablet(Tablet):
    """A tablet whose wire can be pulled."""

    __test__ = False

    def __init__(
        self,
        board: Board,
        rules: Rules | None = None,
        seed: int = 1,
        reports: Path = Path("reports"),
        firmware: Path = Path("firmware"),
    ) -> None:
        self.store = MemoryStore()
        self.board_there = board
        self.wire: Wire
        self.rules = rules or SmallRules()
        super().__init__(
            self.store,
            self.rules,
            self.rules.version,
            self._make,
            random.Random(seed).getrandbits,
            lambda: NOW,
            reports,
            firmware,
        )

    def _make(self, wanted: Callable[[], bytes | None]) -> Transport:
        self.wire = Wire(self.board_there)
        return self.wire

    def begin(self) -> None:
        self.new_game()
        self.act(actions.StartGame("Dawn", SETUP))

    def pull_wire(self) -> None:
        self.wire.drop()
        self.board_there.link.disconnect()

    def tick_updates(self, now_ms: int) -> None:
        """What the loop does each quarter of a second."""
        if self._line and self._line.updates:
            self._line.updates.tick(now_ms)

    @property
    def updates(self) -> Updates:
        assert self._line is not None
        assert self._line.updates is not None
        return self._line.updates

    @property
    def texts(self) -> list[str]:
        return [notice.text for notice in self.table.notices] if self.table else []


async def until(holds: Callable[[], object]) -> None:
    async with asyncio.timeout(WAIT_S):
        while not holds():
            await asyncio.sleep(0.002)


def swipe(board: Board, id: str) -> None:
    uid = next(_UIDS).to_bytes(7, "big")
    board.happen(CardPresented(CODE[id], uid), CardRemoved(CODE[id], uid))
