"""One board on the desk: its process, and what of it outlives the process."""

import asyncio
import contextlib
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import IO

from attrs import define, frozen

from firmware.desk.board_flash import BoardFlash
from firmware.desk.pins import Pins, Pixel
from firmware.desk.processes import ROOT, child_environment, exit_of
from firmware.desk.usb_pty import UsbPty

POWER_ON, HARD_RESET, WATCHDOG, DEEP_SLEEP, SOFT_RESET = 1, 2, 3, 4, 5
"""Reset causes as the boards' `machine` module numbers them."""

RESTART_AFTER_S = 0.25
"""A board that has died comes back after this moment without power."""

PLANNED_CUT_WITHIN_S = 2.0
"""A cut planned for a flash operation that does not come happens after this time anyway."""

SHIMS = ROOT / "firmware" / "desk" / "shims"


@frozen
class BoardKind:
    """What is the same for all boards of a kind. `flashed_heap`: with the program in it, which a flashed board loads from its files."""

    entry: str
    heap: str
    name: str = ""
    flashed_heap: str = ""
    partitions: tuple[tuple[str, int], ...] = ()
    block: int = 4096
    chip_select: int = -1
    has_radio: bool = False
    has_usb: bool = False


@define
class Places:
    """Where a board finds the desk, and where its remains are kept."""

    supervisor: Path
    radio: Path
    state: Path
    logs: Path
    program: Path


class Board:
    """A board that is on or off. `is_on` is the switch; a board that is on and dies is started again.

    `files` is the board's own file system: the working folder of its process.
    """

    def __init__(
        self,
        name: str,
        kind: BoardKind,
        chip_id: bytes,
        places: Places,
        chance: Callable[[int], int],
        on_change: Callable[["Board", str, int, int | Pixel], None],
    ) -> None:
        self.name = name
        self.kind = kind
        self.chip_id = chip_id
        self.is_on = False
        self.starts = 0
        self._life = 0
        self.files = places.state / name.replace(":", "-") / "files"
        self.files.mkdir(parents=True, exist_ok=True)
        self.flash = BoardFlash(self.files.parent, kind.partitions, kind.block, chance, self.kill)
        self.pins = Pins(self._on_pins)
        self.usb = UsbPty() if kind.has_usb else None
        self._places = places
        self._on_change = on_change
        self._cause = POWER_ON
        self._process: subprocess.Popen[bytes] | None = None
        self._task: asyncio.Task[None] | None = None
        self._watchdog_s = 0.0
        self._watchdog: asyncio.TimerHandle | None = None
        self._asleep: asyncio.Future[None] | None = None

    @property
    def pid(self) -> int | None:
        """The process that is this board's processor, while it runs."""
        return self._process.pid if self._process else None

    # power

    def give_power(self) -> None:
        """Switch on; nothing happens when it is."""
        if not self.is_on:
            self.is_on = True
            self._life += 1
            self._cause = POWER_ON
            self._task = asyncio.ensure_future(self._live(self._life, self._task))

    async def cut_power(self, operations: int = 0) -> None:
        """Switch off at once, or in the middle of the `operations`-th flash operation from now."""
        self.is_on = False
        self._life += 1
        task = self._task
        if operations and task:
            self.flash.plan_cut(operations)
            await asyncio.wait((task,), timeout=PLANNED_CUT_WITHIN_S)
        self.kill()
        if self._asleep and not self._asleep.done():
            self._asleep.cancel()
        if task:
            await task

    def kill(self) -> None:
        """End the process as it stands. A board that is on comes back."""
        if self._process:
            self._process.kill()

    async def _live(self, life: int, before: "asyncio.Task[None] | None") -> None:
        """From one plugging in to the next pulling out, however soon that comes; `before`: the life that may still be ending."""
        if before:
            await asyncio.wait((before,))
        while self._life == life:
            self.flash.power_up()
            await self._run_once()
            self.pins.power_off()
            self._stop_watchdog()
            self._tell("stopped", 0, 0)
            if self._life != life:
                return
            with contextlib.suppress(asyncio.CancelledError):
                if self._asleep:
                    await self._asleep
                else:
                    await asyncio.sleep(RESTART_AFTER_S)
            self._asleep = None

    async def _run_once(self) -> None:
        if self._cause == POWER_ON:
            self.pins.kept = b""
            self.pins.held.clear()
        self.pins.wakes_on.clear()
        process = self._process = self._start()
        self.starts += 1
        self._cause = POWER_ON
        self._tell("started", 0, 0)
        try:
            code = await exit_of(process)
            if code != -signal.SIGKILL:
                with self._open_log() as log:
                    log.write(f"{self.name}: the program ended by itself, code {code}\n".encode())
        finally:
            self._process = None
            if self.usb:
                self.usb.pull_out()

    def _start(self) -> subprocess.Popen[bytes]:
        terminal = self.usb.plug_in() if self.usb else None
        with self._open_log() as log:
            process = subprocess.Popen(
                [sys.executable, "-m", "firmware.desk.processes", self.kind.heap, self.kind.entry],
                cwd=self.files,
                env=self._environment(),
                stdin=terminal.fileno() if terminal else subprocess.DEVNULL,
                stdout=terminal.fileno() if terminal else log,
                stderr=log,
            )
        if terminal:
            terminal.close()
        return process

    def _open_log(self) -> IO[bytes]:
        return open(self._places.logs / f"{self.name.replace(':', '-')}.log", "ab")

    def _environment(self) -> dict[str, str]:
        settings = {
            "MICROPYPATH": f"{SHIMS}:{ROOT}:.frozen",
            "ARC_ROM_IMAGE": str(self._places.program),
            "ARC_BOARD": self.name,
            "ARC_SUPERVISOR": str(self._places.supervisor),
            "ARC_UNIQUE_ID": self.chip_id.hex(),
            "ARC_RESET_CAUSE": str(self._cause),
            "ARC_CS_PIN": str(self.kind.chip_select),
        }
        if self.kind.has_radio:
            settings["ARC_RADIO"] = str(self._places.radio)
            address = bytes((0xC0 | self.chip_id[0], *self.chip_id[1:6]))
            settings["ARC_BLE_ADDRESS"] = ":".join(f"{byte:02X}" for byte in address)
        return child_environment(**settings)

    # what the board does to its pins

    def _tell(self, kind: str, pin: int, value: int | Pixel) -> None:
        self._on_change(self, kind, pin, value)

    def _on_pins(self, kind: str, pin: int, value: int | Pixel) -> None:
        match kind, value:
            case "watchdog", int():
                self._watchdog_s = value / 1000
                self._feed()
            case "fed", _:
                self._feed()
            case "reset", int():
                self._restart(value)
            case "sleep", int():
                self._sleep(value / 1000)
            case _:
                self._tell(kind, pin, value)

    def _feed(self) -> None:
        self._stop_watchdog()
        if self._watchdog_s:
            self._watchdog = asyncio.get_running_loop().call_later(self._watchdog_s, self._restart, WATCHDOG)

    def _stop_watchdog(self) -> None:
        if self._watchdog:
            self._watchdog.cancel()
            self._watchdog = None

    def _restart(self, cause: int) -> None:
        self._watchdog_s = 0.0
        self._cause = cause
        self.kill()

    def _sleep(self, seconds: float) -> None:
        """Deep sleep: off but for the pins that wake, until one of them, or the time, does."""
        loop = asyncio.get_running_loop()
        self._asleep = loop.create_future()
        if seconds:
            loop.call_later(seconds, self.wake)
        self._restart(DEEP_SLEEP)
        if any(not level and pin not in self.pins.held for pin, level in self.pins.wakes_on.items()):
            loop.call_soon(
                self.wake
            )  # an ESP32-S2 or S3 lets the pull-up of a pin go that is not held (micropython#15260)

    def wake(self) -> None:
        """End a deep sleep."""
        if self._asleep and not self._asleep.done():
            self._asleep.set_result(None)

    def set_input(self, pin: int, level: int) -> None:
        """Hold an input at a level; that may wake the board."""
        self.pins.set_input(pin, level)
        if self._asleep and self.pins.wakes_on.get(pin) == level:
            self.wake()

    def close(self) -> None:
        """Let go of files and terminal, once the power is cut."""
        self.flash.close()
        if self.usb:
            self.usb.close()
