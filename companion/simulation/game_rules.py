"""The rules of one game: the catalog's, with a scenario's changed numbers laid over them."""

from companion.catalog import Catalog
from companion.catalog.reading import read_entry
from companion.catalog.rules import Rules
from companion.simulation.commands import Setup


def rules_of(setup: Setup, catalog: Catalog) -> Rules:
    """Computed once a scenario and catalog."""
    if setup.scenario is None:
        return catalog.rules
    key = ("rules", setup.scenario)
    kept = catalog.memory.get(key)
    if not isinstance(kept, Rules):
        kept = catalog.memory[key] = _with_changes(catalog, catalog.scenarios[setup.scenario].rules)
    return kept


def _with_changes(catalog: Catalog, changes: dict[str, int]) -> Rules:
    raw = {section: dict(values) for section, values in catalog.raw_rules.items()}
    for name, value in changes.items():
        section, _, key = name.partition(".")
        raw[section][key] = value
    return read_entry(Rules, raw)
