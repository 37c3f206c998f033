"""The chance that something breaks by itself, by the Technical status (§5.6.1, GAP-16)."""

from companion.simulation.colony import TECHNICAL
from companion.simulation.damage import can_be_hit, strike
from companion.simulation.draft import Draft
from companion.simulation.levels import level_of


def check_catastrophe(draft: Draft) -> None:
    """At most one module of its own accord; others by spread."""
    happens = draft.chance.happens(_risk(draft))
    targets = [index for index, module in enumerate(draft.modules) if can_be_hit(module)]
    if happens and targets and draft.round >= draft.rules.catastrophe.first_round:
        strike(draft, targets[draft.chance.below(len(targets))])


def _risk(draft: Draft) -> int:
    rules = draft.rules.catastrophe
    level = level_of(draft.statuses[TECHNICAL], draft.rules.levels)
    risk = (rules.good, rules.poor, rules.alarming, rules.critical)[level]
    percent = max(0, 100 + draft.last_of("catastrophe_risk"))
    return min(1000, risk * draft.planet.catastrophe // 100 * percent // 100)
