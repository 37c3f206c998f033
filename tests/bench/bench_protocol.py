"""A card event to bytes and back on MicroPython, beside the same event through json there; both in one interpreter run."""

import json
from collections.abc import Iterator
from pathlib import Path

from tests.bench.rows import Row
from tests.on_micropython.interpreter import run_script

SCRIPT = Path(__file__).with_name("protocol_on_micropython.py")


def rows() -> Iterator[Row]:
    run = run_script(SCRIPT, timeout_s=60)
    if run.returncode:
        raise RuntimeError(run.stderr)
    measured = json.loads(run.stdout)
    yield Row(
        "protocol: bytes of a card event on the air",
        value=measured["bytes"],
        unit="bytes",
        peer="json",
        peer_value=measured["json_bytes"],
        budget=20,
    )
    for what in ("encode", "decode"):
        yield Row(
            f"protocol: {what} a card event on MicroPython",
            value=measured[what],
            unit="us",
            peer="json",
            peer_value=measured[f"json_{what}"],
            budget=measured[f"json_{what}"],
        )
