"""One game played by one policy: the same `GamePlan` always gives the same row."""

from collections.abc import Iterator

from attrs import fields, frozen

from companion import simulation
from companion.catalog import Catalog
from companion.catalog.model import Directive
from companion.lab.forecast import look_ahead
from companion.lab.policies import POLICIES, Card, Policy
from companion.lab.table_model import Seat, TableModel
from companion.lab.table_points import draw_table_points
from companion.simulation.chance import Chance
from companion.simulation.colony import Colony
from companion.simulation.commands import (
    Campaign,
    Command,
    ConnectModule,
    RegisterDecree,
    RegisterDirective,
    SetConnections,
    Settle,
    Setup,
    SubmitModule,
    UseAmbassador,
)
from companion.simulation.player import PlayerView
from companion.simulation.settlement.votes import blocks_decrees
from companion.simulation.words import Mode

AMBASSADOR_PRICE = 6
"""Fee units; Political Advantage is rare."""
_FIRST_INSTANCE = 100
_BRANCHES = 3
_LAB = 0x5EED_0F_1AB
"""Keeps the lab's chance apart from the colony's."""


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


def play_game(plan: GamePlan, catalog: Catalog) -> GameRow:
    """Plays to the end. The lab's own chance comes from the plan's seed too, beside the colony's."""
    start, table, chance = begin_game(plan, catalog)
    colony, tally = start, _Tally()
    for colony in play_on(start, plan, table, chance):
        tally.count(colony, catalog)
    table_points = draw_table_points(len(colony.seats), plan.setup.mode is not Mode.SEMI_COOP, chance)
    return _row(plan, colony, catalog, tally, table_points)


def begin_game(plan: GamePlan, catalog: Catalog) -> tuple[Colony, TableModel, Chance]:
    """Round 1 with its table and the lab's chance."""
    chance = Chance(plan.seed ^ _LAB)
    colony = simulation.new_game(plan.setup, plan.seed, catalog)
    return colony, TableModel.lay_out(plan.setup, colony.seats, catalog, chance), chance


def play_on(
    colony: Colony, plan: GamePlan, table: TableModel, chance: Chance, first_round_bare: bool = False
) -> Iterator[Colony]:
    """The colony after each settlement until the end. `first_round_bare`: this round is settled as it stands."""
    policy = POLICIES[plan.policy]
    while not colony.has_ended:
        for command in () if first_round_bare else _round(colony, policy, table, chance):
            colony = _step(colony, command, table.catalog)
        first_round_bare = False
        colony = _step(colony, Settle(), table.catalog)
        yield colony


def _step(colony: Colony, command: Command, catalog: Catalog) -> Colony:
    """A policy's commands always fit; if one does not, the lab is wrong and says so."""
    answer = simulation.step(colony, command, catalog)
    if isinstance(answer, simulation.Refusal):
        raise RuntimeError(f"the lab's {command} was refused: {answer.reason}")
    return answer.colony


def _round(colony: Colony, policy: Policy, table: TableModel, chance: Chance) -> list[Command]:
    view = simulation.view(colony, table.catalog)
    campaigns = policy.campaigns(view, table, chance)
    table.begin_round(table.actions() - len(campaigns))
    commands: list[Command] = [Campaign(table.seats[seat].manager) for seat in campaigns]
    commands += _build(colony, view, policy, table, chance)
    if policy.wants_ambassador(view):
        commands += _ambassador(table)
    if not view.is_last_round:
        commands += _introduce_cards(colony, view, policy, table, chance)
    return commands


def _build(colony: Colony, view: PlayerView, policy: Policy, table: TableModel, chance: Chance) -> list[Command]:
    ahead = look_ahead(view, table.catalog)
    choices = [
        kind
        for kind in table.pool
        if table.price(kind) <= table.endorsements and ahead.connected.get(kind.id, 0) < kind.copies
    ]
    kind = policy.module(view, choices, ahead, chance) if choices else None
    if kind is None:
        return []
    table.endorsements -= table.price(kind)
    instance = _FIRST_INSTANCE + len(colony.modules) + 1
    parents = [0, *(module.instance for module in colony.modules)][-_BRANCHES:]
    edge = (parents[chance.below(len(parents))], instance)
    builder = table.seats[chance.below(len(table.seats))].manager
    return [
        ConnectModule(instance, kind.type_id),
        SubmitModule(instance, builder),
        SetConnections((*colony.connections, edge)),
    ]


def _ambassador(table: TableModel) -> list[Command]:
    ready = [seat for seat in table.seats if seat.purse >= AMBASSADOR_PRICE]
    if not ready:
        return []
    ready[0].purse -= AMBASSADOR_PRICE
    return [UseAmbassador(ready[0].manager)]


def _introduce_cards(
    colony: Colony, view: PlayerView, policy: Policy, table: TableModel, chance: Chance
) -> list[Command]:
    commands: list[Command] = []
    for manager in view.managers:
        seat = next(seat for seat in table.seats if seat.manager == manager.id)
        card = policy.card(view, _choices(colony, seat, table), chance) if seat.hand else None
        if card is None:
            continue
        if isinstance(card, Directive):
            commands.append(RegisterDirective(card.id, seat.manager))
            if blocks_decrees(card):
                return commands  # the others keep theirs
            continue
        table.play(seat, table.catalog.decrees[card.id])
        commands.append(RegisterDecree(card.id, seat.manager))
    return commands


def _choices(colony: Colony, seat: Seat, table: TableModel) -> list[Card]:
    cards: list[Card] = list(table.affordable(seat))
    if colony.setup.mode is not Mode.SOLO:
        cards += [
            directive
            for directive in table.catalog.directives.values()
            if directive.manager == seat.manager and directive.id not in colony.spent
        ]
    return cards


class _Tally:
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


def _row(plan: GamePlan, colony: Colony, catalog: Catalog, tally: _Tally, table: tuple[int, ...]) -> GameRow:
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
