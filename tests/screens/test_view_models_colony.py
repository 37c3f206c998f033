"""View models of the main screen, without Kivy: words and tones from hand-made views."""

import pytest
from attrs import evolve

from companion.screens.gallery import samples
from companion.screens.view_models.attention import attention, brief
from companion.screens.view_models.colony import (
    colony_screen,
    population_card,
    resources_card,
    status_card,
    stock_change,
)
from companion.screens.view_models.details import detail_page
from companion.session.table import ArcState, ArcView
from companion.simulation.player import EconomyView
from companion.simulation.words import Fill, Level


def test_the_worst_status_is_named() -> None:
    good = tuple(evolve(one, level=Level.GOOD) for one in samples.COLONY.statuses)
    assert status_card(good).pill.text == "All good"
    two = (good[0], evolve(good[1], level=Level.CRITICAL), evolve(good[2], level=Level.CRITICAL))
    assert status_card(two).pill.text == "Security + Technical critical"
    assert status_card(two).pill.tone == "critical"


def test_change_against_the_last_round() -> None:
    happiness, security, technical = colony_screen(samples.TABLE).status.statuses
    assert (happiness.change, happiness.change_icon) == ("was Poor", "trending-up")
    assert (security.change, security.change_icon) == ("as last round", "trending-neutral")
    assert (technical.change, technical.change_icon) == ("was Poor", "trending-down")
    assert colony_screen(samples.FIRST_ROUND).status.statuses[0].change == "first round"


def test_a_shortage_says_where_it_comes_from() -> None:
    gas = samples.COLONY.resources[2]
    others = tuple(one for one in samples.COLONY.resources if one != gas)
    assert resources_card((*others, gas)).pill.text == "Gas: imported"
    assert resources_card((*others, evolve(gas, accumulator=Fill.FULL))).pill.text == "Gas: drawn from store"
    assert resources_card(others).pill.text == "Supplied"


def test_population_pill_and_beds() -> None:
    view = samples.COLONY.population
    assert population_card(view).pill.text == "Mostly Colonists"
    assert population_card(evolve(view, trend=(), is_leaving=True)).pill.text == "Citizens leave"
    assert population_card(evolve(view, trend=())).pill.text == "Nobody is coming"
    crowded = population_card(evolve(view, housing=4000))
    assert (crowded.housing, crowded.housing_tone) == ("only 4,000 beds", "alarming")


@pytest.mark.parametrize(
    ("stock", "history", "change"), [(27, (12, 22, 27), 5), (57, (12, 22, 27), 30), (50, (), 0), (50, (50,), 0)]
)
def test_stock_change(stock: int, history: tuple[int, ...], change: int) -> None:
    assert stock_change(EconomyView(stock, (), history)) == change


def test_attention_has_the_worst_first() -> None:
    vm = attention(samples.WORST, samples.WORST.colony)  # type: ignore[arg-type]  # a table with a colony
    tones = [tone for tone, _text in vm.items]
    assert tones == sorted(tones, key=["critical", "alarming", "poor", "info"].index)
    assert vm.items[0][1] == "A riot rages, stage 2"
    assert "Last round: no decrees any more" in [text for _tone, text in vm.items]


def test_attention_is_quiet_when_all_is_well() -> None:
    vm = colony_screen(samples.FIRST_ROUND).attention
    assert (vm.title, vm.items) == ("Nothing presses", ())


def test_brief_keeps_the_first_and_what_fits() -> None:
    assert brief(["a" * 100, "b"]) == "a" * 100
    assert brief(["aa", "bb", "c" * 100]) == "aa · bb"


def test_acts_show_each_manager_once_newest_last() -> None:
    assert [one[0] for one in colony_screen(samples.TABLE).acts.managers] == ["bloch", "xu", "gore"]


def test_the_last_round_says_so() -> None:
    assert colony_screen(samples.WORST).next_text == "End the last round"
    assert colony_screen(samples.TABLE).next_text == "End round 14"


def test_the_arc_pill_names_the_battery() -> None:
    arc = ArcView(ArcState.READY, "", 9, battery_low=True)
    pill = colony_screen(evolve(samples.TABLE, arc=arc)).header.arc
    assert (pill.text, pill.icon, pill.tone) == ("ARC ready · 9 %", "battery-alert", "alarming")


def test_what_building_and_a_loan_cost_is_what_they_cost_in_this_game() -> None:
    colony = evolve(
        samples.COLONY,
        economy=evolve(samples.COLONY.economy, construction_cost=8),
        special=evolve(samples.COLONY.special, loan=15),
    )
    notes = [
        block.note
        for card in ("economy", "special")
        for column in detail_page(card, colony).columns
        for block in column
    ]
    assert "Every module under construction costs 8 STOCK a round, unless a card says otherwise." in notes
    assert any("brings a loan of 15 and" in note for note in notes)
