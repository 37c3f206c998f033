"""The names that catalog texts use for the rulebook's closed sets, and their places in the colony's tuples."""

from companion.simulation.words import Group, Level, Resource, Status

STATUSES = tuple(s.value for s in Status)
RESOURCES = tuple(r.value for r in Resource)
GROUPS = tuple(g.value for g in Group)
LEVELS = tuple(level.value for level in Level)
"""Best first."""

STATUS_INDEX = {name: (i,) for i, name in enumerate(STATUSES)} | {"all": tuple(range(len(STATUSES)))}
RESOURCE_INDEX = {name: (i,) for i, name in enumerate(RESOURCES)} | {"all": tuple(range(len(RESOURCES)))}
GROUP_INDEX = {name: (i,) for i, name in enumerate(GROUPS)} | {"all": tuple(range(len(GROUPS)))}

SOURCES = ("rulebook", "inferred", "ours")
"""Where a fact comes from: the rulebook's text, one step from it, or our own choice."""
CURRENCIES = ("DEC", "CR", "TG", "PA", "XP")
