"""Random games: nothing inconsistent ever, nothing lost in text, the same every time."""

import os
import random
import subprocess
import sys

import pytest
from attrs import evolve
from hypothesis import given, settings, strategies as st

from companion import simulation
from companion.simulation.colony import ARC
from companion.simulation.words import Condition
from tests.companion.simulation.games import finished, settle, shipped, start, with_modules
from tests.companion.simulation.random_games import random_game

STEPS = 150


def check_game(seed: int) -> None:
    for colony in random_game(seed, STEPS):
        assert simulation.problems(colony, shipped()) == ()


@settings(max_examples=40)
@given(st.integers(0, 2**32))
def test_random_commands_keep_problems_empty(seed: int) -> None:
    check_game(seed)  # 40 × 150 = 6,000 steps


@pytest.mark.soak
@settings(max_examples=1400)
@given(st.integers(0, 2**32))
def test_random_commands_keep_problems_empty_for_long(seed: int) -> None:
    check_game(seed)  # 1,400 × 150 = 210,000 steps


@settings(max_examples=15)
@given(st.integers(0, 2**32))
def test_step_never_changes_what_it_was_given_and_text_loses_nothing(seed: int) -> None:
    previous, text = None, ""
    for colony in random_game(seed, 60):
        if previous is not None:
            assert simulation.to_text(previous) == text
        previous, text = colony, simulation.to_text(colony)
        assert simulation.from_text(text) == colony


@settings(max_examples=10)
@given(st.integers(0, 2**32))
def test_views_and_reports_can_be_made_of_every_colony(seed: int) -> None:
    for colony in random_game(seed, 80):
        view = simulation.view(colony, shipped())
        report = simulation.report(colony, shipped())
        assert view.round == colony.round
        assert (report is None) == (colony.settlement is None)


@settings(max_examples=12)
@given(st.integers(0, 2**32))
def test_what_only_grows_never_shrinks(seed: int) -> None:
    """Support (§2.4), points, loans, riot rounds, spent directives and connected modules, within one game."""
    before: simulation.Colony | None = None
    for colony in random_game(seed, 100):
        if before is not None and before.setup == colony.setup and len(colony.past) >= len(before.past):
            for name in ("support", "built", "greens", "ambassadors"):
                pairs = zip(getattr(before, name), getattr(colony, name), strict=True)
                assert all(b >= a for a, b in pairs), name
            assert colony.loans >= before.loans
            assert colony.riot_rounds >= before.riot_rounds
            assert set(before.spent) <= set(colony.spent)
            submitted = {m.instance for m in before.modules if m.condition is not Condition.AWAITING_BUILDER}
            assert submitted <= {m.instance for m in colony.modules}
        before = colony


def fingerprint(seed: int) -> str:
    return simulation.to_text(list(random_game(seed))[-1])


def test_same_seed_same_game_ten_times() -> None:
    assert len({fingerprint(4) for _ in range(10)}) == 1


def test_same_game_in_another_process_with_another_hash_seed() -> None:
    program = "from tests.companion.simulation.test_random_games import fingerprint; print(fingerprint(4))"
    env = {**os.environ, "PYTHONHASHSEED": str(random.Random(1).randrange(1000))}
    done = subprocess.run(
        [sys.executable, "-c", program], env=env, capture_output=True, text=True, timeout=60, check=True
    )
    assert done.stdout.strip() == fingerprint(4)


def broken() -> list[tuple[str, simulation.Colony]]:
    colony = with_modules(start(), "solar", "well")
    solar = finished("solar", 101)
    return [
        ("unknown_name", evolve(colony, spent=("nothing",))),
        ("unknown_name", evolve(colony, modules=(evolve(solar, type_id=99),), connections=())),
        ("status_range", evolve(colony, statuses=(0, -1, 0))),
        ("group_range", evolve(colony, groups=(0, 0, -1, 0, 0))),
        ("accumulator_range", evolve(colony, accumulators=(0, 0, -1, 0))),
        ("below_zero", evolve(colony, loans=-1)),
        ("round_range", evolve(colony, round=21)),
        ("instance_twice", evolve(colony, modules=(solar, solar), connections=())),
        ("module_state", evolve(colony, modules=(evolve(solar, progress=0),), connections=())),
        ("module_state", evolve(colony, modules=(evolve(solar, condition=Condition.DAMAGED),), connections=())),
        ("builder_seat", evolve(colony, modules=(evolve(solar, builder="xu"),), connections=())),
        ("connection", evolve(colony, connections=((ARC, 999),))),
        ("governor_seat", evolve(colony, governor="xu")),
        ("seat_numbers", evolve(colony, support=(1, 2))),
        ("seat_numbers", evolve(colony, greens=(1, -2, 0))),
        ("no_past", evolve(colony, past=())),
        ("should_have_ended", evolve(colony, riot_stage=3)),
    ]


@pytest.mark.parametrize(("code", "colony"), broken(), ids=[f"{i}-{code}" for i, (code, _) in enumerate(broken())])
def test_problems_are_found(code: str, colony: simulation.Colony) -> None:
    assert code in [problem.code for problem in simulation.problems(colony, shipped())]


def test_whole_games_end() -> None:
    for seed in range(12):
        colony = start(seed=seed)
        while not colony.has_ended:
            colony = settle(colony)
        assert colony.round <= 20
