"""Boards that run from their own files, as the flash tool leaves them."""

import asyncio
import json
from pathlib import Path
from typing import Any

import psutil
import pytest

from firmware.desk.flashed import flash
from firmware.desk.kinds import MODULE_KIND
from firmware.flash.program import MANIFEST
from firmware.flash.slots import MAIN, RUNNING, STARTER
from firmware.version import FIRMWARE_VERSION
from tests.firmware.desk.test_program import WITHIN_S, Program, start


def test_a_new_board_gets_starter_and_program_and_an_old_one_keeps_what_it_has(tmp_path: Path) -> None:
    flash(tmp_path, MODULE_KIND.entry)
    assert (tmp_path / MAIN).read_bytes() == STARTER.read_bytes()
    manifest = json.loads((tmp_path / "a" / MANIFEST).read_bytes())
    assert manifest["version"].startswith(".".join(map(str, FIRMWARE_VERSION)))
    assert all((tmp_path / "a" / name).is_file() for name in manifest["files"])
    (tmp_path / RUNNING).write_text("b")
    (tmp_path / "a" / MANIFEST).unlink()
    flash(tmp_path, MODULE_KIND.entry)
    assert (tmp_path / RUNNING).read_text() == "b"
    assert not (tmp_path / "a" / MANIFEST).exists()


@pytest.mark.desk
async def test_the_program_starts_every_board_from_its_files(tmp_path: Path) -> None:
    endpoints = tmp_path / "desk.json"
    process = await start(endpoints, "--state", str(tmp_path / "state"), "--flashed", "--modules", "1")
    try:
        async with asyncio.timeout(2 * WITHIN_S):
            while not endpoints.exists():
                await asyncio.sleep(0.02)
            program = Program(process, json.loads(endpoints.read_text()), tmp_path / "state")
            await program.open()
            boards: dict[str, dict[str, Any]] = {}
            while len(boards) < 2 or not all(board["is_found"] for board in boards.values()):
                boards = (await program.ask(do="state"))["result"]["boards"]
                await asyncio.sleep(0.05)
        for board in boards:
            assert psutil.Process(boards[board]["pid"]).cmdline()[-1] == MAIN
            assert (tmp_path / "state" / board / "files" / "a" / MANIFEST).exists()
        program.writer.close()
    finally:
        process.kill()
        await process.communicate()
