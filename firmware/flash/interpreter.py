"""MicroPython itself onto a board, by esptool and mpflash as commands. Everything on the chip is erased."""

import contextlib
import os
import shutil
import string
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from firmware.flash.errors import FlashError
from firmware.flash.kinds import ARC, BoardKind
from firmware.flash.partitions import TABLE_AT, arc_partitions, pack_table
from firmware.flash.show import Show

FETCH = "fetch"
MICROPYTHON = "1.29.0"
"""The release that the firmware is tested with."""

_DRIVES = ("media/*/RPI-RP2", "run/media/*/RPI-RP2", "media/RPI-RP2", "Volumes/RPI-RP2")
_LETTERS = tuple(Path(f"{letter}:/") for letter in string.ascii_uppercase[2:]) if os.name == "nt" else ()
_ABOUT = "INFO_UF2.TXT"
"""In the boot loader's drive: on Windows a drive has its letter, not its name."""

Run = Callable[[Sequence[str]], int]


def run_command(command: Sequence[str]) -> int:
    """Run a command in view of the people; its return code."""
    try:
        return subprocess.run(command, check=False).returncode
    except OSError:
        return 127


def put_micropython(
    kind: BoardKind, where: str, image: str, show: Show, *, dry_run: bool, run: Run = run_command
) -> None:
    """`image` is a file, or `fetch` for mpflash to download the release. The ARC gets its partition table with it.

    `where` is the ARC's port, or the drive as which a module's boot loader shows itself.
    """
    if image != FETCH and not Path(image).is_file():
        raise FlashError(f"there is no file {image}", "name a MicroPython image, or say `--micropython fetch`")
    if kind is not ARC and image != FETCH:
        show.say(f"{'would copy' if dry_run else 'copying'} {image} to {where}")
        if not dry_run:
            _copy(kind, image, where)
        return
    with tempfile.TemporaryDirectory() as folder:
        for command in commands(kind, where, image, _table_file(Path(folder))):
            _run(kind, command, show, dry_run, run)


def _copy(kind: BoardKind, image: str, drive: str) -> None:
    try:
        shutil.copyfile(image, Path(drive) / Path(image).name)
    except OSError as error:
        raise FlashError(
            f"{image} cannot be copied to {drive} ({error})",
            f"{kind.bootloader}, then run this again; if the drive went by itself, run it without `--micropython`:"
            " MicroPython is on the chip then",
        ) from error


def commands(kind: BoardKind, where: str, image: str, table: Path) -> list[list[str]]:
    """What is to be run, in order."""
    fetch = [_tool("mpflash"), "flash", "--board", kind.micropython_board, "--version", MICROPYTHON]
    if kind is not ARC:
        return [[*fetch, "--volume", where]]
    if image == FETCH:
        return [[*fetch, "--serial", where, "--erase"], [*_esptool(where), "write-flash", hex(TABLE_AT), str(table)]]
    return [
        [*_esptool(where), "erase-flash"],
        [*_esptool(where), "write-flash", "0x0", image, hex(TABLE_AT), str(table)],
    ]


def wait_for_drive(
    root: Path = Path("/"),
    pause: Callable[[], None] = lambda: time.sleep(0.3),
    letters: Sequence[Path] = _LETTERS,
) -> str:
    """The drive RPI-RP2, once it is mounted. Where drives are `letters`, the one that says of itself that it is this one."""
    while True:
        for pattern in _DRIVES:
            for drive in sorted(root.glob(pattern)):
                return str(drive)
        for drive in letters:
            with contextlib.suppress(OSError):
                if b"RPI-RP2" in (drive / _ABOUT).read_bytes():
                    return str(drive)
        pause()


def _run(kind: BoardKind, command: list[str], show: Show, dry_run: bool, run: Run) -> None:
    show.say(("would run: " if dry_run else "running: ") + " ".join(command))
    if not dry_run and run(command):
        raise FlashError(
            f"{Path(command[0]).name} did not succeed; its last lines above say why",
            f"{kind.bootloader}, then run this again with the same arguments",
        )


def _table_file(folder: Path) -> Path:
    table = folder / "partitions.bin"
    table.write_bytes(pack_table(arc_partitions()))
    return table


def _tool(name: str) -> str:
    """The command beside this Python, else the one on the PATH."""
    beside = Path(sys.executable).with_name(name)
    return str(beside) if beside.exists() else name


def _esptool(port: str) -> list[str]:
    return [_tool("esptool"), "--chip", "esp32s3", "--port", port]
