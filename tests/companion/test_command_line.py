"""`python -m companion` with input of every kind: a sentence for what is wrong, never a traceback."""

import contextlib
import json
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from companion import arc_choice, command_line
from companion.desk_process import ROOT, RunningDesk
from companion.headless import ScriptError, parse
from companion.link.updating import WHY
from companion.session.actions import TapCard
from companion.session.journal_text import act_text
from companion.storage.claim import claimed
from companion.storage.database import Database
from companion.storage.records import StoreError
from companion.storage.schema import MIGRATIONS
from firmware.desk.__main__ import _parser as desk_parser
from protocol import messages as m

WITHIN_S = 60
CTRL_C_WHILE_IT_LOADS = """
import runpy, sys

class CtrlC:
    def find_spec(self, name, path=None, target=None):
        if name == "companion.catalog":
            raise KeyboardInterrupt

sys.meta_path.insert(0, CtrlC())
runpy.run_module("companion", run_name="__main__")
"""


def run(tmp_path: Path, *options: str, stdin: Path | None = None) -> subprocess.CompletedProcess[str]:
    command = (sys.executable, "-m", "companion", "--arc", "none", "--store", str(tmp_path / "games.db"), *options)
    with (stdin or Path("/dev/null")).open("rb") as file:
        return subprocess.run(
            command, stdin=file, capture_output=True, text=True, cwd=ROOT, timeout=WITHIN_S, check=False
        )


def test_actions_come_from_a_file_as_from_a_pipe(tmp_path: Path) -> None:
    actions = tmp_path / "actions.jsonl"
    actions.write_text(f"nonsense\n{act_text(TapCard('bloch'))}\n")
    played = run(tmp_path, "--game", "new", "--headless", "-", stdin=actions)
    assert (played.returncode, played.stderr) == (0, "")
    states = [json.loads(line) for line in played.stdout.splitlines()]
    assert "error" in states[1]
    assert states[-1]["notices"] == ["Paul Bloch sits down."]


def test_a_script_of_other_bytes_is_said(tmp_path: Path) -> None:
    script = tmp_path / "script.txt"
    script.write_bytes(b"\xff\xfe\n")
    played = run(tmp_path, "--headless", str(script))
    assert played.returncode == 1
    assert played.stderr.startswith(f"companion: cannot read the script {script}: ")


def test_a_quote_that_does_not_close_names_its_line() -> None:
    with pytest.raises(ScriptError, match="line 2: No closing quotation"):
        parse('next\ncard "open')


def test_ctrl_c_while_it_loads_is_no_fault() -> None:
    command = (sys.executable, "-c", CTRL_C_WHILE_IT_LOADS)
    ended = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, timeout=WITHIN_S, check=False)
    assert (ended.returncode, ended.stdout, ended.stderr) == (0, "", "")


def test_a_store_that_is_open_in_another_app_is_said_and_free_again_once_that_one_was_killed(tmp_path: Path) -> None:
    store = tmp_path / "games.db"
    first = (sys.executable, "-m", "companion", "--arc", "none", "--store", str(store), "--headless", "-")
    with subprocess.Popen(first, stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=ROOT) as running:
        assert running.stdout is not None
        assert running.stdout.readline()
        second = run(tmp_path, "--headless", "-")
        assert (second.returncode, second.stdout) == (1, "")
        assert second.stderr.startswith(f"companion: {store} is open in the app already. Close it there")
        running.kill()
    assert run(tmp_path, "--headless", "-").returncode == 0


async def test_a_store_that_is_open_in_another_app_is_not_touched(tmp_path: Path) -> None:
    """Not even to bring it to this app's version: the other one works on it."""
    path = tmp_path / "new" / "games.db"
    options = command_line.parser().parse_args(["--arc", "none", "--store", str(path), "--headless"])
    with claimed(path), contextlib.closing(sqlite3.connect(path)) as database:
        database.executescript(f"{MIGRATIONS[0]}PRAGMA user_version = 1;")
        with pytest.raises(StoreError, match="open in the app already"):
            await command_line.run(options)
        assert database.execute("PRAGMA user_version").fetchone() == (1,)
    assert await command_line.run(options) == 0


def test_a_demo_begins_with_an_empty_store_under_the_same_lock(tmp_path: Path) -> None:
    """Another lock in its place would be free for a second app while the first still holds this one."""
    path, lock = tmp_path / "games.db", tmp_path / "games.db.lock"
    with claimed(path), contextlib.closing(Database(path)) as store:
        store.keep_setting("of", "the demo before")
    before = lock.stat().st_ino
    assert command_line.fresh_store(tmp_path) == path
    assert lock.stat().st_ino == before
    with contextlib.closing(Database(path)) as store:
        assert store.setting("of") is None


@pytest.mark.parametrize(("flashed", "arguments"), [(True, ("--flashed",)), (False, ())])
async def test_boards_of_the_desk_that_take_new_firmware_are_asked_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, flashed: bool, arguments: tuple[str, ...]
) -> None:
    started: list[tuple[str, ...]] = []

    class NoDesk(RunningDesk):
        def __init__(self, state: Path, *, window: bool, arguments: tuple[str, ...]) -> None:
            started.append(arguments)
            self.endpoints = {"radio": "unix-client:nowhere"}

        async def __aenter__(self) -> "NoDesk":
            return self

        async def __aexit__(self, *_error: object) -> None:
            pass

    monkeypatch.setattr(arc_choice, "DeskProcess", NoDesk)
    options = command_line.parser().parse_args(["--arc", "desk", *(["--flashed"] if flashed else [])])
    async with arc_choice.arc_for("desk", "ble", tmp_path / "games.db", has_window=False, flashed=options.flashed):
        assert started == [arguments]


def test_a_desk_that_refuses_updates_is_told_with_the_word_that_both_command_lines_know() -> None:
    assert "--flashed" in WHY[m.UNSUPPORTED]
    assert desk_parser().parse_args(["--flashed"]).flashed
