"""Ways to play, from doing nothing to looking after everything. A policy sees what players see, and nothing else."""

from abc import abstractmethod
from typing import Protocol

from companion.catalog.model import Decree, Directive, ModuleType
from companion.lab.forecast import Forecast
from companion.lab.table_model import TableModel
from companion.lab.worth import card_worth, module_worth, need_of
from companion.simulation.chance import Chance
from companion.simulation.player import PlayerView

Card = Decree | Directive
_DRAW, _ROOM = 60, 90
"""Worth of a percent of immigration, and of a hundred beds, to whoever wants people."""
_RESERVE = 4
"""STOCK that a careful player keeps beside what the queue will cost."""


class Policy(Protocol):
    """Asked once a round for each kind of act. `chance` is the lab's own, not the colony's."""

    @abstractmethod
    def campaigns(self, view: PlayerView, table: TableModel, chance: Chance) -> list[int]:
        """Seats that campaign with one of their actions."""

    @abstractmethod
    def module(self, view: PlayerView, choices: list[ModuleType], ahead: Forecast, chance: Chance) -> ModuleType | None:
        """What to connect of those whose endorsements are saved up; None: save further."""

    @abstractmethod
    def card(self, view: PlayerView, choices: list[Card], chance: Chance) -> Card | None:
        """What a manager introduces."""

    @abstractmethod
    def wants_ambassador(self, view: PlayerView) -> bool: ...


class Idle(Policy):
    """Presses NEXT."""

    def campaigns(self, view: PlayerView, table: TableModel, chance: Chance) -> list[int]:
        return []

    def module(self, view: PlayerView, choices: list[ModuleType], ahead: Forecast, chance: Chance) -> ModuleType | None:
        return None

    def card(self, view: PlayerView, choices: list[Card], chance: Chance) -> Card | None:
        return None

    def wants_ambassador(self, view: PlayerView) -> bool:
        return False


class Random(Policy):
    """Anything that is allowed."""

    def campaigns(self, view: PlayerView, table: TableModel, chance: Chance) -> list[int]:
        return [chance.below(len(table.seats))] if chance.happens(500) else []

    def module(self, view: PlayerView, choices: list[ModuleType], ahead: Forecast, chance: Chance) -> ModuleType | None:
        return choices[chance.below(len(choices))]

    def card(self, view: PlayerView, choices: list[Card], chance: Chance) -> Card | None:
        return choices[chance.below(len(choices))] if chance.happens(700) else None

    def wants_ambassador(self, view: PlayerView) -> bool:
        return False


class Greedy(Policy):
    """Points now: the cheapest module at once, green decrees, whatever becomes of the colony."""

    def campaigns(self, view: PlayerView, table: TableModel, chance: Chance) -> list[int]:
        return []

    def module(self, view: PlayerView, choices: list[ModuleType], ahead: Forecast, chance: Chance) -> ModuleType | None:
        return min(choices, key=lambda kind: (kind.endorsements, kind.rounds, kind.type_id))

    def card(self, view: PlayerView, choices: list[Card], chance: Chance) -> Card | None:
        greens = [card for card in choices if isinstance(card, Decree) and card.colour == "green"]
        return greens[chance.below(len(greens))] if greens else None

    def wants_ambassador(self, view: PlayerView) -> bool:
        return True


class Careful(Policy):
    """The colony first: what it lacks is built and decreed, and never on credit."""

    def campaigns(self, view: PlayerView, table: TableModel, chance: Chance) -> list[int]:
        return [view.round % len(table.seats)] if view.round % 2 else []

    def module(self, view: PlayerView, choices: list[ModuleType], ahead: Forecast, chance: Chance) -> ModuleType | None:
        ready = [kind for kind in choices if self._can_pay(kind, view, ahead)]
        if not ready:
            return None
        best = max(ready, key=lambda kind: (self.worth(kind, view, ahead), -kind.type_id))
        return best if self.worth(best, view, ahead) > 0 else None

    def card(self, view: PlayerView, choices: list[Card], chance: Chance) -> Card | None:
        if not choices:
            return None
        best = max(choices, key=lambda card: (_chance_of(card) * card_worth(card, view), card.id))
        return best if card_worth(best, view) > 0 else None

    def wants_ambassador(self, view: PlayerView) -> bool:
        return view.special.terran_dependence > 0

    def worth(self, kind: ModuleType, view: PlayerView, ahead: Forecast) -> int:
        return module_worth(kind, view, ahead)

    def _can_pay(self, kind: ModuleType, view: PlayerView, ahead: Forecast) -> bool:
        past = view.economy.history[-3:]
        income = (past[-1] - past[0]) // max(1, len(past) - 1) if len(past) > 1 else 0
        rounds = min(2, kind.rounds)
        return view.economy.stock + rounds * min(0, income) - 5 * rounds - 5 * ahead.building >= _RESERVE


class Popular(Careful):
    """Careful with the colony, and after many people and their favour: room for newcomers, campaigns, green before all."""

    def campaigns(self, view: PlayerView, table: TableModel, chance: Chance) -> list[int]:
        seats = len(table.seats)
        return [(view.round + turn) % seats for turn in range(1 if seats < 3 else 2)]

    def worth(self, kind: ModuleType, view: PlayerView, ahead: Forecast) -> int:
        drawn = _DRAW * kind.tier1.immigration + _ROOM * kind.tier1.housing // 100
        return super().worth(kind, view, ahead) + drawn

    def card(self, view: PlayerView, choices: list[Card], chance: Chance) -> Card | None:
        in_danger = max(need_of(view, name) for name in ("happiness", "security")) > 5
        greens = [card for card in choices if isinstance(card, Decree) and card.colour == "green"]
        if in_danger or not greens:
            return super().card(view, choices, chance)
        return max(greens, key=lambda card: (card_worth(card, view), card.id))


def _chance_of(card: Card) -> int:
    """Of passing, roughly, percent: players know the colours."""
    if isinstance(card, Directive):
        return 100
    return 72 if card.colour == "green" else 50


POLICIES: dict[str, Policy] = {
    "idle": Idle(),
    "random": Random(),
    "greedy": Greedy(),
    "careful": Careful(),
    "popular": Popular(),
}
