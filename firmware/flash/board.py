"""One board at its MicroPython prompt, through mpremote. Waits for the prompt, survives resets, says what to press when not.

No raw REPL of our own: mpremote speaks it; here its errors become sentences.
"""

import ast
import contextlib
import io
import os
import struct
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from attrs import frozen
from mpremote.transport import TransportError, TransportExecError
from mpremote.transport_serial import SerialTransport

from firmware.flash import snippets
from firmware.flash.errors import PORT_ERRORS, DiskFullError, FlashError, NeedsMicroPythonError, PortGoneError
from firmware.flash.kinds import BoardKind

CHUNK = 512
LINE_TIMEOUT_S = 2.0
TRIES_TO_REPLACE = 3


@frozen
class Patience:
    """How long to wait, in seconds: for a prompt (a board boots up to ten, an app's session holds it fifteen), for a
    port to come back, between two tries, and for a program to have shown that it runs."""

    prompt_s: float = 25.0
    try_s: float = 1.0
    pause_s: float = 0.3
    settle_s: float = 3.0
    slow_s: float = 30.0


@frozen
class Facts:
    """What the board says of itself. `free` and `block` in bytes; `names` is what lies in its root."""

    platform: str
    machine: str
    version: tuple[int, ...]
    mpy: int
    chip_id: bytes
    free: int
    block: int
    names: tuple[str, ...]
    loaded_from: str
    started: str

    @property
    def mpy_version(self) -> int:
        return self.mpy & 0xFF

    @property
    def version_text(self) -> str:
        return ".".join(str(number) for number in self.version[:3])


class Board:
    """`port()` names the port as it is now: after a reset it may be another. Use it as a context."""

    def __init__(self, port: Callable[[], str], kind: BoardKind, patience: Patience = Patience()) -> None:
        self._port = port
        self._kind = kind
        self.patience = patience
        self._transport: SerialTransport | None = None

    def __enter__(self) -> "Board":
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        if kind is not None:
            self._let_go()
        self.close()

    def _let_go(self) -> None:
        """What ended half-way, by Control-C or an error, leaves no board at its prompt: it starts what it has."""
        if self._transport:
            with (
                contextlib.suppress(TransportError, *PORT_ERRORS, struct.error),
                contextlib.redirect_stdout(io.StringIO()),
            ):
                self._transport.enter_raw_repl(soft_reset=False, timeout_overall=self.patience.try_s)
            self.reset()

    # prompt

    def enter(self) -> None:
        """Be at a prompt: interrupts what runs, waits while the board boots. `NeedsMicroPythonError` when none comes."""
        self.close()
        deadline = time.monotonic() + self.patience.prompt_s
        while not self._try_to_enter():
            if time.monotonic() > deadline:
                raise self._why_no_prompt()
            time.sleep(self.patience.pause_s)

    def _try_to_enter(self) -> bool:
        try:
            self._transport = SerialTransport(self._port(), timeout=LINE_TIMEOUT_S)
            with contextlib.redirect_stdout(io.StringIO()):  # mpremote prints what it did not understand
                self._transport.enter_raw_repl(soft_reset=False, timeout_overall=self.patience.try_s)
                # A prompt that came late for one try may be taken for the next one's: is there somebody who counts?
                answer, _ = self._transport.exec_raw("print(6 * 7)", timeout=self.patience.try_s)
        except (TransportError, *PORT_ERRORS, struct.error, PortGoneError):
            answer = b""
        if answer.strip() != b"42":
            self.close()
            return False
        return True

    def _why_no_prompt(self) -> FlashError:
        waited = f"for {self.patience.prompt_s:.0f} s"
        try:
            port = self._port()
        except FlashError as error:
            return error
        if not Path(port).exists() and os.name == "posix":
            return PortGoneError(f"{port} is not there", f"plug the {self._kind.noun}'s cable, then run this again")
        if os.name == "posix" and not os.access(port, os.R_OK | os.W_OK):
            return FlashError(
                f"{port} may not be opened by you", "join the group that owns it: `sudo usermod -aG dialout $USER`"
            )
        if _is_locked(port):
            return FlashError(
                f"another program uses {port}", "close the app, the serial monitor or whatever has it open"
            )
        return NeedsMicroPythonError(
            f"no MicroPython prompt on {port} {waited}",
            f"{self._kind.restart}, then run this again. Is the chip empty? Then {self._kind.bootloader},"
            " and run this with `--micropython fetch`",
        )

    def reset(self) -> None:
        """Restart the board. The port is closed; `enter` finds it again."""
        if self._transport:
            with contextlib.suppress(TransportError, *PORT_ERRORS, struct.error):
                self._transport.exec_raw_no_follow(snippets.RESET)
        self.close()

    def rest(self, times: int = 1) -> None:
        """Leave the board alone, so that what it starts can show that it runs."""
        time.sleep(self.patience.settle_s * times)

    def close(self) -> None:
        transport, self._transport = self._transport, None
        if transport:
            with contextlib.suppress(*PORT_ERRORS):
                transport.close()

    # words at the prompt

    def run(self, code: str) -> str:
        """Run code, give what it printed. `FlashError` with the board's last line when it raised."""
        with self._told("running a command"):
            output, error = self._at_prompt().exec_raw(code, timeout=self.patience.slow_s)
            if error:
                raise TransportExecError(len(error), error.decode(errors="replace"))
        return str(output.decode(errors="replace"))

    def ask(self, code: str) -> Any:
        """The value that the code prints. `FlashError` when something else came in between, such as lines of the chip's own log."""
        text = self.run(code)
        try:
            return ast.literal_eval(text.strip())
        except (ValueError, SyntaxError) as error:
            raise FlashError(
                f"what the board answers cannot be read: {text.strip()[-60:]!r}",
                f"{self._kind.restart}, then run this again; if this stays, take another cable",
            ) from error

    def facts(self) -> Facts:
        answer = self.ask(snippets.FACTS)
        platform, machine, version, mpy, chip, free, block, names, loaded_from, started = answer
        numbers = tuple(part for part in version if isinstance(part, int))
        return Facts(
            platform,
            machine,
            numbers,
            mpy,
            bytes.fromhex(chip),
            free,
            block,
            tuple(names),
            loaded_from or "",
            started or "",
        )

    def hashes(self, folder: str) -> dict[str, str]:
        """SHA-256 of every file in `folder`, read back from the board's flash, by path from there; {} when it is not there."""
        lines = self.run(snippets.HASHES.format(folder=folder)).splitlines()
        return dict(_hash_line(line, folder) for line in lines if line)

    # files

    def read(self, path: str) -> bytes | None:
        """The whole file, or None when it is not there."""
        with self._told(f"reading {path}"):
            try:
                return bytes(self._at_prompt().fs_readfile(path, chunk_size=CHUNK))
            except FileNotFoundError:
                return None

    def write(self, path: str, data: bytes, told: Callable[[int], None] = lambda count: None) -> None:
        """The whole file; `told` hears how many bytes went since it last heard. `DiskFullError`, `PortGoneError`."""
        sent = 0

        def progress(written: int, _: int) -> None:
            nonlocal sent
            told(written - sent)
            sent = written

        with self._told(f"writing {path}"):
            self._at_prompt().fs_writefile(path, data, chunk_size=CHUNK, progress_callback=progress)

    def replace(self, path: str, data: bytes) -> None:
        """The file's new content, at once or not at all: littlefs renames atomically. What arrives damaged does not count."""
        for _ in range(TRIES_TO_REPLACE):
            self.write(path + ".new", data)
            if self.read(path + ".new") == data:
                break
        else:
            raise FlashError(f"{path} keeps arriving damaged", "take another cable or another USB port, without a hub")
        self.run(snippets.RENAME.format(old=path + ".new", new=path))

    def make_folders(self, paths: list[str]) -> None:
        """Each folder in turn; those that are there stay."""
        self.run(snippets.FOLDERS.format(paths=paths))

    def remove(self, paths: list[str]) -> None:
        """Files in turn; those that are not there do no harm."""
        if paths:
            self.run(snippets.REMOVE.format(paths=paths))

    def _at_prompt(self) -> SerialTransport:
        if self._transport is None:
            raise PortGoneError("the board is not at a prompt", f"{self._kind.restart}, then run this again")
        return self._transport

    @contextlib.contextmanager
    def _told(self, doing: str) -> Iterator[None]:
        """mpremote's and the system's errors as ours."""
        again = "plug the cable firmly and run this again: it goes on where it stopped, and the old firmware still runs"
        try:
            yield
        except TransportExecError as error:
            lines = error.error_output.strip().splitlines() or ["no reason given"]
            if "ENOSPC" in error.error_output or lines[-1] == "OSError: 28":
                raise _disk_full(doing) from error
            raise FlashError(
                f"{doing}: the board says {lines[-1]}", self._kind.restart + ", then run this again"
            ) from error
        except (TransportError, struct.error) as error:
            raise PortGoneError(f"{doing}: the board stopped answering ({error})", again) from error
        except PORT_ERRORS as error:
            if isinstance(error, OSError) and error.errno == 28:
                raise _disk_full(doing) from error
            raise PortGoneError(f"{doing}: the port vanished ({error})", again) from error


def _disk_full(doing: str) -> DiskFullError:
    return DiskFullError(
        f"{doing}: the board's file system is full", "remove your own files from the board with `mpremote rm`"
    )


def _hash_line(line: str, folder: str) -> tuple[str, str]:
    path, _, digest = line.rpartition(" ")
    return path.removeprefix(folder + "/"), digest


def _is_locked(port: str) -> bool:
    """Whether another program holds the port for itself."""
    try:
        import fcntl
    except ImportError:
        return False
    try:
        descriptor = os.open(port, os.O_RDWR | os.O_NOCTTY | os.O_NONBLOCK)
    except OSError:
        return True
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return True
    finally:
        os.close(descriptor)
    return False
