"""RIOT: from a red warning through two stages to anarchy, and the ways out (§5.5.1, GAP-15, GAP-56)."""

from companion.simulation.colony import COLONISTS, HAPPINESS, MARINES, PRISONERS, SECFORCE, SECURITY
from companion.simulation.draft import Draft
from companion.simulation.levels import CRITICAL, level_of
from companion.simulation.people import add_people, convert_people


def settle_riot(draft: Draft) -> str:
    """Returns what happened: calm, warning, breaks_out, pacified, escalates or lost."""
    outcome = _fight(draft) if draft.riot_stage else _watch(draft)
    if draft.riot_stage:
        draft.riot_rounds += 1
    return outcome


def is_critical(draft: Draft) -> bool:
    """Happiness or Security is where riots begin."""
    levels = draft.rules.levels
    return CRITICAL in (level_of(draft.statuses[HAPPINESS], levels), level_of(draft.statuses[SECURITY], levels))


def _watch(draft: Draft) -> str:
    if not is_critical(draft):
        draft.riot_warnings = 0
        return "calm"
    draft.riot_warnings += 1
    if draft.riot_warnings <= draft.rules.riot.warning_rounds:
        return "warning"
    draft.riot_warnings, draft.riot_stage = 0, 1
    return "breaks_out"


def _fight(draft: Draft) -> str:
    if not is_critical(draft):
        draft.riot_stage = 0
        return "pacified"
    won = _arrest(draft) if draft.riot_stage == 1 else _shoot(draft)
    draft.riot_stage = 0 if won else draft.riot_stage + 1
    if won:
        return "pacified"
    return "lost" if draft.riot_stage >= draft.rules.endings.riot_stage else "escalates"


def _permille(draft: Draft, group: int) -> int:
    return 1000 * draft.groups[group] // max(1, sum(draft.groups))


def _arrest(draft: Draft) -> bool:
    """Stage 1: the SecForce makes prisoners of rebels."""
    rules = draft.rules.riot
    won = draft.chance.happens(rules.stage1.at(_permille(draft, SECFORCE)))
    convert_people(draft, COLONISTS, PRISONERS, draft.groups[COLONISTS] * rules.arrested_permille // 1000)
    return won


def _shoot(draft: Draft) -> bool:
    """Stage 2: the Marines shoot."""
    rules = draft.rules.riot
    won = draft.chance.happens(rules.stage2.at(_permille(draft, MARINES)))
    others = [g for g in range(len(draft.groups)) if g != MARINES]
    killed = sum(draft.groups[g] for g in others) * rules.killed_permille // 1000
    add_people(draft, others, -killed)
    draft.lost += killed
    return won
