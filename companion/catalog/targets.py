"""The names that catalog texts use for the rulebook's closed sets, and their places in the colony's tuples."""

STATUSES = ("happiness", "security", "technical")
RESOURCES = ("power", "life_support", "gas", "liquids")
GROUPS = ("colonists", "secforce", "scientists", "marines", "prisoners")
LEVELS = ("good", "poor", "alarming", "critical")
"""The values of the simulation's words in their order (a test holds the two together); levels best first."""

STATUS_INDEX = {name: (i,) for i, name in enumerate(STATUSES)} | {"all": tuple(range(len(STATUSES)))}
RESOURCE_INDEX = {name: (i,) for i, name in enumerate(RESOURCES)} | {"all": tuple(range(len(RESOURCES)))}
GROUP_INDEX = {name: (i,) for i, name in enumerate(GROUPS)} | {"all": tuple(range(len(GROUPS)))}

SOURCES = ("rulebook", "inferred", "ours")
"""Where a fact comes from: the rulebook's text, one step from it, or our own choice."""
CURRENCIES = ("DEC", "CR", "TG", "PA", "XP")
