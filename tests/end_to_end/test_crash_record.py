"""The app reads what the ARC kept of a crash, from an ARC that really went down."""

import asyncio
import random
from pathlib import Path
from unittest import mock

import pytest
from attrs import evolve

from companion.link.serial_port import SerialPort
from companion.screens.controller import BoardDeed, BoardRow
from companion.session import actions
from companion.session.table import ArcState
from companion.storage.memory import MemoryStore
from companion.tablet import Tablet
from firmware.desk import desk as desks
from firmware.desk.desk import ARC, Desk
from firmware.desk.kinds import ARC_KIND
from tests.companion.session.small_rules import SETUP, SmallRules
from tests.companion.tablets import NOW

pytestmark = pytest.mark.desk
BOARDS = Path(__file__).parents[1] / "firmware" / "arc" / "desk" / "boards"


@pytest.mark.parametrize(
    ("program", "cause", "line"),
    [
        ("panicking_arc.py", "unplanned reset", "about to panic"),
        ("hanging_arc.py", "watchdog", "about to hang"),
    ],
)
async def test_the_menu_shows_the_crash_of_an_arc_that_went_down(
    tmp_path: Path, program: str, cause: str, line: str
) -> None:
    kind = evolve(ARC_KIND, entry=str(BOARDS / program))
    async with asyncio.timeout(60):
        with mock.patch.object(desks, "ARC_KIND", kind):
            async with Desk(seed=1) as desk:
                await desk.wait("stopped", board=ARC)
                await desk.wait("started", board=ARC)
                row = await read_crash(desk, tmp_path)
    assert (row.text, row.tone) == (f"{cause}. {line}", "critical")


async def read_crash(desk: Desk, folder: Path) -> BoardRow:
    """The row of the menu, read by an app that is new to this ARC."""
    rules = SmallRules()
    chance = random.Random(1).getrandbits
    tablet = Tablet(MemoryStore(), rules, rules.version, lambda _: SerialPort(desk.serial), chance, lambda: NOW, folder)
    tablet.new_game()
    tablet.act(actions.StartGame("Dawn", SETUP))
    try:
        while tablet.table is None or tablet.table.arc.state is not ArcState.READY:
            if tablet.table and tablet.table.arc.state is ArcState.PAIRING:
                await desk.press()
            await asyncio.sleep(0.05)
        tablet.ask_board(BoardDeed.READ)
        while not (found := [row for row in tablet.board if row.title == "Last crash"]):
            await asyncio.sleep(0.02)
        return found[0]
    finally:
        await tablet.stop()
