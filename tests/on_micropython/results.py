"""Runs the tests of one file on MicroPython and reads what became of each. A test that takes the interpreter down fails alone."""

import re
import subprocess
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from tests.on_micropython import interpreter

RUNNER = Path(__file__).with_name("run_on_micropython.py")
_MARK = re.compile(r"^@@ (start|ok|failed|end)(?: (\S+))?(?: (\d+))?$")


class Result:
    """What became of one test: what it printed, and the traceback or other reason if it failed."""

    def __init__(self, output: str, error: str | None) -> None:
        self.output = output
        self.error = error


def run_file(path: Path, names: Sequence[str], constants: Mapping[str, Any]) -> dict[str, Result]:
    """The result of each named test. A new process goes on behind a test that ended or hung the one before."""
    results: dict[str, Result] = {}
    while left := [name for name in names if name not in results]:
        output, ending = _run_process(path, left, constants)
        found = read_results(output, ending)
        results.update(found or {name: Result("", f"the file does not load\n{output}\n{ending}") for name in left})
    return results


def _run_process(path: Path, names: Sequence[str], constants: Mapping[str, Any]) -> tuple[str, str]:
    """What the interpreter printed, and how it ended."""
    timeout_s = float(constants.get("TIMEOUT_S", 60))
    try:
        with tempfile.TemporaryDirectory() as folder:
            done = interpreter.run_script(
                RUNNER,
                [str(path), *names],
                heap=constants.get("HEAP", "256k"),
                shims=constants.get("SHIMS", False),
                folder=folder,
                timeout_s=timeout_s,
            )
    except subprocess.TimeoutExpired as expired:
        output = expired.stdout or b""
        text = output if isinstance(output, str) else output.decode(errors="replace")
        return text, f"still running after {timeout_s:g} s"
    return done.stdout, f"the interpreter ended with {done.returncode}\n{done.stderr}"


def read_results(output: str, ending: str) -> dict[str, Result]:
    """The results in the runner's output; a test begun and not ended has failed with `ending`."""
    results: dict[str, Result] = {}
    name, printed, failed = "", "", False
    for line in output.splitlines():
        mark = _MARK.match(line)
        if mark is None:
            printed += line + "\n"
            continue
        word = mark[1]
        if word == "start":
            name, printed, failed = mark[2], "", False
        elif word == "ok":
            results[mark[2]], name = Result(printed, None), ""
        elif word == "failed":
            results[mark[2]], printed, failed = Result(printed, "the interpreter ended in the traceback"), "", True
        elif failed:
            results[name].error, name = printed.rstrip(), ""
    if name and not failed:
        results[name] = Result(printed, f"the test did not end: {ending}")
    return results
