"""The rulebook's closed sets of words: modes, statuses, resources, groups. One enum each, used everywhere."""

from enum import Enum


class Mode(Enum):
    SEMI_COOP = "semi-coop"
    CO_OP = "co-op"
    SOLO = "solo"


class Status(Enum):
    """The colony's three moods (rulebook §5.1)."""

    HAPPINESS = "happiness"
    SECURITY = "security"
    TECHNICAL = "technical"


class Level(Enum):
    """What players are told of a status, best first. The number behind it is never shown (§5.1)."""

    GOOD = "good"
    POOR = "poor"
    ALARMING = "alarming"
    CRITICAL = "critical"


class Resource(Enum):
    """§5.2"""

    POWER = "power"
    LIFE_SUPPORT = "life_support"
    GAS = "gas"
    LIQUIDS = "liquids"


class Fill(Enum):
    """An accumulator as its icon shows it (§5.2)."""

    EMPTY = "empty"
    INCOMPLETE = "incomplete"
    FULL = "full"


class Balance(Enum):
    """Over- and underproduction of a resource as its icon shows it (§4.9.1), worst first."""

    DEVASTATING = "devastating"
    SHORT = "short"
    EVEN = "even"
    SURPLUS = "surplus"
    OVERFLOWING = "overflowing"


class Group(Enum):
    """The five groups of Citizens (§5.3)."""

    COLONISTS = "colonists"
    SECFORCE = "secforce"
    SCIENTISTS = "scientists"
    MARINES = "marines"
    PRISONERS = "prisoners"


class Condition(Enum):
    """What a module miniature is doing, and so how it is lit (A5, §4.5, §4.9, §5.6.1)."""

    AWAITING_BUILDER = "awaiting_builder"
    UNDER_CONSTRUCTION = "under_construction"
    WORKING = "working"
    DAMAGED = "damaged"
    UNDER_RECONSTRUCTION = "under_reconstruction"


class Colour(Enum):
    """Decree colours (§4.8.1); directives are blue (A3.3)."""

    GREEN = "green"
    RED = "red"
    BLUE = "blue"


class Ending(Enum):
    """§6"""

    LAST_ROUND = "last_round"
    FIFTEEN_MODULES = "fifteen_modules"
    FIFTEEN_THOUSAND = "fifteen_thousand"
    RIOT = "riot"
    TERRAN_DEPENDENCE = "terran_dependence"
    DEPOPULATION = "depopulation"
    SCENARIO_WON = "scenario_won"
    SCENARIO_LOST = "scenario_lost"

    @property
    def is_positive(self) -> bool:
        return self in (Ending.LAST_ROUND, Ending.FIFTEEN_MODULES, Ending.FIFTEEN_THOUSAND, Ending.SCENARIO_WON)
