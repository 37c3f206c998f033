"""A colony and a command as text: JSON with sorted keys that comes back equal, for saved games, journals and tests."""

import json
from typing import Any, TypeVar, get_args

from cattrs.preconf.json import make_converter

from companion.catalog import Catalog
from companion.simulation.colony import Colony
from companion.simulation.commands import Command
from companion.simulation.problems import problems

VERSION = 1
T = TypeVar("T")


class TextError(ValueError):
    """The text is not a colony or a command; the message says what and where."""


def to_text(colony: Colony) -> str:
    """One line of JSON."""
    return json.dumps(
        {"colony": VERSION, "state": _converter.unstructure(colony)}, sort_keys=True, separators=(",", ":")
    )


def from_text(text: str) -> Colony:
    """The colony that `to_text` wrote. Raises `TextError`."""
    content = _parse(text)
    version = content.get("colony")
    if version != VERSION:
        raise TextError(f"this game was saved in form {version!r}; this app reads form {VERSION}")
    colony: Colony = _structure(content.get("state"), Colony)
    return colony


def command_to_text(command: Command) -> str:
    """One line of JSON; «do» names the command."""
    body = {"do": type(command).__name__, **_converter.unstructure(command)}
    return json.dumps(body, sort_keys=True, separators=(",", ":"))


def command_from_text(text: str) -> Command:
    """The command that `command_to_text` wrote. Raises `TextError`."""
    content = _parse(text)
    name = content.pop("do", None)
    kind = _COMMANDS.get(str(name))
    if kind is None:
        raise TextError(f"{name!r} is not a command of this app")
    command: Command = _structure(content, kind)
    return command


def differences(colony: Colony, catalog: Catalog) -> tuple[str, ...]:
    """Why this saved game cannot simply go on with this catalog; empty when it can.

    Another version alone is no obstacle as long as every name is known: numbers then follow the new catalog.
    """
    missing = [problem.text for problem in problems(colony, catalog)]
    if colony.catalog_version == catalog.version or not missing:
        return tuple(missing)
    head = f"saved with catalog {colony.catalog_version}, this is {catalog.version}"
    return (head, *missing, "start the app with the catalog folder of that game, or begin a new game")


def _parse(text: str) -> dict[str, Any]:
    try:
        content = json.loads(text)
    except ValueError as error:
        raise TextError(f"this is not the text of a saved game: {error}") from None
    if not isinstance(content, dict):
        raise TextError("this is not the text of a saved game: it is no JSON object")
    return content


def _structure(content: Any, kind: Any) -> Any:
    try:
        return _converter.structure(content, kind)
    except Exception as error:  # cattrs raises whatever the bad value makes it stumble over
        raise TextError(f"a saved {kind.__name__} is damaged: {type(error).__name__}: {error}") from None


def _exactly(kind: type) -> Any:
    def read(value: Any, _: Any) -> Any:
        if type(value) is not kind:
            raise ValueError(f"{value!r} is not a {kind.__name__}")
        return value

    return read


_converter = make_converter(forbid_extra_keys=True, detailed_validation=False)
for _kind in (int, str, bool):
    _converter.register_structure_hook(_kind, _exactly(_kind))
_COMMANDS: dict[str, type] = {kind.__name__: kind for kind in get_args(Command)}
