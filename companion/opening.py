"""A saved game that this app's cards or rules have no simple place for: what differs, and what can be done. Nothing is lost.

Ways on: as the catalog it was played with; worked out anew with this one; or from the beginning of the last round, with
the colony as it was kept, as a game of its own beside the one that does not open.
"""

import json

from attrs import evolve, frozen

from companion.session.catalog_changes import change_text
from companion.session.continuing import continued_state, first_row
from companion.session.journal_text import JournalError
from companion.session.rules import Rules
from companion.storage.records import Game, Store

CONTINUED = "{name} (continued)"
_OTHER = "“{name}” was played with other cards or numbers than this app has now."
_UNKNOWN = "What they differ in is not known here."
_OLD_CATALOG = "With the catalog it was played with ({version}) it opens as it was: start the app with --catalog."
_DIFFERS = "With these the colony would not be what it was when you stopped."


@frozen
class Trouble:
    """Why a game was not opened. `can_continue`, `can_work_out_anew`: which of the ways on are open."""

    game: Game
    text: str
    can_continue: bool
    can_work_out_anew: bool


def remember_catalog(store: Store, rules: Rules) -> None:
    """So that another catalog can be compared with this one when there is only that other one left."""
    key = _key(rules.version)
    if store.setting(key) is None:
        store.keep_setting(key, json.dumps(rules.entries(), ensure_ascii=False))


def trouble_of(store: Store, id: str, rules: Rules, error: JournalError | None) -> Trouble:
    """`error`: its journal does not replay; None: it does, and gives another colony than people saw."""
    game = store.game(id)
    is_other = game.catalog_version != rules.version
    can_continue, why_not = _can_continue(store, id, rules)
    parts = [
        _OTHER.format(name=game.summary.name) if is_other else "",
        _differences(store, game, rules) if is_other else "",
        str(error) if error else _DIFFERS,
        why_not,
        _OLD_CATALOG.format(version=game.catalog_version) if is_other else "",
    ]
    return Trouble(game, " ".join(part for part in parts if part), can_continue, error is None)


def continue_game(store: Store, id: str, rules: Rules, new_id: str, timestamp: str) -> None:
    """A new game that goes on from the newest snapshot of `id`, which stays as it is."""
    game, snapshot = store.game(id), store.snapshot(id)
    assert snapshot is not None
    name = CONTINUED.format(name=game.summary.name)
    row = first_row(snapshot, name)
    state = continued_state(json.loads(row.act)["snapshot"], rules)
    view = rules.view(state.colony, name)
    summary = evolve(game.summary, name=name, round=view.round, max_rounds=view.max_rounds)
    made = evolve(game, id=new_id, catalog_version=rules.version, saved_at=timestamp, summary=summary)
    kept = evolve(snapshot, row=1, text=json.loads(row.act)["snapshot"])
    store.create_game(made, (row,), kept)


def _can_continue(store: Store, id: str, rules: Rules) -> tuple[bool, str]:
    snapshot = store.snapshot(id)
    if snapshot is None:
        return False, ""
    try:
        state = continued_state(snapshot.text, rules)
        rules.view(state.colony, state.name)
    except JournalError as error:
        return False, f"It cannot go on from its last round either: {error}."
    except Exception as error:  # a catalog without something that only drawing the colony asks for
        return False, f"It cannot go on from its last round either ({error})."
    return True, ""


def _differences(store: Store, game: Game, rules: Rules) -> str:
    kept = store.setting(_key(game.catalog_version))
    return change_text(json.loads(kept), rules.entries()) if kept else _UNKNOWN


def _key(version: str) -> str:
    return f"catalog:{version}"
