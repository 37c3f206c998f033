"""The whole ARC program at constant play: cards come and go, a module is pulled and plugged, and no heap is lost by it."""

import statistics
import time

import pytest

from firmware.desk.desk import Desk
from protocol import events
from protocol.messages import STATISTICS_LIFE, STATISTICS_LINK, ReadStatistics
from protocol.reading import unpack_counters
from tests.firmware.arc.desk.tablet import Tablet, over_ble
from tests.firmware.arc.desk.test_arc_on_desk import paired

CARDS = ("manager:bloch", "manager:gore", "decree:open-canteens", "token:governor")
MODULES = ("solar", "well")
PLAY_S = 240
EVERY = 10
"""Cards between two times that a module is pulled."""
SLACK = 1_024
"""Bytes between two medians that are chance: what an event or an answer holds while it is under way."""


async def one_card(desk: Desk, tablet: Tablet, card: str) -> None:
    desk.present(card)
    await tablet.event(events.CardPresented)
    desk.remove()
    await tablet.event(events.CardRemoved)


async def replug(desk: Desk, tablet: Tablet, module: str) -> None:
    await desk.unplug(module)
    await tablet.event(events.ModuleDetached)
    await desk.plug(module)
    await tablet.event(events.ModuleAttached)


async def heap_free(tablet: Tablet) -> int:
    """Right after the board has collected its garbage."""
    return int(unpack_counters(STATISTICS_LIFE, await tablet.ok(ReadStatistics, STATISTICS_LIFE))["heap_free"])


@pytest.mark.desk
@pytest.mark.soak
async def test_soak_minutes_of_cards_and_modules_leave_the_heap_as_it_was() -> None:
    async with Desk(interval_ms=15, seed=1) as desk, over_ble(desk.radio) as tablet:
        await paired(desk, tablet)
        await tablet.resume()
        for module in MODULES:
            await desk.plug(module)
            await tablet.event(events.ModuleAttached)
        free: list[int] = []
        until = time.monotonic() + PLAY_S
        while time.monotonic() < until:
            await one_card(desk, tablet, CARDS[len(free) % len(CARDS)])
            if len(free) % EVERY == EVERY - 1:
                await replug(desk, tablet, MODULES[len(free) // EVERY % len(MODULES)])
            free.append(await heap_free(tablet))
        # what is made once, at the first card of a kind and the first module that goes, is made in the first quarter
        quarter = len(free) // 4
        early, late = free[quarter : 2 * quarter], free[-quarter:]
        print(f"{len(free)} cards; free early {min(early)} … {max(early)}, late {min(late)} … {max(late)}")
        assert statistics.median(late) >= statistics.median(early) - SLACK, free
        link = unpack_counters(STATISTICS_LINK, await tablet.ok(ReadStatistics, STATISTICS_LINK))
        assert link["resumes"] == 1, "one session through it all"
    assert len(free) > PLAY_S / 6
