"""Tests that run on MicroPython itself, shown by pytest like any others.

To add a file: write `tests/on_micropython/test_SUBJECT.py` for MicroPython: plain functions `test_…` (or `async def`),
plain asserts, no pytest import. Names that begin with `test_soak_` run in `make soak` only. Module constants, if wanted:

    HEAP = "160k"       # heap of the interpreter, 256k when not given
    SHIMS = True        # firmware/desk/shims in front of the path: `machine`, `bluetooth`, `esp32`
    TIMEOUT_S = 120     # for the whole file, 60 when not given

One interpreter process runs a file's tests in pytest's order, in an empty folder of its own that goes with it. A test that kills or hangs the interpreter fails alone:
those after it get a new process. Without an interpreter the tests are skipped, but fail where CI is set.
"""

import ast
import os
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.on_micropython import interpreter
from tests.on_micropython.results import Result, run_file


class FailedOnMicroPython(Exception):
    """A test of ours failed there; carries the interpreter's traceback."""


@pytest.hookimpl(tryfirst=True)
def pytest_pycollect_makemodule(module_path: Path, parent: pytest.Collector) -> "MicroPythonFile | None":
    """Take the files of this folder out of Python's hands: they are parsed here and imported only over there."""
    if module_path.parent != Path(__file__).parent:
        return None
    return MicroPythonFile.from_parent(parent, path=module_path)


class MicroPythonFile(pytest.File):
    """One file of tests and the results of its interpreter process, once it ran."""

    def collect(self) -> Iterator["MicroPythonTest"]:
        tree = ast.parse(self.path.read_text(encoding="utf-8"), str(self.path))
        self.constants = _constants(tree)
        self.results: dict[str, Result] = {}
        for node in tree.body:
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name.startswith("test_"):
                yield MicroPythonTest.from_parent(self, name=node.name, line=node.lineno - 1)

    def result(self, wanted: "MicroPythonTest") -> Result:
        """The result of one test. The first call runs all that pytest has selected from this file."""
        if wanted.name not in self.results:
            names = [item.name for item in wanted.session.items if item.parent is self]
            self.results.update(run_file(self.path, names, self.constants))
        return self.results[wanted.name]


class MicroPythonTest(pytest.Item):
    """One test function over there."""

    def __init__(self, *, line: int, **keywords: Any) -> None:
        super().__init__(**keywords)
        self.line = line
        if self.name.startswith("test_soak_"):
            self.add_marker("soak")

    def setup(self) -> None:
        if interpreter.find_interpreter() is None:
            (pytest.fail if os.environ.get("CI") else pytest.skip)(interpreter.MISSING)

    def runtest(self) -> None:
        assert isinstance(self.parent, MicroPythonFile)
        result = self.parent.result(self)
        if result.output.strip():
            self.add_report_section("call", "MicroPython", result.output)
        if result.error is not None:
            raise FailedOnMicroPython(result.error)

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        if isinstance(excinfo.value, FailedOnMicroPython):
            return str(excinfo.value)
        return super().repr_failure(excinfo)

    def reportinfo(self) -> tuple[Path, int, str]:
        return self.path, self.line, self.name


def _constants(tree: ast.Module) -> dict[str, Any]:
    """The module's constants HEAP, SHIMS and TIMEOUT_S."""
    found = {}
    for node in tree.body:
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Constant):
            for target in node.targets:
                if isinstance(target, ast.Name) and target.id in ("HEAP", "SHIMS", "TIMEOUT_S"):
                    found[target.id] = node.value.value
    return found


def pytest_report_header() -> Iterable[str]:
    yield f"micropython: {interpreter.find_interpreter() or 'none'}"
