"""Runs as a board on the desk: starts its program, lets it work for a while, and writes what its heap holds to `heap.json`."""

import asyncio
import gc
import json
import os
import struct
import sys

SETTLE_MS = 4_000
_ARC_SHIMS, _MODULE_SHIMS = ["machine", "bluetooth", "esp32", "neopixel"], ["machine"]


def _held() -> int:
    gc.collect()
    held: int = gc.mem_alloc()  # type: ignore[attr-defined]
    return held


def run() -> None:
    at_start = _held()
    is_arc = os.getenv("ARC_BOARD") == "arc"
    for name in _ARC_SHIMS if is_arc else _MODULE_SHIMS:
        __import__(name)
    shims = _held() - at_start
    name = "firmware.arc.main" if is_arc else "firmware.module.main"
    __import__(name)
    module = sys.modules[name]
    board = module.Arc() if is_arc else module.ModuleBoard()

    async def report() -> None:
        await asyncio.sleep_ms(SETTLE_MS)  # type: ignore[attr-defined]
        held = _held()
        with open("heap.json", "w") as file:
            total = held + gc.mem_free()  # type: ignore[attr-defined]
            json.dump(
                {"held": held, "total": total, "shims": shims, "interpreter": at_start, "word": struct.calcsize("P")},
                file,
            )

    asyncio.create_task(report())  # noqa: RUF006 (the interpreter's loop keeps its tasks)
    asyncio.run(board.run())
