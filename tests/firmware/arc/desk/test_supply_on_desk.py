"""The current to the modules on the assembled ARC: a short, a module that blocks the wire, a board without the parts for it."""

import asyncio

import pytest

from firmware.desk.desk import ARC
from protocol import events
from protocol.messages import PAGE_MODULES, STATISTICS_BUS, ReadStatistics
from protocol.reading import decode_modules, unpack_counters
from tests.firmware.arc.desk.tablet import Tablet, over_ble
from tests.firmware.arc.desk.test_arc_on_desk import in_session, page
from tests.firmware.arc.desk.test_life_on_desk import desk_running, fault

pytestmark = pytest.mark.desk


async def bus_counters(tablet: Tablet) -> dict[str, int]:
    return unpack_counters(STATISTICS_BUS, await tablet.ok(ReadStatistics, STATISTICS_BUS))


async def modules_of(tablet: Tablet) -> set[int]:
    return {instance for instance, _, _ in decode_modules(await page(tablet, PAGE_MODULES))}


async def attached(tablet: Tablet, count: int) -> list[int]:
    """The instances of so many modules, as they come."""
    found: list[int] = []
    while len(found) < count:
        body = (await tablet.event(events.ModuleAttached)).body
        assert isinstance(body, events.ModuleAttached)
        found.append(body.instance)
    return found


async def test_a_short_is_switched_off_told_and_tried_again_until_it_is_gone() -> None:
    async with desk_running("patient_fused_arc.py") as desk:
        await desk.plug("solar", port=0)
        await desk.plug("hydro", "solar")
        async with in_session(desk) as tablet:
            found = set(await attached(tablet, 2))
            assert (await bus_counters(tablet))["current_ma"] == 40
            await desk.short()
            assert not desk.supervisor.boards["solar"].is_on
            assert (await fault(tablet, events.FAULT_BUS_OVERCURRENT)).detail == 4
            counters = await bus_counters(tablet)
            assert (counters["trips"], counters["current_ma"]) == (4, 0)
            await desk.short(False)
            restarted: set[int] = set()
            while restarted != found:
                noticed = (await tablet.event(events.ModuleNoticed)).body
                assert isinstance(noticed, events.ModuleNoticed)
                assert noticed.code == events.MODULE_REBOOTED
                restarted.add(noticed.instance)
            assert await modules_of(tablet) == found
            assert not [event for event in tablet.events if isinstance(event.body, events.ModuleDetached)]
            assert (await bus_counters(tablet))["current_ma"] == 40


async def test_a_module_that_blocks_the_wire_is_found_by_its_port_and_switched_off() -> None:
    async with desk_running("fused_arc.py") as desk:
        await desk.plug("solar", port=0)
        await desk.plug("hydro", port=2)
        async with in_session(desk) as tablet:
            await attached(tablet, 2)
            await desk.jam("hydro")
            assert (await fault(tablet, events.FAULT_BUS_STUCK)).detail == 0
            assert (await fault(tablet, events.FAULT_BUS_STUCK)).detail == 2 + 1, "the port, counted from 1"
            assert not desk.supervisor.boards["hydro"].is_on
            gone = (await tablet.event(events.ModuleDetached)).body
            (left,) = await modules_of(tablet)
            assert isinstance(gone, events.ModuleDetached)
            assert gone.instance != left
            await desk.jam("hydro", False)
            assert await attached(tablet, 1) == [gone.instance], "it was tried again"
            assert {gone.instance, left} == await modules_of(tablet)


async def test_a_restart_of_the_arc_is_none_of_its_modules() -> None:
    async with desk_running("fused_arc.py") as desk:
        await desk.plug("solar")
        async with in_session(desk) as tablet:
            await attached(tablet, 1)
        desk.kill(ARC)
        await desk.wait("started", board=ARC)
        async with over_ble(desk.radio) as again:
            again.token = tablet.token
            await again.resume()
            while len(await modules_of(again)) < 1:
                await asyncio.sleep(0.05)
        assert desk.supervisor.boards["solar"].starts == 1


async def test_a_board_without_the_parts_plays_all_the_same() -> None:
    async with desk_running("plain_arc.py") as desk:
        await desk.plug("solar")
        async with in_session(desk) as tablet:
            await attached(tablet, 1)
            counters = await bus_counters(tablet)
            assert (counters["trips"], counters["current_ma"]) == (0, 0)
            assert not {14, 39, 40, 41, 42} & set(desk.supervisor.boards[ARC].pins.levels)
