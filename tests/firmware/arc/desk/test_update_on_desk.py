"""An ARC on the desk, started from its folders as a board is, gets a new firmware over Bluetooth."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from firmware.desk.desk import ARC, Desk
from firmware.flash import kinds
from firmware.flash.program import build_program
from firmware.flash.slots import RUNNING
from firmware.flash.updating import image_of
from firmware.version import FIRMWARE_VERSION as OLD
from protocol import events
from protocol.messages import UpdateBegin
from protocol.update_image import Image
from protocol.update_sending import update_steps
from tests.firmware.arc.desk.tablet import Tablet, over_ble, over_serial
from tests.firmware.arc.desk.test_arc_on_desk import CARD, paired
from tests.firmware.update.sources import of_version

pytestmark = pytest.mark.desk

NEW = (0, 2, 0)


@pytest.fixture(scope="module")
def image(tmp_path_factory: pytest.TempPathFactory) -> Image:
    """Of the ARC's program as it is, but for its version."""
    sources = of_version(NEW, kinds.ARC.entry, tmp_path_factory.mktemp("new"))
    return image_of(build_program(kinds.ARC.entry, sources), kinds.ARC)


@pytest.fixture
async def desk(tmp_path: Path) -> AsyncIterator[Desk]:
    async with Desk(state=tmp_path, interval_ms=7.5, seed=1, flashed=(ARC,)) as desk:
        yield desk


@pytest.fixture
def files(desk: Desk) -> Path:
    """The board's file system."""
    return desk.supervisor.boards[ARC].files


async def send(tablet: Tablet, image: Image, commands: int = 100_000) -> int:
    """The whole update, or so many commands of it; the offset at which it began."""
    steps = update_steps(image, tablet.token)
    command = next(steps)
    begun = -1
    for _ in range(commands):
        fields = [getattr(command, name) for name, _ in command.LAYOUT[1:]]
        answer = await tablet.ok(type(command), *fields)
        if isinstance(command, UpdateBegin):
            begun = int.from_bytes(answer, "little")
        try:
            command = steps.send(answer)
        except StopIteration:
            break
    return begun


async def version_of(tablet: Tablet) -> tuple[int, int, int]:
    info = await tablet.hello()
    return info.firmware_major, info.firmware_minor, info.firmware_patch


async def kept(files: Path, folder: str) -> None:
    async with asyncio.timeout(10):
        while (files / RUNNING).read_text() != folder:
            await asyncio.sleep(0.05)


@pytest.mark.soak
async def test_a_new_firmware_over_ble_runs_after_the_switch_and_stays_once_reached(
    desk: Desk, files: Path, image: Image
) -> None:
    async with over_ble(desk.radio) as tablet:
        assert await version_of(tablet) == OLD
        await paired(desk, tablet)
        await tablet.resume()
        # half of it, and then again over what would be another day: it goes on, and cards are told meanwhile
        await send(tablet, image, commands=120)
        desk.present(CARD)
        assert await send(tablet, image, commands=40) > len(image.manifest)
        await tablet.event(events.CardPresented)
        await send(tablet, image)
        await desk.wait("stopped", board=ARC)
    async with over_ble(desk.radio) as again:
        again.token = tablet.token
        assert await version_of(again) == NEW
        assert (files / RUNNING).read_text() == "b a"
        await again.resume()
    # a tablet that goes at once has reached it
    await kept(files, "b")
    await desk.cut_power()
    await desk.give_power()
    async with over_serial(desk.serial) as cable:
        assert await version_of(cable) == NEW


async def test_an_update_that_is_cut_off_leaves_the_old_firmware_and_goes_on_later(
    desk: Desk, files: Path, image: Image
) -> None:
    async with over_ble(desk.radio) as tablet:
        await paired(desk, tablet)
        await tablet.resume()
        await send(tablet, image, commands=150)
        await desk.cut_power()
    await desk.give_power()
    async with over_ble(desk.radio) as again:
        again.token = tablet.token
        assert await version_of(again) == OLD
        await again.resume()
        assert await send(again, image, commands=2) > len(image.manifest)
    assert (files / RUNNING).read_text() == "a"
