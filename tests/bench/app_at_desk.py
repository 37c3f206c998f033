"""The app without its window, for benches at the desk: link, session and a store on this disk, put together as the app does."""

import asyncio
import time
from collections.abc import Callable
from pathlib import Path

from companion import catalog as catalogs
from companion.arc_line import ArcLine, MakeTransport
from companion.link import news
from companion.link.ble import Ble
from companion.link.bumble_backend import BumbleClient, BumbleScanner
from companion.link.serial_port import SerialPort
from companion.session import actions
from companion.session.colonies import Colonies
from companion.session.sitting import Session
from companion.session.table import ArcState
from companion.simulation.commands import Setup
from companion.simulation.words import Mode
from companion.storage.database import Database
from companion.storage.records import Game
from firmware.desk.desk import Desk
from protocol.events import CardPresented, CardRemoved, Event

GAME = "g"
SETUP = Setup(Mode.CO_OP, ("bloch", "carter", "gore"), "verdance")
WITHIN_S = 30.0


def over_ble(desk: Desk) -> MakeTransport:
    radio = {"radio": desk.radio}
    return lambda wanted: Ble(
        wanted, scanner={"backend": BumbleScanner, **radio}, client={"backend": BumbleClient, **radio}
    )


def over_serial(desk: Desk) -> MakeTransport:
    return lambda wanted: SerialPort(desk.serial)


def swipes(count: int) -> list[str]:
    """So many cards that all register something: three Decrees, each with its Manager's token, then tokens in turn."""
    tokens = [f"manager:{manager}" for manager in SETUP.managers]
    decrees = [f"decree:{decree}" for decree in list(catalogs.load().decrees)[: len(tokens)]]
    pairs = [card for pair in zip(decrees, tokens, strict=True) for card in pair]
    return [*pairs, *(tokens * count)][:count]


class Counting(Session):
    """Counts the card events that lie in the journal: they do when `handle` has returned."""

    presented = removed = 0

    def handle(self, message: news.News) -> None:
        super().handle(message)
        body = message.body if isinstance(message, Event) else None
        self.presented += isinstance(body, CardPresented)
        self.removed += isinstance(body, CardRemoved)


class App:
    """One tablet with a game begun."""

    def __init__(self, folder: Path, make_transport: MakeTransport, tablet: int) -> None:
        rules = Colonies(catalogs.load())
        self.store = Database(folder / f"games{tablet}.db")
        self.store.create_game(Game(GAME, 7, rules.version, ""))
        self.session = Counting(self.store, GAME, rules, lambda: "")
        self.session.act(actions.StartGame("Bench", SETUP))
        self.line = ArcLine(self.store, make_transport, tablet)
        self._changed = asyncio.Event()

    async def __aenter__(self) -> "App":
        self.line.carry_session(self.session, GAME, self._on_change)
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.line.ended()
        self.store.close()

    async def until(self, holds: Callable[[], bool]) -> float:
        """When it came to hold, on the monotonic clock, the table for the screens made."""
        async with asyncio.timeout(WITHIN_S):
            while not holds():
                self._changed.clear()
                await self._changed.wait()
        assert self.session.table is not None
        return time.monotonic()

    async def sit_down(self, desk: Desk) -> None:
        """Paired by a press of the button, resumed, and up to date."""
        await self.until(lambda: self.session.table.arc.state is ArcState.PAIRING)
        await desk.press()
        await self.until(lambda: self.session.table.arc.state is ArcState.READY)
        await self.until(lambda: self.line.arc.connection.is_settled)

    async def time_a_card_ms(self, desk: Desk, card: str) -> float:
        """From the tag in the field to the journal's commit and the new table; then the card is taken away again."""
        presented, removed = self.session.presented, self.session.removed
        began = time.monotonic()
        desk.present(card)
        registered = await self.until(lambda: self.session.presented > presented)
        desk.remove()
        await self.until(lambda: self.session.removed > removed)
        return (registered - began) * 1000

    def _on_change(self) -> None:
        for command in self.session.take_commands():
            self.line.arc.send(command)
        self._changed.set()
