"""What a journal says was registered, and the colony that it makes: the two things that no disturbance may change."""

import json
from collections.abc import Iterable
from typing import Any

from companion import catalog, simulation
from companion.session.colonies import Colonies
from companion.session.sitting import Session
from companion.storage.database import Database
from companion.storage.records import JournalRow
from tests.end_to_end.tablet_process import GAME, TabletProcess

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


def colony_text(tablet: TabletProcess) -> str:
    """The colony in its text form, by replaying the journal as a fresh start of the app does."""
    database = Database(tablet.store)
    try:
        session = Session(database, GAME, Colonies(catalog.load()), lambda: "2026-11-30T21:00:00+00:00", uses_arc=True)
        assert session.state.colony is not None
        return simulation.to_text(session.state.colony)
    finally:
        database.close()
