"""ARCHITECTURE.md shows each public face with an example; the examples run."""

import doctest
from pathlib import Path

import pytest

PAGE = Path(__file__).parents[1] / "ARCHITECTURE.md"


@pytest.mark.desk
def test_the_examples_run() -> None:
    failed, tried = doctest.testfile(str(PAGE), module_relative=False, encoding="utf-8")
    assert tried > 20
    assert failed == 0
