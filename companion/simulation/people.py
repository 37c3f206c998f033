"""Moving numbers of Citizens about: even splits without loss, and never below zero."""

from collections.abc import Sequence

from companion.catalog.targets import GROUP_INDEX, GROUPS
from companion.simulation.draft import Draft

EVERYBODY = GROUP_INDEX["all"]


def split(count: int, weights: Sequence[int]) -> list[int]:
    """`count` ≥ 0 shared out by weight, to the last one; no share exceeds its weight while count ≤ their sum."""
    whole, seen, given, parts = sum(weights), 0, 0, []
    for weight in weights:
        seen += weight
        upto = count * seen // whole if whole else 0
        parts.append(upto - given)
        given = upto
    return parts


def add_people(draft: Draft, groups: Sequence[int], count: int) -> None:
    """Arrivals (count > 0) or losses, spread by size where several groups are meant; an empty colony gets colonists."""
    sizes = [draft.groups[g] for g in groups]
    present = sum(sizes)
    if count >= 0:
        parts = split(count, sizes) if present else [count, *[0] * (len(groups) - 1)]
    else:
        parts = [-part for part in split(min(-count, present), sizes)]
    for group, part in zip(groups, parts, strict=True):
        draft.groups[group] += part


def convert_people(draft: Draft, source: int, target: int, count: int) -> int:
    """As many as there are, up to `count`; returns how many."""
    moved = min(count, draft.groups[source])
    draft.groups[source] -= moved
    draft.groups[target] += moved
    return moved


def groups_named(names: Sequence[str]) -> tuple[int, ...]:
    """Indexes of groups; «all» is everybody."""
    return EVERYBODY if "all" in names else tuple(GROUPS.index(name) for name in names)
