"""A board for the flash tool: the real MicroPython interpreter, its raw REPL and a real littlefs, at the end of a pseudo-terminal.

What a board does and an interpreter does not is done here: resets that take the port away, a watchdog, power cuts.
"""

import contextlib
import errno
import os
import pty
import select
import signal
import subprocess
import sys
import termios
import threading
import time
import tty
from collections.abc import Callable
from pathlib import Path

import pytest

BLOCK = 4096
POLL_S = 0.005
PROMPT_WITHIN_S = 0.4
OPEN_TERMINAL = 'exec "$@" <>"$SIM_TERMINAL" >&0 2>&0'
"""The first terminal that a new session opens is its own: Control-C reaches the interpreter."""

ROOT = Path(__file__).resolve().parents[3]
BOOT = Path(__file__).with_name("sim_boot.py")
INTERPRETER = Path(sys.executable).with_name("micropython")
POWER_ON, HARD_RESET, WATCHDOG = 1, 2, 3

PLATFORMS = {
    "arc": ("esp32", "Generic ESP32S3 module with ESP32S3"),
    "module": ("rp2", "Raspberry Pi Pico with RP2040"),
}


class SimulatedBoard:
    """`port` is a link to the terminal of the moment. Use as a context; it has power until the end.

    `boots_for_s`: time after power or reset before the interpreter answers. `chews(data)` may change what the host sends.
    `cut_at`: power fails right after so many operations of the flash. `dies_after`: the port vanishes for good after so
    many bytes from the host.
    """

    def __init__(
        self,
        folder: Path,
        kind: str = "module",
        *,
        blocks: int = 128,
        version: str = "1.29.0",
        mpy: int = 0,
        boots_for_s: float = 0.0,
        cut_at: int = 0,
        dies_after: int = 0,
        gone_for_s: float = 0.02,
        chews: Callable[[bytes], bytes] = lambda data: data,
        chip: str = "e6605838833f1a2b",
    ) -> None:
        if sys.platform != "linux" or not INTERPRETER.exists():
            (pytest.fail if os.environ.get("CI") else pytest.skip)("no interpreter of the pip wheel here, or no Linux")
        folder.mkdir(parents=True, exist_ok=True)
        self.folder, self.kind, self.chip = folder, kind, chip
        self.port = str(folder / "port")
        self.disk = folder / "disk"
        if not self.disk.exists():
            self.disk.write_bytes(b"\xff" * BLOCK * blocks)
        self.version, self.mpy, self.boots_for_s = version, mpy, boots_for_s
        self.cut_at, self.dies_after, self.gone_for_s, self.chews = cut_at, dies_after, gone_for_s, chews
        self.output = b""
        """What the board has printed since it last started."""
        self.operations = self.resets = self.heard = 0
        self.images: list[bytes] | None = None
        """When a list: the flash's content after each of its operations."""
        self.has_power = False
        self._closing = False
        self._process: subprocess.Popen[bytes] | None = None
        self._threads: list[threading.Thread] = []
        self._watchdog: threading.Timer | None = None
        self._lock = threading.RLock()
        self._outer = self._inner = -1
        self._up = threading.Event()

    def __enter__(self) -> "SimulatedBoard":
        self.give_power()
        return self

    def __exit__(self, *_: object) -> None:
        self._closing = True
        self.cut_power()
        for thread in self._threads:
            if isinstance(thread, threading.Timer):
                thread.cancel()
            thread.join(5)

    # power

    def give_power(self) -> None:
        self.has_power = True
        self._start(POWER_ON)

    def cut_power(self) -> None:
        with self._lock:
            self.has_power = False
            self._stop()

    def reset(self, cause: int) -> None:
        """What `machine.reset()` and a watchdog do: the port vanishes, and comes back."""
        with self._lock:
            self._stop()
            self.resets += 1
            if self.has_power and not self._closing:
                self._after(self.gone_for_s, lambda: self._start(cause))

    def _after(self, seconds: float, act: Callable[[], None]) -> None:
        timer = threading.Timer(seconds, act)
        timer.daemon = True
        timer.start()
        self._threads.append(timer)

    def _stop(self) -> None:
        if self._watchdog:
            self._watchdog.cancel()
            self._watchdog = None
        process, self._process = self._process, None
        if process:
            process.kill()
            process.wait()
        Path(self.port).unlink(missing_ok=True)
        # The pumps own their terminals and close them when they see that these are no longer ours.
        self._outer = self._inner = -1
        self.output = b""

    # one life of the interpreter

    def _start(self, cause: int) -> None:
        with self._lock:
            if not self.has_power or self._closing:
                return
            self.output = b""
            self._outer, port = pty.openpty()
            tty.setraw(port)
            # The board's own end of the cable: as long as it is up, the terminal lives.
            self._link(os.ttyname(port))
            if self.boots_for_s:
                outer = self._outer
                self._after(self.boots_for_s, lambda: self._boot(outer, port, cause))
            else:
                self._boot(self._outer, port, cause)

    def _link(self, name: str) -> None:
        Path(self.port).unlink(missing_ok=True)
        os.symlink(name, self.port)

    def _boot(self, outer: int, port: int, cause: int, at_prompt: bool = False) -> None:
        with self._lock:
            if outer != self._outer:
                os.close(port)
                return
            self.output = b""
            self._inner, terminal = pty.openpty()
            control_read, control_write = os.pipe()
            answers_read, answers_write = os.pipe()
            _make_quiet(terminal)
            self._process = process = subprocess.Popen(
                ["sh", "-c", OPEN_TERMINAL, "sh", INTERPRETER, "-X", "heapsize=1m", "-i", str(BOOT)],
                pass_fds=(control_write, answers_read),
                env=self.environment(cause, f"/proc/self/fd/{control_write}", f"/proc/self/fd/{answers_read}")
                | {"SIM_RAW": str(int(at_prompt)), "SIM_TERMINAL": os.ttyname(terminal)},
                start_new_session=True,
            )
            os.close(control_write)
            os.close(answers_read)
            inner, self._up = self._inner, threading.Event()
        self._in_thread(lambda: self._pump_out(process, inner, outer, port))
        self._in_thread(lambda: self._listen(control_read, answers_write, terminal, outer, self._up))
        if not at_prompt:
            self._in_thread(lambda: self._pump_in(outer))

    def _in_thread(self, act: Callable[[], None]) -> None:
        thread = threading.Thread(target=act, daemon=True)
        thread.start()
        self._threads.append(thread)

    def environment(self, cause: int, control: str, answers: str) -> dict[str, str]:
        """What `sim_boot.py` wants to know."""
        platform, machine = PLATFORMS[self.kind]
        return {
            "TERM": "dumb",
            "PATH": os.environ["PATH"],
            "HOME": str(self.folder),
            "MICROPYPATH": f"{BOOT.parent}:.frozen",
            "SIM_DISK": str(self.disk),
            "SIM_CONTROL": control,
            "SIM_ANSWERS": answers,
            "SIM_PLATFORM": platform,
            "SIM_MACHINE": machine,
            "SIM_VERSION": self.version,
            "SIM_MPY": str(self.mpy),
            "SIM_SHIMS": str(ROOT / "firmware" / "desk" / "shims"),
            "SIM_ROOT": str(ROOT),
            "ARC_UNIQUE_ID": self.chip,
            "ARC_RESET_CAUSE": str(cause),
        }

    def _pump_out(self, process: "subprocess.Popen[bytes]", inner: int, outer: int, port: int) -> None:
        """From the interpreter to the host. Its terminal puts a return before every newline, the interpreter too."""
        last = b""
        with contextlib.suppress(OSError):
            while data := os.read(inner, 4096):
                out = (last + data).replace(b"\r\r", b"\r")[len(last) :]
                last = data[-1:] if data.endswith(b"\r") else b""
                with self._lock:
                    if inner != self._inner:
                        break
                    self.output += out
                    os.write(outer, out)
        with self._lock:
            os.close(inner)
            is_ours = process is self._process
        # Between a program's end and the prompt a Control-C ends this interpreter; a board's just shows the prompt.
        if is_ours and process.wait() == -signal.SIGINT:
            self._boot(outer, port, HARD_RESET, at_prompt=True)
            return
        with contextlib.suppress(OSError):
            os.close(port)

    def _pump_in(self, outer: int) -> None:
        """From the host to the interpreter, which listens from the moment on when its files are there."""
        while outer == self._outer:
            if not select.select([outer], [], [], POLL_S)[0]:
                continue
            try:
                data = os.read(outer, 4096)
                self._up.wait(10)
                self.heard += len(data)
                if self.dies_after and self.heard >= self.dies_after:
                    self.cut_power()
                else:
                    self._forward(self.chews(data))
            except OSError as error:
                if error.errno not in (errno.EIO, errno.EBADF):
                    raise
        os.close(outer)

    def _forward(self, data: bytes) -> None:
        """A program takes one Control-C; what comes behind it waits for the prompt, where this interpreter throws its input away."""
        inner = self._inner
        if b"\x03" in data and not self._is_at_prompt():
            wait_until(self._is_resting, PROMPT_WITHIN_S)
            interrupt, data = data[: data.index(b"\x03") + 1], data[data.index(b"\x03") + 1 :]
            os.write(inner, interrupt)
            wait_until(lambda: self._is_at_prompt() or inner != self._inner, PROMPT_WITHIN_S)
        if self._inner >= 0:
            os.write(self._inner, data)

    def _is_resting(self) -> bool:
        """Asleep in a system call and not writing: this interpreter jumps out of anything at a Control-C, a board's does not."""
        process, operations = self._process, self.operations
        if process is None:
            return True
        for _ in range(2):
            try:
                state = Path(f"/proc/{process.pid}/stat").read_text().rpartition(")")[2].split()[0]
            except OSError:
                return True
            if state != "S" or self.operations != operations:
                return False
            time.sleep(POLL_S)
        return True

    def _is_at_prompt(self) -> bool:
        return b">>> " in self.output

    def _listen(self, control: int, answers: int, terminal: int, outer: int, up: threading.Event) -> None:
        """What the board does to the world: flash operations, resets, its watchdog."""
        with open(control) as lines:
            for line in lines:
                with self._lock:
                    if outer != self._outer:
                        break
                    if line == "up\n":
                        os.close(terminal)  # the interpreter has it: from here on its end ends the terminal
                        up.set()
                    else:
                        self._heard(line.split())
                if line == "op\n":
                    with contextlib.suppress(BrokenPipeError):
                        os.write(answers, b"+")
        os.close(answers)
        if not up.is_set():
            os.close(terminal)
            up.set()

    def _heard(self, words: list[str]) -> None:
        match words:
            case ["op"]:
                self.operations += 1
                if self.images is not None:
                    self.images.append(self.disk.read_bytes())
                if self.operations == self.cut_at:
                    self.cut_power()
            case ["reset"]:
                self.reset(HARD_RESET)
            case ["watchdog", milliseconds]:
                self._arm(int(milliseconds) / 1000)
            case ["fed"] if self._watchdog:
                self._arm(self._watchdog.interval)

    def _arm(self, seconds: float) -> None:
        if self._watchdog:
            self._watchdog.cancel()
        self._watchdog = threading.Timer(seconds, lambda: self.reset(WATCHDOG))
        self._watchdog.daemon = True
        self._watchdog.start()


def _make_quiet(terminal: int) -> None:
    """No echo, no lines, but Control-C still interrupts: as a board's port."""
    modes = termios.tcgetattr(terminal)
    modes[0] &= ~(termios.ICRNL | termios.IXON)
    modes[3] = termios.ISIG
    for key in (termios.VQUIT, termios.VSUSP):
        modes[6][key] = b"\0"
    termios.tcsetattr(terminal, termios.TCSANOW, modes)


def wait_until(condition: Callable[[], bool], within_s: float = 10.0) -> bool:
    deadline = time.monotonic() + within_s
    while not condition():
        if time.monotonic() > deadline:
            return False
        time.sleep(0.005)
    return True
