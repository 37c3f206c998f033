"""Acts and commands as JSON texts, one a row of the journal: `{"act": "TapCard", "id": "governor"}`."""

import json
from collections.abc import Iterable
from typing import Any, get_args

from cattrs import Converter

from companion.session import acts
from companion.simulation import commands as simulation

_converter = Converter(forbid_extra_keys=True)
_ACTS: dict[str, type[Any]] = {kind.__name__: kind for kind in get_args(acts.Act)}
_COMMANDS: dict[str, type[Any]] = {kind.__name__: kind for kind in get_args(simulation.Command)}


class JournalError(Exception):
    """A row that this app cannot read; the text names it."""


def act_text(act: acts.Act) -> str:
    return json.dumps(_tagged(act, "act"), ensure_ascii=False, separators=(",", ":"))


def read_act(text: str) -> acts.Act:
    """The act of a row; `JournalError` for one that this version does not know."""
    act: acts.Act = _untagged(json.loads(text), "act", _ACTS)
    return act


def commands_text(commands: Iterable[simulation.Command]) -> str:
    tagged = [_tagged(command, "command") for command in commands]
    return json.dumps(tagged, ensure_ascii=False, separators=(",", ":"))


def read_commands(text: str) -> tuple[simulation.Command, ...]:
    return tuple(_untagged(entry, "command", _COMMANDS) for entry in json.loads(text))


def _tagged(value: object, word: str) -> dict[str, Any]:
    fields: dict[str, Any] = _converter.unstructure(value)
    return {word: type(value).__name__, **fields}


def _untagged(entry: Any, word: str, kinds: dict[str, type[Any]]) -> Any:
    try:
        fields = dict(entry)
        return _converter.structure(fields, kinds[fields.pop(word)])
    except Exception as error:
        raise JournalError(f"the journal has a row that this app cannot read: {_shown(entry)}") from error


def _shown(entry: Any) -> str:
    """Without the hidden numbers of a snapshot."""
    return repr({**entry, "snapshot": "…"} if isinstance(entry, dict) and "snapshot" in entry else entry)
