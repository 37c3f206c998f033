"""What only a file can get wrong: reopening, versions, damage, a process killed in the middle of writing."""

import os
import signal
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from companion.storage.database import Database
from companion.storage.records import Cursor, Game, JournalRow, StoreError
from companion.storage.schema import VERSION

GAME = Game("g1", 5, "v1", "2026-01-02T10:00:00+00:00")

WRITER = """
import sys
from pathlib import Path
from companion.storage.database import Database
from companion.storage.records import Cursor, JournalRow
store = Database(Path(sys.argv[1]))
number = len(store.journal("g1"))
while True:
    number += 1
    store.append("g1", (JournalRow(number, "{}", epoch=1, sequence=number),), Cursor("a1", 1, number))
    print(number, flush=True)
"""


def test_reopening_finds_everything(tmp_path: Path) -> None:
    path = tmp_path / "folder" / "games.db"
    store = Database(path)
    store.create_game(GAME)
    store.append("g1", (JournalRow(1, "{}", "[]", "up", 3, 9),), Cursor("a1", 3, 9))
    store.close()
    again = Database(path)
    assert again.journal("g1") == (JournalRow(1, "{}", "[]", "up", 3, 9),)
    assert again.game("g1").cursor == Cursor("a1", 3, 9)
    again.close()


def test_a_killed_writer_leaves_row_and_cursor_equal(tmp_path: Path) -> None:
    path = tmp_path / "games.db"
    store = Database(path)
    store.create_game(GAME)
    store.close()
    for rows_before_kill in (1, 5, 20):
        writer = subprocess.Popen([sys.executable, "-c", WRITER, str(path)], stdout=subprocess.PIPE, text=True)
        assert writer.stdout is not None
        told = [int(writer.stdout.readline()) for _ in range(rows_before_kill)]
        os.kill(writer.pid, signal.SIGKILL)
        told += [int(line) for line in writer.stdout]
        writer.wait(10)
        writer.stdout.close()
        store = Database(path)
        cursor = store.game("g1").cursor
        assert cursor is not None
        assert cursor.sequence == len(store.journal("g1")) >= told[-1]
        store.close()


def test_a_newer_file_is_refused_with_both_versions(tmp_path: Path) -> None:
    path = tmp_path / "games.db"
    Database(path).close()
    database = sqlite3.connect(path)
    database.execute(f"PRAGMA user_version = {VERSION + 3}")
    database.close()
    with pytest.raises(StoreError, match=f"version {VERSION + 3}, this app reads up to {VERSION}"):
        Database(path)


def test_a_file_that_is_no_database_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "games.db"
    path.write_bytes(b"my holiday pictures" * 100)
    with pytest.raises(StoreError, match=r"cannot open .*games\.db.*--store"):
        Database(path)
    assert path.read_bytes() == b"my holiday pictures" * 100


def test_two_windows_on_one_game_conflict_without_loss(tmp_path: Path) -> None:
    first, second = Database(tmp_path / "games.db"), Database(tmp_path / "games.db")
    first.create_game(GAME)
    first.append("g1", (JournalRow(1, "{}"),))
    with pytest.raises(StoreError, match="second window"):
        second.append("g1", (JournalRow(1, "{}"),))
    assert len(second.journal("g1")) == 1
    first.close()
    second.close()


def test_a_seed_is_not_in_the_repr() -> None:
    assert "seed" not in repr(GAME)
