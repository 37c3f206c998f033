"""The sitting at the beginning of a round as a text: what a game goes on from when its journal no longer replays.

In it is what the colony is and what stands on the table; what was registered since is not, and is registered again.
"""

import json
from typing import Any

from cattrs import Converter

from companion.session.acts import Continued
from companion.session.journal_text import JournalError, act_text
from companion.session.rules import Rules
from companion.session.state import State
from companion.session.table import Phase
from companion.simulation.commands import Setup
from companion.storage.records import JournalRow, Snapshot

_converter = Converter(forbid_extra_keys=True)
_CONNECTED = ("pairs", "connected", "submitted", "stand_ins")


def is_new_round(before: State, after: State) -> bool:
    return after.round_start is not None and after.round_start is not before.round_start


def snapshot_text(state: State, rules: Rules) -> str:
    """Of the round that has just begun. Hidden numbers are in it."""
    assert state.setup is not None
    # in round 1 the modules that were plugged in early are not in the colony yet
    has_modules = state.colony is state.round_start
    content: dict[str, Any] = {
        "name": state.name,
        "setup": _converter.unstructure(state.setup),
        "seated": state.seated,
        "colony": rules.colony_text(state.round_start),
        "asked": state.asked,
        "tapped": state.tapped,
        "is_over": state.is_over,
        **{name: getattr(state, name) if has_modules else () for name in _CONNECTED},
    }
    return json.dumps(content, ensure_ascii=False, separators=(",", ":"))


def continued_state(text: str, rules: Rules) -> State:
    """The sitting that goes on from there; `JournalError` when this catalog has no place for such a colony."""
    try:
        content = json.loads(text)
        colony = rules.colony_from_text(content["colony"])
        return State(
            phase=Phase.ENDED if content["is_over"] else Phase.ROUND,
            name=str(content["name"]),
            setup=_converter.structure(content["setup"], Setup),
            seated=tuple(content["seated"]),
            colony=colony,
            round_start=colony,
            asked=int(content["asked"]),
            tapped=int(content["tapped"]),
            is_over=bool(content["is_over"]),
            pairs=_pairs(content["pairs"]),
            connected=_pairs(content["connected"]),
            submitted=tuple(content["submitted"]),
            stand_ins=_pairs(content["stand_ins"]),
        )
    except JournalError:
        raise
    except Exception as error:
        raise JournalError(f"the colony that was kept cannot be used: {error}") from error


def first_row(snapshot: Snapshot, name: str = "") -> JournalRow:
    """With which the journal of a game begins that goes on from a snapshot, under another name if one is given."""
    content = json.loads(snapshot.text)
    content["name"] = name or content["name"]
    return JournalRow(1, act_text(Continued(json.dumps(content, ensure_ascii=False, separators=(",", ":")))))


def _pairs(entries: list[list[int]]) -> tuple[tuple[int, int], ...]:
    return tuple((first, second) for first, second in entries)
