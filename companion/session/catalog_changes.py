"""What two catalogs differ in, entry by entry, in words for people. Pure.

A digest of each entry is kept when a game begins; another catalog is compared with it when the game is opened.
"""

import json
from collections.abc import Iterator, Mapping
from hashlib import sha256
from typing import Any

from cattrs import Converter

from companion.catalog import Catalog

_DIGITS = 8
_AT_MOST = 6
"""Names in one sentence."""
_KINDS = {
    "modules": "module",
    "managers": "manager",
    "tokens": "token",
    "assistants": "assistant",
    "advisors": "advisor",
    "decrees": "decree",
    "directives": "directive",
    "occurrences": "occurrence",
    "planets": "planet",
    "fleets": "fleet",
    "scenarios": "scenario",
}
"""What the app plays by; cards that only the table knows change no game."""
_converter = Converter()


def entry_digests(catalog: Catalog) -> dict[str, str]:
    """Every entry by its name for people → digest; the same for the same entries on every machine."""
    return {name: _digest(entry) for name, entry in _entries(catalog)}


def change_text(before: Mapping[str, str], after: Mapping[str, str]) -> str:
    """One sentence a kind of change; empty when there is none."""
    changed = [name for name, digest in before.items() if after.get(name, digest) != digest]
    gone = [name for name in before if name not in after]
    new = [name for name in after if name not in before]
    parts = (_listed("Changed", changed), _listed("No longer there", gone), _listed("New", new))
    return " ".join(part for part in parts if part)


def _entries(catalog: Catalog) -> Iterator[tuple[str, object]]:
    for kind, word in _KINDS.items():
        for id, entry in getattr(catalog, kind).items():
            name = getattr(entry, "title", None) or getattr(entry, "name", None)
            yield f"{word} “{name or id}”" if name != id else f"{word} {id}", entry
    for section, numbers in catalog.raw_rules.items():
        yield f"the numbers of “{section}”", numbers


def _digest(entry: object) -> str:
    text = json.dumps(_converter.unstructure(entry), sort_keys=True, default=_plain)
    return sha256(text.encode()).hexdigest()[:_DIGITS]


def _plain(value: Any) -> Any:
    return sorted(value, key=repr) if isinstance(value, set | frozenset) else repr(value)


def _listed(word: str, names: list[str]) -> str:
    if not names:
        return ""
    more = f" and {len(names) - _AT_MOST} more" if len(names) > _AT_MOST else ""
    return f"{word}: {', '.join(names[:_AT_MOST])}{more}."
