"""The app updates an ARC on the desk over Bluetooth, as `python -m companion --update` and as a tablet in the middle of a game."""

import asyncio
import random
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from unittest import mock

import pytest
from attrs import evolve

from companion import catalog as catalogs
from companion.arc_choice import over_radio
from companion.arc_line import ArcLine
from companion.link import updating
from companion.link.updating import WHY
from companion.screens.controller import FirmwareDeed, UpdateStage
from companion.session import actions
from companion.session.colonies import Colonies
from companion.session.table import ArcState, Phase
from companion.simulation.commands import Setup
from companion.simulation.words import Mode
from companion.storage.memory import MemoryStore
from companion.tablet import Tablet
from companion.updates.command import Updater, Wanted
from companion.updates.course import ALL_UPDATED, CONFIRMED
from companion.updates.folder import ARC_FILE, MODULE_FILE, look_into
from firmware.desk import desk as desks
from firmware.desk.desk import ARC, Desk
from firmware.desk.kinds import ARC_KIND, MODULE_KIND
from firmware.flash import kinds
from firmware.flash.program import build_program
from firmware.flash.slots import RUNNING
from firmware.flash.updating import image_of
from protocol.messages import UNKNOWN_MODULE
from protocol.update_image import Image
from tests.end_to_end.module_updates import BOARDS, WITHIN_S, make_image, until
from tests.firmware.arc.desk.test_update_on_desk import NEW
from tests.firmware.update.sources import of_version

pytestmark = pytest.mark.desk

CATALOG = catalogs.load()
SETUP = Setup(Mode.SEMI_COOP, ("bloch", "carter", "gore"), "verdance")
ENTRY = kinds.ARC.entry


@pytest.fixture(scope="module")
def image(tmp_path_factory: pytest.TempPathFactory) -> Image:
    return image_of(build_program(ENTRY, of_version(NEW, ENTRY, tmp_path_factory.mktemp("new"))), kinds.ARC)


@pytest.fixture
def images(tmp_path: Path, image: Image) -> Path:
    folder = tmp_path / "images"
    folder.mkdir()
    (folder / ARC_FILE).write_bytes(image.data)
    return folder


@pytest.fixture
async def desk(tmp_path: Path) -> AsyncIterator[Desk]:
    async with Desk(state=tmp_path, interval_ms=7.5, seed=1, flashed=(ARC,)) as desk:
        yield desk


def runs(tmp_path: Path) -> str:
    return (tmp_path / ARC / "files" / RUNNING).read_text()


async def update(desk: Desk, store: MemoryStore, wanted: Wanted, images: Path, say: Callable[[str], None]) -> bool:
    """As `--update` does it, from one connection to its end."""
    line = ArcLine(store, over_radio(desk.radio), 0x7AB1E7)
    try:
        async with asyncio.timeout(WITHIN_S):
            return await Updater(line, CATALOG, say, desk.press).run(wanted, look_into(images))
    finally:
        await line.ended()


@pytest.mark.soak
async def test_from_the_command_line(desk: Desk, tmp_path: Path, images: Path) -> None:
    said: list[str] = []
    store, arc = MemoryStore(), Wanted(arc=True, modules=False)
    assert await update(desk, store, arc, images, said.append)
    assert "The ARC is connected and runs 0.1.0." in said
    assert sum("%" in one for one in said) >= 5
    assert said[-1] == CONFIRMED.format(version="0.2.0")
    await until(lambda: runs(tmp_path) == "b")
    assert await update(desk, store, arc, images, said.append)
    assert said[-1] == "The ARC runs 0.2.0 already."


async def test_all_modules_and_one_that_is_pulled_on_the_way(
    tmp_path: Path, images: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Over Bluetooth to the ARC, over its bus to two modules that run from their own files."""
    monkeypatch.setattr(updating, "AWAY_AT_MOST_MS", updating.AWAY_MS)
    (images / MODULE_FILE).write_bytes(make_image(tmp_path / "new").data)
    store, said, modules = MemoryStore(), list[str](), Wanted(arc=False, modules=True)
    quick = evolve(ARC_KIND, entry=str(BOARDS / "quick_bus_arc.py"))
    with mock.patch.object(desks, "ARC_KIND", quick):
        async with Desk(state=tmp_path, interval_ms=7.5, seed=1, flashed=(MODULE_KIND.name,)) as desk:
            await desk.plug("solar")
            await desk.plug("hydro")
            await until(lambda: found(desk, "solar") and found(desk, "hydro"))

            pulling: list[asyncio.Task[None]] = []

            def say(text: str) -> None:
                said.append(text)
                if not pulling and "%" in text and text.startswith("Solar"):
                    pulling.append(asyncio.create_task(desk.unplug("solar")))

            assert not await update(desk, store, modules, images, say)
            assert said[-1] == "1 of 2 modules updated. The other one keeps its old firmware."
            assert [one for one in said if one.endswith(WHY[UNKNOWN_MODULE])]
            assert [one for one in said if one.startswith("Hydro") and one.endswith(": runs the new firmware.")]
            await desk.plug("solar")
            await until(lambda: found(desk, "solar"))
            assert await update(desk, store, modules, images, said.append)
            assert said[-2:] == [said[-2], ALL_UPDATED[0]]
            assert said[-2].startswith("Solar Power Plant ")
            # each passes its trial as soon as it is polled
            files = [desk.supervisor.boards[name].files for name in ("solar", "hydro")]
            await until(lambda: all((folder / RUNNING).read_text() == "b" for folder in files))


def found(desk: Desk, module: str) -> bool:
    return bool(desk.state()["boards"][module]["is_found"])


async def test_in_the_middle_of_a_round_that_is_settled_meanwhile(desk: Desk, tmp_path: Path, images: Path) -> None:
    store = MemoryStore()
    tablet = Tablet(
        store, Colonies(CATALOG), CATALOG.version, over_radio(desk.radio), random.Random(1).getrandbits, firmware=images
    )
    ticking = asyncio.create_task(tablet.run())
    try:
        tablet.new_game()
        await until(lambda: tablet.table and tablet.table.arc.state is ArcState.PAIRING)
        await desk.press()
        await until(lambda: tablet.table and tablet.table.arc.state is ArcState.READY)
        tablet.act(actions.StartGame("Dawn", SETUP))
        await until(lambda: tablet.is_kept_by_arc)
        tablet.ask_firmware(FirmwareDeed.LOOK)
        tablet.ask_firmware(FirmwareDeed.UPDATE_ARC)
        await until(lambda: percent(tablet) > 20)
        await desk.plug("solar")
        await until(lambda: tablet.table and tablet.table.dialog)
        tablet.act(actions.NameManager("bloch"))
        tablet.act(actions.Next())
        tablet.act(actions.Choose("confirm"))
        await until(lambda: tablet.table and tablet.table.phase is Phase.SUMMARY and tablet.is_kept_by_arc)
        assert percent(tablet) < 100, "the copy was left while the update ran"
        await until(lambda: tablet.firmware and tablet.firmware.update and not tablet.firmware.update.is_running)
        assert tablet.firmware is not None
        assert tablet.firmware.update is not None
        assert tablet.firmware.update.stage is UpdateStage.DONE
        assert tablet.firmware.arc_version == "0.2.0"
        await until(lambda: runs(tmp_path) == "b" and tablet.is_kept_by_arc)
        while tablet.table and tablet.table.phase is Phase.SUMMARY:
            tablet.act(actions.TurnPage(1))
        # the ARC that runs now plays on: it found its module, and hears the next
        await desk.plug("tanks")
        await until(lambda: tablet.table and tablet.table.dialog)
        assert tablet.table is not None
        assert tablet.table.missing == ()
    finally:
        ticking.cancel()
        await asyncio.gather(ticking, return_exceptions=True)


def percent(tablet: Tablet) -> int:
    shown = tablet.firmware.update if tablet.firmware else None
    return shown.percent if shown else 0
