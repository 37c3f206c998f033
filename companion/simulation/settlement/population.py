"""Who comes and who leaves: the hidden immigration factor, shared out over the groups (§5.3, GAP-13)."""

from companion.simulation.draft import Draft
from companion.simulation.people import split


def move_people(draft: Draft) -> None:
    """Changes the groups and remembers who arrived."""
    draft.arrivals = expect_arrivals(draft, draft.chance.spread(draft.rules.population.noise_percent))
    for group, count in enumerate(draft.arrivals):
        draft.groups[group] = max(0, draft.groups[group] + count)


def expect_arrivals(draft: Draft, noise_percent: int) -> tuple[int, ...]:
    """By group; below zero where they leave. Never more leave than there are."""
    citizens = sum(draft.groups)
    count = _coming(draft, citizens) * (100 + noise_percent) // 100 - _leaving(draft, citizens)
    if count >= 0:
        return tuple(split(count, _weights(draft)))
    return tuple([-part for part in split(min(-count, citizens), draft.groups)])


def _coming(draft: Draft, citizens: int) -> int:
    rules = draft.rules.population
    beds = max(0, draft.housing() - citizens)
    base = rules.base + beds * rules.free_beds_permille // 1000
    percent = 100 + draft.totals().immigration + draft.planet.immigration + draft.last_of("immigration")
    count = base * rules.mood.at(sum(draft.statuses) // 3) // 1000 * max(0, percent) // 100
    count = count * rules.size.at(citizens) // 1000
    return count * rules.overcrowded_permille // 1000 if draft.is_overcrowded else count


def _leaving(draft: Draft, citizens: int) -> int:
    rules = draft.rules.population
    share = rules.emigration.at(sum(draft.statuses) // 3)
    leaving = max(rules.emigrants, citizens * share // 1000) if share else 0
    if draft.is_overcrowded:
        leaving += max(0, citizens - draft.housing()) * rules.overcrowded_leave_permille // 1000
    return leaving


def _weights(draft: Draft) -> list[int]:
    rules, attracts = draft.rules.population, draft.totals().attracts
    plain = (rules.colonists, rules.secforce, rules.scientists, rules.marines, rules.prisoners)
    return [
        weight * max(0, 100 + attracts[group] + draft.last_of("attracts", group)) for group, weight in enumerate(plain)
    ]


def is_overcrowded(draft: Draft) -> bool:
    """More inhabitants than beds (§5.5.3)."""
    return sum(draft.groups) > draft.housing()
