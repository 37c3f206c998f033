"""A desk with a tablet, both in a folder of their own, both gone afterwards."""

import json
import os
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from companion import catalog
from firmware.desk.desk import Desk
from tests.end_to_end.evening import Evening
from tests.end_to_end.tablet_process import TabletProcess


@pytest.fixture
def desk_link() -> str:
    """ble or serial; tests parametrize it."""
    return "ble"


@pytest.fixture
async def evening(tmp_path: Path, desk_link: str) -> AsyncIterator[Evening]:
    """Everything switched on, a game with a known seed opened on the tablet."""
    async with Desk(state=tmp_path / "boards", seed=1) as desk:
        endpoints = tmp_path / "endpoints.json"
        written = {"radio": desk.radio, "serial": desk.serial, "control": "", "pid": os.getpid()}
        endpoints.write_text(json.dumps(written))
        tablet = TabletProcess(tmp_path, endpoints, desk_link)
        tablet.create_game(catalog.load().version)
        await tablet.start()
        try:
            yield Evening(desk, tablet)
        finally:
            await tablet.close()
            # pytest shows it when the test failed
            print(tablet.log(), desk.log("arc"), desk.log("radio"))
