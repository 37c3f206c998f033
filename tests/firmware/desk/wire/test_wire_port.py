"""The wire served over sockets: boards that answer, die, hang and talk nonsense."""

import asyncio
import contextlib
import socket
import struct
from collections.abc import AsyncIterator, Callable
from typing import ClassVar

import pytest

from firmware.bus import words
from firmware.bus.frame import ALL, REPLY, encode
from firmware.desk import wire_port
from firmware.desk.wire import ECHO_OK, Wire
from firmware.desk.wire_port import WirePorts

POLL = encode(1, words.POLL, b"\x07")
STATUS = encode(1, REPLY | words.STATUS, b"fine")


class Peer:
    """A board's end of its connection."""

    opened: ClassVar[list["Peer"]] = []

    def __init__(self, ports: WirePorts, name: str) -> None:
        near, far = socket.socketpair()
        self.opened.append(self)
        for end in (near, far):
            end.setblocking(False)
        ports.attach(name, far)
        self._socket = near
        self._buffer = b""

    def say(self, kind: bytes, body: bytes = b"") -> None:
        self._socket.send(struct.pack("<H", len(body) + 1) + kind + body)

    async def hear(self) -> bytes:
        """The next message."""
        loop = asyncio.get_running_loop()
        while len(self._buffer) < 2 or len(self._buffer) < 2 + struct.unpack_from("<H", self._buffer)[0]:
            data = await asyncio.wait_for(loop.sock_recv(self._socket, 4096), 5)
            if not data:
                raise ConnectionResetError
            self._buffer += data
        size = struct.unpack_from("<H", self._buffer)[0]
        message, self._buffer = self._buffer[2 : 2 + size], self._buffer[2 + size :]
        return message

    async def answer(self, kind: int, frame: bytes = b"", address: int = 1) -> bytes:
        """Wait for a delivery and answer it; what was heard."""
        heard = await self.hear()
        assert heard[:1] == b"d"
        self.say(b"a", struct.pack("<BBBBI", heard[1], kind, address, 0, 300) + frame)
        return heard[4:]

    def ask(self, request: bytes, select: int = -1) -> None:
        self.say(b"x", struct.pack("<IbB", 12_000, select, 0) + request)

    def close(self) -> None:
        self._socket.close()


async def until(condition: Callable[[], bool]) -> None:
    async with asyncio.timeout(5):
        while not condition():
            await asyncio.sleep(0)


@pytest.fixture
async def ports() -> AsyncIterator[WirePorts]:
    wire = Wire()
    for index, name in enumerate(("a", "b")):
        wire.add(name)
        wire.plug("arc", index, name, 0)
    served = WirePorts(wire)
    yield served
    served.close()
    await asyncio.sleep(0)
    while Peer.opened:
        Peer.opened.pop().close()


async def joined(ports: WirePorts) -> tuple[Peer, Peer, Peer]:
    """ARC, a at address 1, b at address 2."""
    peers = Peer(ports, "arc"), Peer(ports, "a"), Peer(ports, "b")
    peers[1].say(b"h", b"\x01")
    peers[2].say(b"h", b"\x02")
    await until(lambda: ports.wire.links("arc") == 0b11)
    return peers


async def test_an_exchange_goes_to_the_addressed_board_alone(ports: WirePorts) -> None:
    arc, a, b = await joined(ports)
    arc.ask(POLL)
    assert await a.answer(1, STATUS) == POLL
    assert await arc.hear() == bytes((ord("x"), ECHO_OK, 0b11)) + STATUS
    arc.ask(encode(ALL, words.TICK, bytes(8)))
    await a.answer(0)
    await b.answer(0, address=2)
    assert await arc.hear() == bytes((ord("x"), ECHO_OK, 0b11))
    assert ports.exchanges == 2


async def test_bus_time_stands_still_until_the_slowest_has_answered(ports: WirePorts) -> None:
    arc, a, _ = await joined(ports)
    arc.ask(POLL)
    await until(lambda: ports.exchanges == 1)
    before = ports.wire.now_us
    for _ in range(50):
        await asyncio.sleep(0)
    assert ports.wire.now_us == before
    await a.answer(1, STATUS)
    await arc.hear()
    assert ports.wire.now_us > before


async def test_a_board_that_dies_within_an_exchange_has_passed(ports: WirePorts) -> None:
    arc, a, _ = await joined(ports)
    arc.ask(POLL)
    await a.hear()
    a.close()
    assert (await arc.hear())[3:] == b""
    assert ports.wire.links("arc") == 0b10, "and its neighbours do not see it any more"


async def test_a_board_that_hangs_is_passed_over_and_its_late_answer_dropped(
    ports: WirePorts, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(wire_port, "PATIENCE_S", 0.02)
    arc, a, _ = await joined(ports)
    arc.ask(POLL)
    heard = await a.hear()
    assert (await arc.hear())[3:] == b""
    assert ports.hung == 1
    a.say(b"a", struct.pack("<BBBBI", heard[1], 1, 1, 0, 300) + STATUS)
    arc.ask(POLL)
    await a.answer(1, STATUS)
    assert (await arc.hear())[3:] == STATUS


async def test_a_restarted_board_takes_the_place_of_its_old_connection(ports: WirePorts) -> None:
    arc, a, _ = await joined(ports)
    again = Peer(ports, "a")
    again.say(b"h", b"\x3e")
    await until(lambda: ports.wire.boards["a"].address == 0x3E)
    with pytest.raises(ConnectionResetError):
        await a.hear()
    assert ports.wire.links("arc") == 0b11
    arc.ask(POLL)
    assert (await arc.hear())[3:] == b""


async def test_a_restarted_arc_waits_for_the_exchange_that_was_begun(ports: WirePorts) -> None:
    arc, a, _ = await joined(ports)
    arc.ask(POLL)
    heard = await a.hear()
    again = Peer(ports, "arc")
    again.ask(POLL)
    for _ in range(20):
        await asyncio.sleep(0)
    assert ports.exchanges == 1
    a.say(b"a", struct.pack("<BBBBI", heard[1], 1, 1, 0, 300) + STATUS)
    before = ports.wire.now_us
    await a.answer(1, STATUS)
    assert (await again.hear())[3:] == STATUS
    assert ports.wire.now_us > before


@pytest.mark.parametrize("nonsense", [b"z", b"h", b"x\x00", b"a\x00", b"h\x01\x02"])
async def test_nonsense_ends_the_connection_and_nothing_else(ports: WirePorts, nonsense: bytes) -> None:
    arc, a, b = await joined(ports)
    a.say(nonsense[:1], nonsense[1:])
    with pytest.raises(ConnectionResetError):
        await a.hear()
    arc.ask(encode(2, words.POLL, b"\x07"))
    await b.answer(1, STATUS, address=2)
    assert (await arc.hear())[3:] == STATUS


async def test_closing_ends_every_connection(ports: WirePorts) -> None:
    arc, a, _ = await joined(ports)
    ports.close()
    for peer in (arc, a):
        with contextlib.suppress(OSError), pytest.raises(ConnectionResetError):
            await peer.hear()
    assert ports.wire.links("arc") == 0
