"""`Arc` on one asyncio loop: it finds, resumes, survives drops and a store that fails, and tells people what it is doing."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable

import pytest

from companion.link import Arc, news, opening, reconnect
from companion.link.loopback import Loopback
from companion.link.news import LinkState
from companion.link.reasons import LinkError, Reason
from protocol import messages as m
from protocol.events import CardPresented, Event
from protocol.messages import Info
from tests.companion.link.board import DEVICE, TABLET, Board

WAIT_S = 10.0


class Table:
    """A board, its loopback, and an app that journals into a list."""

    def __init__(self) -> None:
        self.board = Board()
        self.tokens = {DEVICE: self.board.pair()}
        self.transport = Loopback(self.board.receive, lambda: self.board.shown)
        self.board.give = self.transport.give
        self.delivered: list[news.News] = []
        self.cursor: tuple[int, int] | None = None
        self.fail_at = 0
        self.arc = Arc(self._make, self, self._deliver, self._resume_point, TABLET)

    def _make(self) -> Loopback:
        opening = self.transport.open

        async def open_both(received: Callable[[bytes], None], closed: Callable[[], None]) -> None:
            await opening(received, closed)
            self.board.connect()

        self.transport.open = open_both  # type: ignore[method-assign]  # the board learns of the connection too
        return self.transport

    def token(self, device: bytes) -> bytes | None:
        return self.tokens.get(device)

    def keep_token(self, device: bytes, token: bytes) -> None:
        self.tokens[device] = token

    def _resume_point(self, info: Info) -> tuple[int, int] | None:
        self.cursor = self.cursor or (info.epoch, info.newest)
        return self.cursor

    def _deliver(self, message: news.News) -> None:
        if isinstance(message, Event):
            if self.fail_at:
                self.fail_at -= 1
                raise OSError("disk full")
            self.cursor = (message.epoch, message.sequence)
        self.delivered.append(message)

    def swipe(self, code: int) -> None:
        self.board.happen(CardPresented(code, b"\x04\1\2\3"))

    def cards(self) -> list[int]:
        return [m.body.code for m in self.delivered if isinstance(m, Event) and isinstance(m.body, CardPresented)]

    def states(self) -> list[LinkState]:
        return [message.state for message in self.delivered if isinstance(message, news.LinkChanged)]

    async def until(self, holds: Callable[[], bool]) -> None:
        async with asyncio.timeout(WAIT_S):
            while not holds():
                await asyncio.sleep(0.005)


@pytest.fixture(autouse=True)
def tries_soon(monkeypatch: pytest.MonkeyPatch) -> None:
    """The back-off is in `test_reconnect`."""
    monkeypatch.setattr(reconnect, "DELAYS_MS", (0, 10))


@pytest.fixture
async def table() -> AsyncIterator[Table]:
    table = Table()
    running = asyncio.create_task(table.arc.run())
    yield table
    running.cancel()
    with contextlib.suppress(asyncio.CancelledError):
        await running
    assert not table.transport.is_open


async def test_events_are_delivered_and_acknowledged(table: Table) -> None:
    await table.until(lambda: LinkState.READY in table.states())
    table.swipe(1)
    table.swipe(2)
    await table.until(lambda: table.board.outbox.acknowledged == table.board.outbox.newest)
    assert table.cards() == [1, 2]
    assert table.states() == [LinkState.SEARCHING, LinkState.CONNECTING, LinkState.READY]


async def test_after_a_drop_it_comes_back_with_everything(table: Table) -> None:
    await table.until(lambda: LinkState.READY in table.states())
    table.swipe(1)
    table.transport.drop()
    table.board.link.disconnect()
    table.swipe(2)
    await table.until(lambda: table.cards() == [1, 2])
    assert table.states()[-3:] == [LinkState.LOST, LinkState.CONNECTING, LinkState.READY]


async def test_what_could_not_be_journaled_comes_again(table: Table) -> None:
    await table.until(lambda: table.arc.connection.is_settled)
    table.fail_at = 1
    table.swipe(1)
    table.swipe(2)
    await table.until(lambda: table.cards() == [1, 2])
    assert LinkState.LOST in table.states()


async def test_nobody_there_is_said_and_looked_for_again() -> None:
    table = Table()
    table.transport.refuse = LinkError(Reason.NOT_FOUND)
    running = asyncio.create_task(table.arc.run())
    await table.until(lambda: len(table.states()) == 2)
    told = table.delivered[-1]
    assert isinstance(told, news.LinkChanged)
    assert (told.state, told.detail) == (LinkState.SEARCHING, Reason.NOT_FOUND.value)
    table.transport.refuse = None
    await table.until(lambda: LinkState.READY in table.states())
    running.cancel()
    await asyncio.gather(running, return_exceptions=True)


async def test_another_version_is_said_and_once_the_arc_was_updated_it_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(opening, "VERSION_MS", 20)
    table = Table()
    table.transport._peer = lambda data: table.transport.give(m.Refused(data[1], m.VERSION_MISMATCH, b"\2\0").encode())
    running = asyncio.create_task(table.arc.run())
    await table.until(lambda: LinkState.REFUSED in table.states())
    assert "(ARC: 2.0, app: 1.0)" in str(table.delivered[-1])
    table.transport._peer = table.board.receive
    await table.until(lambda: LinkState.READY in table.states())
    running.cancel()
    await asyncio.gather(running, return_exceptions=True)


async def test_commands_reach_the_board(table: Table) -> None:
    assert not Table().arc.send(m.LightArc(0, 0x14)), "without a session nothing is kept"
    await table.until(lambda: LinkState.READY in table.states())
    assert table.arc.send(m.LightArc(0, 0x14))
    await table.until(lambda: len(table.board.lights) == 1)


@pytest.mark.parametrize("commands", range(1, 8))
async def test_a_link_that_breaks_at_any_step_comes_back(commands: int) -> None:
    """From HELLO to the hash: the link breaks right when the board got this many commands."""
    table = Table()
    received, left = table.board.receive, [commands]

    def receive(data: bytes) -> None:
        received(data)
        left[0] -= 1
        if left[0] == 0:
            table.transport.drop()
            table.board.link.disconnect()

    table.transport._peer = receive
    running = asyncio.create_task(table.arc.run())
    await table.until(lambda: LinkState.READY in table.states() or left[0] <= 0)
    table.arc.send(m.Mark(0))
    await table.until(lambda: left[0] <= 0)
    table.swipe(1)
    await table.until(lambda: table.cards() == [1] and table.arc.connection.is_settled)
    running.cancel()
    await asyncio.gather(running, return_exceptions=True)


async def test_twenty_events_while_the_tablet_slept_come_once_each(table: Table) -> None:
    await table.until(lambda: table.arc.connection.is_settled)
    table.transport.drop()
    table.board.link.disconnect()
    for code in range(1, 21):
        table.swipe(code)
    await table.until(lambda: len(table.cards()) == 20)
    assert table.cards() == list(range(1, 21))


@pytest.mark.parametrize("call", ["open", "send", "read_info", "close"])
async def test_what_a_transport_stumbles_over_is_no_failing_store(call: str) -> None:
    """A Bluetooth stack has errors of its own kind; people whose disk is fine must not be sent looking at it."""
    table = Table()
    table.board.max_size = 20  # INFO has to be read then
    working = getattr(table.transport, call)
    failures: list[BaseException] = [
        RuntimeError("transport lost"), asyncio.CancelledError(), ValueError("a number it did not expect")
    ]  # fmt: skip

    async def stumble(*arguments: object) -> object:
        if failures:
            raise failures.pop()
        return await working(*arguments)

    setattr(table.transport, call, stumble)
    running = asyncio.create_task(table.arc.run())
    await table.until(lambda: table.arc.connection.is_settled)
    for _ in range(3):
        so_far = table.states().count(LinkState.READY)
        table.transport.drop()
        table.board.link.disconnect()
        await table.until(lambda so_far=so_far: table.states().count(LinkState.READY) > so_far)  # type: ignore[misc]
    assert not failures
    details = [message.detail for message in table.delivered if isinstance(message, news.LinkChanged)]
    assert not [detail for detail in details if Reason.STORE.value in detail]
    running.cancel()
    await asyncio.gather(running, return_exceptions=True)


@pytest.mark.parametrize("call", ["open", "send", "close"])
async def test_it_ends_when_it_is_told_to_though_the_system_makes_a_failure_of_it(call: str) -> None:
    """A Bluetooth stack that is cancelled may answer with an error of its own: whoever hangs up waits for the end."""
    table = Table()
    under_way = asyncio.Event()
    working = getattr(table.transport, call)

    async def stumble(*arguments: object) -> object:
        if under_way.is_set():
            return await working(*arguments)
        under_way.set()
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            raise LinkError(Reason.DROPPED) from None
        raise AssertionError("nobody sets it")

    setattr(table.transport, call, stumble)
    running = asyncio.create_task(table.arc.run())
    if call == "close":
        await table.until(lambda: LinkState.READY in table.states())
        table.transport.drop()
    await under_way.wait()
    table.transport.refuse = LinkError(Reason.NOT_FOUND)  # no later attempt gets anywhere
    running.cancel()
    ended, _ = await asyncio.wait((running,), timeout=WAIT_S)
    running.cancel()
    assert ended
    assert running.cancelled()
