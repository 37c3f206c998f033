"""The desk as people feel it: a card at the roof to the session's journal, many modules at once, what an idle desk costs."""

import asyncio
import statistics
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import psutil

from companion.arc_line import MakeTransport
from firmware.desk.desk import Desk
from tests.bench.app_at_desk import GAME, App, over_ble, over_serial, swipes
from tests.bench.rows import Row

CARDS, PEER_CARDS = 40, 20
INTERVAL_MS = 30.0
MEDIAN_MS, P99_MS = 200.0, 300.0
"""DESIGN's promise, with a connection interval of 30 ms."""

MODULES, MODULES_WITHIN_S = 16, 10.0
IDLE_MODULES, IDLE_S, IDLE_PERCENT = 3, 5.0, 50.0
WITHIN_S = 30.0


def rows() -> Iterator[Row]:
    ble, serial, found_s = asyncio.run(_measure_one_desk())
    for name, ours, peers, budget in (
        ("median", statistics.median(ble), statistics.median(serial), MEDIAN_MS),
        ("p99", _p99(ble), _p99(serial), P99_MS),
    ):
        yield Row(
            f"card at the roof to the session's journal, BLE at 30 ms, {name}", ours, "ms", "USB serial", peers, budget
        )
    yield Row(f"{MODULES} modules plugged at once, until the last is found", found_s, "s", budget=MODULES_WITHIN_S)
    yield Row(
        f"idle desk with {IDLE_MODULES} modules: processor",
        asyncio.run(_measure_idle()),
        "% of a core",
        budget=IDLE_PERCENT,
    )


async def _measure_one_desk() -> tuple[list[float], list[float], float]:
    async with Desk(interval_ms=INTERVAL_MS, seed=1) as desk:
        ble = await _latencies_ms(desk, over_ble(desk), 1, CARDS)
        serial = await _latencies_ms(desk, over_serial(desk), 2, PEER_CARDS)
        began = time.monotonic()
        await desk.plug_some(MODULES)
        async with asyncio.timeout(WITHIN_S):
            while not all(board["is_found"] for board in desk.state()["boards"].values()):
                await asyncio.sleep(0.02)
        return ble, serial, time.monotonic() - began


async def _latencies_ms(desk: Desk, transport: MakeTransport, tablet: int, cards: int) -> list[float]:
    """From the tag in the field to what it means in the journal on this disk, through link, session and store of the app."""
    with tempfile.TemporaryDirectory() as folder:
        async with App(Path(folder), transport, tablet) as app:
            await app.sit_down(desk)
            rows = len(app.store.journal(GAME))
            found = []
            for number, card in enumerate(swipes(cards)):
                # so that gestures do not fall into step with the ARC's polls
                await asyncio.sleep(number * 0.37 % 0.1)
                found.append(await app.time_a_card_ms(desk, card))
            assert len(app.store.journal(GAME)) >= rows + cards, "each swipe is a row"
            return found


async def _measure_idle() -> float:
    async with Desk(seed=1) as desk:
        await desk.plug_some(IDLE_MODULES)
        async with asyncio.timeout(WITHIN_S):
            while not all(board["is_found"] for board in desk.state()["boards"].values()):
                await asyncio.sleep(0.02)
        before = _processor_s()
        await asyncio.sleep(IDLE_S)
        return (_processor_s() - before) / IDLE_S * 100


def _processor_s() -> float:
    """Processor time of this process and all it has started."""
    me = psutil.Process()
    return sum(sum(process.cpu_times()[:2]) for process in (me, *me.children(recursive=True)))


def _p99(values: list[float]) -> float:
    return sorted(values)[int(len(values) * 0.99)]
