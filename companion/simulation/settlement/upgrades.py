"""Tier 2: modules that have worked long enough without a catastrophe develop (§4.9, GAP-06)."""

from attrs import evolve

from companion.catalog.targets import LEVELS
from companion.simulation.colony import TECHNICAL
from companion.simulation.draft import Draft
from companion.simulation.levels import level_of
from companion.simulation.words import Condition


def upgrade_modules(draft: Draft) -> None:
    """The longest-working first, a few a settlement, and only while the technical status allows."""
    rules = draft.rules.upgrade
    if LEVELS[level_of(draft.statuses[TECHNICAL], draft.rules.levels)] not in rules.levels:
        return
    ready = [
        index
        for index, module in enumerate(draft.modules)
        if module.condition is Condition.WORKING and module.tier == 1 and draft.round - module.since >= rules.rounds
    ]
    for index in sorted(ready, key=lambda i: draft.modules[i].since)[: rules.most]:
        draft.modules[index] = evolve(draft.modules[index], tier=2)
        draft.upgraded.append(draft.modules[index].instance)
        draft.modules_changed()
