"""`Arc`: the ARC as the app sees it. Finds it, pairs, resumes, delivers, tries again; the asyncio shell round the pure tables."""

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable
from typing import Protocol, TypeVar

from companion.link import news
from companion.link.connection import Connection
from companion.link.delivery import Delivery
from companion.link.reasons import LinkError, Reason
from companion.link.reconnect import Happened, Reconnect, Step
from companion.link.transport import Transport
from protocol.messages import Info, Message

log = logging.getLogger(__name__)

_REFUSALS = frozenset({Reason.VERSION, Reason.IN_USE, Reason.LOCKED, Reason.OTHER_ARC, Reason.TOO_MANY_TABLETS})

T = TypeVar("T")


class Tokens(Protocol):
    """Where the tokens of paired ARCs are kept."""

    def token(self, device: bytes) -> bytes | None: ...

    def keep_token(self, device: bytes, token: bytes) -> None: ...


class _Host:
    """The app behind the connection, put together from what `Arc` was given."""

    def __init__(
        self,
        tokens: Tokens,
        deliver: Callable[[news.News], None],
        resume_point: Callable[[Info], tuple[int, int] | None],
    ) -> None:
        self.token, self.keep_token = tokens.token, tokens.keep_token
        self.deliver, self.resume_point = deliver, resume_point


def _heed_cancelling() -> None:
    """A cancellation can get lost below: in Python 3.11's `wait_for`, which Bluetooth stacks use, when it comes together with
    an answer; and in a stack that makes a failure of its own of it."""
    task = asyncio.current_task()
    if task and task.cancelling():
        raise asyncio.CancelledError


async def _carried(call: Awaitable[T]) -> T:
    """What a transport lets escape is the link's trouble: nobody is to think that the app's store failed."""
    try:
        return await call
    except LinkError:
        raise
    except asyncio.CancelledError:
        _heed_cancelling()
        raise LinkError(Reason.DROPPED, "(given up by the system)") from None  # a stack cancels its own calls too
    except Exception as error:
        log.exception("link: the transport failed in a way that it does not know")
        raise LinkError(Reason.DROPPED, f"({error!r})") from error


def _monotonic_ms() -> int:
    return time.monotonic_ns() // 1_000_000


class Arc:
    """`deliver` must have journaled when it returns; only then the ARC is told. `resume_point` says where the journal ends.

    `make_transport` is called once; the transport is opened again and again. `tablet` is this tablet's id, for ever.
    `reads_only`: what `deliver` gets is for no game, so cards that wait on the ARC go on waiting for theirs.
    """

    def __init__(
        self,
        make_transport: Callable[[], Transport],
        tokens: Tokens,
        deliver: Callable[[news.News], None],
        resume_point: Callable[[Info], tuple[int, int] | None],
        tablet: int,
        *,
        reads_only: bool = False,
        clock_ms: Callable[[], int] = _monotonic_ms,
    ) -> None:
        self._transport = make_transport()
        self._deliver, self._clock_ms = deliver, clock_ms
        delivery = Delivery(_Host(tokens, self._take, resume_point))
        keepalive = self._transport.needs_keepalive
        self.connection = Connection(delivery, tablet, keepalive=keepalive, reads_only=reads_only)
        self._reconnect = Reconnect()
        self._wake = asyncio.Event()
        self._failure: LinkError | None = None
        self._told: news.LinkChanged | None = None

    def send(self, command: Message) -> bool:
        """A command for the ARC; False: there is no session now (all lights are due after the next `Resumed` anyway)."""
        sent = self.connection.send(command, self._clock_ms())
        self._wake.set()
        return sent

    async def run(self) -> None:
        """For ever, until cancelled."""
        try:
            while True:
                await self._wait_for_attempt()
                await self._attempt()
                _heed_cancelling()
        finally:
            self.connection.closed()
            await self._transport.close()

    async def _wait_for_attempt(self) -> None:
        while True:
            wait_ms = self._reconnect.wait_ms(self._clock_ms())
            if wait_ms == 0:
                return
            await self._sleep(wait_ms)

    async def _sleep(self, wait_ms: int | None) -> None:
        """Until woken, at most so long."""
        self._wake.clear()
        try:
            async with asyncio.timeout(None if wait_ms is None else wait_ms / 1000):
                await self._wake.wait()
        except TimeoutError:
            pass

    async def _attempt(self) -> None:
        self._reconnect.happened(Happened.DUE)
        self._failure = None
        if self._told is None:
            self._tell(news.LinkState.SEARCHING, "")
        try:
            await _carried(self._transport.open(self._received, self._closed))
            self._reconnect.happened(Happened.OPENED)
            self._tell(news.LinkState.CONNECTING, "")
            self.connection.opened(self._clock_ms())
            await self._converse()
        except LinkError as error:
            self._end(error)
        except Exception as error:  # the loop goes on whatever the app stumbles over: nothing was acknowledged
            log.exception("link: the app could not take what came")
            self._end(LinkError(Reason.STORE, f"({error})"))
        finally:
            self.connection.closed()
            await self._hang_up()

    async def _hang_up(self) -> None:
        try:
            await _carried(self._transport.close())
        except LinkError as error:  # there is nothing to close any more, and the next attempt goes on
            log.info("link: %s", error)

    async def _converse(self) -> None:
        """Until the link is over, which is always an error."""
        while True:
            self.connection.tick(self._clock_ms())
            for command in self.connection.outgoing():
                await _carried(self._transport.send(command))
            _heed_cancelling()
            if self.connection.needs_info:
                info = await _carried(self._transport.read_info())
                self.connection.informed(info, self._clock_ms())
                continue
            if self.connection.is_resumed and self._reconnect.step is Step.OPEN:
                self._reconnect.happened(Happened.RESUMED)
            failure = self._failure or self.connection.failure
            if failure:
                raise failure
            if not self._wake.is_set():
                await self._sleep(self.connection.wait_ms(self._clock_ms()))
            self._wake.clear()

    def _end(self, error: LinkError) -> None:
        log.info("link: %s", error)
        was_resumed = self._reconnect.step is Step.RESUMED
        self._reconnect.failed(error, self._clock_ms())
        if error.reason in _REFUSALS:
            self._tell(news.LinkState.REFUSED, str(error))
        elif was_resumed or (self._told and self._told.state is news.LinkState.LOST):
            self._tell(news.LinkState.LOST, str(error))
        else:
            self._tell(news.LinkState.SEARCHING, str(error))

    def _tell(self, state: news.LinkState, detail: str) -> None:
        changed = news.LinkChanged(state, detail)
        if changed == self._told:
            return
        try:
            self._take(changed)
        except Exception:  # a store that fails now fails at the next event too, where it is dealt with
            log.exception("link: the app could not be told that it is %s", state.value)

    def _take(self, message: news.News) -> None:
        if isinstance(message, news.LinkChanged):
            self._told = message
        self._deliver(message)

    def _received(self, unit: bytes) -> None:
        if self._failure:
            return  # units behind one that was not taken would be gaps
        try:
            self.connection.received(unit, self._clock_ms())
        except Exception as error:  # whatever kept the app from journaling: the ARC keeps it and sends it again
            log.exception("link: what the ARC sent could not be taken")
            self._failure = LinkError(Reason.STORE, f"({error})")
        self._wake.set()

    def _closed(self) -> None:
        self._failure = self._failure or LinkError(Reason.DROPPED)
        self._wake.set()
