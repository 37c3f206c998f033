"""Income and expenses of the bank, STOCK, and the loans that Earth gives when it is empty (§5.4, §5.5.2)."""

from companion.simulation.colony import COLONISTS, MARINES, PRISONERS, SCIENTISTS, SECFORCE
from companion.simulation.draft import Draft
from companion.simulation.people import convert_people


def settle_economy(draft: Draft, surplus: int) -> None:
    """Taxes, earnings, what modules bring and exchange, upkeep; `surplus` is overproduction nobody could store."""
    rules, totals, groups = draft.rules.economy, draft.totals(), draft.groups
    taxes = groups[COLONISTS] // rules.colonists_per_stock
    draft.pay("taxes", taxes * max(0, 100 + draft.last_of("tax")) // 100)
    draft.pay("science", groups[SCIENTISTS] // rules.scientists_per_stock)
    draft.pay("modules", totals.stock)
    draft.pay("surplus", min(surplus, totals.surplus_to_stock))
    draft.pay("agreements", draft.last_of("stock"))
    _exchange_prisoners(draft, totals.prisoners_to_stock)
    for group in (SECFORCE, SCIENTISTS, MARINES, PRISONERS):
        convert_people(draft, COLONISTS, group, totals.trains[group])
    draft.pay("prisoners", -(groups[PRISONERS] // rules.prisoners_per_cost))
    draft.pay("upkeep", -_upkeep(draft))
    draft.pay("interest", -rules.interest * draft.dependence)


def _exchange_prisoners(draft: Draft, most: int) -> None:
    each = draft.rules.economy.prisoners_per_exchange
    lots = min(most, draft.groups[PRISONERS]) // each
    draft.groups[PRISONERS] -= lots * each
    draft.pay("exchange", lots)


def _upkeep(draft: Draft) -> int:
    rules = draft.rules.economy
    finished = sum(module.was_finished for module in draft.modules)
    upkeep = rules.upkeep + finished // rules.modules_per_upkeep + rules.upkeep_growth.at(draft.round)
    upkeep += rules.managers.at(len(draft.support))
    return max(0, upkeep + draft.planet.upkeep + draft.last_of("upkeep"))


def take_loan(draft: Draft) -> bool:
    """Below zero: one loan a settlement, even if it does not reach (GAP-18)."""
    if draft.stock >= 0:
        return False
    draft.pay("loan", draft.rules.economy.loan)
    draft.dependence += 1
    draft.loans += 1
    return True
