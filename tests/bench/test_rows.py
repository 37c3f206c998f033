"""Rows of the bench: what is within its budget, what the JSON holds, and that a broken bench is told and ends in 1."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.bench import __main__ as bench
from tests.bench.rows import Row, table

KEYS = {"name", "value", "unit", "peer", "peer_value", "ratio", "budget", "ok"}


@pytest.mark.parametrize(
    ("value", "budget", "at_least", "ok"),
    [
        (40, 40, False, True),
        (41, 40, False, False),
        (40, 40, True, True),
        (39, 40, True, False),
        (9, None, False, True),
    ],
)
def test_a_budget_is_the_last_value_that_is_right(value: float, budget: float | None, at_least: bool, ok: bool) -> None:
    assert Row("r", value, "reads", budget=budget, at_least=at_least).ok is ok


def test_the_json_has_the_promised_keys_and_the_ratio() -> None:
    row = Row("r", 10, "reads", "popular driver", 2004, budget=40)
    assert row.to_json().keys() == KEYS
    assert row.to_json()["ratio"] == pytest.approx(10 / 2004)
    assert Row("r", 10, "reads", "none", None).ratio is None


def test_the_table_shows_peer_ratio_and_a_broken_budget() -> None:
    text = table([Row("poll", 50, "reads", "popular driver", 2000, budget=40)])
    assert "50 reads" in text
    assert "2,000 reads (popular driver)" in text
    assert "0.03 x" in text
    assert text.endswith("OVER BUDGET")


@pytest.mark.parametrize(("fails", "value", "code"), [(False, 1, 0), (False, 3, 1), (True, 1, 1)])
def test_the_exit_code_tells_of_budgets_and_failures(
    fails: bool, value: float, code: int, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def measure(name: str) -> Iterator[Row]:
        yield Row(name, value, "ms", budget=2)
        if fails:
            raise RuntimeError("no reading")

    monkeypatch.setattr(bench, "bench_names", lambda: ["thing"])
    monkeypatch.setattr(bench, "measure", measure)
    monkeypatch.setattr(bench, "RESULT", tmp_path / "build" / "bench.json")
    assert bench.main([]) == code
    written = json.loads((tmp_path / "build" / "bench.json").read_text())
    assert [row["name"] for row in written] == ["thing"]
