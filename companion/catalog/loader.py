"""Reads a folder of TOML files into a `Catalog`, or says everything that is wrong with it. The only file access here."""

import hashlib
from functools import lru_cache
from pathlib import Path
from typing import Any

import tomli
from attrs import field, frozen

from companion.catalog.catalog import Catalog
from companion.catalog.checks import suggest
from companion.catalog.faults import CatalogError, Fault
from companion.catalog.lines import LineFinder
from companion.catalog.links import find_broken_links
from companion.catalog.model import (
    Advisor,
    Assistant,
    Decree,
    Directive,
    EndingText,
    Fleet,
    Manager,
    ModuleType,
    Occurrence,
    Planet,
    Token,
)
from companion.catalog.reading import EntryError, Reason, read_entry
from companion.catalog.rules import Rules
from companion.catalog.scenario import Scenario
from companion.catalog.table_cards import Ability, Artifact, Goal

SHIPPED = Path(__file__).parent
KINDS: dict[str, tuple[str, type]] = {
    "module": ("modules", ModuleType),
    "manager": ("managers", Manager),
    "token": ("tokens", Token),
    "assistant": ("assistants", Assistant),
    "advisor": ("advisors", Advisor),
    "decree": ("decrees", Decree),
    "directive": ("directives", Directive),
    "occurrence": ("occurrences", Occurrence),
    "planet": ("planets", Planet),
    "fleet": ("fleets", Fleet),
    "scenario": ("scenarios", Scenario),
    "artifact": ("artifacts", Artifact),
    "goal": ("goals", Goal),
    "ability": ("abilities", Ability),
    "ending": ("endings", EndingText),
}
_RULES = "rules"


@frozen
class _Place:
    """Where an entry was read, for faults found later."""

    file: Path
    lines: LineFinder
    kind: str
    index: int
    id: str

    def fault(self, reason: Reason) -> Fault:
        line = self.lines.find(self.kind, self.index, reason.path)
        return Fault(self.file, line, f"{self.kind} {self.id}".strip(), ".".join(reason.path), reason.text)


@frozen
class _Folder:
    """What has been read so far; later folders lay theirs over it."""

    entries: dict[str, dict[str, Any]] = field(factory=lambda: {kind: {} for kind in KINDS})
    places: dict[tuple[str, str], _Place] = field(factory=dict)
    rules: dict[str, Any] = field(factory=dict)
    rule_places: dict[str, _Place] = field(factory=dict)
    faults: list[Fault] = field(factory=list)


def load(path: Path | str | None = None) -> Catalog:
    """The shipped catalog; with `path`, the entries of that folder added to it, or put in place of those with the same id.

    Raises `CatalogError` with every fault. A folder may hold any number of TOML files, each with any kinds of entries.
    """
    read, digest = _shipped_folder()
    if path is not None:
        _read_folder(Path(path), read, digest)
    rules = _read_rules(read)
    read.faults.extend(
        read.places[kind, entry_id].fault(reason)
        for kind, entry_id, reason in find_broken_links(read.entries, read.rules)
    )
    if read.faults or rules is None:
        raise CatalogError(tuple(read.faults))
    mappings = {attribute: read.entries[kind] for kind, (attribute, _) in KINDS.items()}
    return Catalog(version=digest.hexdigest()[:8], rules=rules, raw_rules=read.rules, **mappings)


def _shipped_folder() -> tuple[_Folder, Any]:
    """A copy to lay others over; the files are read again only when one of them has changed."""
    stats = [(file, file.stat()) for file in sorted(SHIPPED.rglob("*.toml"))]
    read, digest = _read_shipped(tuple((str(file), stat.st_mtime_ns, stat.st_size) for file, stat in stats))
    copied = _Folder(
        {kind: dict(entries) for kind, entries in read.entries.items()},
        dict(read.places),
        dict(read.rules),
        dict(read.rule_places),
        list(read.faults),
    )
    return copied, digest.copy()


@lru_cache(maxsize=1)
def _read_shipped(_: tuple[tuple[str, int, int], ...]) -> tuple[_Folder, Any]:
    read, digest = _Folder(), hashlib.sha256()
    _read_folder(SHIPPED, read, digest)
    return read, digest


def _read_folder(folder: Path, into: _Folder, digest: Any) -> None:
    files = sorted(file for file in folder.rglob("*.toml") if not file.is_dir())
    if not files:
        reason = "there is no .toml file here" if folder.is_dir() else "this is not a folder"
        into.faults.append(Fault(folder, 1, "folder", "", reason + "; name a folder that holds catalog files"))
    seen: set[tuple[str, str]] = set()
    for file in files:
        try:
            data = file.read_bytes()
        except OSError as error:
            into.faults.append(Fault(file, 1, "file", "", f"this cannot be read: {error.strerror}"))
            continue
        digest.update(file.relative_to(folder).as_posix().encode() + b"\0" + data)
        try:
            text = data.decode()
            tables = tomli.loads(text)
        except (tomli.TOMLDecodeError, UnicodeDecodeError, RecursionError) as error:
            into.faults.append(Fault(file, _line_of(error), "file", "", f"this is not TOML: {error}"))
            continue
        _read_file(file, LineFinder(text), tables, into, seen)


def _line_of(error: Exception) -> int:
    words = str(error).replace(",", " ").split()
    return int(words[words.index("line") + 1]) if "line" in words else 1


def _read_file(
    file: Path, lines: LineFinder, tables: dict[str, Any], into: _Folder, seen: set[tuple[str, str]]
) -> None:
    for kind, content in tables.items():
        if kind == _RULES and isinstance(content, dict):
            _lay_rules_over(file, lines, content, into)
        elif kind not in KINDS:
            place = _Place(file, lines, kind, 0, "")
            known = suggest(kind, (*KINDS, _RULES))
            into.faults.append(place.fault(Reason((), f"a catalog has no [[{kind}]]; {known}")))
        elif not isinstance(content, list) or not all(isinstance(table, dict) for table in content):
            place = _Place(file, lines, kind, 0, "")
            into.faults.append(place.fault(Reason((), f"write [[{kind}]] with two brackets; there can be several")))
        else:
            for index, table in enumerate(content):
                place = _Place(file, lines, kind, index, str(table.get("id", "without id")))
                _read_one(place, table, into, seen)


def _read_one(place: _Place, table: dict[str, Any], into: _Folder, seen: set[tuple[str, str]]) -> None:
    try:
        entry: Any = read_entry(KINDS[place.kind][1], table)
    except EntryError as error:
        into.faults.extend(place.fault(reason) for reason in error.reasons)
        return
    except ValueError as error:
        into.faults.append(place.fault(Reason((), str(error))))
        return
    if not place.id.strip():
        into.faults.append(place.fault(Reason(("id",), "id is empty; give a short name that no other has")))
        return
    key = (place.kind, place.id)
    if key in seen:
        into.faults.append(
            place.fault(Reason(("id",), f"there is already a {place.kind} {place.id!r}; ids are unique"))
        )
        return
    seen.add(key)
    into.entries[place.kind][place.id] = entry
    into.places[key] = place


def _lay_rules_over(file: Path, lines: LineFinder, sections: dict[str, Any], into: _Folder) -> None:
    for section, values in sections.items():
        into.rule_places[section] = _Place(file, lines, f"{_RULES}.{section}", 0, "")
        into.rules[section] = {**into.rules.get(section, {}), **values} if isinstance(values, dict) else values


def _read_rules(read: _Folder) -> Rules | None:
    try:
        return read_entry(Rules, read.rules)
    except EntryError as error:
        for reason in error.reasons:
            section = reason.path[0] if reason.path else ""
            place = read.rule_places.get(section) or _Place(SHIPPED / "rules.toml", LineFinder(""), _RULES, 0, "")
            read.faults.append(place.fault(Reason(reason.path[1:], reason.text)))
        return None
