"""The colony as a value: everything a saved game needs beside the catalog. Whole numbers only; never shown to players.

Tuples follow the order of the words: statuses happiness, security, technical (thousandths of a point, 0 … 100,000);
resources power, life support, gas, liquids; groups as in `Group`; seats as in `seats`.
"""

from attrs import field, frozen

from companion.simulation.commands import Setup
from companion.simulation.words import Condition, Ending

HAPPINESS, SECURITY, TECHNICAL = range(3)
POWER, LIFE_SUPPORT, GAS, LIQUIDS = range(4)
COLONISTS, SECFORCE, SCIENTISTS, MARINES, PRISONERS = range(5)
STATUS_TOP = 100_000
ROUND_OF_WORK = 1000
"""Construction work done in one round."""
SOLO_SEAT = "solo"
ARC = 0
"""The ARC's place in the graph of connections."""


@frozen
class Module:
    """A connected miniature."""

    instance: int
    type_id: int
    builder: str | None
    condition: Condition
    tier: int = 1
    progress: int = 0
    work: int = 0
    """Construction or reconstruction: `progress` of `work` thousandths of a round."""
    since: int = 0
    """Round whose settlement brought it to full operation."""
    was_finished: bool = False
    is_hit: bool = False
    """By a catastrophe, and not yet normal again."""


@frozen
class Act:
    """Something registered this round, in order."""

    kind: str
    """decree | directive | module | campaign | ambassador | governor | correction | assistant"""
    manager: str | None
    subject: str = ""
    """Catalog id; for a correction the name of what was put right."""
    amount: int = 0


@frozen
class Lasting:
    """An effect that goes on: it counts in the settlements of rounds first … last."""

    kind: str
    index: int
    """Resource, group or seat; −1: all, or none."""
    amount: int
    first: int
    last: int


@frozen
class Past:
    """How a round ended; the first row is the start."""

    levels: tuple[int, ...]
    citizens: int
    stock: int


@frozen
class Vote:
    card: str
    """Catalog id of the decree or directive."""
    manager: str
    is_directive: bool
    passed: bool
    blocked: bool
    approval: int
    """Thousandths of a percent; 0 where nobody voted."""
    applied: int
    """Bit i: effect i was carried out."""


@frozen
class Message:
    """A scenario's event for RS-1."""

    title: str
    text: str


@frozen
class Settlement:
    """What NEXT computed, as compact facts; `report` makes the players' texts of it when they are asked for."""

    round: int
    votes: tuple[Vote, ...]
    ledger: tuple[tuple[str, int], ...]
    """(what, signed STOCK); the keys are `ledger.LINES`."""
    stock_before: int
    stock_after: int
    produced: tuple[int, ...]
    consumed: tuple[int, ...]
    imported: tuple[int, ...]
    groups_before: tuple[int, ...]
    groups_after: tuple[int, ...]
    occurrence: str
    applied: int
    """Bit i: effect i of the occurrence was carried out."""
    levels_before: tuple[int, ...]
    levels: tuple[int, ...]
    hit: tuple[int, ...]
    casualties: int
    completed: tuple[int, ...]
    upgraded: tuple[int, ...]
    riot: str
    """calm | warning | breaks_out | pacified | escalates | lost"""
    riot_stage: int
    loan: bool
    dependence: int
    is_overcrowded: bool
    governor_before: str
    governor: str
    ranks: tuple[tuple[str, int], ...]
    """Empty in rounds without a ranking."""
    messages: tuple[Message, ...]
    counters: tuple[tuple[str, int], ...]
    has_ended: bool


@frozen
class Colony:
    setup: Setup
    catalog_version: str
    chance: int
    round: int
    max_rounds: int
    governor: str
    next_governor: str | None
    assistants: tuple[str, ...]
    """Catalog ids of the sides that lie face up."""
    statuses: tuple[int, ...]
    stock: int
    groups: tuple[int, ...]
    accumulators: tuple[int, ...]
    extra_capacity: tuple[int, ...]
    extra_housing: int
    support: tuple[int, ...]
    built: tuple[int, ...]
    greens: tuple[int, ...]
    ambassadors: tuple[int, ...]
    """The last four by seat: hidden support, and what scores."""
    modules: tuple[Module, ...] = ()
    connections: tuple[tuple[int, int], ...] = ()
    riot_stage: int = 0
    riot_warnings: int = 0
    """Settlements in a row that ended with critical happiness or security, before a riot."""
    riot_rounds: int = 0
    dependence: int = 0
    loans: int = 0
    is_overcrowded: bool = False
    lasting: tuple[Lasting, ...] = ()
    counters: tuple[tuple[str, int], ...] = ()
    fired: tuple[int, ...] = ()
    """Scenario events that happen once and have happened."""
    acts: tuple[Act, ...] = ()
    spent: tuple[str, ...] = ()
    """Directives used up."""
    recent: tuple[tuple[str, int], ...] = ()
    """Occurrences with the round of their settlement: the recent ones, and for ever those that happen once."""
    arrivals: tuple[int, ...] = (0, 0, 0, 0, 0)
    """By group, in the last settlement; below zero: left."""
    imported: tuple[int, ...] = (0, 0, 0, 0)
    """In the last settlement."""
    past: tuple[Past, ...] = ()
    settlement: Settlement | None = field(default=None, repr=False)
    endings: tuple[Ending, ...] = ()
    scenario_ending: int = -1
    """Index of the scenario's own ending that was reached."""
    table_points: tuple[tuple[str | None, int], ...] = ()

    @property
    def seats(self) -> tuple[str, ...]:
        """Managers clockwise; in solo the one player."""
        return self.setup.managers or (SOLO_SEAT,)

    @property
    def citizens(self) -> int:
        return sum(self.groups)

    @property
    def has_ended(self) -> bool:
        return bool(self.endings)
