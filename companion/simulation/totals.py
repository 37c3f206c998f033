"""What the modules give together at their present capacity (§4.9.2: partial during construction)."""

from collections.abc import Sequence

from attrs import frozen

from companion.catalog import Catalog
from companion.catalog.model import ModuleType, Tier
from companion.catalog.targets import GROUPS, RESOURCES
from companion.simulation.colony import Module
from companion.simulation.words import Condition

_WORKING, _BUILDING = Condition.WORKING, Condition.UNDER_CONSTRUCTION
_REBUILDING = Condition.UNDER_RECONSTRUCTION
Row = tuple[int, ...]
_EMPTY: Row = (0,) * 30


@frozen
class Totals:
    """Resources, groups and statuses in the order of the words."""

    produced: tuple[int, ...]
    consumed: tuple[int, ...]
    capacity: tuple[int, ...]
    moods: tuple[int, ...]
    """Points."""
    attracts: tuple[int, ...]
    trains: tuple[int, ...]
    stock: int
    immigration: int
    housing: int
    prisoners_to_stock: int
    surplus_to_stock: int


def count_totals(modules: Sequence[Module], catalog: Catalog) -> Totals:
    """One pass over all modules; each (type, tier) is turned into a row of numbers once a catalog."""
    rows = [_EMPTY]
    for module in modules:
        condition = module.condition
        if condition is _WORKING:
            rows.append(_row(module.type_id, module.tier, catalog))
        elif (condition is _BUILDING or condition is _REBUILDING) and module.progress:
            share, whole = module.progress, module.work
            rows.append(tuple([_partial(n, share, whole) for n in _row(module.type_id, module.tier, catalog)]))
    sums = tuple(map(sum, zip(*rows, strict=True)))
    return Totals(
        sums[0:4], sums[4:8], sums[8:12], sums[12:15], sums[15:20], sums[20:25],
        sums[25], sums[26], sums[27], sums[28], sums[29],
    )  # fmt: skip


def _partial(number: int, share: int, whole: int) -> int:
    """Rounded toward zero, so that half a plant never takes more than it gives (GAP-41)."""
    return number * share // whole if number >= 0 else -(-number * share // whole)


def _row(type_id: int, tier: int, catalog: Catalog) -> Row:
    key = ("row", type_id, tier)
    row = catalog.memory.get(key)
    if row is None:
        module = catalog.module_by_type(type_id)
        row = catalog.memory[key] = _EMPTY if module is None else _row_of(tier_of(module, tier))
    assert isinstance(row, tuple)
    return row


def tier_of(module: ModuleType, tier: int) -> Tier:
    return module.tier2 if tier == 2 else module.tier1


def _row_of(tier: Tier) -> Row:
    resources = (tier.power, tier.life_support, tier.gas, tier.liquids)
    return (
        *(max(0, n) for n in resources),
        *(max(0, -n) for n in resources),
        *(tier.capacity.get(name, 0) for name in RESOURCES),
        tier.happiness, tier.security, tier.technical,
        *(tier.attracts.get(name, 0) for name in GROUPS),
        *(tier.trains.get(name, 0) for name in GROUPS),
        tier.stock, tier.immigration, tier.housing, tier.prisoners_to_stock, tier.surplus_to_stock,
    )  # fmt: skip
