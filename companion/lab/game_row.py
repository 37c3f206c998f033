"""What was played and what came out: a plan, the tally of its settlements, one row for the CSV."""

from attrs import fields, frozen

from companion import simulation
from companion.catalog import Catalog
from companion.simulation.colony import Colony
from companion.simulation.commands import Setup
from companion.simulation.words import Mode


@frozen
class GamePlan:
    """What to play."""

    id: int
    seed: int
    policy: str
    setup: Setup


@frozen
class GameRow:
    """What came out; one line of the CSV. Lists are «a|b|c»."""

    id: int
    seed: int
    policy: str
    mode: str
    planet: str
    fleet: str
    managers: str
    rounds: int
    endings: str
    is_victory: bool
    is_won: bool
    """Semi-coop: the colony survived. Co-op and solo: the sum is above zero too."""
    stock: int
    citizens: int
    modules: int
    loans: int
    riots: int
    riot_rounds: int
    catastrophes: int
    hit: int
    casualties: int
    overcrowded_rounds: int
    upgrades: int
    votes_green: int
    passed_green: int
    votes_red: int
    passed_red: int
    approval_low: int
    approval_high: int
    """Thousandths of a percent; 0 when nobody voted."""
    support: str
    president: str
    scores: str
    """Without table points, by seat; one number in co-op and solo."""
    table_points: str
    winners: str
    winners_without_order: str
    """With the points of the Order of Command left out."""
    passed: str
    """Cards that passed."""
    occurrences: str


COLUMNS = tuple(attribute.name for attribute in fields(GameRow))


class Tally:
    """Sums over the settlements of one game."""

    def __init__(self) -> None:
        self.riots = self.catastrophes = self.hit = self.casualties = self.overcrowded = self.upgrades = 0
        self.green, self.red = [0, 0], [0, 0]
        self.approvals: list[int] = []
        self.passed: list[str] = []
        self.occurrences: list[str] = []

    def count(self, colony: Colony, catalog: Catalog) -> None:
        done = colony.settlement
        assert done is not None
        self.riots += done.riot == "breaks_out"
        self.catastrophes += bool(done.hit)
        self.hit += len(done.hit)
        self.casualties += done.casualties
        self.overcrowded += done.is_overcrowded
        self.upgrades += len(done.upgraded)
        self.occurrences.append(done.occurrence)
        for vote in done.votes:
            if vote.passed:
                self.passed.append(vote.card)
            if vote.approval:
                counts = self.green if catalog.decrees[vote.card].colour == "green" else self.red
                counts[0] += 1
                counts[1] += vote.passed
                self.approvals.append(vote.approval)


def row_of(plan: GamePlan, colony: Colony, catalog: Catalog, tally: Tally, table: tuple[int, ...]) -> GameRow:
    ending = simulation.view(colony, catalog).ending
    assert ending is not None
    is_common = plan.setup.mode is not Mode.SEMI_COOP
    scores = [score.total for score in ending.scores]
    order = [0] * len(scores)
    if not is_common:
        order = [catalog.managers[manager].order_vp for manager in plan.setup.managers]
    with_order = [a + b for a, b in zip(scores, table, strict=False)]
    without = [total - extra for total, extra in zip(with_order, order, strict=False)]
    return GameRow(
        id=plan.id,
        seed=plan.seed,
        policy=plan.policy,
        mode=plan.setup.mode.value,
        planet=plan.setup.planet,
        fleet=plan.setup.fleet or "",
        managers="|".join(plan.setup.managers),
        rounds=len(colony.past) - 1,
        endings="|".join(each.value for each in ending.endings),
        is_victory=ending.is_victory,
        is_won=ending.is_victory and (not is_common or with_order[0] > 0),
        stock=colony.stock,
        citizens=colony.citizens,
        modules=sum(module.was_finished for module in colony.modules),
        loans=colony.loans,
        riots=tally.riots,
        riot_rounds=colony.riot_rounds,
        catastrophes=tally.catastrophes,
        hit=tally.hit,
        casualties=tally.casualties,
        overcrowded_rounds=tally.overcrowded,
        upgrades=tally.upgrades,
        votes_green=tally.green[0],
        passed_green=tally.green[1],
        votes_red=tally.red[0],
        passed_red=tally.red[1],
        approval_low=min(tally.approvals, default=0),
        approval_high=max(tally.approvals, default=0),
        support="|".join(map(str, colony.support)),
        president=ending.president or "",
        scores="|".join(map(str, scores)),
        table_points="|".join(map(str, table)),
        winners="" if is_common else _best(plan.setup.managers, with_order),
        winners_without_order="" if is_common else _best(plan.setup.managers, without),
        passed="|".join(tally.passed),
        occurrences="|".join(tally.occurrences),
    )


def _best(managers: tuple[str, ...], totals: list[int]) -> str:
    return "|".join(m for m, total in zip(managers, totals, strict=False) if total == max(totals)) if totals else ""
