"""`Tablet`: the app behind the screens. Games in the store, one of them open, its session and its link, on one asyncio loop."""

import asyncio
import json
import logging
import time
from collections.abc import Callable
from datetime import datetime

from companion.link import Arc, news
from companion.link.transport import Transport
from companion.screens.controller import SavedGame, Settings, TextSize
from companion.session.actions import Action
from companion.session.journal_text import JournalError
from companion.session.rules import Rules
from companion.session.sitting import Session
from companion.session.table import NoticeKind, Phase, TableView
from companion.storage.records import Game, Store, StoreError
from protocol.messages import Info

log = logging.getLogger(__name__)
TICK_S = 0.25
_TABLET_ID, _SETTINGS = "tablet_id", "settings"

MakeTransport = Callable[[Callable[[], bytes | None]], Transport]
"""Given the device id to look for (None: any), makes the transport."""


class Tablet:
    """See `companion.screens.controller.Controller`. `make_transport` None: played by tapping.

    `random_bits(n)` seeds games and names tablets; `clock` is the wall clock, used for lists of games alone.
    """

    def __init__(
        self,
        store: Store,
        rules: Rules,
        catalog_version: str,
        make_transport: MakeTransport | None,
        random_bits: Callable[[int], int],
        clock: Callable[[], datetime] = lambda: datetime.now().astimezone(),
    ) -> None:
        self._store, self._rules, self._catalog_version = store, rules, catalog_version
        self._make_transport, self._random_bits, self._clock = make_transport, random_bits, clock
        self._subscribers: list[Callable[[], None]] = []
        self._arc: Arc | None = None
        self._arc_task: asyncio.Task[None] | None = None
        self._shown: TableView | None = None
        self.session: Session | None = None
        self.game: str | None = None
        self.message = ""
        """Why a game could not be opened; for the start screen."""

    # what screens see

    @property
    def table(self) -> TableView | None:
        return self.session.table if self.session else None

    @property
    def saved_games(self) -> tuple[SavedGame, ...]:
        return tuple(self._saved(game) for game in self._store.games() if game.summary.name)

    def _saved(self, game: Game) -> SavedGame:
        s = game.summary
        when = _when(datetime.fromisoformat(game.saved_at), self._clock())
        return SavedGame(game.id, s.name, s.planet, s.round, s.max_rounds, when, s.is_ended)

    @property
    def settings(self) -> Settings:
        kept = json.loads(self._store.setting(_SETTINGS) or "{}")
        size = TextSize(kept.get("text_size", TextSize.NORMAL.value))
        return Settings(size, bool(kept.get("reduce_motion")), bool(kept.get("is_flipped")))

    def keep_settings(self, settings: Settings) -> None:
        kept = {
            "text_size": settings.text_size.value,
            "reduce_motion": settings.reduce_motion,
            "is_flipped": settings.is_flipped,
        }
        self._store.keep_setting(_SETTINGS, json.dumps(kept))
        self._notify()

    def subscribe(self, changed: Callable[[], None]) -> None:
        self._subscribers.append(changed)

    # games

    def new_game(self) -> None:
        for game in self._store.games():
            if not game.summary.name:  # a wizard that nobody finished
                self._store.delete_game(game.id)
        id = f"{self._random_bits(48):012x}"
        self._store.create_game(Game(id, self._random_bits(63), self._catalog_version, self._timestamp()))
        self.open_game(id)

    def open_game(self, id: str) -> None:
        self.close_game()
        try:
            self.session = Session(
                self._store, id, self._rules, self._timestamp, uses_arc=self._make_transport is not None
            )
        except (JournalError, StoreError) as error:
            log.warning("%s", error)
            self.message = str(error)
            self._notify()
            return
        self.game, self.message = id, ""
        self.session.tick(_now_ms())
        self._connect(self.session)
        self._notify()

    def close_game(self) -> None:
        """The game stays in the store; one that never began is forgotten."""
        session, self.session = self.session, None
        if self._arc_task:
            self._arc_task.cancel()
        self._arc = self._arc_task = None
        if session and self.game and session.state.phase is Phase.SETUP:
            self._store.delete_game(self.game)
        self.game = None
        self._notify()

    def act(self, action: Action) -> None:
        if self.session is None:
            return
        try:
            self.session.act(action)
        except StoreError as error:
            self.session.tell(NoticeKind.REFUSED, str(error))
        self._after()

    # the link

    def _connect(self, session: Session) -> None:
        make = self._make_transport
        if make is None:
            return

        def deliver(message: news.News) -> None:
            if self.session is session:
                session.handle(message)
                self._after()

        def resume_point(info: Info) -> tuple[int, int] | None:
            point = session.resume_point(info)
            self._after()
            return point

        self._arc = Arc(lambda: make(session.bound_device), self._store, deliver, resume_point, self._tablet_id())
        self._arc_task = asyncio.get_running_loop().create_task(self._arc.run())
        self._arc_task.add_done_callback(_report)

    def _tablet_id(self) -> int:
        kept = self._store.setting(_TABLET_ID)
        if kept is None:
            kept = str(self._random_bits(32))
            self._store.keep_setting(_TABLET_ID, kept)
        return int(kept)

    def retry_link(self) -> None:
        """People mended something: look for the ARC now."""
        if self._arc:
            self._arc.retry()

    # time

    async def run(self) -> None:
        """Lets time pass until cancelled."""
        try:
            while True:
                await asyncio.sleep(TICK_S)
                if self.session:
                    self.session.tick(_now_ms())
                    self._after()
        finally:
            await self.stop()

    async def stop(self) -> None:
        """Ends the link; everything is in the store already."""
        task, self._arc_task = self._arc_task, None
        if task:
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)

    def _after(self) -> None:
        if self.session is None:
            return
        for command in self.session.take_commands():
            if self._arc:
                self._arc.send(command)
        if self.session.table is not self._shown:
            self._notify()

    def _notify(self) -> None:
        self._shown = self.table
        for changed in self._subscribers:
            changed()

    def _timestamp(self) -> str:
        return self._clock().isoformat()


def _report(task: "asyncio.Task[None]") -> None:
    """A link that ended by anything but our will is a fault to be seen, not a silence."""
    if not task.cancelled() and task.exception():
        log.error("the link stopped", exc_info=task.exception())


def _now_ms() -> int:
    return time.monotonic_ns() // 1_000_000


def _when(saved: datetime, now: datetime) -> str:
    days = (now.date() - saved.astimezone(now.tzinfo).date()).days
    day = {0: "today", 1: "yesterday"}.get(days, f"{saved:%d %B %Y}")
    return f"{day}, {saved.astimezone(now.tzinfo):%H:%M}"
