"""Where the MicroPython interpreter is, and how tests and benches start it: the repository on its path, a bounded heap."""

import os
import shutil
import subprocess
import sysconfig
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
MISSING = "no MicroPython interpreter: neither the pip wheel (x86-64 Linux, arm64 macOS) nor `micropython` on the PATH"


def find_interpreter() -> str | None:
    """The wheel's interpreter beside this Python, else the one on the PATH, else None."""
    scripts = sysconfig.get_path("scripts")
    return shutil.which("micropython", path=scripts) or shutil.which("micropython")


def command(script: Path, arguments: Sequence[str] = (), *, heap: str = "256k") -> list[str]:
    """The command line that runs `script` in the interpreter; `FileNotFoundError` when there is none."""
    interpreter = find_interpreter()
    if interpreter is None:
        raise FileNotFoundError(MISSING)
    return [interpreter, "-X", f"heapsize={heap}", str(script), *arguments]


def environment(*, shims: bool = False, stand_ins: bool = False) -> dict[str, str]:
    """This process's environment with the interpreter's path: the repository, and in front of it, if asked, the desk's
    shims, or what stands in for pytest and the like."""
    path = [str(ROOT / "firmware" / "desk" / "shims")] if shims else []
    path += [str(Path(__file__).with_name("stand_ins"))] if stand_ins else []
    return {**os.environ, "MICROPYPATH": ":".join([*path, str(ROOT), ".frozen"])}


def run_script(
    script: Path,
    arguments: Sequence[str] = (),
    *,
    heap: str = "256k",
    shims: bool = False,
    stand_ins: bool = False,
    folder: str | Path = ROOT,
    timeout_s: float = 60,
) -> subprocess.CompletedProcess[str]:
    """Run `script` in `folder` to its end and return what it printed. `subprocess.TimeoutExpired` after `timeout_s`."""
    return subprocess.run(
        command(script, arguments, heap=heap),
        env=environment(shims=shims, stand_ins=stand_ins),
        cwd=folder,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        errors="replace",
        timeout=timeout_s,
        check=False,
    )
