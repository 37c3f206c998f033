"""An ARC on the desk, started from its folders as a board is, gets a new firmware over Bluetooth."""

import asyncio
import shutil
from collections.abc import AsyncIterator
from pathlib import Path
from unittest import mock

import pytest
from attrs import evolve

from firmware.desk import desk as desks
from firmware.desk.desk import ARC, Desk
from firmware.desk.kinds import ARC_KIND
from firmware.flash import kinds
from firmware.flash.program import MANIFEST, Program, build_program
from firmware.flash.slots import RUNNING, STARTER
from firmware.flash.sources import ROOT, source_files
from firmware.flash.updating import image_of
from protocol import events
from protocol.messages import UpdateBegin
from protocol.update_image import Image
from protocol.update_sending import update_steps
from tests.firmware.arc.desk.tablet import Tablet, over_ble, over_serial
from tests.firmware.arc.desk.test_arc_on_desk import CARD, paired

pytestmark = pytest.mark.desk

BOARDS = Path(__file__).parent / "boards"
ENTRY = kinds.ARC.entry
OLD, NEW = (0, 1, 0), (0, 2, 0)


def sources_of(version: tuple[int, int, int], root: Path) -> Path:
    """The ARC's program as it is, but for its version."""
    for name, path in source_files(ENTRY).items():
        target = root / name
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(path, target)
    controller = root / "firmware/arc/controller.py"
    text = controller.read_text()
    assert f"FIRMWARE_VERSION = {OLD}" in text
    controller.write_text(text.replace(f"FIRMWARE_VERSION = {OLD}", f"FIRMWARE_VERSION = {version}"))
    number = ".".join(map(str, version))
    (root / "pyproject.toml").write_text(f'[project]\nversion = "{number}"\n')
    return root


@pytest.fixture(scope="module")
def programs(tmp_path_factory: pytest.TempPathFactory) -> tuple[Program, Image]:
    """What runs, and the image of what is to run."""
    new = build_program(ENTRY, sources_of(NEW, tmp_path_factory.mktemp("new")))
    return build_program(ENTRY, ROOT), image_of(new, kinds.ARC)


@pytest.fixture
def files(tmp_path: Path, programs: tuple[Program, Image]) -> Path:
    """The board's file system as the flash tool leaves it."""
    files = tmp_path / ARC / "files"
    old = programs[0]
    for name, data in {**old.files, MANIFEST: old.manifest()}.items():
        place = files / "a" / name
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(data)
    shutil.copy(STARTER, files / "main.py")
    (files / RUNNING).write_text("a")
    return files


@pytest.fixture
async def desk(tmp_path: Path, files: Path) -> AsyncIterator[Desk]:
    # The program lies in files here and not in the ROM image, so its code is in the heap, as on a board.
    kind = evolve(ARC_KIND, entry=str(BOARDS / "starter_arc.py"), heap="640k")
    with mock.patch.object(desks, "ARC_KIND", kind):
        async with Desk(state=tmp_path, interval_ms=7.5, seed=1) as desk:
            yield desk


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


async def test_a_new_firmware_over_ble_runs_after_the_switch_and_stays_once_reached(
    desk: Desk, files: Path, programs: tuple[Program, Image]
) -> None:
    image = programs[1]
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
        await kept(files, "b")
    await desk.cut_power()
    await desk.give_power()
    async with over_serial(desk.serial) as cable:
        assert await version_of(cable) == NEW


async def test_an_update_that_is_cut_off_leaves_the_old_firmware_and_goes_on_later(
    desk: Desk, files: Path, programs: tuple[Program, Image]
) -> None:
    image = programs[1]
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
