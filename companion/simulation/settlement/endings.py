"""Whether the game is over: negative endings before positive ones (§6, GAP-44, GAP-45)."""

from companion.simulation.conditions import holds
from companion.simulation.draft import Draft
from companion.simulation.settlement.scenario_turn import scenario_of
from companion.simulation.words import Condition, Ending


def check_endings(draft: Draft) -> tuple[Ending, ...]:
    """All negative endings that hold; if none does, all positive ones; empty while the game goes on."""
    scenario = scenario_of(draft)
    off = scenario.without if scenario else ()
    lost = [ending for ending in _lost(draft) if ending.value not in off]
    won = [ending for ending in _won(draft) if ending.value not in off]
    for index, own in enumerate(scenario.endings if scenario else ()):
        if draft.scenario_ending < 0 and holds(own.when, draft):
            draft.scenario_ending = index
            (won if own.won else lost).append(Ending.SCENARIO_WON if own.won else Ending.SCENARIO_LOST)
    return tuple(lost or won)


def _lost(draft: Draft) -> list[Ending]:
    rules = draft.rules.endings
    dependence = draft.loans if rules.dependence_counts_loans else draft.dependence
    found = []
    if draft.riot_stage >= rules.riot_stage:
        found.append(Ending.RIOT)
    if dependence >= rules.dependence:
        found.append(Ending.TERRAN_DEPENDENCE)
    if not any(draft.groups):
        found.append(Ending.DEPOPULATION)
    return found


def _won(draft: Draft) -> list[Ending]:
    rules = draft.rules.endings
    found = []
    if draft.round >= draft.max_rounds:
        found.append(Ending.LAST_ROUND)
    if sum(module.condition is Condition.WORKING for module in draft.modules) >= rules.modules:
        found.append(Ending.FIFTEEN_MODULES)
    if sum(draft.groups) >= rules.citizens:
        found.append(Ending.FIFTEEN_THOUSAND)
    return found
