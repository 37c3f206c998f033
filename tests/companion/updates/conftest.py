"""The ARC in memory, a folder of images, and a tablet with a game that is connected to it."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from companion.link import updating
from companion.updates.folder import ARC_FILE, MODULE_FILE
from tests.companion.tablets import TestTablet, until
from tests.companion.updates.bench import MODULE_IMAGE
from tests.companion.updates.updatable_board import IMAGE, UpdatableBoard


@pytest.fixture
async def board(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> UpdatableBoard:
    (tmp_path / "disk").mkdir()
    monkeypatch.chdir(tmp_path / "disk")
    # the clock is the loop's: what is waited for is there at once here
    for pause in ("BUSY_MS", "SLOW_MS", "AWAY_MS", "BACK_MS"):
        monkeypatch.setattr(updating, pause, 0)
    board = UpdatableBoard(MODULE_IMAGE)
    board.pairing.open_window(board.now_ms)
    return board


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "images"
    folder.mkdir()
    (folder / ARC_FILE).write_bytes(IMAGE.data)
    (folder / MODULE_FILE).write_bytes(MODULE_IMAGE.data)
    return folder


@pytest.fixture
async def tablet(board: UpdatableBoard, folder: Path) -> AsyncIterator[TestTablet]:
    tablet = TestTablet(board, firmware=folder)
    tablet.begin()
    await until(lambda: tablet.is_kept_by_arc)
    yield tablet
    await tablet.stop()
