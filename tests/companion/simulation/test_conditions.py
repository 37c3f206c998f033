"""Every key of `when`, on both sides of its border."""

from typing import Any

import pytest
from attrs import evolve, fields

from companion import simulation
from companion.catalog.conditions import Condition as When
from companion.simulation.conditions import holds
from companion.simulation.draft import Draft
from companion.simulation.words import Condition, Mode
from tests.companion.simulation.games import finished, moods, shipped, start, start_solo, with_modules


def base() -> simulation.Colony:
    """Three managers on rustfall in round 4; solar and well built, hydro under construction, seat 1 has 2 modules."""
    site = evolve(
        finished("hydro", 200), condition=Condition.UNDER_CONSTRUCTION, progress=0, was_finished=False, since=0
    )
    colony = with_modules(moods(start(assistants=("pilot",)), 61_000, 41_000, 19_000), "solar", "well")
    return evolve(
        colony,
        modules=(*colony.modules, site),
        round=4,
        stock=30,
        groups=(700, 120, 80, 60, 40),
        accumulators=(7, 0, 3, 7),
        imported=(0, 2, 0, 0),
        built=(0, 2, 0),
        greens=(0, 3, 0),
        support=(1, 9, 2),
        dependence=1,
        counters=(("bar", 5),),
    )


YES: list[dict[str, Any]] = [
    {"planet": ("rustfall",)}, {"planet": ("verdance", "rustfall")}, {"environment": ("dust",)}, {"manager": ("gore",)},
    {"mode": ("semi-coop",)}, {"players_min": 3}, {"players_max": 3}, {"assistant": ("pilot", "kingpin")},
    {"module": ("well",)}, {"without_module": ("nuclear",)}, {"happiness": ("good",)}, {"security": ("poor", "alarming")},
    {"technical": ("critical",)}, {"stock_min": 30}, {"stock_max": 30}, {"round_min": 4}, {"round_max": 4},
    {"citizens_min": 1000}, {"citizens_max": 1000}, {"share_min": {"colonists": 70, "prisoners": 4}},
    {"share_max": {"secforce": 12}}, {"modules_min": 2}, {"modules_max": 2}, {"building": True}, {"riot": False},
    {"overcrowded": False}, {"dependence_min": 1}, {"shortage": ("life_support",)}, {"accumulator_empty": ("life_support",)},
    {"accumulator_full": ("power",)}, {"counter_min": {"bar": 5}}, {"own_modules_min": 2}, {"own_greens_min": 3},
    {"is_governor": True}, {"is_president": True},
]  # fmt: skip
NO: list[dict[str, Any]] = [
    {"planet": ("verdance",)}, {"environment": ("volcanic",)}, {"manager": ("xu",)}, {"mode": ("co-op", "solo")},
    {"players_min": 4}, {"players_max": 2}, {"assistant": ("kingpin",)}, {"module": ("hydro",)},
    {"without_module": ("hydro",)}, {"happiness": ("poor",)}, {"security": ("good",)}, {"technical": ("alarming",)},
    {"stock_min": 31}, {"stock_max": 29}, {"round_min": 5}, {"round_max": 3}, {"citizens_min": 1001},
    {"citizens_max": 999}, {"share_min": {"colonists": 70, "prisoners": 5}}, {"share_max": {"secforce": 11}},
    {"modules_min": 3}, {"modules_max": 1}, {"building": False}, {"riot": True}, {"overcrowded": True},
    {"dependence_min": 2}, {"shortage": ("power", "gas")}, {"accumulator_empty": ("power", "gas")},
    {"accumulator_full": ("gas",)}, {"counter_min": {"bar": 6}}, {"counter_min": {"other": 1}}, {"own_modules_min": 3},
    {"own_greens_min": 4}, {"is_governor": False}, {"is_president": False},
]  # fmt: skip


@pytest.mark.parametrize("keys", YES, ids=str)
def test_holds(keys: dict[str, Any]) -> None:
    assert holds(When(**keys), Draft(base(), shipped()), seat=1)


@pytest.mark.parametrize("keys", NO, ids=str)
def test_does_not_hold(keys: dict[str, Any]) -> None:
    assert not holds(When(**keys), Draft(base(), shipped()), seat=1)


def test_every_key_is_tried() -> None:
    known = {attribute.name for attribute in fields(When) if attribute.init}
    assert {key for keys in YES for key in keys} == known == {key for keys in NO for key in keys}


def test_all_keys_must_hold() -> None:
    draft = Draft(base(), shipped())
    assert holds(When(stock_min=30, round_max=4), draft)
    assert not holds(When(stock_min=30, round_max=3), draft)
    assert holds(None, draft)
    assert holds(When(), draft)


def test_solo_counts_as_one_player_and_elects_nobody() -> None:
    draft = Draft(start_solo(), shipped())
    assert holds(When(players_max=1, mode=("solo",)), draft, seat=0)
    assert not holds(When(players_min=2), draft, seat=0)
    assert not holds(When(is_president=True), draft, seat=0)


def test_a_counter_that_was_never_touched_is_zero() -> None:
    assert not holds(When(counter_min={"bar": 1}), Draft(start(mode=Mode.CO_OP), shipped()))
    assert holds(When(counter_min={"bar": 0}), Draft(start(mode=Mode.CO_OP), shipped()))
