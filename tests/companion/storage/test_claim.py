"""Whose a store is: one app's at a time, where the file system can tell."""

import errno
from pathlib import Path

import pytest

from companion.storage import claim
from companion.storage.records import StoreError


def test_a_store_that_is_held_is_not_claimed_twice(tmp_path: Path) -> None:
    path = tmp_path / "games.db"
    with claim.claimed(path), pytest.raises(StoreError, match="open in the app already"), claim.claimed(path):
        pass
    with claim.claimed(path):
        pass


def test_a_file_system_without_locks_keeps_nobody_from_playing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def no_locks(*_: object) -> None:
        raise OSError(errno.ENOLCK, "No locks available")

    monkeypatch.setattr("fcntl.flock", no_locks)
    with claim.claimed(tmp_path / "games.db"):
        pass
