"""The firmware's unit tests once more, on the interpreter that is shipped: the same files with the same assertions."""

import os
from pathlib import Path

import pytest

from tests.on_micropython import interpreter, units

needs_interpreter = pytest.mark.skipif(
    interpreter.find_interpreter() is None and not os.environ.get("CI"), reason=interpreter.MISSING
)
SAMPLE = 3
"""Cases of one parametrized test that `make test` plays; `make soak` plays them all."""


def examine(name: str, limit: int, timeout_s: float) -> None:
    results = units.play(name, limit, timeout_s)
    assert results, "a file without tests"
    played, there = units.rows(results)
    print(f"{name}: {len(results)} tests, {played} of {there} cases")
    assert [f"{test}: {result.error}" for test, result in results.items() if result.error is not None] == []


@needs_interpreter
@pytest.mark.parametrize("name", [name for name in units.files() if name not in units.LONG])
def test_a_sample_holds_on_micropython(name: str) -> None:
    examine(name, SAMPLE, 90)


@needs_interpreter
@pytest.mark.soak
@pytest.mark.parametrize("name", units.files())
def test_every_case_holds_on_micropython(name: str) -> None:
    examine(name, 0, 900)


def test_what_is_named_exists_and_most_is_played() -> None:
    assert [name for name in (*units.ON_CPYTHON, *units.LONG) if not (units.FIRMWARE / name).is_file()] == []
    assert len(units.files()) >= 25


@needs_interpreter
def test_what_fails_there_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The stand-ins do not wave through: a false row, a property that does not hold, a block that raises nothing."""
    (tmp_path / "test_bad.py").write_text(BAD)
    monkeypatch.setattr(units, "FIRMWARE", tmp_path)
    monkeypatch.setattr(units, "PACKAGE", "")
    monkeypatch.setattr(units.interpreter, "ROOT", tmp_path)
    errors = {test: result.error or "" for test, result in units.play("test_bad.py", 0, 30).items()}
    assert {test: error.splitlines()[-1] for test, error in errors.items() if error} == {
        "test_rows": "AssertionError: 3 is not small",
        "test_property": "AssertionError:",
        "test_raises_nothing": "AssertionError: nothing was raised",
        "test_raises_another": "KeyError: 1",
        "test_fixture": "AssertionError: 7",
    }
    assert "with {'number': 3}" in errors["test_rows"]


BAD = """
import pytest
from hypothesis import given, strategies as st

@pytest.mark.parametrize("number", [1, 2, 3])
def test_rows(number):
    assert number < 3, str(number) + " is not small"

@given(st.integers(0, 100))
def test_property(number):
    assert number < 100

@given(st.integers(0, 100))
def test_property_that_holds(number):
    assert 0 <= number <= 100

def test_raises_nothing():
    with pytest.raises(ValueError):
        pass

def test_raises_another():
    with pytest.raises(ValueError):
        {}[1]

def test_raises_it():
    with pytest.raises(ValueError, match="a word"):
        raise ValueError("with a word in it")

@pytest.fixture
def seven():
    return 7

def test_fixture(seven):
    assert seven == 8, seven
"""
