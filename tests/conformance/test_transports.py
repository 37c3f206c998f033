"""Loopback, a serial port on a pty and Bluetooth over the desk's radio sit the same exam."""

import asyncio
import contextlib
import os
import termios
import threading
import tty
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path

import pytest
import serial

from companion.link.ble import Ble
from companion.link.bumble_backend import BumbleClient, BumbleScanner
from companion.link.loopback import Loopback
from companion.link.reasons import LinkError, Reason
from companion.link.serial_port import SerialPort
from companion.link.transport import Transport
from firmware.desk.board import Board, BoardKind
from firmware.desk.supervisor import Supervisor
from protocol.frame import FrameReader, encode_frame
from tests.conformance.transports import EXAM, Ear, FarEnd, echo

Ends = contextlib.AbstractAsyncContextManager[tuple[Transport, FarEnd]]
BACKWARDS = BoardKind(entry=str(Path(__file__).parent / "boards" / "backwards.py"), heap="256k", has_radio=True)


class LoopbackEnd:
    def __init__(self) -> None:
        self.transport = Loopback(lambda command: self.transport.give(echo(command)))

    async def say(self, unit: bytes) -> None:
        self.transport.give(unit)

    async def drop(self) -> None:
        self.transport.drop()


@contextlib.asynccontextmanager
async def loopback() -> AsyncIterator[tuple[Transport, FarEnd]]:
    end = LoopbackEnd()
    yield end.transport, end


class PtyEnd:
    """The ARC's side of a serial cable: the master of a pseudo-terminal."""

    def __init__(self) -> None:
        self.master, slave = os.openpty()
        tty.setraw(self.master)
        tty.setraw(slave)
        self.name = os.ttyname(slave)
        self._slave = slave
        self._frames = FrameReader()
        os.set_blocking(self.master, False)
        asyncio.get_running_loop().add_reader(self.master, self._read)

    def _read(self) -> None:
        with contextlib.suppress(BlockingIOError, OSError):
            for command in self._frames.feed(os.read(self.master, 4096)):
                os.write(self.master, encode_frame(echo(command)))

    async def say(self, unit: bytes) -> None:
        os.write(self.master, b"boot noise" + encode_frame(unit))

    async def drop(self) -> None:
        self.end()

    def end(self) -> None:
        if self.master >= 0:
            asyncio.get_running_loop().remove_reader(self.master)
            os.close(self.master)
            os.close(self._slave)
            self.master = -1


@contextlib.asynccontextmanager
async def pty() -> AsyncIterator[tuple[Transport, FarEnd]]:
    end = PtyEnd()
    transport = SerialPort(end.name)
    try:
        yield transport, end
    finally:
        await transport.close()
        end.end()


class BleEnd:
    """The ARC's radio driver, run by a real interpreter on the desk's radio."""

    def __init__(self, board: Board) -> None:
        self._board = board
        self._orders = 0

    def _order(self, text: str) -> None:
        draft = self._board.files / "draft"
        draft.write_text(text)
        draft.rename(self._board.files / f"order-{self._orders}")
        self._orders += 1

    async def say(self, unit: bytes) -> None:
        self._order(f"say {unit.hex()}")

    async def drop(self) -> None:
        self._order("drop")


@contextlib.asynccontextmanager
async def ble() -> AsyncIterator[tuple[Transport, FarEnd]]:
    supervisor = Supervisor(None, 7.5, 1, lambda *_change: None)
    try:
        await supervisor.open()
        board = supervisor.add("backwards", BACKWARDS, bytes(range(8)))
        board.give_power()
        radio = {"radio": supervisor.radio_address}
        transport = Ble(scanner={"backend": BumbleScanner, **radio}, client={"backend": BumbleClient, **radio})
        yield transport, BleEnd(board)
        await transport.close()
    finally:
        print(supervisor.log_of("backwards"), supervisor.log_of("radio"))  # shown when the test failed
        await supervisor.close()


TRANSPORTS = [
    pytest.param(loopback, id="loopback"),
    pytest.param(pty, id="serial"),
    pytest.param(ble, id="ble", marks=pytest.mark.desk),
]


@pytest.mark.parametrize("ends", TRANSPORTS)
@pytest.mark.parametrize("check", EXAM, ids=lambda check: check.__name__.removeprefix("check_"))
async def test_transport(check: Callable[[Transport, FarEnd], Awaitable[None]], ends: Callable[[], Ends]) -> None:
    async with ends() as (transport, far):
        await check(transport, far)


async def test_a_port_that_is_not_there_is_named() -> None:
    with pytest.raises(LinkError, match="/dev/nothing-here") as failed:
        await SerialPort("/dev/nothing-here").open(lambda unit: None, lambda: None)
    assert failed.value.reason is Reason.NO_PORT


async def test_a_port_that_another_program_has_is_not_shared() -> None:
    """Each would get some of the bytes."""
    async with pty() as (transport, far):
        assert isinstance(far, PtyEnd)
        ear, second = Ear(), SerialPort(far.name)
        await transport.open(ear.received, ear.closed)
        with pytest.raises(LinkError) as failed:
            await second.open(ear.received, ear.closed)
        assert failed.value.reason is Reason.NO_PORT
        await transport.close()
        await second.open(ear.received, ear.closed)
        await second.close()


async def test_a_port_that_goes_in_the_moment_in_which_it_is_opened_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    def gone(port: serial.Serial) -> None:
        raise termios.error(5, "Input/output error")

    async with pty() as (transport, far):
        assert isinstance(far, PtyEnd)
        ear = Ear()
        with monkeypatch.context() as patch:
            patch.setattr(serial.Serial, "reset_input_buffer", gone)
            with pytest.raises(LinkError, match=far.name) as failed:
                await transport.open(ear.received, ear.closed)
        assert failed.value.reason is Reason.NO_PORT
        await transport.open(ear.received, ear.closed)


@pytest.mark.parametrize("ends_by", ["close", "drop"])
async def test_a_port_that_takes_long_to_close_stops_nothing_else(
    monkeypatch: pytest.MonkeyPatch, ends_by: str
) -> None:
    """Linux waits for bytes that the other end does not take."""
    loop, close = asyncio.get_running_loop(), serial.Serial.close
    went_on: list[bool] = []

    def slow(port: serial.Serial) -> None:
        if port.is_open:
            others = threading.Event()
            loop.call_soon_threadsafe(others.set)
            went_on.append(others.wait(3))
        close(port)

    async with pty() as (transport, far):
        ear = Ear()
        await transport.open(ear.received, ear.closed)
        monkeypatch.setattr(serial.Serial, "close", slow)
        if ends_by == "drop":
            await far.drop()
            await ear.until(lambda: ear.closings == 1)
        await transport.close()
    assert went_on == [True]


async def test_a_frame_cut_off_by_silence_does_not_swallow_the_next() -> None:
    """The line falls idle in the middle of a frame; the reader's time-out gives it up."""
    async with pty() as (transport, far):
        assert isinstance(far, PtyEnd)
        ear = Ear()
        await transport.open(ear.received, ear.closed)
        os.write(far.master, encode_frame(b"x" * 100)[:50])
        assert isinstance(transport, SerialPort)
        await asyncio.wait_for(_until(lambda: transport.frames.skipped_bytes > 0), 10)
        await far.say(b"\x40\x01")
        await ear.until(lambda: ear.units == [b"\x40\x01"])


async def _until(holds: Callable[[], bool]) -> None:
    while not holds():
        await asyncio.sleep(0.01)


async def test_a_vanished_port_ends_its_thread() -> None:
    async with pty() as (transport, far):
        assert isinstance(transport, SerialPort)
        ear = Ear()
        await transport.open(ear.received, ear.closed)
        thread = transport.reader
        assert thread is not None
        await far.drop()
        await ear.until(lambda: ear.closings == 1)
        await asyncio.to_thread(thread.join, 5)
        assert not thread.is_alive()
