"""Part 4 of the rules: no number that must stay hidden, nor its image in lengths, orders or colours, reaches a screen."""

import re

from attrs import evolve
from hypothesis import given, strategies as st

from companion.screens.gallery import samples, samples_between as between
from companion.screens.view_models.colony import colony_screen, status
from companion.screens.view_models.details import CARD_ORDER, detail_page
from companion.screens.view_models.standing import ranking_section
from companion.simulation.player import ConstructionView, StatusView
from companion.simulation.player_report import RankingSection
from companion.simulation.words import Fill, Level, Status

NUMBER = re.compile(r"[0-9][0-9,.]*")
levels = st.sampled_from(Level)


def numbers(text: str) -> list[str]:
    return NUMBER.findall(text)


@given(levels, st.none() | levels, st.lists(levels, max_size=30))
def test_a_status_is_words_and_four_steps(level: Level, previous: Level | None, history: list[Level]) -> None:
    vm = status(StatusView(Status.HAPPINESS, level, previous, tuple(history)))
    assert numbers(vm.word + vm.change + vm.name) == []
    assert {vm.steps, *vm.history} <= {1, 2, 3, 4}
    assert vm.tone == level.value


@given(st.sampled_from(Fill))
def test_an_accumulator_is_an_icon_of_three_states(fill: Fill) -> None:
    table = evolve(
        samples.TABLE,
        colony=evolve(
            samples.COLONY, resources=tuple(evolve(one, accumulator=fill) for one in samples.COLONY.resources)
        ),
    )
    for row in colony_screen(table).resources.resources:
        assert row.cells in (0, 1, 2)
        assert numbers(row.accumulator) == []


@given(st.integers(0, 4))
def test_construction_is_quarters_and_no_rounds(quarters: int) -> None:
    queue = (ConstructionView(5, "Tanks", quarters, False),)
    colony = evolve(samples.COLONY, economy=evolve(samples.COLONY.economy, queue=queue))
    vm = colony_screen(evolve(samples.TABLE, colony=colony)).economy.queue[0]
    assert vm.quarters == quarters
    assert numbers(vm.text) == []


def test_support_is_steps_without_a_number() -> None:
    section = RankingSection((("gore", 5), ("bloch", 3)))
    page = ranking_section(section, samples.COLONY)
    items = page.columns[0][0].items
    assert [one.steps for one in items] == [5, 3]
    assert all(numbers(one.title + one.text + one.value + one.pill.text) == [] for one in items)
    assert all(one.share < 0 for one in items)


def test_the_trend_says_order_alone() -> None:
    page = detail_page("population", samples.COLONY)
    trend = page.columns[1][1]
    assert len(trend.items) <= 3
    assert all(numbers(one.title + one.text + one.value) == [] and one.share < 0 for one in trend.items)


@given(st.lists(levels, min_size=3, max_size=3))
def test_no_detail_page_counts_a_level(chosen: list[Level]) -> None:
    statuses = tuple(evolve(one, level=level) for one, level in zip(samples.COLONY.statuses, chosen, strict=True))
    page = detail_page("status", evolve(samples.COLONY, statuses=statuses))
    for (block,) in page.columns:
        assert all(one.value == "" and one.share < 0 and one.of == 0 for one in block.items)


def test_goals_are_nowhere() -> None:
    for card in CARD_ORDER:
        assert "goal" not in repr(detail_page(card, samples.COLONY)).lower()
    assert "goal" not in repr(colony_screen(between.TAPPED)).lower()
