"""A tablet for tests on the desk: speaks to the ARC byte by byte as the specification says, over Bluetooth or USB serial."""

import asyncio
import contextlib
import os
import tty
from collections.abc import AsyncIterator
from typing import Protocol

from bleak import BleakClient, BleakScanner
from bleak.backends.device import BLEDevice

from companion.link.bumble_backend import BumbleClient, BumbleScanner
from companion.link.bumble_dongle import Dongle
from protocol import gatt
from protocol.events import Body, Event
from protocol.frame import FrameReader, encode_frame
from protocol.messages import Ack, Hello, Info, Lost, Message, Ok, Pair, Refused, Resume, ResumeAnswer, session_mac
from protocol.reading import decode_notification

WITHIN_S = 30.0
GREETING_TRIES, GREETING_S = 10, 2.0
TABLET = 0x7AB1E7


class Wire(Protocol):
    """What carries the bytes."""

    heard: "asyncio.Queue[bytes]"

    async def write(self, data: bytes) -> None: ...


class SerialWire:
    """Frames over the desk's pseudo-terminal."""

    def __init__(self, path: str) -> None:
        self.heard: asyncio.Queue[bytes] = asyncio.Queue()
        self._frames = FrameReader()
        self._fd = os.open(path, os.O_RDWR | os.O_NOCTTY | os.O_NONBLOCK)
        tty.setraw(self._fd)
        asyncio.get_running_loop().add_reader(self._fd, self._read)

    def _read(self) -> None:
        for body in self._frames.feed(os.read(self._fd, 4096)):
            self.heard.put_nowait(body)

    async def write(self, data: bytes) -> None:
        os.write(self._fd, encode_frame(data))

    def close(self) -> None:
        asyncio.get_running_loop().remove_reader(self._fd)
        os.close(self._fd)


class BleWire:
    """One bleak client on the desk's radio."""

    def __init__(self, device: BLEDevice, radio: str) -> None:
        self.heard: asyncio.Queue[bytes] = asyncio.Queue()
        self.ended = asyncio.Event()
        self.client = BleakClient(
            device, lambda _client: self.ended.set(), timeout=WITHIN_S, backend=BumbleClient, radio=radio
        )

    async def open(self) -> None:
        await self.client.connect()
        await self.client.start_notify(gatt.EVENT_UUID, lambda _, data: self.heard.put_nowait(bytes(data)))

    async def write(self, data: bytes) -> None:
        await self.client.write_gatt_char(gatt.COMMAND_UUID, data, response=True)


class Tablet:
    """Asks, is answered, and keeps the events that come in between."""

    def __init__(self, wire: Wire, number: int = TABLET) -> None:
        self.wire = wire
        self.number = number
        self.token = b""
        self.events: list[Event] = []
        self.lost: list[Lost] = []
        self._request = 0
        self._heard = self._acknowledged = (0, 0)

    async def ask(self, command: type[Message], *fields: object) -> Message:
        """The answer to a command; the request id is put in front of its fields."""
        self._request = self._request % 255 + 1
        await self.wire.write(command(self._request, *fields).encode())
        async with asyncio.timeout(WITHIN_S):
            while True:
                for part in await self._next():
                    if isinstance(part, Message) and getattr(part, "request", None) == self._request:
                        return part

    async def ok(self, command: type[Message], *fields: object) -> bytes:
        answer = await self.ask(command, *fields)
        assert isinstance(answer, Ok), answer
        return answer.data

    async def refusal(self, command: type[Message], *fields: object) -> int:
        answer = await self.ask(command, *fields)
        assert isinstance(answer, Refused), answer
        return answer.reason

    async def hello(self) -> Info:
        return Info.decode(await self.ok(Hello, 1, 0))

    async def greet(self) -> None:
        """HELLO until it is answered, as every host does on a cable: nothing tells it when the board at the other end has booted."""
        for _ in range(GREETING_TRIES):
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(GREETING_S):
                    await self.hello()
                    return
        raise AssertionError("no ARC answers on the cable")

    async def pair(self) -> None:
        """Needs an open pairing window."""
        self.token = await self.ok(Pair, self.number)

    async def resume(self, epoch: int = 0, sequence: int = 0) -> ResumeAnswer:
        info = await self.hello()
        mac = session_mac(self.token, info.nonce, self.number, epoch, sequence)
        return ResumeAnswer.unpack(await self.ok(Resume, self.number, epoch, sequence, mac), 0)

    async def event(self, kind: type[Body]) -> Event:
        """The next event of a kind, the ones already heard included. Acknowledges before it waits for more."""
        async with asyncio.timeout(WITHIN_S):
            at = 0
            while True:
                for event in self.events[at:]:
                    at += 1
                    if isinstance(event.body, kind):
                        del self.events[:at]
                        return event
                await self.acknowledge()
                await self._next()

    async def acknowledge(self) -> None:
        """Everything heard so far."""
        if self._heard != self._acknowledged:
            self._acknowledged = self._heard
            await self.wire.write(Ack(0, *self._heard).encode())

    async def _next(self) -> "list[Event | Message]":
        parts = decode_notification(await self.wire.heard.get())
        for part in parts:
            if isinstance(part, Event):
                self.events.append(part)
                self._heard = (part.epoch, part.sequence)
        self.lost += [part for part in parts if isinstance(part, Lost)]
        return parts


async def find(radio: str) -> BLEDevice:
    """The first ARC that advertises."""
    scanner = BleakScanner(backend=BumbleScanner, radio=radio)
    async with scanner, asyncio.timeout(WITHIN_S):
        async for device, data in scanner.advertisement_data():
            if gatt.SERVICE_UUID in data.service_uuids:
                return device
    raise AssertionError("unreachable")


@contextlib.asynccontextmanager
async def over_ble(radio: str, number: int = TABLET) -> AsyncIterator[Tablet]:
    """A tablet connected by Bluetooth."""
    async with Dongle.borrowed(radio):
        wire = BleWire(await find(radio), radio)
        await wire.open()
        try:
            yield Tablet(wire, number)
        finally:
            await wire.client.disconnect()


@contextlib.asynccontextmanager
async def over_serial(path: str, number: int = TABLET) -> AsyncIterator[Tablet]:
    """A tablet, or a computer, on the cable."""
    wire = SerialWire(path)
    try:
        tablet = Tablet(wire, number)
        await tablet.greet()
        yield tablet
    finally:
        wire.close()
