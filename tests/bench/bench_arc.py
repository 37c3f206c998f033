"""Heap of the firmware in the interpreter that runs it, after start and over 100,000 events.

The interpreter here has 8-byte words, the boards' chips have 4-byte words, and what lies in the heap is objects: code stays in
the ROM image. So the promise is counted in words, and the bytes here stand beside it. The desk's own modules, which are
part of the interpreter on a board, are counted in.
"""

import asyncio
import json
import statistics
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from unittest import mock

from attrs import evolve

from firmware.desk import desk as desks, miniatures
from firmware.desk.kinds import ARC_KIND, MODULE_KIND
from tests.bench.board_program import compiled_size
from tests.bench.rows import Row
from tests.firmware.arc.desk.tablet import find
from tests.on_micropython.interpreter import run_script

PROBE = str(Path(__file__).parent / "boards" / "heap_probe.py")
FLAT = Path(__file__).with_name("arc_heap_flat.py")
MODULE = "solar"
WITHIN_S = 60.0
BOOTS = 5
KIB = 1024
BOARD_WORD = 4


def rows() -> Iterator[Row]:
    heaps = asyncio.run(measure_heaps())
    for board, budget_kib in (("arc", 128), (MODULE, 80)):
        heap = heaps[board]
        name = "ARC" if board == "arc" else "module"
        yield Row(
            f"{name}: heap in use after start, in words of 4 bytes",
            value=heap["held"] * BOARD_WORD / heap["word"] / KIB,
            unit="KiB",
            peer=f"here, of {heap['total'] / KIB:.0f}; {(heap['shims'] + heap['interpreter']) / KIB:.0f} are the desk's",
            peer_value=heap["held"] / KIB,
            budget=budget_kib,
        )
    for name, module, budget_kib in (("ARC", "firmware.arc.main", 90), ("module", "firmware.module.main", 40)):
        yield Row(f"{name}: firmware as .mpy", value=compiled_size(module) / KIB, unit="KiB", budget=budget_kib)
    yield Row(
        "ARC: power to first advertisement on the desk",
        value=1000 * statistics.median(asyncio.run(measure_boots())),
        unit="ms",
        budget=1_500,
    )
    flat = measure_flatness()
    levels = flat["levels"]
    yield Row(
        "ARC: heap growth over 100,000 events sent and acknowledged",
        value=float(levels[-1] - levels[0]),
        unit="bytes",
        budget=0,
    )


async def measure_heaps() -> dict[str, dict[str, int]]:
    """What the ARC's heap holds, and that of a module plugged to it, four seconds after their start."""
    arc, module = evolve(ARC_KIND, entry=PROBE), evolve(MODULE_KIND, entry=PROBE)
    with mock.patch.object(desks, "ARC_KIND", arc), mock.patch.object(miniatures, "MODULE_KIND", module):
        async with desks.Desk(seed=1) as desk, asyncio.timeout(WITHIN_S):
            await desk.plug(MODULE)
            return {board: await _report_of(desk, board) for board in ("arc", MODULE)}


async def _report_of(desk: desks.Desk, board: str) -> dict[str, int]:
    path = desk.supervisor.boards[board].files / "heap.json"
    while not path.exists() or not path.read_text().endswith("}"):
        await asyncio.sleep(0.1)
    found: dict[str, int] = json.loads(path.read_text())
    return found


async def measure_boots() -> list[float]:
    """Seconds from power to the first advertisement that a scanner hears."""
    boots = []
    async with desks.Desk(seed=1, arc_on=False) as desk, asyncio.timeout(WITHIN_S):
        for _ in range(BOOTS):
            began_s = time.monotonic()
            await desk.give_power()
            await find(desk.radio)
            boots.append(time.monotonic() - began_s)
            await desk.cut_power()
    return boots


def measure_flatness() -> dict[str, Any]:
    """The heap held after each tenth of 100,000 events."""
    run = run_script(FLAT, timeout_s=300)
    if run.returncode:
        raise RuntimeError(run.stderr + run.stdout)
    measured: dict[str, Any] = json.loads(run.stdout)
    assert measured["acknowledged"] == measured["newest"] == 100_000
    return measured
