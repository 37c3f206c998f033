"""Modules get a new firmware while people play: over the ARC's session, its process, the bus and their own processes and files.
Cut off anywhere it goes on later, and a firmware that does not run gives way."""

import asyncio
import random
import time
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from companion import catalog
from firmware.desk.desk import ARC
from firmware.flash.arc_session import ArcSession, open_port
from firmware.flash.module_updates import ModuleUpdates, modules_on_bus
from firmware.flash.tokens import TokenFile
from firmware.version import FIRMWARE_VERSION as OLD
from protocol import events
from protocol.update_image import Image
from protocol.update_sending import CHUNK
from tests.end_to_end.module_updates import (
    CARDS,
    GAME_EVENTS,
    NEW,
    WITHIN_S,
    Disturb,
    LostError,
    UpdateDesk,
    make_image,
    middle_of,
    quick_desk,
    until,
    update_desk,
)
from tests.firmware.flash.conftest import Watch
from tests.firmware.flash.test_arc_on_desk import in_thread

pytestmark = pytest.mark.desk

CATALOG = catalog.load()
RUN = "    asyncio.run(ModuleBoard().run())"


@pytest.fixture(scope="module")
def image(tmp_path_factory: pytest.TempPathFactory) -> Image:
    return make_image(tmp_path_factory.mktemp("new"))


@pytest.fixture
async def table(tmp_path: Path) -> AsyncIterator[UpdateDesk]:
    async with update_desk(tmp_path) as table:
        yield table


async def test_a_module_in_play_gets_a_new_firmware_and_only_its_version_changes(
    table: UpdateDesk, image: Image
) -> None:
    assert await table.version("solar") == OLD
    before = await table.place(), table.identity("solar"), table.shown("solar")
    await table.tablet.acknowledge()  # what is not would be sent once more, and counted here
    table.tablet.events.clear()
    playing = asyncio.ensure_future(table.swipe(*CARDS[:3]))
    await table.send(image, "solar")
    await table.runs("solar", NEW)
    await until(lambda: table.running("solar") == "b")
    await until(lambda: table.shown("solar") == before[2])
    assert (await table.place(), table.identity("solar")) == before[:2]
    assert await table.version("hydro") == OLD
    await playing
    await table.swipe(CARDS[3])
    told = await table.told(*CARDS)
    assert [body for body in told if isinstance(body, GAME_EVENTS)] == []
    noticed = [(body.instance, body.code) for body in told if isinstance(body, events.ModuleNoticed)]
    assert noticed == [(table.instances["solar"], events.MODULE_REBOOTED)]


async def kill_module(table: UpdateDesk) -> None:
    table.desk.kill("solar")
    await table.desk.wait("started", WITHIN_S, board="solar")


async def pull_module(table: UpdateDesk) -> None:
    await table.desk.unplug("solar")
    await until(lambda: not table.desk.state()["boards"]["solar"]["is_found"])
    await table.desk.plug("solar", port=1)
    await table.desk.plug("hydro", "solar", port=2, own_port=3)


async def kill_arc(table: UpdateDesk) -> None:
    """The session is over."""
    table.desk.kill()
    await table.desk.wait("started", WITHIN_S, board=ARC)
    raise LostError


@pytest.mark.parametrize("disturb", [kill_module, pull_module])
async def test_cut_off_in_the_middle_it_goes_on_at_the_file_that_was_under_way(
    table: UpdateDesk, image: Image, disturb: Disturb
) -> None:
    with pytest.raises(LostError):
        await table.send(image, "solar", disturb)
    await table.runs("solar", OLD)
    await table.send(image, "solar")
    assert table.begun[0] == 0
    assert len(image.manifest) < table.begun[1] <= middle_of(image)
    await table.runs("solar", NEW)


async def test_when_the_arc_dies_in_the_middle_the_next_session_goes_on(table: UpdateDesk, image: Image) -> None:
    await table.tablet.acknowledge()  # what is not would be sent once more, and counted here
    table.tablet.events.clear()
    playing = asyncio.ensure_future(table.swipe(*CARDS[:2]))

    async def end_of_cards(table: UpdateDesk) -> None:
        await playing
        await kill_arc(table)

    with pytest.raises(LostError):
        await table.send(image, "solar", end_of_cards)
    await table.resume()
    await table.found("solar")
    await table.runs("solar", OLD)
    playing = asyncio.ensure_future(table.swipe(*CARDS[2:]))
    await table.send(image, "solar")
    assert len(image.manifest) < table.begun[1] <= middle_of(image)
    await table.runs("solar", NEW)
    await playing
    await table.told(*CARDS)


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(8))
async def test_cut_off_again_and_again_it_gets_there(table: UpdateDesk, image: Image, seed: int) -> None:
    chance, identity = random.Random(seed), table.identity("solar")
    for _ in range(5):
        disturb = chance.choice((kill_module, pull_module, kill_arc))
        with pytest.raises(LostError):
            await table.send(image, "solar", disturb, chance.randrange(len(image.data) - CHUNK))
        await table.resume()
        await table.found("solar")
        await table.runs("solar", OLD)
    await table.send(image, "solar")
    await table.runs("solar", NEW)
    assert table.begun == sorted(table.begun)
    assert table.identity("solar") == identity
    assert await table.version("hydro") == OLD


FAULTS = {
    "not loading": (
        "import asyncio\n",
        "import asyncio\nimport nothing_of_this_name\nnothing_of_this_name.run()\n",
        "ImportError",
    ),
    "failing": (RUN, "    raise ValueError('it does not come up')", "it does not come up"),
    "hanging": (RUN, "    while True:\n        pass", ""),
}


@pytest.mark.parametrize(
    "fault", ["not loading", *(pytest.param(n, marks=pytest.mark.soak) for n in ("failing", "hanging"))]
)
async def test_a_firmware_that_does_not_start_gives_way_to_the_old_one(
    table: UpdateDesk, tmp_path: Path, image: Image, fault: str
) -> None:
    piece, instead, told = FAULTS[fault]
    files = table.desk.supervisor.boards["solar"].files
    await table.send(make_image(tmp_path / "faulty", main=(piece, instead)), "solar")
    await until(lambda: table.running("solar") == "a" and not (files / "trial").exists())
    assert not told or told in (files / "failed.txt").read_text()
    await table.runs("solar", OLD)
    assert table.running("solar") == "a"
    await table.send(image, "solar")
    await table.runs("solar", NEW)


@pytest.mark.soak
async def test_the_flash_tool_updates_all_modules_of_the_bus_and_one_that_dies_on_the_way(
    tmp_path: Path, image: Image
) -> None:
    watch, results, modules = Watch(), [], ("solar", "hydro", "tanks")
    async with quick_desk(tmp_path / "desk") as desk:
        await desk.plug_all(modules)
        await until(lambda: all(board["is_found"] for board in desk.state()["boards"].values()))

        def work() -> None:
            with ArcSession(open_port(desk.serial), TokenFile(tmp_path / "pairing.json"), watch) as session:
                updates = ModuleUpdates(session, image, session.token, watch, time.sleep, anyway=False)
                for _ in range(2):
                    results.append(updates.run(modules_on_bus(session, CATALOG)))

        done = set()

        async def hands() -> None:
            if "press" not in done and "press the ARC's button" in watch.text:
                done.add("press")
                await desk.press()
            if "kill" not in done and (desk.supervisor.boards["hydro"].files / "update.done").exists():
                done.add("kill")
                desk.kill("hydro")

        await in_thread(work, hands)
    assert done == {"press", "kill"}
    assert results == [True, True], watch.text
    assert "3 updated, 0 had it already, 0 failed" in watch.lines
    assert watch.lines[-1] == "0 updated, 3 had it already, 0 failed"
