"""The referendum (colonies-rules 1.11, GAP-09, GAP-43, GAP-59)."""

import pytest
from attrs import evolve
from hypothesis import example, given, strategies as st

from companion import simulation
from companion.simulation.colony import Vote
from companion.simulation.commands import RegisterDecree, RegisterDirective
from companion.simulation.player_report import DecreeResult, DecreeSection
from companion.simulation.report import shown_approval
from companion.simulation.words import Colour
from tests.companion.simulation.games import moods, play, settle, shipped, start, start_solo

GREEN, RED = "founders-day", "emergency-levy"


def vote(colony: simulation.Colony, seed: int = 1) -> Vote:
    done = settle(evolve(colony, chance=seed)).settlement
    assert done is not None
    return done.votes[0]


def approvals(decree: str, support: int, mood: int) -> list[int]:
    colony = moods(evolve(start(), support=(support, 0, 0)), mood, mood, mood)
    registered = play(colony, RegisterDecree(decree, "bloch"))
    return [vote(registered, seed).approval for seed in range(40)]


def mean(numbers: list[int]) -> float:
    return sum(numbers) / len(numbers)


def test_d03_chance_depends_mostly_on_support() -> None:
    by_support = mean(approvals(RED, 100, 50_000)) - mean(approvals(RED, 0, 50_000))
    by_mood = mean(approvals(RED, 0, 100_000)) - mean(approvals(RED, 0, 0))
    by_colour = mean(approvals(GREEN, 0, 50_000)) - mean(approvals(RED, 0, 50_000))
    assert by_support > by_mood > 0
    assert by_support > 20_000
    assert by_colour > 0


@pytest.mark.parametrize("decree", [GREEN, RED])
def test_approval_stays_between_5_and_95(decree: str) -> None:
    for support, mood in ((0, 0), (1000, 100_000)):
        assert all(5_000 <= approval <= 95_000 for approval in approvals(decree, support, mood))


@given(st.integers(5_000, 95_000))
@example(50_000)
@example(50_001)
def test_gap09_shown_figure_never_contradicts_the_result(approval: int) -> None:
    tenths = shown_approval(approval)
    assert (tenths > 500) == (approval > 50_000)
    assert tenths != 500
    assert abs(tenths - approval / 100) <= 1


def test_gap09_report_and_result_agree_in_many_games() -> None:
    colony = play(start(), RegisterDecree(RED, "bloch"), RegisterDecree("martial-law", "gore"))
    for seed in range(300):
        settled = settle(evolve(colony, chance=seed))
        for result in results(settled):
            assert result.approval_tenths is not None
            assert result.passed == (result.approval_tenths > 500)


def results(colony: simulation.Colony) -> tuple[DecreeResult, ...]:
    report = simulation.report(colony, shipped())
    assert report is not None
    (section,) = [section for section in report.sections if isinstance(section, DecreeSection)]
    return section.results


def sure(manager: str = "bloch", seat: int = 0) -> simulation.Colony:
    support = [0, 0, 0]
    support[seat] = 900
    return moods(evolve(start(), support=tuple(support)), 100_000, 100_000, 100_000)


def test_d04_green_passed_brings_point_and_support_red_neither() -> None:
    green = settle(play(sure(), RegisterDecree(GREEN, "bloch")))
    assert green.greens == (1, 0, 0)
    assert green.support[0] == 900 + shipped().rules.support.green
    red = settle(play(sure(), RegisterDecree(RED, "bloch")))
    assert (red.greens, red.support[0]) == ((0, 0, 0), 900)


def test_rejected_decree_does_nothing() -> None:
    colony = play(moods(start(), 0, 0, 0), RegisterDecree(RED, "bloch"))
    for seed in range(60):
        settled = settle(evolve(colony, chance=seed))
        assert settled.settlement is not None
        if not settled.settlement.votes[0].passed:
            assert settled.settlement.votes[0].applied == 0
            assert not any(line == "decrees" for line, _ in settled.settlement.ledger)
            assert results(settled)[0].table_instructions == ()
            return
    raise AssertionError("never rejected")


def test_d02_effects_count_in_the_very_settlement() -> None:
    done = settle(play(sure(), RegisterDecree(RED, "bloch"))).settlement
    assert done is not None
    assert ("decrees", 18) in done.ledger


def test_directives_pass_by_themselves_and_are_blue() -> None:
    settled = settle(play(moods(start(), 0, 0, 0), RegisterDirective("long-haul", "bloch")))
    (result,) = results(settled)
    assert (result.passed, result.colour, result.approval_tenths) == (True, Colour.BLUE, None)
    assert result.table_instructions == ("You take 2 TG from the bank.",)
    assert settled.greens == (0, 0, 0)


def test_con14_blocking_directive_stops_decrees_registered_before() -> None:
    colony = play(sure(), RegisterDecree(GREEN, "bloch"), RegisterDirective("state-of-siege", "gore"))
    blocked, directive = sorted(results(settle(colony)), key=lambda result: result.colour.value, reverse=True)
    assert (blocked.blocked, blocked.passed, blocked.approval_tenths) == (True, False, None)
    assert directive.passed
    assert settle(colony).greens == (0, 0, 0)


def test_rs4_results_begin_with_the_previous_governor() -> None:
    colony = play(start(), RegisterDecree(GREEN, "bloch"), RegisterDecree(RED, "gore"))
    assert [result.manager for result in results(settle(colony))] == ["gore", "bloch"]


def test_con16_solo_results() -> None:
    colony = settle(play(start_solo(), RegisterDecree(GREEN, "xu")))
    assert [result.manager for result in results(colony)] == ["solo"]


def test_gap59_decrees_are_counted_before_any_takes_effect() -> None:
    one = play(start(), RegisterDecree(GREEN, "bloch"))
    two = play(one, RegisterDecree(RED, "gore"))
    first_alone, with_second = settle(one).settlement, settle(two).settlement
    assert first_alone is not None
    assert with_second is not None
    assert first_alone.votes[0].approval == with_second.votes[0].approval
