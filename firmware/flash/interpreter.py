"""MicroPython itself onto a board, by esptool and mpflash as commands. Everything on the chip is erased."""

import shutil
import subprocess
import sys
import tempfile
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

Run = Callable[[Sequence[str]], int]


def run_command(command: Sequence[str]) -> int:
    """Run a command in view of the people; its return code."""
    try:
        return subprocess.run(command, check=False).returncode
    except OSError:
        return 127


def put_micropython(
    kind: BoardKind, port: str, image: str, show: Show, *, dry_run: bool, run: Run = run_command
) -> None:
    """`image` is a file, or `fetch` for mpflash to download the release. The ARC gets its partition table with it."""
    if image != FETCH and not Path(image).is_file():
        raise FlashError(f"there is no file {image}", "name a MicroPython image, or say `--micropython fetch`")
    if kind is not ARC and image != FETCH:
        _copy_uf2(kind, Path(image), show, dry_run)
        return
    with tempfile.TemporaryDirectory() as folder:
        for command in commands(kind, port, image, _table_file(Path(folder))):
            _run(kind, command, show, dry_run, run)


def commands(kind: BoardKind, port: str, image: str, table: Path) -> list[list[str]]:
    """What is to be run, in order."""
    if image == FETCH:
        return [_mpflash(kind, port), *([_write_table(port, table)] if kind is ARC else [])]
    return [
        [*_esptool(port), "erase-flash"],
        [*_esptool(port), "write-flash", "0x0", image, hex(TABLE_AT), str(table)],
    ]


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


def _write_table(port: str, table: Path) -> list[str]:
    return [*_esptool(port), "write-flash", hex(TABLE_AT), str(table)]


def _mpflash(kind: BoardKind, port: str) -> list[str]:
    flash = ["flash", "--board", kind.micropython_board, "--version", MICROPYTHON, "--serial", port, "--erase"]
    return [_tool("mpflash"), *flash]


def _copy_uf2(kind: BoardKind, image: Path, show: Show, dry_run: bool) -> None:
    """The RP2040's boot loader is a drive: what is copied there is flashed."""
    drive = next((found for pattern in _DRIVES for found in sorted(Path("/").glob(pattern))), None)
    if drive is None:
        raise FlashError("no drive RPI-RP2 is there", f"{kind.bootloader}: it then shows up as a drive")
    show.say(f"{'would copy' if dry_run else 'copying'} {image} to {drive}")
    if not dry_run:
        shutil.copy(image, drive)
