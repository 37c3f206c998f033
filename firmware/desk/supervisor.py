"""Starts, watches and ends the desk's processes: the radio, and one interpreter for each board that has power."""

import asyncio
import contextlib
import os
import random
import shutil
import socket
import subprocess
import sys
import tempfile
from collections.abc import Callable, Collection
from pathlib import Path

from attrs import evolve

from firmware.desk.board import Board, BoardKind, Places
from firmware.desk.board_link import BoardLink, Exchange, frame_length
from firmware.desk.flashed import flash
from firmware.desk.pins import Pins, Pixel
from firmware.desk.processes import ROOT, STARTER_ENTRY, child_environment, exit_of
from firmware.desk.rom import rom_image

RADIO_RESTART_S = 0.1
RADIO_START_WITHIN_S = 20.0


_PREFIX = "arc-desk-"


class DeskError(RuntimeError):
    """The desk cannot do that; the text says why."""


class Supervisor:
    """`folder` holds sockets and logs and is ours; `state` holds what boards keep in their flash.

    `flashed`: kinds of boards, by name, that run from their own file system instead of the image.
    `on_change(board, kind, pin, value)` hears of everything that boards do to their pins, and of `started`, `stopped`.
    """

    def __init__(
        self,
        state: Path | None,
        interval_ms: float,
        seed: int | None,
        on_change: Callable[[Board, str, int, int | Pixel], None],
        flashed: Collection[str] = (),
    ) -> None:
        _sweep()
        # short: a socket's path has at most 107 bytes
        self.folder = Path(tempfile.mkdtemp(prefix=f"{_PREFIX}{os.getpid()}-"))
        self.link = BoardLink(self.folder / "boards.sock")
        self.boards: dict[str, Board] = {}
        self.radio_starts = 0
        self._places = Places(
            supervisor=self.link.path,
            radio=self.folder / "boards",
            state=state or self.folder / "state",
            logs=self.folder,
            # the program that boards were flashed with when the desk was set up, whatever happens to its sources since
            program=rom_image(),
        )
        self._interval_ms = interval_ms
        self._chance = random.Random(seed)
        self._on_change = on_change
        self._flashed = flashed
        self._radio: subprocess.Popen[bytes] | None = None
        self._radio_ready = asyncio.Event()
        self._radio_task: asyncio.Task[None] | None = None
        self._exchanges: dict[tuple[str, str], Exchange] = {}

    @property
    def radio_address(self) -> str:
        """What a host opens: bumble's name for its HCI transport."""
        return f"unix-client:{self.folder / 'hci'}"

    @property
    def radio_pid(self) -> int | None:
        return self._radio.pid if self._radio else None

    async def open(self) -> None:
        """Radio and board link are up when this returns."""
        self.serve_board_devices()
        await self.link.open()
        self._radio_task = asyncio.ensure_future(self._keep_radio())
        try:
            await asyncio.wait_for(self._radio_ready.wait(), RADIO_START_WITHIN_S)
        except TimeoutError:
            raise DeskError(f"the radio did not start: {self._log_of('radio')}") from None

    async def close(self) -> None:
        """End every process and remove every socket."""
        cuts = await asyncio.gather(*(board.cut_power() for board in self.boards.values()), return_exceptions=True)
        for board in self.boards.values():
            board.close()
        if self._radio_task:
            self._radio_task.cancel()
            await asyncio.gather(self._radio_task, return_exceptions=True)
        if self._radio:
            self._radio.kill()
            self._radio.wait()
        for exchange in list(self._exchanges.values()):
            exchange.close()
        await self.link.close()
        shutil.rmtree(self.folder, ignore_errors=True)
        for failure in cuts:
            if failure:
                raise failure

    def add(self, name: str, kind: BoardKind, chip_id: bytes) -> Board:
        """A board without power."""
        is_flashed = kind.name in self._flashed
        on_desk = evolve(kind, entry=STARTER_ENTRY, heap=kind.flashed_heap) if is_flashed else kind
        board = Board(name, on_desk, chip_id, self._places, self._chance.randrange, self._on_change)
        if is_flashed:
            flash(board.files, kind.entry)
        self.boards[name] = board
        return board

    # the radio

    def kill_radio(self) -> None:
        """End the radio as it stands; it comes back, and so do the boards that lost it."""
        if self._radio:
            self._radio.kill()

    async def _keep_radio(self) -> None:
        while True:
            await self._run_radio()
            self._radio_ready.clear()
            await asyncio.sleep(RADIO_RESTART_S)

    async def _run_radio(self) -> None:
        command = (
            *(sys.executable, "-m", "firmware.desk.radio"),
            *(str(self.folder), "--interval-ms", str(self._interval_ms)),
        )
        reader, writer = os.pipe()
        with open(self.folder / "radio.log", "ab") as log:
            self._radio = subprocess.Popen(command, cwd=ROOT, env=child_environment(), stdout=writer, stderr=log)
        os.close(writer)
        self.radio_starts += 1
        loop = asyncio.get_running_loop()
        loop.add_reader(reader, self._radio_ready.set)
        ended = asyncio.ensure_future(exit_of(self._radio))
        try:
            await asyncio.wait((ended, asyncio.ensure_future(self._radio_ready.wait())), return_when="FIRST_COMPLETED")
            loop.remove_reader(reader)
            await ended
        finally:
            loop.remove_reader(reader)
            os.close(reader)
            ended.cancel()

    def _log_of(self, name: str) -> str:
        with contextlib.suppress(OSError):
            return (self.folder / f"{name}.log").read_text(errors="replace")[-2000:]
        return "no log"

    def log_of(self, board: str) -> str:
        """The end of what a board, or the `radio`, printed."""
        text = self._log_of(board.replace(":", "-"))
        usb = self.boards[board].usb if board in self.boards else None
        return text + usb.text() if usb else text

    # devices

    def serve_board_devices(self) -> None:
        """Flash and pins, which every board has. `open` does this and more."""
        self.link.serve("flash", self._serve_flash)
        self.link.serve("pins", self._serve_pins)

    def serve(self, device: str, cut: Callable[[bytearray], int], answer: Callable[[str, bytes], bytes]) -> None:
        """Serve `device` of every board with `answer(board, message)`."""

        def attach(name: str, connection: socket.socket) -> None:
            self._keep(name, device, Exchange(connection, cut, lambda message: answer(name, message)))

        self.link.serve(device, attach)

    def _serve_flash(self, name: str, connection: socket.socket) -> None:
        if board := self._board_or_close(name, connection):
            self._keep(name, "flash", Exchange(connection, frame_length, board.flash.answer))

    def _serve_pins(self, name: str, connection: socket.socket) -> None:
        if board := self._board_or_close(name, connection):
            exchange = Exchange(connection, Pins.message_length, board.pins.take, board.pins.disconnect)
            self._keep(name, "pins", exchange)
            board.pins.connect(exchange.send)

    def _board_or_close(self, name: str, connection: socket.socket) -> Board | None:
        board = self.boards.get(name)
        if board is None:
            connection.close()
        return board

    def _keep(self, name: str, device: str, exchange: Exchange) -> None:
        # a board that has restarted replaces its connection; the old one is at its end
        if before := self._exchanges.get((name, device)):
            before.close()
        self._exchanges[name, device] = exchange


def _sweep() -> None:
    """Remove the folders of desks that were killed: they could not do it themselves."""
    for folder in Path(tempfile.gettempdir()).glob(f"{_PREFIX}*-*"):
        pid = folder.name.removeprefix(_PREFIX).partition("-")[0]
        try:
            if pid.isdigit():
                os.kill(int(pid), 0)
        except ProcessLookupError:
            shutil.rmtree(folder, ignore_errors=True)
        except PermissionError:
            # somebody else's, and alive
            continue
