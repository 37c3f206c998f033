"""What happens on the table, as far as the lab needs it: hands of decrees, fees, endorsements. A model, and said to be one.

The app cannot see the table, so the lab has to suppose. Each manager has the rulebook's regular actions; an action
spent on building brings in `ENDORSEMENT_TENTHS` tenths of an endorsement on average (drawing cards and paying for them
takes actions too). A manager draws a decree a round and has `INCOME` units of currency a round for fees, whatever
their kind; the solo player does so for three (A3.2.1). A module is connected when its endorsements (§4.9.1) have been saved up by all managers together.
"""

from attrs import define, field

from companion.catalog import Catalog
from companion.catalog.model import Decree, ModuleType
from companion.simulation.chance import Chance
from companion.simulation.commands import Setup
from companion.simulation.pool import actions_per_round, base_endorsements, module_pool
from companion.simulation.words import Mode

ENDORSEMENT_TENTHS = 7
HAND_AT_START, HAND_MOST = 2, 5
INCOME, PURSE_AT_START, PURSE_MOST = 1, 3, 6
SOLO_ACTIONS = 6
"""Two of three columns filled, on average."""
SOLO_COUNTS_AS = 3


@define
class Seat:
    manager: str
    hand: list[str] = field(factory=list)
    purse: int = PURSE_AT_START


@define
class TableModel:
    """Cards, purses and saved endorsements of one game."""

    catalog: Catalog
    setup: Setup
    chance: Chance
    seats: list[Seat]
    pool: tuple[ModuleType, ...]
    deck: list[str] = field(factory=list)
    endorsements: int = 0
    """In tenths."""

    @classmethod
    def lay_out(cls, setup: Setup, seats: tuple[str, ...], catalog: Catalog, chance: Chance) -> "TableModel":
        table = cls(catalog, setup, chance, [Seat(manager) for manager in seats], module_pool(setup, catalog))
        for seat in table.seats:
            for _ in range(HAND_AT_START):
                table._draw_for(seat)
            seat.purse *= table.persons()
        return table

    def persons(self) -> int:
        """How many each seat stands for."""
        return SOLO_COUNTS_AS if self.setup.mode is Mode.SOLO else 1

    def actions(self) -> int:
        """Regular actions of all managers in a round."""
        if self.setup.mode is Mode.SOLO:
            return SOLO_ACTIONS
        return actions_per_round(self.setup) * len(self.seats)

    def price(self, module: ModuleType) -> int:
        """Endorsements in tenths."""
        return 10 * (base_endorsements(self.setup) + module.endorsements)

    def begin_round(self, building_actions: int) -> None:
        """Cards are drawn, purses filled, endorsements saved."""
        self.endorsements += ENDORSEMENT_TENTHS * building_actions
        for seat in self.seats:
            for _ in range(self.persons()):
                self._draw_for(seat)
            seat.purse = min(PURSE_MOST * self.persons(), seat.purse + INCOME * self.persons())

    def affordable(self, seat: Seat) -> list[Decree]:
        decrees = self.catalog.decrees
        return [decrees[card] for card in seat.hand if sum(decrees[card].cost.values()) <= seat.purse]

    def play(self, seat: Seat, decree: Decree) -> None:
        seat.hand.remove(decree.id)
        seat.purse -= sum(decree.cost.values())

    def _draw_for(self, seat: Seat) -> None:
        if not self.deck:
            in_hands = {card for each in self.seats for card in each.hand}
            self.deck = [card for card in self.catalog.decrees if card not in in_hands]
        if not self.deck:
            return
        if len(seat.hand) >= HAND_MOST * self.persons():
            seat.hand.pop(0)
        seat.hand.append(self.deck.pop(self.chance.below(len(self.deck))))
