"""The rules of one game: the catalog's, with a scenario's changed numbers laid over them."""

from companion.catalog import Catalog
from companion.catalog.reading import read_entry
from companion.catalog.rules import Rules, laid_over
from companion.simulation.commands import Setup


def rules_of(setup: Setup, catalog: Catalog) -> Rules:
    """Computed once a scenario and catalog."""
    if setup.scenario is None:
        return catalog.rules
    key = ("rules", setup.scenario)
    kept = catalog.memory.get(key)
    if not isinstance(kept, Rules):
        changed = laid_over(catalog.raw_rules, catalog.scenarios[setup.scenario].rules)
        kept = catalog.memory[key] = read_entry(Rules, changed)
    return kept
