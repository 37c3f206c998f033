"""How a game ends and what is counted (colonies-rules 1.15 to 1.17)."""

from attrs import evolve

from companion import simulation
from companion.simulation.commands import Campaign, ChangeGovernor, EnterTablePoints, RegisterDecree, Settle
from companion.simulation.player import EndingView
from companion.simulation.player_report import UpkeepSection
from companion.simulation.words import Condition, Ending, Mode
from tests.companion.simulation.games import (
    moods,
    only_occurrence,
    play,
    refuse,
    settle,
    shipped,
    start,
    start_solo,
    with_modules,
)

FIFTEEN = (
    "solar", "solar", "nuclear", "lss", "atmos", "well", "tanks", "hydro", "storage", "commdome", "resdome", "resdome",
    "capsules", "zone", "hangar",
)  # fmt: skip
SCORING = shipped().rules.scoring


def last_round(colony: simulation.Colony) -> simulation.Colony:
    return only_occurrence(moods(evolve(colony, round=20, stock=90)))


def ended(colony: simulation.Colony) -> EndingView:
    ending = simulation.view(colony, shipped()).ending
    assert ending is not None
    return ending


def test_z01_last_round_wins() -> None:
    colony = settle(last_round(start()))
    assert colony.endings == (Ending.LAST_ROUND,)
    assert colony.round == 20
    assert ended(colony).is_victory
    assert refuse(colony, Settle()).code == "game_over"
    assert refuse(colony, Campaign("gore")).code == "game_over"


def test_z01_fifteen_modules_fully_built() -> None:
    rich = moods(evolve(start(), stock=90))
    assert settle(only_occurrence(with_modules(rich, *FIFTEEN[:14]))).endings == ()
    assert settle(only_occurrence(with_modules(rich, *FIFTEEN))).endings == (Ending.FIFTEEN_MODULES,)


def test_con3_a_module_being_rebuilt_does_not_count() -> None:
    colony = with_modules(moods(evolve(start(), stock=90)), *FIFTEEN)

    ruin = evolve(colony.modules[7], condition=Condition.DAMAGED, progress=0, is_hit=True)
    modules = (*colony.modules[:7], ruin, *colony.modules[8:])
    assert settle(only_occurrence(evolve(colony, modules=modules))).endings == ()


def test_con2_fifteen_thousand() -> None:
    crowd = evolve(moods(start()), groups=(14_990, 0, 0, 0, 0), extra_housing=20_000, stock=90)
    assert settle(only_occurrence(crowd)).endings == (Ending.FIFTEEN_THOUSAND,)


def test_z02_depopulation_only_when_all_groups_are_empty() -> None:
    empty = evolve(start(), groups=(0, 0, 0, 0, 0), statuses=(0, 0, 0))
    assert Ending.DEPOPULATION in settle(only_occurrence(empty)).endings
    one = evolve(start(), groups=(0, 0, 0, 0, 40), statuses=(30_000,) * 3)
    assert Ending.DEPOPULATION not in settle(only_occurrence(one)).endings


def test_gap44_negative_before_positive() -> None:
    broke = evolve(last_round(start()), stock=-40, dependence=2)
    assert settle(broke).endings == (Ending.TERRAN_DEPENDENCE,)


def test_gap45_all_positive_ones_are_listed() -> None:
    colony = with_modules(last_round(start()), *FIFTEEN)
    assert settle(colony).endings == (Ending.LAST_ROUND, Ending.FIFTEEN_MODULES)


def test_z03_every_ending_has_its_text() -> None:
    for ending in Ending:
        text = shipped().endings[ending.value]
        assert text.title
        assert len(text.text) > 20 or ending.value.startswith("scenario")


def test_gap57_no_upkeep_reminder_after_the_end() -> None:
    report = simulation.report(settle(last_round(start())), shipped())
    assert report is not None
    assert not any(isinstance(section, UpkeepSection) for section in report.sections)


def test_z04_z05_points_the_app_counts() -> None:
    colony = evolve(last_round(start()), support=(5, 3, 9), built=(2, 0, 1), greens=(0, 3, 0), ambassadors=(1, 0, 0))
    ending = ended(settle(colony))
    assert ending.president == "chen"
    lines = {score.manager: {line.label: line.points for line in score.lines} for score in ending.scores}
    assert lines["bloch"] == {
        "Presidency": 0,
        "Modules built": 2 * SCORING.module,
        "Green decrees passed": 0,
        "Order of Command": shipped().managers["bloch"].order_vp,
        "Ambassador": SCORING.ambassador,
    }
    assert lines["gore"]["Green decrees passed"] == 3
    assert lines["chen"]["Presidency"] == 20
    assert [score.manager for score in ending.scores if score.is_president] == ["chen"]
    for score in ending.scores:
        assert score.total == sum(line.points for line in score.lines)


def test_gap22_presidency_tie_goes_to_the_higher_order() -> None:
    assert ended(settle(last_round(evolve(start(), support=(7, 7, 7))))).president == "gore"


def test_z07_most_points_win_and_ties_share() -> None:
    colony = settle(evolve(last_round(start()), support=(9, 0, 0)))
    points = {score.manager: score.total for score in ended(colony).scores}
    best = max(points.values())
    level = play(colony, *[EnterTablePoints(best - total + 1, manager) for manager, total in points.items()])
    assert [score.is_winner for score in ended(level).scores] == [True, True, True]
    assert ended(level).points_missing == ()
    ahead = play(level, EnterTablePoints(400, "chen"))
    assert [score.manager for score in ended(ahead).scores if score.is_winner] == ["chen"]


def test_z08_no_points_before_the_end() -> None:
    assert simulation.view(start(), shipped()).ending is None
    assert refuse(start(), EnterTablePoints(3, "gore")).code == "not_ended"


def test_table_points_are_checked() -> None:
    colony = settle(last_round(start()))
    assert ended(colony).points_missing == ("bloch", "gore", "chen")
    assert refuse(colony, EnterTablePoints(3, "xu")).code == "not_seated"
    assert refuse(colony, EnterTablePoints(3)).code == "not_seated"
    assert refuse(colony, EnterTablePoints(9999, "gore")).code == "out_of_range"
    lost = settle(evolve(last_round(start()), stock=-40, dependence=2))
    assert refuse(lost, EnterTablePoints(3, "gore")).code == "game_lost"


def common(colony: simulation.Colony) -> dict[str, int]:
    (score,) = ended(colony).scores
    assert score.manager is None
    return {line.label: line.points for line in score.lines}


def co_op() -> simulation.Colony:
    return last_round(start(mode=Mode.CO_OP))


def test_co2_co3_co4_common_score() -> None:
    colony = evolve(co_op(), built=(2, 1, 0), greens=(1, 1, 1), ambassadors=(0, 0, 1), loans=2, riot_rounds=1)
    after = settle(colony)
    assert common(after) == {
        "Modules built": 6,
        "Green decrees passed": 3,
        "Ambassador": 2,
        "Rounds survived": len(after.past) - 1,
        "Loans from Earth": -20,
        "Rounds of RIOT": -10,
        "Planet": shipped().planets["rustfall"].vp_modifier,
    }
    assert ended(after).president is None


def test_gap24_every_survived_round_counts_the_last_too() -> None:
    colony = start(mode=Mode.CO_OP)
    for _ in range(20):
        colony = settle(only_occurrence(evolve(moods(colony), stock=90)))
    assert common(colony)["Rounds survived"] == 20


def test_co2_won_when_the_sum_is_above_zero() -> None:
    colony = settle(co_op())
    missing = -ended(colony).scores[0].total
    assert not ended(play(colony, EnterTablePoints(missing))).scores[0].is_winner
    won = play(colony, EnterTablePoints(missing + 1))
    assert ended(won).scores[0].is_winner
    assert ended(won).points_missing == ()
    assert refuse(colony, EnterTablePoints(1, "gore")).code == "common_score"


def test_so10_solo_scores_like_co_op() -> None:
    colony = settle(last_round(start_solo()))
    assert set(common(colony)) == set(common(settle(co_op())))
    assert play(colony, EnterTablePoints(12, "solo")).table_points == ((None, 12),)


def test_gap43_votes_of_the_last_settlement_count() -> None:
    # decrees cannot be registered in round 20, but a game can end earlier

    colony = with_modules(moods(evolve(start(), stock=90, support=(900, 0, 0)), 100_000, 100_000, 100_000), *FIFTEEN)
    after = settle(play(only_occurrence(colony), RegisterDecree("founders-day", "bloch")))
    assert after.has_ended
    assert after.greens == (1, 0, 0)


def test_gv06_ranking_every_six_rounds_in_steps() -> None:
    colony = evolve(start(), support=(100, 41, 40))
    seen = {}
    for closing in range(1, 20):
        done = settle(only_occurrence(moods(evolve(colony, round=closing, stock=90)))).settlement
        assert done is not None
        if done.ranks:
            seen[closing] = done.ranks
    assert list(seen) == [6, 12, 18]
    assert seen[6] == (("bloch", 5), ("gore", 3), ("chen", 2))


def test_gap11_equal_steps_stand_in_seat_order() -> None:
    done = settle(moods(evolve(start(), round=6, support=(38, 100, 39)))).settlement
    assert done is not None
    assert done.ranks == (("gore", 5), ("bloch", 2), ("chen", 2))


def test_gap49_solo_has_no_ranking() -> None:
    done = settle(moods(evolve(start_solo(), round=6))).settlement
    assert done is not None
    assert done.ranks == ()


def upkeep(colony: simulation.Colony) -> UpkeepSection:
    report = simulation.report(colony, shipped())
    assert report is not None
    section = report.sections[-1]
    assert isinstance(section, UpkeepSection)
    return section


def test_rs8_upkeep_in_the_rulebooks_order() -> None:
    lines = upkeep(settle(start())).lines
    words = ("Discard", "unfinished proposal", "abilities", "action sockets")
    assert all(word in line for word, line in zip(words, lines, strict=True))
    changed = upkeep(settle(play(start(), ChangeGovernor("chen"))))
    assert changed.lines[0] == "Art Chen takes the Governor's token."
    assert (changed.governor, changed.governor_changed) == ("chen", True)


def test_so7_upkeep_in_solo() -> None:
    section = upkeep(settle(start_solo()))
    words = ("Discard", "unfinished proposal", "slot", "action sockets", "second and third")
    assert all(any(word in line for line in section.lines) for word in words)
    assert not section.governor_changed
