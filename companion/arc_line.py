"""One link to an ARC for one listener: the session of an open game, a look from the start screen, an update. Ended with it."""

import asyncio
import logging
from collections.abc import Callable

from companion.board_page import BoardPage
from companion.keeping import Keeping
from companion.link import Arc, news
from companion.link.conversations import Conversations
from companion.link.transport import Transport
from companion.screens.controller import UpdateStage
from companion.session.sitting import Session
from companion.session.table import NoticeKind
from companion.storage.records import Store
from companion.updates.course import Updates
from companion.updates.run import Status
from companion.visit import Visit
from protocol.events import Event
from protocol.messages import Info, Message

log = logging.getLogger(__name__)

NOT_UPDATED = "The ARC was not updated."
MakeTransport = Callable[[Callable[[], bytes | None]], Transport]
"""Given the device id to look for (None: any), makes the transport."""


class ArcLine:
    """`carry_session`, `carry_visit` or `carry_updates` once; then it runs on the loop until `hang_up`. It waits for the line
    `before` it to have ended: two connections of one tablet to one ARC would be in each other's way."""

    arc: Arc

    def __init__(
        self,
        store: Store,
        make_transport: MakeTransport,
        tablet: int,
        before: "asyncio.Task[None] | None" = None,
    ) -> None:
        self._store, self._make, self._tablet = store, make_transport, tablet
        self._before = before
        self._talk = Conversations(self._send, _after)
        self._task: asyncio.Task[None] | None = None
        self.keeping: Keeping | None = None
        self.board_page: BoardPage | None = None
        self.visit: Visit | None = None
        self.updates: Updates | None = None

    @property
    def modules(self) -> tuple[tuple[int, int], ...]:
        """(instance, type) on the bus, as far as is known."""
        return self.arc.connection.modules or ()

    @property
    def info(self) -> Info | None:
        return self.arc.connection.info

    def carry_session(self, session: Session, game: str, changed: Callable[[], None]) -> Updates:
        """News of the link reach the session first: what it registers is written down before anything else is done.

        Answers the updates that may run beside the game.
        """
        self.keeping = keeping = Keeping(self._store, game, session, self._talk)

        def tell(text: str) -> None:
            session.tell(NoticeKind.REFUSED, text)

        self.board_page = BoardPage(self._talk, changed, tell)

        def over(status: Status) -> None:
            """Whatever screen people are on."""
            if status.stage is UpdateStage.DONE:
                session.tell(NoticeKind.DONE, status.text)
            else:
                is_told = status.instances or status.stage is UpdateStage.AWAY
                session.tell(NoticeKind.WARNING, status.text if is_told else f"{NOT_UPDATED} {status.text}")

        self.updates = updates = self._updates(over)

        def deliver(message: news.News) -> None:
            if self._task is None:
                return  # hung up: whoever comes next gets it
            session.handle(message)
            self._talk.handle(message)
            keeping.handle(message)
            updates.handle(message)
            changed()

        def resume_point(info: Info) -> tuple[int, int] | None:
            if self._task is None:
                return None  # as above; the game may not even be there any more
            point = session.resume_point(info)
            changed()
            return point

        self._run(session.bound_device, deliver, resume_point)
        return updates

    def carry_visit(self, changed: Callable[[], None]) -> None:
        self.visit = visit = Visit(self._store, self._send, changed)
        self._run(lambda: None, visit.deliver, visit.resume_point, reads_only=True)

    def carry_updates(self, told: Callable[[news.News], None]) -> Updates:
        """Events are passed over, from where the log stands now: what happened is for the game, from its own cursor on. The first ARC
        that resumes is the one: while it restarts, another one in the room would be found before it."""
        self.updates = updates = self._updates()
        cursor = (0, 0)
        device: bytes | None = None

        def deliver(message: news.News) -> None:
            nonlocal cursor, device
            if isinstance(message, news.Resumed):
                device = message.device
            if isinstance(message, Event | news.Skipped):
                cursor = (message.epoch, message.sequence)
            self._talk.handle(message)
            updates.handle(message)
            told(message)

        def resume_point(info: Info) -> tuple[int, int] | None:
            nonlocal cursor
            if device not in (None, info.device):
                return None
            cursor = cursor if cursor[0] == info.epoch else (info.epoch, info.newest)
            return cursor

        self._run(lambda: device, deliver, resume_point, reads_only=True)
        return updates

    def _updates(self, over: Callable[[Status], None] = lambda _: None) -> Updates:
        def on_bus() -> list[int]:
            return [instance for instance, _ in self.modules]

        return Updates(self._talk, lambda: self.info, self._store.token, on_bus, over)

    def hang_up(self) -> "asyncio.Task[None] | None":
        """Answers what is still to end: the connection is closed on the loop. A line that still waited has opened none, and what
        it waited for is what whoever comes next has to wait for."""
        task, self._task = self._task, None
        if task is None:
            return None
        task.cancel()
        return self._before or task

    async def ended(self) -> None:
        if task := self.hang_up():
            await asyncio.gather(task, return_exceptions=True)

    def _run(
        self,
        wanted: Callable[[], bytes | None],
        deliver: Callable[[news.News], None],
        resume_point: Callable[[Info], tuple[int, int] | None],
        *,
        reads_only: bool = False,
    ) -> None:
        self.arc = Arc(
            lambda: self._make(wanted), self._store, deliver, resume_point, self._tablet, reads_only=reads_only
        )
        self._task = asyncio.get_running_loop().create_task(self._live())
        self._task.add_done_callback(_report)

    async def _live(self) -> None:
        if self._before:
            await asyncio.wait((self._before,))
            self._before = None
        await self.arc.run()

    def _send(self, command: Message) -> bool:
        return self.arc.send(command)


def _after(ms: int, call: Callable[[], None]) -> None:
    asyncio.get_running_loop().call_later(ms / 1000, call)


def _report(task: "asyncio.Task[None]") -> None:
    """A link that ended by anything but our will is a fault to be seen, not a silence."""
    if not task.cancelled() and task.exception():
        log.error("the link stopped", exc_info=task.exception())
