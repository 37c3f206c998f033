"""Resources: production and consumption, accumulators, imports (§5.2)."""

from attrs import frozen

from companion.simulation.colony import LIFE_SUPPORT
from companion.simulation.draft import Draft
from companion.simulation.totals import Totals


@frozen
class Supply:
    """By resource; `surplus` is what no accumulator could take."""

    produced: tuple[int, ...]
    consumed: tuple[int, ...]
    imported: tuple[int, ...]
    surplus: int


def produced_and_consumed(draft: Draft) -> tuple[list[int], list[int]]:
    """What the colony as it stands makes and uses in a settlement."""
    totals: Totals = draft.totals()
    start = draft.rules.start
    produced = [
        a + b for a, b in zip(totals.produced, (start.power, start.life_support, start.gas, start.liquids), strict=True)
    ]
    consumed = list(totals.consumed)
    # every started thousand breathes
    consumed[LIFE_SUPPORT] += -(-sum(draft.groups) // draft.rules.supply.citizens_per_life_support)
    for each in draft.lasting:
        if each.kind == "resource" and each.first <= draft.round <= each.last:
            (produced if each.amount > 0 else consumed)[each.index] += abs(each.amount)
    return produced, consumed


def supply(draft: Draft) -> Supply:
    """Overproduction fills the accumulators; what is missing comes from them, and the rest is imported for STOCK."""
    produced, consumed = produced_and_consumed(draft)
    imported, surplus = [0, 0, 0, 0], 0
    for resource in range(4):
        units = draft.accumulators[resource] + produced[resource] - consumed[resource]
        most = draft.capacity(resource)
        if units < 0:
            imported[resource], units = -units, 0
        elif units > most:
            surplus += units - most
            units = most
        draft.accumulators[resource] = units
    price = max(0, draft.rules.supply.import_price + draft.last_of("import_price"))
    draft.pay("imports", -price * sum(imported))
    draft.imported = imported
    return Supply(tuple(produced), tuple(consumed), tuple(imported), surplus)
