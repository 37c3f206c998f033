"""The lab: same rows whatever plays them, resumable files, reports that say what was measured."""

import os
from importlib.util import find_spec
from pathlib import Path

import pytest
from attrs import evolve

from companion import catalog
from companion.lab.__main__ import main
from companion.lab.card_worth import collect_moments, measure_card
from companion.lab.comparing import compare, comparison_text
from companion.lab.game import play_game
from companion.lab.game_row import GamePlan, GameRow
from companion.lab.plans import Batch
from companion.lab.policies import POLICIES
from companion.lab.report import card_effects, write_report
from companion.lab.rows import RowsError, read_rows, write_rows
from companion.lab.running import play_all, run_batch
from companion.lab.table_points import draw_table_points
from companion.lab.targets import Aim, check_aims, check_managers, standard_errors, win_shares
from companion.simulation.chance import Chance
from companion.simulation.commands import Setup
from companion.simulation.words import Mode

SHIPPED = catalog.load()
SMALL = Batch(("idle", "careful"), ("rustfall",), ("semi-coop",), (3,), 4, 5)


@pytest.fixture(scope="module")
def rows() -> list[GameRow]:
    batch = Batch(tuple(POLICIES), ("rustfall", "verdance"), ("semi-coop", "co-op", "solo"), (2, 3, 5), 4, 5)
    return play_all(batch.plans(SHIPPED))


def test_every_policy_finishes_in_every_mode(rows: list[GameRow]) -> None:
    assert len(rows) == 5 * 2 * 3 * 4
    assert all(row.endings and 1 <= row.rounds <= 20 for row in rows)
    assert {row.policy for row in rows} == set(POLICIES)


def test_same_plan_same_row() -> None:
    plan = GamePlan(3, 77, "careful", Setup(Mode.SEMI_COOP, ("bloch", "xu"), "rustfall"))
    assert play_game(plan, SHIPPED) == play_game(plan, SHIPPED)
    assert play_game(evolve(plan, seed=78), SHIPPED) != play_game(plan, SHIPPED)


def test_policies_meet_the_same_games() -> None:
    plans = list(SMALL.plans(SHIPPED))
    idle, careful = ([plan for plan in plans if plan.policy == policy] for policy in ("idle", "careful"))
    assert [(p.seed, p.setup) for p in idle] == [(p.seed, p.setup) for p in careful]
    assert [plan.id for plan in plans] == list(range(len(SMALL)))


def test_rows_go_through_the_file(rows: list[GameRow], tmp_path: Path) -> None:
    write_rows(tmp_path / "a.csv", rows[5:])
    write_rows(tmp_path / "a.csv", rows[:5])
    assert read_rows(tmp_path / "a.csv") == sorted(rows, key=lambda row: row.id)


def test_a_killed_run_goes_on_where_it_was(tmp_path: Path) -> None:
    whole, torn = tmp_path / "whole.csv", tmp_path / "torn.csv"
    assert run_batch(SMALL, whole, workers=1) == 8
    lines = whole.read_text().splitlines(keepends=True)
    torn.write_text("".join(lines[:4]) + lines[4][:20])
    assert run_batch(SMALL, torn, workers=1) == 5
    assert read_rows(torn) == read_rows(whole)
    assert run_batch(SMALL, torn, workers=1) == 0


def test_two_workers_give_the_same_rows(tmp_path: Path) -> None:
    batch = evolve(SMALL, games=30)
    run_batch(batch, tmp_path / "one.csv", workers=1)
    run_batch(batch, tmp_path / "two.csv", workers=2)
    assert read_rows(tmp_path / "one.csv") == read_rows(tmp_path / "two.csv")


def test_a_dask_cluster_gives_the_same_rows(tmp_path: Path) -> None:
    if os.environ.get("CI"):
        assert find_spec("distributed"), "CI installs every extra"
    distributed = pytest.importorskip("distributed", reason="the extra «lab» is not installed")
    batch = evolve(SMALL, games=30)
    run_batch(batch, tmp_path / "here.csv", workers=1)
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, dashboard_address=None, host="127.0.0.1"
    ) as cluster:
        run_batch(batch, tmp_path / "there.csv", scheduler=cluster.scheduler_address)
    assert read_rows(tmp_path / "here.csv") == read_rows(tmp_path / "there.csv")


@pytest.mark.parametrize("text", ["a,b\n1,2\n", ""])
def test_other_files_are_refused(tmp_path: Path, text: str) -> None:
    (tmp_path / "x.csv").write_text(text)
    with pytest.raises(RowsError, match="other columns"):
        read_rows(tmp_path / "x.csv")


def test_a_damaged_line_is_named(rows: list[GameRow], tmp_path: Path) -> None:
    write_rows(tmp_path / "x.csv", rows[:3])
    text = (tmp_path / "x.csv").read_text().replace("True", "Perhaps").replace("False", "Perhaps")
    (tmp_path / "x.csv").write_text(text)
    with pytest.raises(RowsError, match=r"x\.csv:2"):
        read_rows(tmp_path / "x.csv")


def test_report_has_every_part_and_is_stable(rows: list[GameRow]) -> None:
    text = write_report(rows, SHIPPED, "A run")
    assert text == write_report(list(rows), SHIPPED, "A run")
    for part in ("Aims", "Endings", "Votes", "Support", "Scores", "Managers", "Cards that decide games", "Length"):
        assert f"## {part}" in text
    assert "idle is lost on rustfall" in text


def test_report_of_nothing_voted() -> None:
    idle = play_all(evolve(SMALL, policies=("idle",)).plans(SHIPPED))
    assert "Too few games" in write_report(idle, SHIPPED, "Idle")


def test_aims_have_borders() -> None:
    assert Aim("x", 95.04, 5, 95).is_met
    assert not Aim("x", 95.1, 5, 95).is_met
    assert not Aim("x", 4.9, 5, 95).is_met


def test_aims_name_each_ending(rows: list[GameRow]) -> None:
    texts = [aim.text for aim in check_aims(rows, SHIPPED)]
    assert "games that end with fifteen_thousand" in texts
    assert "careful succeeds on rustfall (standard)" in texts
    assert not any("scenario" in text for text in texts)


def test_shared_victories_count_in_parts(rows: list[GameRow]) -> None:
    row = next(r for r in rows if r.mode == "semi-coop")
    both = evolve(row, managers="a|b", winners_without_order="a|b")
    one = evolve(row, managers="a|b", winners_without_order="a")
    assert win_shares([both]) == {"a": 0.0, "b": 0.0}
    assert win_shares([one]) == {"a": 50.0, "b": -50.0}


def test_managers_are_compared_in_games_of_one_policy(rows: list[GameRow]) -> None:
    row = evolve(next(r for r in rows if r.mode == "semi-coop"), managers="a|b|c|d")
    even = [evolve(row, winners_without_order=name) for name in "abcd" * 25]
    (aim,) = check_managers(even)
    assert aim.is_met
    assert aim.measured == 0
    assert 4.2 < standard_errors(even)["a"] < 4.5  # 100 games at a fair share of a quarter
    (unfair,) = check_managers([evolve(row, winners_without_order="a")] * 20)
    assert not unfair.is_met
    text = write_report(rows, SHIPPED, "A run", even)
    assert "All seats play alike: 100 games." in text


def test_compare_with_itself_is_nothing(rows: list[GameRow]) -> None:
    assert all(each.before == each.after and each.changed_games == 0 for each in compare(rows, rows))
    with pytest.raises(ValueError, match="same games"):
        compare(rows, [evolve(row, seed=1) for row in rows])


def test_compare_tells_a_change(tmp_path: Path) -> None:
    (tmp_path / "rich.toml").write_text("[rules.start]\nstock = 300\n")
    before = play_all(SMALL.plans(SHIPPED))
    after = play_all(SMALL.plans(catalog.load(tmp_path)), str(tmp_path))
    text = comparison_text(before, after)
    stock = next(each for each in compare(before, after) if each.text == "STOCK at the end")
    assert stock.after > stock.before + 50
    assert "success of careful" in text


def test_cards_are_judged_beside_their_own_games(rows: list[GameRow]) -> None:
    row = next(r for r in rows if r.policy == "careful")
    won = [evolve(row, id=i, passed="x|y", is_victory=True) for i in range(40)]
    lost = [evolve(row, id=100 + i, passed="y", is_victory=False) for i in range(40)]
    effects = card_effects(won + lost)
    assert effects["x"] == (40, 50.0)
    assert effects["y"] == (80, 0.0)


def test_a_card_that_pays_is_found_worth_playing(tmp_path: Path) -> None:
    decree = SHIPPED.decrees["emergency-levy"]
    (tmp_path / "gift.toml").write_text(
        f'[[decree]]\nid = "{decree.id}"\ncode = "{decree.code}"\ntitle = "Gift"\ncolour = "red"\ntext = "x"\n'
        'effects = [{ do = "stock", by = 100 }, { do = "stock", by = 50 }]\n'
    )
    shelf = catalog.load(tmp_path)
    moments = collect_moments(evolve(SMALL, policies=("careful",), games=6).plans(shelf), shelf, (4, 7))
    worth = measure_card("emergency-levy", moments, shelf)
    assert all(gain > 0 for _, gain, _, _ in worth.by_situation)


def test_table_points_have_the_stated_mean_and_spread() -> None:
    chance = Chance(4)
    drawn = [points for _ in range(4000) for points in draw_table_points(3, False, chance)]
    mean = sum(drawn) / len(drawn)
    deviation = (sum((n - mean) ** 2 for n in drawn) / len(drawn)) ** 0.5
    assert 12.7 < mean < 13.2
    assert 7.9 < deviation < 8.7
    together = [draw_table_points(3, True, chance)[0] for _ in range(4000)]
    assert 23.6 < sum(together) / 4000 < 25.3  # three goals, and artifacts and abilities of three


def test_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = str(tmp_path / "games.csv")
    arguments = ["--games", "2", "--policies", "idle", "--planets", "rustfall", "--out", out, "--workers", "1"]
    assert main(["run", *arguments]) == 0
    assert "2 games played" in capsys.readouterr().out
    assert main(["report", out]) == 0
    assert capsys.readouterr().out.startswith("# How the game plays")
    assert main(["run", "--planets", "earth"]) == 1
    assert main(["cards", "--planets", "earth"]) == 1
    assert "right is one of: " in capsys.readouterr().err
    assert main(["run", "--players", "3,many"]) == 1
    assert capsys.readouterr().err.startswith("--players 3,many: right are numbers of managers")
    assert main(["report", str(tmp_path / "nothing.csv")]) == 1
