"""Which games to play: every combination asked for, each with its own seed, numbered so that a run can be resumed."""

from collections.abc import Iterator

from attrs import frozen

from companion.catalog import Catalog
from companion.lab.game_row import GamePlan
from companion.simulation.chance import Chance
from companion.simulation.commands import Setup
from companion.simulation.words import Mode


@frozen
class Batch:
    """What a run plays: `games` of every policy on every planet in every mode, managers drawn by chance."""

    policies: tuple[str, ...]
    planets: tuple[str, ...]
    modes: tuple[str, ...]
    players: tuple[int, ...]
    """Number of managers, taken in turn; solo has none."""
    games: int
    seed: int

    def __len__(self) -> int:
        return self.games * len(self.policies) * len(self.planets) * len(self.modes)

    def plans(self, catalog: Catalog) -> Iterator[GamePlan]:
        """The plans in order of their id. A game's seed and managers depend on batch seed and number alone, so that two
        catalogs, or two policies, meet the same colonies."""
        managers, fleets = sorted(catalog.managers), (None, *sorted(catalog.fleets))
        number = 0
        for mode in self.modes:
            for planet in self.planets:
                for policy in self.policies:
                    for game in range(self.games):
                        chance = Chance(self.seed + game)
                        seats = self.players[game % len(self.players)] if mode != Mode.SOLO.value else 0
                        setup = Setup(
                            Mode(mode), _sample(managers, seats, chance), planet, fleets[chance.below(len(fleets))]
                        )
                        yield GamePlan(number, chance.draw(), policy, setup)
                        number += 1


def _sample(names: list[str], count: int, chance: Chance) -> tuple[str, ...]:
    rest, taken = list(names), []
    for _ in range(count):
        taken.append(rest.pop(chance.below(len(rest))))
    return tuple(taken)
