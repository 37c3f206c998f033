"""What one entry says of another must exist: modules of managers, planets in conditions, codes on tags, rule names."""

from collections.abc import Iterator, Mapping
from typing import Any

from attrs import fields, has

from companion.catalog.checks import suggest
from companion.catalog.conditions import OWNER_KEYS, Condition
from companion.catalog.effects import BlockDecrees, ChangeApproval, ChangeSupport, TakeGovernor
from companion.catalog.reading import EntryError, Reason, read_entry
from companion.catalog.rules import Rules, laid_over
from protocol import tag

Entries = Mapping[str, Mapping[str, Any]]
Broken = tuple[str, str, Reason]
_NAMED = {"planet": "planet", "manager": "manager", "assistant": "assistant", "module": "module"}
_PLAIN = {str, int, bool, dict, type(None)}
_NO_OWNER = "“{}” looks at an owner; only decrees, directives and a manager's own goals have one"
_CODED = ("manager", "token", "decree", "directive")


def find_broken_links(entries: Entries, raw_rules: Mapping[str, Any]) -> Iterator[Broken]:
    """(kind, id, reason) for every reference that leads nowhere and every name taken twice."""
    environments = sorted({name for planet in entries["planet"].values() for name in planet.environment})
    for kind, mapping in entries.items():
        for entry_id, entry in mapping.items():
            for path, value in _values_inside(entry, ()):
                for reason in _check_value(kind, entry, path, value, entries, environments):
                    yield kind, entry_id, reason
    yield from _check_names(entries)
    yield from _check_codes(entries)
    yield from _check_unique(entries, "module", "type_id")
    yield from _check_unique(entries, "manager", "letter")
    yield from _check_unique(entries, "manager", "order")
    yield from _check_sides(entries)
    yield from _check_ids(entries)
    yield from _check_scenarios(entries, raw_rules)


def _values_inside(value: Any, path: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], Any]]:
    """What hangs together out of classes, each with its way there, down to the conditions."""
    if isinstance(value, tuple):
        for index, item in enumerate(value):
            if type(item) not in _PLAIN:
                yield from _values_inside(item, (*path, str(index)))
    elif has(type(value)):
        yield path, value
        if not isinstance(value, Condition):
            for attribute in fields(type(value)):
                item = getattr(value, attribute.name)
                if type(item) not in _PLAIN:
                    yield from _values_inside(item, (*path, attribute.name))


def _check_value(
    kind: str, entry: Any, path: tuple[str, ...], value: Any, entries: Entries, environments: list[str]
) -> Iterator[Reason]:
    if isinstance(value, Condition):
        yield from _check_condition(path, value, entries, environments)
        if not _has_owner(kind, entry):
            yield from (Reason((*path, key), _NO_OWNER.format(key)) for key, _ in value.given if key in OWNER_KEYS)
    elif isinstance(value, TakeGovernor) and kind not in ("decree", "directive"):
        yield Reason(path, "“governor” needs an owner; only decrees and directives have one")
    elif isinstance(value, BlockDecrees) and kind != "directive":
        yield Reason(path, "“block_decrees” belongs to directives (§4.8.2)")
    elif isinstance(value, ChangeSupport | ChangeApproval) and value.of != "all" and not _has_owner(kind, entry):
        yield Reason((*path, "of"), _NO_OWNER.format(value.of))


def _has_owner(kind: str, entry: Any) -> bool:
    return kind in ("decree", "directive") or (kind == "goal" and entry.kind != "co-op")


def _check_condition(
    path: tuple[str, ...], condition: Condition, entries: Entries, environments: list[str]
) -> Iterator[Reason]:
    for key, kind in (*_NAMED.items(), ("without_module", "module")):
        for name in getattr(condition, key):
            if name not in entries[kind]:
                yield Reason((*path, key), f"there is no {kind} {name!r}; {suggest(name, entries[kind])}")
    for name in condition.environment:
        if name not in environments:
            yield Reason((*path, "environment"), f"no planet has {name!r}; {suggest(name, environments)}")


def _check_names(entries: Entries) -> Iterator[Broken]:
    references = [
        ("manager", entry_id, "modules", "module", name)
        for entry_id, manager in entries["manager"].items()
        for name in manager.modules
    ]
    for kind in ("directive", "assistant", "goal"):
        references += [
            (kind, entry_id, "manager", "manager", entry.manager)
            for entry_id, entry in entries[kind].items()
            if entry.manager is not None
        ]
    for entry_id, scenario in entries["scenario"].items():
        if scenario.planet is not None:
            references.append(("scenario", entry_id, "planet", "planet", scenario.planet))
        references += [
            ("scenario", entry_id, "events", "occurrence", event.occurrence)
            for event in scenario.events
            if event.occurrence is not None
        ]
    for kind, entry_id, key, target, name in references:
        if name not in entries[target]:
            yield kind, entry_id, Reason((key,), f"there is no {target} {name!r}; {suggest(name, entries[target])}")


def _check_codes(entries: Entries) -> Iterator[Broken]:
    owners: dict[str, str] = {}
    for kind in _CODED:
        for entry_id, entry in entries[kind].items():
            try:
                tag.code_number(entry.code)
            except ValueError as error:
                yield kind, entry_id, Reason(("code",), f"{error}; `python -m companion.catalog codes` lists free ones")
            other = owners.setdefault(entry.code, f"{kind} {entry_id}")
            if other != f"{kind} {entry_id}":
                yield kind, entry_id, Reason(("code",), f"{entry.code} is the code of {other}; every tag has its own")


def _check_ids(entries: Entries) -> Iterator[Broken]:
    """A swipe is written down under the thing's id alone."""
    owners = {"solo": "the player of a solo game"}
    for kind in _CODED:
        for entry_id in entries[kind]:
            other = owners.setdefault(entry_id, f"{kind} {entry_id}")
            if other != f"{kind} {entry_id}":
                yield kind, entry_id, Reason(("id",), f"{entry_id!r} is the id of {other}; choose another")


def _check_sides(entries: Entries) -> Iterator[Broken]:
    owners: dict[tuple[str, str], str] = {}
    for entry_id, assistant in entries["assistant"].items():
        other = owners.setdefault((assistant.manager, assistant.side), entry_id)
        if other != entry_id:
            reason = f"side {assistant.side} of this manager's card is {other}; a card has one of each side"
            yield "assistant", entry_id, Reason(("side",), reason)


def _check_unique(entries: Entries, kind: str, key: str) -> Iterator[Broken]:
    owners: dict[Any, str] = {}
    for entry_id, entry in entries[kind].items():
        other = owners.setdefault(getattr(entry, key), entry_id)
        if other != entry_id:
            yield kind, entry_id, Reason((key,), f"{getattr(entry, key)!r} is taken by {other}; choose another")


def _check_scenarios(entries: Entries, raw_rules: Mapping[str, Any]) -> Iterator[Broken]:
    tables = {section: table for section, table in raw_rules.items() if isinstance(table, dict)}
    numbers = {f"{s}.{k}" for s, table in tables.items() for k, v in table.items() if type(v) is int}
    for entry_id, scenario in entries["scenario"].items():
        # of a section that is no table that is said already
        unknown = [
            n for n in scenario.rules if n not in numbers and n.partition(".")[0] not in {*raw_rules} - {*tables}
        ]
        for name in unknown:
            reason = f"there is no whole number {name!r} in the rules; {suggest(name, numbers)}"
            yield "scenario", entry_id, Reason(("rules",), reason)
        if numbers.issuperset(scenario.rules):
            for reason in _check_numbers(scenario.rules, tables):
                yield "scenario", entry_id, Reason(("rules",), reason)


def _check_numbers(changes: Mapping[str, int], tables: Mapping[str, Any]) -> Iterator[str]:
    """Where the rules themselves are wrong, that is said of them."""
    try:
        read_entry(Rules, laid_over(tables, changes))
    except EntryError as error:
        yield from (
            reason.text
            for reason in error.reasons
            if any(name.startswith(".".join(reason.path[:2])) for name in changes) and reason.path
        )
