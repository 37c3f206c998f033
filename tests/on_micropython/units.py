"""The firmware's unit tests once more, on MicroPython: which files, and what became of each.

The files are those that pytest runs; `stand_ins/` takes the place of pytest, hypothesis and what else MicroPython lacks.
`python -m tests.on_micropython.units` plays them all and prints the counts.
"""

import ast
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from tests.on_micropython import interpreter
from tests.on_micropython.results import Result, read_results

RUNNER = Path(__file__).with_name("run_units.py")
FIRMWARE = interpreter.ROOT / "tests" / "firmware"
PACKAGE = "tests.firmware."
FOLDERS = ("arc", "bus", "drivers", "module", "reader", "update")
"""Those whose subject runs on a board."""

HEAP = "8m"
"""Room for flash models and lists of events; a board's heap is looked after in the other tests of this folder."""

ON_CPYTHON = {
    "arc/test_event_faults.py": "a world of drawn faults; `test_link_fuzz.py` and `test_arc_link.py` are here",
    "arc/test_radio_first.py": "reads the source",
    "bus/test_readme.py": "reads a page",
    "module/test_heap.py": "compiles the program and starts an interpreter for it",
}
HOST = {
    "companion": "the app's half is host code",
    "firmware.desk.wire": "the desk's wire is host code; `test_bus_core.py` and `test_bus_driver.py` are here",
    "tests.firmware.bus.chips": "chips in virtual time are host code; `test_bus_driver.py` is here",
    "tests.firmware.bus.play": "the desk's wire is host code; `test_bus_core.py` and `test_bus_driver.py` are here",
    "tests.firmware.module.update_table": "the desk's wire, and flash in folders of the host; `test_module_update.py` is here",
    "tests.firmware.update.model": "its flash is folders of the host; `test_update.py` is here",
    "attrs": "host code",
}
"""What stays on CPython, and why: these files, and those that import one of these. Every other file of the folders is played."""

LONG = {
    "reader/test_bit_errors.py": "noise on every bit, hours of the table",
    "reader/test_field_reports.py": "days of the table",
    "reader/test_reader.py": "swipes at every speed; the `test_reader.py` here plays some",
}
"""Files that are played in `make soak` alone."""


def left_out(name: str) -> str:
    """Why this file stays on CPython; "" for one that is played."""
    if name in ON_CPYTHON:
        return ON_CPYTHON[name]
    tree = ast.parse((FIRMWARE / name).read_text(encoding="utf-8"), name)
    imported = [node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom) and node.module]
    return next((why for host, why in HOST.items() for module in imported if f"{module}.".startswith(f"{host}.")), "")


def _found() -> list[str]:
    return sorted(f"{folder}/{path.name}" for folder in FOLDERS for path in (FIRMWARE / folder).glob("test_*.py"))


def files() -> list[str]:
    """The files that are played, as `folder/test_SUBJECT.py`."""
    return [name for name in _found() if not left_out(name)]


def tests_of(name: str) -> list[str]:
    """The tests of a file with their arguments, `test_it:argument,argument`; without those marked for soak as a whole."""
    tree = ast.parse((FIRMWARE / name).read_text(encoding="utf-8"), name)
    found = []
    for node in tree.body:
        if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) or not node.name.startswith("test_"):
            continue
        if "pytest.mark.soak" not in [ast.unparse(decorator) for decorator in node.decorator_list]:
            found.append(f"{node.name}:{','.join(argument.arg for argument in node.args.args)}")
    return found


def play(name: str, limit: int, timeout_s: float) -> dict[str, Result]:
    """What became of each test of a file, with at most `limit` rows of a parametrized one (0: all)."""
    tests = tests_of(name)
    module = f"{PACKAGE}{name.removesuffix('.py').replace('/', '.')}"
    with tempfile.TemporaryDirectory() as folder:
        try:
            done = interpreter.run_script(
                RUNNER, [module, str(limit), *tests], heap=HEAP, stand_ins=True, folder=folder, timeout_s=timeout_s
            )
            output, ending = done.stdout, f"the interpreter ended with {done.returncode}\n{done.stderr}"
        except subprocess.TimeoutExpired as expired:
            output, ending = (expired.stdout or b"").decode(errors="replace"), f"still running after {timeout_s:g} s"  # type: ignore[union-attr]
    results = read_results(output, ending)
    names = [test.partition(":")[0] for test in tests]
    return {
        name: results.get(name) or Result("", f"was not run; if it cannot be, say why in units.py: {output}\n{ending}")
        for name in names
    }


def rows(results: dict[str, Result]) -> tuple[int, int]:
    """How many cases were played, and how many there are."""
    counts = [re.search(r"^rows (\d+) (\d+)$", result.output, re.MULTILINE) for result in results.values()]
    return sum(int(count[1]) for count in counts if count), sum(int(count[2]) for count in counts if count)


def _play_all() -> Iterator[bool]:
    """Print what became of each file, then the counts; whether each was good."""
    tests = played = there = 0
    for name in files():
        results = play(name, 0, 900)
        failed = [test for test, result in results.items() if result.error is not None]
        counts = rows(results)
        print(f"{name:32} {len(results):4} tests {counts[0]:6} cases", *failed)
        tests, played, there = tests + len(results), played + counts[0], there + counts[1]
        yield not failed
    rest = {name: left_out(name) for name in _found() if left_out(name)}
    print(
        f"{len(files())} files, {tests} tests, {played} of {there} cases on MicroPython; {len(rest)} files stay on CPython:"
    )
    for name, reason in rest.items():
        print(f"  {name:36} {reason}")


if __name__ == "__main__":
    sys.exit(0 if all(list(_play_all())) else 1)
