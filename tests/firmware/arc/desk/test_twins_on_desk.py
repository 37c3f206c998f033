"""Two modules of one identity on the assembled boards: noticed, told apart by their places, and one gets an instance for good."""

import asyncio
import shutil

import pytest

from firmware.desk.desk import Desk
from protocol import events
from protocol.messages import BUSY, PAGE_EDGES, UNKNOWN_MODULE, ModuleStatus, Ok, ReadModule, Refused, ResaltModule
from protocol.reading import decode_edges
from tests.firmware.arc.desk.tablet import Tablet, over_ble
from tests.firmware.arc.desk.test_arc_on_desk import page, paired

pytestmark = pytest.mark.desk

ONE, OTHER = "solar", "solar:2"


async def done(tablet: Tablet, command: type, *fields: object) -> bytes:
    """The answer, asked for again while it is not there yet."""
    async with asyncio.timeout(10):
        while True:
            answer = await tablet.ask(command, *fields)
            if isinstance(answer, Ok):
                return answer.data
            assert isinstance(answer, Refused)
            assert answer.reason == BUSY
            await asyncio.sleep(0.1)


def make_twins(desk: Desk) -> None:
    """The second miniature has the first one's chip id, and its settings as a copied image has them."""
    for name in (ONE, OTHER):
        desk.miniatures._take_out(name)
    one, other = desk.supervisor.boards[ONE], desk.supervisor.boards[OTHER]
    other.chip_id = one.chip_id
    shutil.copytree(one.files, other.files, dirs_exist_ok=True)


async def test_one_of_two_gets_an_instance_of_its_own_and_keeps_it() -> None:
    async with Desk(interval_ms=7.5, seed=1) as desk, over_ble(desk.radio) as tablet:
        make_twins(desk)
        await paired(desk, tablet)
        await tablet.resume()
        await desk.plug(ONE, port=0)
        first = (await tablet.event(events.ModuleAttached)).body
        assert isinstance(first, events.ModuleAttached)
        await desk.plug(OTHER, port=2)
        noticed = (await tablet.event(events.ModuleNoticed)).body
        assert noticed == events.ModuleNoticed(first.instance, events.MODULE_DUPLICATE_ID)
        await tablet.event(events.TopologyChanged)
        places = [
            (near, port) for near, port, far, _ in decode_edges(await page(tablet, PAGE_EDGES)) if far == first.instance
        ]
        assert places == [(0, 0), (0, 2)]
        status = ModuleStatus.unpack(await done(tablet, ReadModule, first.instance), 0)
        assert (status.firmware_minor, status.hardware, status.sharers) == (1, 1, 2)
        assert await tablet.refusal(ResaltModule, first.instance, 0, 1) == UNKNOWN_MODULE

        new = int.from_bytes(await done(tablet, ResaltModule, first.instance, 0, 2), "little")
        attached = (await tablet.event(events.ModuleAttached)).body
        assert attached == events.ModuleAttached(first.type_id, new, bytes(3), 0x20 | first.ports & 0x0F)
        assert await tablet.refusal(ResaltModule, first.instance, 0, 0) == UNKNOWN_MODULE, (
            "it has its instance alone now"
        )
        alone = (await tablet.event(events.ModuleNoticed)).body
        assert alone == events.ModuleNoticed(first.instance, events.MODULE_ALONE)

        desk.kill(OTHER)
        rebooted = (await tablet.event(events.ModuleNoticed)).body
        assert rebooted == events.ModuleNoticed(new, events.MODULE_REBOOTED), "kept through a restart"
