"""Happiness, Security, Technical: a step toward what planet, modules, groups and supply make of them (§5.1, GAP-08)."""

from companion.simulation.colony import COLONISTS, HAPPINESS, PRISONERS, SECFORCE, SECURITY, TECHNICAL
from companion.simulation.draft import Draft
from companion.simulation.effects import move_status
from companion.simulation.words import Condition

_POINT = 1000


def move_moods(draft: Draft) -> None:
    """The statuses go part of the way to their targets, with some chance."""
    rules = draft.rules.moods
    for status, target in enumerate(find_targets(draft)):
        change = (target - draft.statuses[status]) * rules.pace // 100
        move_status(draft, status, change + draft.chance.spread(rules.noise))


def find_targets(draft: Draft) -> tuple[int, int, int]:
    """What each status would come to rest at, thousandths."""
    rules, planet, groups = draft.rules.moods, draft.planet, draft.groups
    citizens = max(1, sum(groups))
    decline = rules.decline.at(draft.round) * planet.decline // 100 + _crowding(draft, citizens)
    shortages = sum(units > 0 for units in draft.imported)
    modules = draft.totals().moods
    connected = sum(module.condition is not Condition.AWAITING_BUILDER for module in draft.modules)
    happiness = rules.happiness + rules.prisoners.at(1000 * groups[PRISONERS] // citizens) + rules.shortage * shortages
    security = rules.security + rules.secforce.at(1000 * groups[SECFORCE] // citizens)
    technical = rules.technical + rules.colonists.at(1000 * groups[COLONISTS] // citizens) + rules.load.at(connected)
    return (
        happiness + decline + (modules[HAPPINESS] + planet.happiness) * _POINT,
        security + decline + (modules[SECURITY] + planet.security) * _POINT + rules.shortage_security * shortages,
        technical + decline + (modules[TECHNICAL] + planet.technical) * _POINT + rules.shortage * shortages,
    )


def _crowding(draft: Draft, citizens: int) -> int:
    if not draft.is_overcrowded:
        return 0
    homeless = max(0, citizens - draft.housing())
    return draft.rules.moods.overcrowded.at(1000 * homeless // citizens)
