"""SQLite and memory sit the same exam."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from companion.storage.database import Database
from companion.storage.memory import MemoryStore
from companion.storage.records import Store
from tests.conformance.stores import EXAM


@pytest.fixture(params=["memory", "sqlite"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Store]:
    made: Store = MemoryStore() if request.param == "memory" else Database(tmp_path / "games.db")
    yield made
    made.close()


@pytest.mark.parametrize("check", EXAM, ids=lambda check: check.__name__.removeprefix("check_"))
def test_store(check: Callable[[Store], None], store: Store) -> None:
    check(store)
