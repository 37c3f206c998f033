"""What must stay hidden stays hidden (colonies-rules part 4).

Two proofs over many random games. First, numbers stand only where the rules allow them. Second, and stronger: change
what is hidden in a way that crosses no visible border, and every view and report stays equal, letter by letter.
"""

import random
from collections.abc import Iterator
from enum import Enum
from typing import Any

import pytest
from attrs import evolve, fields, has
from hypothesis import given, settings, strategies as st

from companion import simulation
from companion.simulation.colony import ROUND_OF_WORK, Colony, Lasting
from companion.simulation.draft import Draft
from companion.simulation.levels import level_of
from companion.simulation.words import Condition
from tests.companion.simulation.games import shipped
from tests.companion.simulation.random_games import random_game

ALLOWED = {
    # colonies-rules 4.2, and what people themselves did or see on the bus
    "PlayerView.round", "PlayerView.max_rounds", "PlayerView.achievements",
    "ResourceView.production", "ResourceView.consumption",
    "PopulationView.groups", "PopulationView.housing", "PopulationView.history",
    "EconomyView.stock", "EconomyView.history",
    "ConstructionView.instance", "ConstructionView.quarters",
    "SpecialView.riot_stage", "SpecialView.terran_dependence", "SpecialView.damaged",
    "ModuleView.instance", "ModuleView.type_id", "ModuleView.tier",
    "ScoreLine.points", "ManagerScore.total", "ManagerScore.on_table", "GoalResult.points",
    "PlayerReport.closed_round", "EconomySection.income", "EconomySection.expenses", "EconomySection.stock_before",
    "EconomySection.stock_after", "EconomySection.resources", "EconomySection.population",
    # the rulebook's, or the scenario's: what a construction, a loan and the presidency are worth (§4.9.2, §5.5.2, §6.1)
    "EconomyView.construction_cost", "SpecialView.loan", "EndingView.presidency",
    "DecreeResult.approval_tenths", "RankingSection.ranks", "AchievementSection.lines", "UpgradeSection.modules",
}  # fmt: skip


def numbers_in(value: Any, where: str = "") -> Iterator[str]:
    """The places (class and attribute) at which numbers stand."""
    if isinstance(value, bool | str | Enum) or value is None:
        return
    if isinstance(value, int | float):
        yield where
    elif isinstance(value, tuple):
        for item in value:
            yield from numbers_in(item, where)
    elif has(type(value)):
        for attribute in fields(type(value)):
            yield from numbers_in(getattr(value, attribute.name), f"{type(value).__name__}.{attribute.name}")
    else:
        raise AssertionError(f"{where} holds a {type(value).__name__}")


def shown(colony: Colony) -> tuple[object, object]:
    return simulation.view(colony, shipped()), simulation.report(colony, shipped())


@settings(max_examples=12)
@given(st.integers(0, 2**32))
def test_numbers_stand_only_where_they_may(seed: int) -> None:
    for colony in random_game(seed, 80):
        assert set(numbers_in(shown(colony))) <= ALLOWED


def same_level(status: int, chance: random.Random) -> int:
    levels = shipped().rules.levels
    borders = [0, levels.alarming, levels.poor, levels.good, 100_001]
    low = max(border for border in borders if border <= status)
    high = min(border for border in borders if border > status)
    other = chance.randrange(low, high)
    assert level_of(other, levels) == level_of(status, levels)
    return other


def same_fill(units: int, capacity: int, chance: random.Random) -> int:
    return units if units <= 0 or units >= capacity or capacity < 3 else chance.randrange(1, capacity)


def other_statuses(colony: Colony, chance: random.Random) -> Colony:
    return evolve(colony, statuses=tuple(same_level(status, chance) for status in colony.statuses))


def other_accumulators(colony: Colony, chance: random.Random) -> Colony:
    draft = Draft(colony, shipped())
    pairs = enumerate(colony.accumulators)
    return evolve(colony, accumulators=tuple(same_fill(units, draft.capacity(r), chance) for r, units in pairs))


def other_support(colony: Colony, chance: random.Random) -> Colony:
    """Whoever leads goes on leading, since the end screen names the President."""
    order = {points: rank for rank, points in enumerate(sorted(set(colony.support)))}
    rise = sorted(chance.randrange(1, 400) for _ in order)
    return evolve(colony, support=tuple(rise[order[points]] + order[points] for points in colony.support))


def other_arrivals(colony: Colony, _: random.Random) -> Colony:
    return evolve(colony, arrivals=tuple(7 * count for count in colony.arrivals))


def other_chance(colony: Colony, chance: random.Random) -> Colony:
    return evolve(colony, chance=chance.getrandbits(64))


def other_timers(colony: Colony, chance: random.Random) -> Colony:
    """Upgrade timers, riot warnings, what happened lately, and how long something lasts."""
    modules = tuple(evolve(module, since=chance.randrange(20)) for module in colony.modules)
    return evolve(
        colony, modules=modules, riot_warnings=chance.randrange(9), recent=colony.recent[: chance.randrange(3)]
    )


def other_effects(colony: Colony, chance: random.Random) -> Colony:
    kinds = ("immigration", "attracts", "approval", "catastrophe_risk", "tax", "upkeep", "stock", "construction_cost")
    more = tuple(Lasting(kind, -1, chance.randrange(-50, 50), 1, 40) for kind in kinds)
    return evolve(colony, lasting=colony.lasting + more)


def other_work(colony: Colony, chance: random.Random) -> Colony:
    """The true length of constructions that have not begun, or not passed a quarter."""
    modules = list(colony.modules)
    for index, module in enumerate(modules):
        if module.condition is Condition.UNDER_CONSTRUCTION and module.progress == 0:
            modules[index] = evolve(module, work=ROUND_OF_WORK * chance.randrange(1, 9))
    return evolve(colony, modules=tuple(modules))


def other_points(colony: Colony, chance: random.Random) -> Colony:
    """What scores in the end is nobody's business before."""
    if colony.has_ended:
        return colony
    seats = len(colony.seats)
    return evolve(
        colony,
        built=tuple(chance.randrange(9) for _ in range(seats)),
        greens=tuple(chance.randrange(9) for _ in range(seats)),
        ambassadors=tuple(chance.randrange(9) for _ in range(seats)),
        loans=chance.randrange(9),
        riot_rounds=chance.randrange(9),
    )


HIDDEN = [
    other_statuses, other_accumulators, other_support, other_arrivals, other_chance, other_timers, other_effects,
    other_work, other_points,
]  # fmt: skip


@pytest.mark.parametrize("change", HIDDEN, ids=[change.__name__ for change in HIDDEN])
@settings(max_examples=6)
@given(seed=st.integers(0, 2**32))
def test_views_do_not_depend_on_what_is_hidden(change: Any, seed: int) -> None:
    chance = random.Random(seed)
    for colony in random_game(seed, 60):
        assert shown(change(colony, chance)) == shown(colony)


def test_the_changes_do_change_something() -> None:
    chance, changed = random.Random(1), set()
    for seed in range(6):
        for colony in random_game(seed, 60):
            changed |= {change.__name__ for change in HIDDEN if change(colony, chance) != colony}
    assert changed == {change.__name__ for change in HIDDEN}


def test_a_refusal_does_not_tell_either() -> None:
    for seed in range(8):
        chance = random.Random(seed)
        for colony in random_game(seed, 40):
            command = simulation.command_from_text('{"do": "Campaign", "manager": "nobody"}')
            other = other_statuses(other_support(colony, chance), chance)
            assert simulation.step(colony, command, shipped()) == simulation.step(other, command, shipped())


def test_campaigns_leave_no_trace_of_their_size() -> None:
    for colony in random_game(3, 60):
        view = simulation.view(colony, shipped())
        assert not any(
            character.isdigit() for act in view.registered if act.kind == "campaign" for character in act.text
        )
