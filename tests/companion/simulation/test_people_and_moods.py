"""Statuses, population, immigration, Overcrowded (colonies-rules 1.5, 1.7, 1.9)."""

from attrs import evolve
from hypothesis import given, strategies as st

from companion import simulation
from companion.simulation.draft import Draft
from companion.simulation.people import add_people, split
from companion.simulation.settlement.moods import find_targets
from companion.simulation.settlement.population import expect_arrivals
from companion.simulation.words import Group, Level
from tests.companion.simulation.games import moods, only_occurrence, settle, shipped, start, with_modules

HAPPINESS, SECURITY, TECHNICAL = 0, 1, 2


def targets(colony: simulation.Colony) -> tuple[int, int, int]:
    return find_targets(Draft(colony, shipped()))


def arrivals(colony: simulation.Colony) -> tuple[int, ...]:
    return expect_arrivals(Draft(colony, shipped()), 0)


def test_h05_modules_planet_groups_and_supply_move_the_targets() -> None:
    plain = targets(start())
    assert targets(with_modules(start(), "commdome"))[HAPPINESS] == plain[HAPPINESS] + 5000
    assert (
        targets(start(planet="cinderhome"))[TECHNICAL] < plain[TECHNICAL] < targets(start(planet="verdance"))[TECHNICAL]
    )
    assert targets(evolve(start(), groups=(700, 300, 0, 0, 0)))[SECURITY] > plain[SECURITY]
    assert targets(evolve(start(), groups=(500, 0, 0, 0, 500)))[HAPPINESS] < plain[HAPPINESS]
    assert targets(evolve(start(), groups=(0, 0, 1000, 0, 0)))[TECHNICAL] < plain[TECHNICAL]
    short = targets(evolve(start(), imported=(3, 0, 1, 0)))
    assert [a - b for a, b in zip(short, plain, strict=True)] == [-8000, -4000, -8000]


def test_life_gets_harder_with_the_rounds() -> None:
    early, late = targets(start()), targets(evolve(start(), round=20))
    assert all(b < a for a, b in zip(early, late, strict=True))


def test_h02_levels_in_four_words() -> None:
    shown = []
    for status in (60_000, 59_999, 40_000, 39_999, 20_000, 19_999, 0):
        shown.append(simulation.view(moods(start(), status), shipped()).statuses[0].level)
    poor, alarming = Level.POOR, Level.ALARMING
    assert shown == [Level.GOOD, poor, poor, alarming, alarming, Level.CRITICAL, Level.CRITICAL]


def test_h04_view_reminds_of_the_last_round() -> None:
    colony = settle(only_occurrence(moods(start(), 61_000, 61_000, 61_000)))
    (happiness, _, _) = simulation.view(colony, shipped()).statuses
    assert happiness.previous is Level.GOOD
    assert happiness.history == (happiness.level,)


def test_statuses_stay_within_the_scale() -> None:
    for status in (0, 100_000):
        colony = moods(with_modules(start(), "commdome", "commtower", "bunker", "zone"), status, status, status)
        assert all(0 <= s <= 100_000 for s in settle(colony).statuses)


@given(st.integers(0, 5000), st.lists(st.integers(0, 3000), min_size=1, max_size=5))
def test_split_loses_nobody(count: int, weights: list[int]) -> None:
    parts = split(count, weights)
    assert sum(parts) == (count if sum(weights) else 0)
    if count <= sum(weights):
        assert all(0 <= part <= weight for part, weight in zip(parts, weights, strict=True))


@given(st.integers(-9000, 9000), st.lists(st.integers(0, 1500), min_size=5, max_size=5))
def test_gap17_no_group_falls_below_zero(count: int, groups: list[int]) -> None:
    draft = Draft(evolve(start(), groups=tuple(groups)), shipped())
    add_people(draft, range(5), count)
    assert min(draft.groups) >= 0
    assert sum(draft.groups) == max(0, sum(groups) + count)


def test_n09_good_statuses_bring_people_and_bad_ones_drive_them_out() -> None:
    good, fair, bad = (sum(arrivals(moods(start(), s, s, s))) for s in (90_000, 55_000, 10_000))
    assert good > fair > 0 > bad


def test_n09_free_beds_bring_people_and_many_citizens_keep_them_away() -> None:
    plain = sum(arrivals(start()))
    assert sum(arrivals(with_modules(start(), "resdome"))) > plain
    crowd = evolve(start(), groups=(8000, 0, 0, 0, 0), extra_housing=7000)
    assert sum(arrivals(crowd)) < plain


def test_n10_modules_and_planets_draw_people() -> None:
    assert sum(arrivals(with_modules(start(), "spaceport"))) > sum(arrivals(start()))
    assert sum(arrivals(start(planet="verdance"))) > sum(arrivals(start(planet="cinderhome")))
    bunker = with_modules(start(), "bunker")
    tier2 = evolve(bunker, modules=(evolve(bunker.modules[0], tier=2),))
    share = [arrivals(colony)[1] / sum(arrivals(colony)) for colony in (bunker, tier2)]
    assert share[1] > share[0]


def test_n08_trend_names_three_groups_strongest_first_without_amounts() -> None:
    colony = evolve(start(), arrivals=(5, 40, 0, 9, 30))
    trend = simulation.view(colony, shipped()).population.trend
    assert trend == (Group.SECFORCE, Group.PRISONERS, Group.MARINES)
    leaving = simulation.view(evolve(start(), arrivals=(-5, -4, 0, -9, -3)), shipped()).population
    assert (leaving.trend, leaving.is_leaving) == ((), True)


def test_n11_housing_is_shown_and_raised() -> None:
    plain = simulation.view(start(), shipped()).population.housing
    assert simulation.view(with_modules(start(), "resdome", "capsules"), shipped()).population.housing == plain + 6000


def test_ov1_overcrowded_lowers_everything() -> None:
    crowd = evolve(start(), groups=(2400, 0, 0, 0, 0))
    after = settle(only_occurrence(crowd))
    assert after.is_overcrowded
    assert simulation.view(after, shipped()).special.is_overcrowded
    roomy = evolve(after, extra_housing=5000, is_overcrowded=False)
    assert all(a < b for a, b in zip(targets(after), targets(roomy), strict=True))
    assert sum(arrivals(after)) < sum(arrivals(roomy))


def test_ov1_the_worse_the_more() -> None:
    little = evolve(start(), groups=(2100, 0, 0, 0, 0), is_overcrowded=True)
    much = evolve(start(), groups=(3500, 0, 0, 0, 0), is_overcrowded=True)
    assert targets(much)[SECURITY] < targets(little)[SECURITY]
    assert sum(arrivals(much)) < sum(arrivals(little)) < sum(arrivals(evolve(little, is_overcrowded=False)))
