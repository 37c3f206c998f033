"""One game played by one policy: the same `GamePlan` always gives the same row."""

from collections.abc import Iterator

from companion import simulation
from companion.catalog import Catalog
from companion.catalog.model import Directive
from companion.lab.forecast import look_ahead
from companion.lab.game_row import GamePlan, GameRow, Tally, row_of
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


def play_game(plan: GamePlan, catalog: Catalog) -> GameRow:
    """Plays to the end. The lab's own chance comes from the plan's seed too, beside the colony's."""
    start, table, chance = begin_game(plan, catalog)
    colony, tally = start, Tally()
    for colony in play_on(start, plan, table, chance):
        tally.count(colony, catalog)
    table_points = draw_table_points(len(colony.seats), plan.setup.mode is not Mode.SEMI_COOP, chance)
    return row_of(plan, colony, catalog, tally, table_points)


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
