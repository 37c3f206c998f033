"""A colony being changed: the same names as `Colony`, in lists, for the length of one step. Nobody keeps a draft."""

from companion.catalog import Catalog
from companion.catalog.model import Planet
from companion.catalog.rules import Rules
from companion.simulation.chance import Chance
from companion.simulation.colony import Act, Colony, Lasting, Message, Module, Past, Settlement
from companion.simulation.commands import Setup
from companion.simulation.game_rules import rules_of
from companion.simulation.totals import Totals, count_totals
from companion.simulation.words import Ending


class Draft:
    """Made from a colony, changed in place by the settlement's subjects, frozen into the next colony."""

    __slots__ = (
        "accumulators", "acts", "ambassadors", "arrivals", "assistants", "built", "catalog", "chance", "completed",
        "connections", "counters", "dependence", "economy_is_done", "endings", "extra_capacity", "extra_housing", "fired",
        "governor", "greens", "groups", "hit", "imported", "is_overcrowded", "lasting", "ledger", "loans", "lost",
        "max_rounds", "messages", "modules", "next_governor", "past", "planet", "recent", "riot_rounds", "riot_stage",
        "riot_warnings", "round", "rules", "scenario_ending", "settlement", "setup", "spent", "statuses", "stock",
        "support", "table_points", "totals_kept", "upgraded",
    )  # fmt: skip

    def __init__(self, colony: Colony, catalog: Catalog) -> None:
        self.catalog = catalog
        self.rules: Rules = rules_of(colony.setup, catalog)
        self.planet: Planet = catalog.planets[colony.setup.planet]
        self.setup: Setup = colony.setup
        self.chance = Chance(colony.chance)
        self.round = colony.round
        self.max_rounds = colony.max_rounds
        self.governor = colony.governor
        self.next_governor = colony.next_governor
        self.assistants = colony.assistants
        self.statuses = list(colony.statuses)
        self.stock = colony.stock
        self.groups = list(colony.groups)
        self.accumulators = list(colony.accumulators)
        self.extra_capacity = list(colony.extra_capacity)
        self.extra_housing = colony.extra_housing
        self.support = list(colony.support)
        self.built = list(colony.built)
        self.greens = list(colony.greens)
        self.ambassadors = list(colony.ambassadors)
        self.modules: list[Module] = list(colony.modules)
        self.connections = colony.connections
        self.riot_stage = colony.riot_stage
        self.riot_warnings = colony.riot_warnings
        self.riot_rounds = colony.riot_rounds
        self.dependence = colony.dependence
        self.loans = colony.loans
        self.is_overcrowded = colony.is_overcrowded
        self.lasting: list[Lasting] = list(colony.lasting)
        self.counters = dict(colony.counters)
        self.fired = list(colony.fired)
        self.acts: tuple[Act, ...] = colony.acts
        self.spent = colony.spent
        self.recent = colony.recent
        self.arrivals = colony.arrivals
        self.imported = list(colony.imported)
        self.past: tuple[Past, ...] = colony.past
        self.settlement: Settlement | None = colony.settlement
        self.endings: tuple[Ending, ...] = colony.endings
        self.scenario_ending = colony.scenario_ending
        self.table_points = colony.table_points
        self.ledger: list[tuple[str, int]] = []
        self.hit: list[int] = []
        self.lost = 0
        self.completed: list[int] = []
        self.upgraded: list[int] = []
        self.messages: list[Message] = []
        self.economy_is_done = False
        self.totals_kept: Totals | None = None

    def freeze(self) -> Colony:
        return Colony(
            setup=self.setup,
            catalog_version=self.catalog.version,
            chance=self.chance.state,
            round=self.round,
            max_rounds=self.max_rounds,
            governor=self.governor,
            next_governor=self.next_governor,
            assistants=self.assistants,
            statuses=tuple(self.statuses),
            stock=self.stock,
            groups=tuple(self.groups),
            accumulators=tuple(self.accumulators),
            extra_capacity=tuple(self.extra_capacity),
            extra_housing=self.extra_housing,
            support=tuple(self.support),
            built=tuple(self.built),
            greens=tuple(self.greens),
            ambassadors=tuple(self.ambassadors),
            modules=tuple(self.modules),
            connections=self.connections,
            riot_stage=self.riot_stage,
            riot_warnings=self.riot_warnings,
            riot_rounds=self.riot_rounds,
            dependence=self.dependence,
            loans=self.loans,
            is_overcrowded=self.is_overcrowded,
            lasting=tuple(self.lasting),
            counters=tuple(self.counters.items()),
            fired=tuple(self.fired),
            acts=self.acts,
            spent=self.spent,
            recent=self.recent,
            arrivals=self.arrivals,
            imported=tuple(self.imported),
            past=self.past,
            settlement=self.settlement,
            endings=self.endings,
            scenario_ending=self.scenario_ending,
            table_points=self.table_points,
        )

    def pay(self, line: str, amount: int) -> None:
        """Adds a signed amount to STOCK, and says on which line of the economy screen it stands."""
        if amount:
            self.stock += amount
            self.ledger.append((line, amount))

    def totals(self) -> Totals:
        """What all modules give together now; `modules_changed` forgets it."""
        if self.totals_kept is None:
            self.totals_kept = count_totals(self.modules, self.catalog)
        return self.totals_kept

    def modules_changed(self) -> None:
        self.totals_kept = None

    def last_of(self, kind: str, index: int = -1) -> int:
        """The sum of lasting effects of this kind (for this index, or for all) in this settlement."""
        now = self.round
        return sum(
            each.amount
            for each in self.lasting
            if each.kind == kind and each.first <= now <= each.last and each.index in (index, -1)
        )

    def seat(self, manager: str | None) -> int:
        """The seat that a manager's token stands for; in solo every token is the player's (A3.2.10). −1: nobody's."""
        if manager is None:
            return -1
        seats = self.setup.managers
        return seats.index(manager) if seats else 0

    def housing(self) -> int:
        return max(0, self.rules.start.housing + self.extra_housing + self.totals().housing)

    def capacity(self, resource: int) -> int:
        return max(0, self.rules.start.capacity + self.extra_capacity[resource] + self.totals().capacity[resource])
