"""`Tablet`: the app behind the screens. Games in the store, one of them open, its session and its link, on one asyncio loop."""

import asyncio
import logging
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path

from companion import bug_report, recent_log, tablet_settings
from companion.arc_line import ArcLine, MakeTransport
from companion.board_page import Board, first_twins, rows
from companion.opening import Trouble, continue_game, remember_catalog, trouble_of
from companion.screens.controller import (
    BoardDeed,
    BoardRow,
    FirmwareDeed,
    FirmwareView,
    Offer,
    SavedGame,
    Settings,
)
from companion.session.actions import Action
from companion.session.journal_text import JournalError
from companion.session.rules import Rules
from companion.session.sitting import Session
from companion.session.table import NoticeKind, Phase, TableView, TrayCard
from companion.start_offers import LOOK, StartOffers
from companion.storage.records import Game, Store, StoreError
from companion.updates.page import FirmwarePage
from companion.visit import take_over

log = logging.getLogger(__name__)
TICK_S = 0.25
FORGOTTEN = "The ARC has forgotten this tablet. To use it again, pair it: press the button on the ARC."
REPORT_WRITTEN = "The report is in {path}. Hidden numbers are not in it."
PARTED = "One of the two modules has a number of its own now, and is asked for its builder."
NO_ARC = "No ARC is used."


class Tablet:
    """See `companion.screens.controller.Controller`. `make_transport` None: played by tapping.

    `random_bits(n)` seeds games and names tablets; `clock` is the wall clock, used for lists of games alone. `reports` is
    where bug reports are written, `firmware` the folder with images for ARC and modules.
    """

    def __init__(
        self,
        store: Store,
        rules: Rules,
        catalog_version: str,
        make_transport: MakeTransport | None,
        random_bits: Callable[[int], int],
        clock: Callable[[], datetime] = lambda: datetime.now().astimezone(),
        reports: Path = Path("reports"),
        firmware: Path = Path("firmware"),
    ) -> None:
        self._store, self._rules, self._catalog_version = store, rules, catalog_version
        self._make_transport, self._random_bits, self._clock = make_transport, random_bits, clock
        self._reports, self._firmware = reports, firmware
        self._subscribers: list[Callable[[], None]] = []
        self._line: ArcLine | None = None
        self._firmware_page: FirmwarePage | None = None
        self._ending: asyncio.Task[None] | None = None
        """The line before, which closes its connection on the loop."""
        self._shown: object = None
        self._settings: Settings | None = None
        """Read once: every refresh of the screens asks for them."""
        self._start = StartOffers(has_arc=make_transport is not None)
        self.session: Session | None = None
        self.game: str | None = None

    # what screens see

    @property
    def table(self) -> TableView | None:
        return self.session.table if self.session else None

    @property
    def message(self) -> str:
        return self._start.message

    @property
    def offers(self) -> tuple[Offer, ...]:
        return self._start.offers

    @property
    def board(self) -> tuple[BoardRow, ...]:
        page = self._line.board_page if self._line else None
        if self._line is None or self.session is None or page is None:
            return ()
        return rows(page.board, self._line.info, self.session.table.arc, self._line.arc.connection.twins)

    @property
    def firmware(self) -> FirmwareView | None:
        return self._firmware_page.view(self.session.table.arc) if self._firmware_page and self.session else None

    @property
    def is_kept_by_arc(self) -> bool:
        """Another tablet could go on from the beginning of this round, or from this summary."""
        return bool(self._line and self._line.keeping and self._line.keeping.is_up_to_date)

    @property
    def teachable(self) -> tuple[TrayCard, ...]:
        return self._rules.tray(self.session.state.setup if self.session else None, ()).cards

    @property
    def saved_games(self) -> tuple[SavedGame, ...]:
        try:
            return tuple(self._saved(game) for game in self._store.games() if game.summary.name)
        except StoreError as error:  # asked for while a screen is drawn: said where the list would be
            self._start.message = str(error)
            return ()

    def _saved(self, game: Game) -> SavedGame:
        s = game.summary
        when = _when(datetime.fromisoformat(game.saved_at), self._clock())
        return SavedGame(game.id, s.name, s.planet, s.round, s.max_rounds, when, s.is_ended)

    @property
    def settings(self) -> Settings:
        if self._settings is None:
            try:
                self._settings = tablet_settings.read(self._store)
            except StoreError as error:
                log.warning("%s", error)
                self._settings = Settings()
        return self._settings

    def keep_settings(self, settings: Settings) -> None:
        with self._saying():
            tablet_settings.keep(self._store, settings)
            self._settings = settings
        self._notify()

    def subscribe(self, changed: Callable[[], None]) -> None:
        self._subscribers.append(changed)

    # games

    def new_game(self) -> None:
        with self._saying():
            for game in self._store.games():
                if not game.summary.name:  # a wizard that nobody finished
                    self._store.delete_game(game.id)
            id = self._new_id()
            self._store.create_game(Game(id, self._random_bits(63), self._catalog_version, self._timestamp()))
            remember_catalog(self._store, self._rules)
            self.open_game(id)

    @contextmanager
    def _saying(self) -> Iterator[None]:
        """A store that fails is told wherever people are, and nothing else stops."""
        try:
            yield
        except StoreError as error:
            log.warning("%s", error)
            if self.session:
                self.session.tell(NoticeKind.REFUSED, str(error))
            else:
                self._start.message = str(error)
            self._notify()

    def _new_id(self) -> str:
        return f"{self._random_bits(48):012x}"

    def open_game(self, id: str, *, anew: bool = False) -> None:
        """`anew`: people know that this app's cards make another colony of it."""
        self.close_game()
        try:
            has_arc = self._make_transport is not None
            session = Session(self._store, id, self._rules, self._timestamp, uses_arc=has_arc, now_ms=_now_ms())
        except JournalError as error:
            self._not_opened(trouble_of(self._store, id, self._rules, error))
            return
        except StoreError as error:
            log.warning("%s", error)
            self._start.message = str(error)
            self._notify()
            return
        if not session.is_as_it_was and not anew:
            self._not_opened(trouble_of(self._store, id, self._rules, None))
            return
        self.session, self.game = session, id
        self._start.clear()
        with self._saying():
            session.adopt()
        with self._saying():
            self._connect(session, id)
        self._notify()

    def _not_opened(self, trouble: Trouble) -> None:
        log.warning("%s", trouble.text)
        self._start.show_trouble(trouble)
        self._notify()

    def close_game(self) -> None:
        """The game stays in the store; one that never began is forgotten."""
        session, self.session = self.session, None
        self._hang_up()
        self._start.clear()
        if session and self.game and session.state.phase is Phase.SETUP:
            with self._saying():
                self._store.delete_game(self.game)
        self.game = None
        self._notify()

    def accept(self, id: str) -> None:
        """One of `offers`."""
        trouble, found = self._start.trouble, self._start.found
        with self._saying():
            if id == LOOK:
                self._visit()
            elif id == "stop":
                self.close_game()
            elif id == "anew" and trouble:
                self.open_game(trouble.game.id, anew=True)
            elif id == "continue" and trouble:
                new_id = self._new_id()
                continue_game(self._store, trouble.game.id, self._rules, new_id, self._timestamp())
                self.open_game(new_id)
            elif id == "take" and found:
                self.open_game(take_over(self._store, found, self._new_id()))

    def act(self, action: Action) -> None:
        if self.session is None:
            return
        with self._saying():
            self.session.act(action)
        self._after()

    # the link

    def _connect(self, session: Session, game: str) -> None:
        if self._make_transport is None:
            return
        line = ArcLine(self._store, self._make_transport, self._tablet_id(), self._ending)

        def changed() -> None:
            if self.session is session:
                self._after()

        updates = line.carry_session(session, game, changed)
        self._line = line
        self._firmware_page = FirmwarePage(self._firmware, line, updates, self._rules.module_name)

    def _visit(self) -> None:
        """Looks which game the ARC keeps; the link ends when that is known."""
        self.close_game()
        if self._make_transport is None:
            return
        line = ArcLine(self._store, self._make_transport, self._tablet_id(), self._ending)

        def changed() -> None:
            if self._line is line and line.visit:
                self._start.show_visit(line.visit)
                if line.visit.is_over:
                    self._hang_up()
                self._notify()

        self._line = line
        line.carry_visit(changed)
        changed()

    def _hang_up(self) -> None:
        line, self._line = self._line, None
        self._firmware_page = None
        if line:
            self._ending = line.hang_up() or self._ending

    def _tablet_id(self) -> int:
        return tablet_settings.tablet_id(self._store, self._random_bits)

    # the board

    def ask_board(self, deed: BoardDeed) -> None:
        if self.session is None:
            return
        page = self._line.board_page if self._line else None
        if deed is BoardDeed.REPORT:
            if page:
                page.read_all(self._write_report)
            else:
                self._write_report(Board())
        elif page is None:
            self._tell(NoticeKind.REFUSED, NO_ARC)
        elif deed is BoardDeed.READ:
            page.read()
        elif deed is BoardDeed.TEST:
            page.test()
        elif deed is BoardDeed.PART:
            if self._line and (places := first_twins(self._line.arc.connection.twins)):
                page.part(places, lambda: self._tell(NoticeKind.DONE, PARTED))
        else:
            with self._saying():
                page.forget(self._tablet_id(), self._forgotten)

    def ask_firmware(self, deed: FirmwareDeed) -> None:
        if self._firmware_page and self.session:
            self._firmware_page.ask(deed, self.session.table.arc)
            self._after()

    def _forgotten(self) -> None:
        info = self._line.info if self._line else None
        with self._saying():
            if info:  # a token that stays is of no use: the ARC refuses it, and the tablet pairs anew
                self._store.forget_token(info.device)
        self._tell(NoticeKind.DONE, FORGOTTEN)

    def _write_report(self, board: Board) -> None:
        if self.game is None:
            return
        info = self._line.info if self._line else None
        try:
            game, journal = self._store.game(self.game), self._store.journal(self.game)
            report = bug_report.bug_report(game, journal, info, board, recent_log.text(), self._rules.version)
            path = bug_report.keep(report, self._reports, self._clock())
        except (OSError, StoreError) as error:
            self._tell(NoticeKind.REFUSED, f"The report could not be written: {error}")
        else:
            self._tell(NoticeKind.DONE, REPORT_WRITTEN.format(path=path))

    def _tell(self, kind: NoticeKind, text: str) -> None:
        if self.session:
            self.session.tell(kind, text)
            self._after()

    # time

    async def run(self) -> None:
        """Lets time pass until cancelled. What the app stumbles over is logged, once for as long as it does, and time goes on."""
        is_well = True
        try:
            while True:
                await asyncio.sleep(TICK_S)
                try:
                    self._tick()
                    is_well = True
                except Exception:
                    if is_well:
                        log.exception("the app stumbled as time passed")
                    is_well = False
        finally:
            await self.stop()

    def _tick(self) -> None:
        if self.session is None:
            return
        with self._saying():
            self.session.tick(_now_ms())
        if self._line and self._line.updates:
            self._line.updates.tick(_now_ms())
        self._after()

    async def stop(self) -> None:
        """Ends the link; everything is in the store already."""
        line, self._line = self._line, None
        if line:
            await line.ended()
        if self._ending:
            await asyncio.wait((self._ending,))

    def _after(self) -> None:
        if self.session is None:
            return
        for command in self.session.take_commands():
            if self._line:
                self._line.arc.send(command)
        if self._line and self._line.keeping:
            self._line.keeping.look()
        if self._seen() != self._shown:
            self._notify()

    def _seen(self) -> tuple[object, ...]:
        return self.table, self.board, self.firmware, self.is_kept_by_arc

    def _notify(self) -> None:
        self._shown = self._seen()
        for changed in self._subscribers:
            changed()

    def _timestamp(self) -> str:
        return self._clock().isoformat()


def _now_ms() -> int:
    return time.monotonic_ns() // 1_000_000


def _when(saved: datetime, now: datetime) -> str:
    here = saved.astimezone(now.tzinfo)
    day = {0: "today", 1: "yesterday"}.get((now.date() - here.date()).days, f"{here:%d %B %Y}")
    return f"{day}, {here:%H:%M}"
