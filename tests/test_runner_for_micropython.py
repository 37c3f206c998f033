"""The runner of `tests/on_micropython`: what fails, hangs or takes the interpreter down over there is told here."""

import os
from pathlib import Path

import pytest

from tests.on_micropython.interpreter import find_interpreter
from tests.on_micropython.results import read_results, run_file

needs_interpreter = pytest.mark.skipif(
    find_interpreter() is None and not os.environ.get("CI"), reason="no MicroPython interpreter"
)

FILE = """
def test_good():
    print("working")

def test_bad():
    print("about to fail")
    assert 1 == 2, "one is not two"

async def test_bad_coroutine():
    raise ValueError("within")

def test_deadly():
    raise KeyboardInterrupt  # nothing catches it: the interpreter ends

def test_endless():
    while True:
        pass
"""


@needs_interpreter
def test_each_fate_is_told_and_the_others_go_on(tmp_path: Path) -> None:
    path = tmp_path / "test_fates.py"
    path.write_text(FILE)
    names = ["test_deadly", "test_bad", "test_endless", "test_bad_coroutine", "test_good"]
    results = run_file(path, names, {"TIMEOUT_S": 1})
    errors = {name: result.error or "" for name, result in results.items()}
    assert errors["test_good"] == ""
    assert results["test_good"].output.strip() == "working"
    assert "one is not two" in errors["test_bad"]
    assert 'test_fates.py", line 7, in test_bad' in errors["test_bad"]
    assert "ValueError: within" in errors["test_bad_coroutine"]
    assert "did not end: the interpreter ended" in errors["test_deadly"]
    assert "did not end: still running after 1 s" in errors["test_endless"]


@needs_interpreter
def test_what_a_test_writes_goes_with_its_process(tmp_path: Path) -> None:
    path = tmp_path / "test_writing.py"
    path.write_text(
        "import os\n\ndef test_it():\n    print(os.getcwd(), os.listdir())\n    open('left', 'w').close()\n"
    )
    for _ in range(2):
        folder, files = run_file(path, ["test_it"], {})["test_it"].output.split()
        assert files == "[]"
        assert not Path(folder).exists()


@needs_interpreter
def test_a_file_that_does_not_load_fails_every_test(tmp_path: Path) -> None:
    path = tmp_path / "test_unloadable.py"
    path.write_text("import a_module_that_is_not_there\n")
    results = run_file(path, ["test_one", "test_two"], {})
    assert {name: "a_module_that_is_not_there" in (result.error or "") for name, result in results.items()} == {
        "test_one": True,
        "test_two": True,
    }


def test_an_interpreter_that_dies_in_a_traceback_is_told() -> None:
    results = read_results("@@ start test_one\n@@ failed test_one 3\nTraceback", "killed")
    assert results["test_one"].error == "the interpreter ended in the traceback"
