"""The app beside an empty Kivy window, each in its own process, in one run: start, rest, memory, first sheet."""

import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from statistics import median

from tests.bench.rows import Row

ROOT = Path(__file__).parents[2]
TIMES = 3
EMPTY = "empty Kivy window"


def probe(kind: str) -> dict[str, float]:
    """One process from its start, with code that was compiled by a start before it, whatever this environment says of that."""
    environment = {key: value for key, value in os.environ.items() if key != "PYTHONDONTWRITEBYTECODE"}
    environment["PYTHONPYCACHEPREFIX"] = str(ROOT / "build" / "bench-compiled")
    command = [sys.executable, "-m", "tests.bench.window_probe", kind, str(time.time())]
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=120, check=True)
    result: dict[str, float] = json.loads(done.stdout.splitlines()[-1])
    return result


def rows() -> Iterator[Row]:
    for kind in ("empty", "start"):
        probe(kind)
    # turn about, so that a busy machine is as busy for both
    runs = [[probe(kind) for kind in ("empty", "start", "app")] for _ in range(TIMES)]
    empty, start, app = (
        {key: median(one[key] for one in of_a_kind) for key in of_a_kind[0]} for of_a_kind in zip(*runs, strict=True)
    )
    first, idle, memory = empty["first_frame_s"], empty["idle_percent"], empty["resident_mb"]
    yield Row("app: start to first frame", start["first_frame_s"], "s", EMPTY, first, budget=first + 0.5)
    yield Row(
        "app: start to first frame, processor time", start["first_frame_cpu_s"], "s", EMPTY, empty["first_frame_cpu_s"]
    )
    yield Row("app: a still screen, share of a core", app["idle_percent"], "%", EMPTY, idle, budget=idle + 1)
    yield Row("app: resident memory", app["resident_mb"], "MB", EMPTY, memory, budget=memory * 1.8)
    yield Row("app: message to sheet on the screen", app["sheet_frames"], "frames", "", None, budget=2)
    yield Row("app: message to sheet on the screen, time", app["sheet_ms"], "ms", "one frame", app["frame_ms"])
