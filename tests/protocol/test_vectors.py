"""The golden vectors, one test a case. `make bless` records anew what is computed; cases with a `source` never."""

import json
import os
from pathlib import Path
from typing import Any

import pytest

from tests.protocol import replay

FOLDER = Path(__file__).parents[2] / "protocol" / "vectors"


def all_cases() -> list[Any]:
    return [
        pytest.param(name, case, id=f"{name}-{case['name']}".replace(" ", "-"))
        for name in replay.REPLAYS
        for case in replay.load(str(FOLDER), name)
    ]


def bless(name: str) -> None:
    """Write the file of vectors with its computed values recorded anew, one case a line."""
    cases = replay.load(str(FOLDER), name)
    for case in cases:
        if "source" not in case:
            case.update(replay.REPLAYS[name](case))
    lines = ",\n".join(json.dumps(case, ensure_ascii=False) for case in cases)
    (FOLDER / f"{name}.json").write_text(f"[\n{lines}\n]\n", encoding="utf-8")


if os.environ.get("BLESS"):
    for _name in replay.REPLAYS:
        bless(_name)


@pytest.mark.parametrize(("name", "case"), all_cases())
def test_vector_is_replayed(name: str, case: dict[str, Any]) -> None:
    assert replay.differences(name, case) == []


def test_every_file_is_replayed() -> None:
    assert {path.stem for path in FOLDER.glob("*.json")} == set(replay.REPLAYS)


def test_names_of_cases_are_unique() -> None:
    for name in replay.REPLAYS:
        names = [case["name"] for case in replay.load(str(FOLDER), name)]
        assert len(names) == len(set(names)), name


@pytest.mark.parametrize("file", ["commands", "answers", "events"])
def test_every_message_has_a_valid_and_an_invalid_vector(file: str) -> None:
    cases = replay.load(str(FOLDER), file)
    valid = {case["message"] for case in cases if "fields" in case}
    invalid = {case["message"] for case in cases if "fields" not in case and "message" in case}
    bodies, messages = set(replay.body_classes()), replay.message_classes()
    expected = {
        "commands": {name for name, cls in messages.items() if 0 < cls.KIND < 0x40},
        "answers": {name for name, cls in messages.items() if not 0 < cls.KIND < 0x40},
        "events": bodies,
    }[file]
    assert valid == expected
    assert invalid == expected


def test_events_vectors_hold_all_lengths_of_uid() -> None:
    kinds = {case["bytes"][:2] for case in replay.load(str(FOLDER), "events") if "fields" in case}
    assert {"90", "91", "92", "94", "95", "96"} <= kinds
