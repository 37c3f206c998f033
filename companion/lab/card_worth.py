"""Is a decree ever worth playing, and is it always? Measured by playing the same game on with it and without it.

From moments of games that *careful* plays, a decree is registered for a manager (or nothing is), and both colonies are
played to the end by *careful*. Subjects of a settlement draw from streams of their own, so the two games differ by the
card. A moment belongs to one of seven situations. A card is worth playing in a situation when the mean difference of the
outcome is above zero by two standard errors, and not worth playing when it is below by two.
"""

from collections.abc import Iterator
from math import sqrt
from statistics import mean, stdev

from attrs import evolve, frozen

from companion import simulation
from companion.catalog import Catalog
from companion.lab.game import begin_game, play_on
from companion.lab.game_row import GamePlan
from companion.simulation.colony import Colony
from companion.simulation.commands import RegisterDecree
from companion.simulation.player import PlayerView
from companion.simulation.words import Level

SITUATIONS = ("calm", "poor bank", "in debt", "low moods", "low security", "building much", "emergency")
_FEWEST = 8
_LOVED = 400


@frozen
class Moment:
    """A colony before its cards are introduced, and the seed of how it goes on."""

    colony: Colony
    """All managers loved by the Citizens, so that a card's effect is measured and not its chance of passing."""
    plan: GamePlan
    situation: str
    outcome: float
    """Of the game played on without a card in this round."""


@frozen
class CardWorth:
    decree: str
    by_situation: tuple[tuple[str, float, float, int], ...]
    """(situation, mean difference of the outcome, standard error, moments)"""

    @property
    def helps_in(self) -> tuple[str, ...]:
        return tuple(name for name, mean_gain, error, _ in self.by_situation if mean_gain > 2 * error > 0)

    @property
    def harms_in(self) -> tuple[str, ...]:
        return tuple(name for name, mean_gain, error, _ in self.by_situation if mean_gain < -2 * error < 0)


def collect_moments(plans: Iterator[GamePlan], catalog: Catalog, rounds: tuple[int, ...]) -> list[Moment]:
    """The colonies of these games at the start of these rounds."""
    moments = []
    for plan in plans:
        start, table, chance = begin_game(plan, catalog)
        for colony in play_on(start, plan, table, chance):
            if colony.round in rounds and not colony.has_ended:
                loved = evolve(colony, support=tuple(points + _LOVED for points in colony.support))
                situation = situation_of(simulation.view(colony, catalog))
                moments.append(Moment(loved, plan, situation, outcome_of(loved, plan, catalog)))
    return moments


def situation_of(view: PlayerView) -> str:
    levels = {status.status.value: status.level for status in view.statuses}
    special, bad = view.special, (Level.ALARMING, Level.CRITICAL)
    if special.riot_stage or special.riot_warning:
        return "emergency"
    if special.terran_dependence:
        return "in debt"
    if view.economy.stock < 12:
        return "poor bank"
    if levels["security"] in bad:
        return "low security"
    if levels["happiness"] in bad or levels["technical"] in bad:
        return "low moods"
    return "building much" if len(view.economy.queue) >= 2 else "calm"


def measure_card(decree: str, moments: list[Moment], catalog: Catalog) -> CardWorth:
    """One card at all moments."""
    gains: dict[str, list[float]] = {}
    for moment in moments:
        gain = _gain(decree, moment, catalog)
        if gain is not None:
            gains.setdefault(moment.situation, []).append(gain)
    rows = [
        (name, mean(found), stdev(found) / sqrt(len(found)), len(found))
        for name in SITUATIONS
        if len(found := gains.get(name, [])) >= _FEWEST
    ]
    return CardWorth(decree, tuple(rows))


def _gain(decree: str, moment: Moment, catalog: Catalog) -> float | None:
    seat = moment.colony.seats[moment.colony.round % len(moment.colony.seats)]
    answer = simulation.step(moment.colony, RegisterDecree(decree, seat), catalog)
    if isinstance(answer, simulation.Refusal):
        return None
    return outcome_of(answer.colony, moment.plan, catalog) - moment.outcome


def outcome_of(colony: Colony, plan: GamePlan, catalog: Catalog) -> float:
    """Survival above all, then how well: played on with cards only from the next round."""
    _, table, chance = begin_game(plan, catalog)
    *_, last = play_on(colony, plan, table, chance, first_round_bare=True)
    is_victory = all(ending.is_positive for ending in last.endings)
    moods = sum(last.statuses) / 30_000
    return 40 * is_victory + 2 * (len(last.past) - 1) + last.citizens / 500 + last.stock / 10 - 4 * last.loans + moods
