"""Which modules belong to a game, and how many endorsements each needs (§3.1.4, §3.2.11)."""

from companion.catalog import Catalog
from companion.catalog.model import ModuleType
from companion.simulation.colony import Colony
from companion.simulation.commands import Setup
from companion.simulation.words import Mode

_SOLO_COUNTS_AS = 3
_BANK_PA = 3
_SOLO_PA = 6


def module_pool(setup: Setup, catalog: Catalog) -> tuple[ModuleType, ...]:
    """The base set and what the seated managers add, each type once; in solo every module in the box (A3.2.6)."""
    added = {name for manager in setup.managers for name in catalog.managers[manager].modules}
    everything = setup.mode is Mode.SOLO
    return tuple(m for m in catalog.modules.values() if m.base or everything or m.id in added)


def is_in_pool(colony: Colony, type_id: int, catalog: Catalog) -> bool:
    """Known, part of this game, and not all copies of it connected already."""
    kind = catalog.module_by_type(type_id)
    if kind is None or kind not in module_pool(colony.setup, catalog):
        return False
    return sum(module.type_id == type_id for module in colony.modules) < kind.copies


def base_endorsements(setup: Setup) -> int:
    """Players − 1; solo counts as three (the rulebook gives 2 for three and 4 for five players)."""
    return (len(setup.managers) or _SOLO_COUNTS_AS) - 1


def political_advantage(setup: Setup) -> int:
    """PA tokens in the bank: players + 3, in solo 6 (§3.2, A3.3.7)."""
    return len(setup.managers) + _BANK_PA if setup.managers else _SOLO_PA


def actions_per_round(setup: Setup) -> int:
    """Regular actions a manager (§2.3): three with two players, else two; in solo three a filled column."""
    return 3 if len(setup.managers) <= 2 else 2
