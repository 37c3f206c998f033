"""The exam of transports: what `companion.link.transport.Transport` promises, asked over any wire with an ARC's end."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Protocol

import pytest

from companion.link.reasons import LinkError
from companion.link.transport import Transport

WAIT_S = 10.0


class FarEnd(Protocol):
    """The other end of the wire. It answers every command with `echo(command)` as one message unit."""

    async def say(self, unit: bytes) -> None:
        """A unit that nobody asked for."""

    async def drop(self) -> None:
        """The connection breaks from over there."""


def echo(command: bytes) -> bytes:
    return bytes(reversed(command))


class Ear:
    """What arrives at our end."""

    def __init__(self) -> None:
        self.units: list[bytes] = []
        self.closings = 0
        self._changed = asyncio.Event()

    def received(self, unit: bytes) -> None:
        self.units.append(unit)
        self._changed.set()

    def closed(self) -> None:
        self.closings += 1
        self._changed.set()

    async def until(self, holds: Callable[[], bool]) -> None:
        async with asyncio.timeout(WAIT_S):
            while not holds():
                self._changed.clear()
                await self._changed.wait()


async def check_carries_units_whole_and_in_order(transport: Transport, far: FarEnd) -> None:
    ear = Ear()
    await transport.open(ear.received, ear.closed)
    commands = [bytes((1, number)) + bytes(range(number)) for number in (1, 2, 20, 100, 200)]
    for command in commands:
        await transport.send(command)
    await ear.until(lambda: len(ear.units) == len(commands))
    assert ear.units == [echo(command) for command in commands]
    await transport.close()


async def check_hears_what_nobody_asked_for(transport: Transport, far: FarEnd) -> None:
    ear = Ear()
    await transport.open(ear.received, ear.closed)
    for number in range(20):
        await far.say(b"\xa5\x00\x03" + bytes((number,)) * 17)
    await ear.until(lambda: len(ear.units) == 20)
    assert [unit[-1] for unit in ear.units] == list(range(20))
    await transport.close()


async def check_says_once_that_it_broke(transport: Transport, far: FarEnd) -> None:
    ear = Ear()
    await transport.open(ear.received, ear.closed)
    await far.drop()
    await ear.until(lambda: ear.closings == 1)
    with pytest.raises(LinkError):
        await transport.send(b"\x05\x01")
    await transport.close()
    assert ear.closings == 1


async def check_closing_is_quiet_and_can_be_repeated(transport: Transport, far: FarEnd) -> None:
    ear = Ear()
    await transport.close()
    await transport.open(ear.received, ear.closed)
    await transport.close()
    await transport.close()
    with pytest.raises(LinkError):
        await transport.send(b"\x05\x01")
    assert ear.closings == 0


async def check_opens_again(transport: Transport, far: FarEnd) -> None:
    for _ in range(3):
        ear = Ear()
        await transport.open(ear.received, ear.closed)
        await transport.send(b"\x05\x01")
        await ear.until(lambda ear=ear: len(ear.units) == 1)  # type: ignore[misc]
        await transport.close()


EXAM: tuple[Callable[[Transport, FarEnd], Awaitable[None]], ...] = (
    check_carries_units_whole_and_in_order,
    check_hears_what_nobody_asked_for,
    check_says_once_that_it_broke,
    check_closing_is_quiet_and_can_be_repeated,
    check_opens_again,
)
