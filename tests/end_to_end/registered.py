"""What a journal says was registered, and the colony that it makes: the two things that no disturbance may change."""

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from attrs import asdict

from companion import catalog, simulation
from companion.session.colonies import Colonies
from companion.session.sitting import Session
from companion.storage.memory import MemoryStore
from companion.storage.records import Game, JournalRow
from tests.end_to_end.tablet_process import CREATED, GAME, SEED

_UNDISTURBED = Path(__file__).parent / "undisturbed_journal.jsonl"
_PEOPLES = ("Swiped", "Drained", "StartGame", "Next", "Choose", "TurnPage", "Undo")


def registered(journal: Iterable[JournalRow]) -> list[dict[str, Any]]:
    """The acts of people, in order, and each module's first connection; without what the link and the bus went through."""
    found = []
    for row in journal:
        act = json.loads(row.act)
        if act["act"] in _PEOPLES:
            found.append(act)
        elif act["act"] == "Plugged" and "ConnectModule" in row.commands:
            found.append({"act": "Plugged", "type_id": act["type_id"]})
    return found


def colony_text(journal: Iterable[JournalRow]) -> str:
    """The colony in its text form, by replaying the journal as a fresh start of the app does."""
    rules, store = Colonies(catalog.load()), MemoryStore()
    store.create_game(Game(GAME, SEED, rules.version, CREATED))
    store.append(GAME, tuple(journal))
    session = Session(store, GAME, rules, lambda: CREATED, uses_arc=True)
    assert session.state.colony is not None
    return simulation.to_text(session.state.colony)


def keep_journal(journal: Iterable[JournalRow]) -> None:
    """Record an undisturbed evening: one row a line, readable in a diff."""
    _UNDISTURBED.write_text("".join(json.dumps(asdict(row), ensure_ascii=False) + "\n" for row in journal))


def undisturbed_journal() -> tuple[JournalRow, ...]:
    """The recorded evening."""
    return tuple(JournalRow(**json.loads(line)) for line in _UNDISTURBED.read_text().splitlines())
