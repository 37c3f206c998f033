"""Goals at the end screen: judged where the app can, else said what to look at (§2.2, design decision 17)."""

from pathlib import Path

from attrs import evolve

from companion import catalog, simulation
from companion.simulation.commands import Settle, Setup
from companion.simulation.player import GoalResult
from companion.simulation.words import Mode
from tests.companion.simulation.games import start, with_modules

GOALS = """
[[goal]]
id = "builder"
title = "Builder"
kind = "semi-coop"
text = "Build."
failed_vp = -2
levels = [
    { text = "One module", vp = 2, when = { own_modules_min = 1 } },
    { text = "Three modules", vp = 5, when = { own_modules_min = 3 } },
]

[[goal]]
id = "private-gore"
title = "Command"
kind = "private"
manager = "gore"
text = "Be elected."
failed_vp = -4
levels = [{ text = "Elected", vp = 6, when = { is_president = true } }]

[[goal]]
id = "millionaires"
title = "Millionaires"
kind = "co-op"
text = "Be rich."
failed_vp = -5
look = "Count the CR of all Managers."
levels = [{ text = "Rich", vp = 5 }, { text = "Very rich", vp = 9 }]

[[goal]]
id = "crowded"
title = "Crowded"
kind = "co-op"
text = "Be many."
failed_vp = -5
levels = [{ text = "Many", vp = 5, when = { citizens_min = 100 } }, { text = "More", vp = 9, when = { citizens_min = 9000 } }]
"""


def ended(tmp_path: Path, mode: Mode) -> tuple[simulation.Colony, catalog.Catalog]:
    (tmp_path / "goals.toml").write_text(GOALS)
    shelf = catalog.load(tmp_path)
    colony = simulation.new_game(Setup(mode, ("bloch", "gore"), "rustfall"), 3, shelf)
    colony = evolve(colony, round=20, stock=90, built=(1, 4), support=(3, 8))
    answer = simulation.step(colony, Settle(), shelf)
    assert isinstance(answer, simulation.Stepped)
    return answer.colony, shelf


def shown(colony: simulation.Colony, shelf: catalog.Catalog) -> dict[str, tuple[GoalResult, ...]]:
    ending = simulation.view(colony, shelf).ending
    assert ending is not None
    mine = ("builder", "private-gore", "millionaires", "crowded")
    return {goal.id: goal.results for goal in ending.goals if goal.id in mine}


def test_semi_coop_goals_are_judged_for_each_manager(tmp_path: Path) -> None:
    colony, shelf = ended(tmp_path, Mode.SEMI_COOP)
    assert shown(colony, shelf) == {
        "builder": (GoalResult("bloch", 2, "One module"), GoalResult("gore", 5, "Three modules")),
        "private-gore": (GoalResult("gore", 6, "Elected"),),
    }
    poor = evolve(colony, built=(0, 0), support=(9, 1))
    assert simulation.judge_goal(poor, "builder", "bloch", shelf) == GoalResult("bloch", -2, "Not met")
    assert simulation.judge_goal(poor, "private-gore", "gore", shelf).points == -4


def test_co_op_goals_are_judged_for_the_group(tmp_path: Path) -> None:
    colony, shelf = ended(tmp_path, Mode.CO_OP)
    assert shown(colony, shelf) == {
        "millionaires": (GoalResult(None, None, "Count the CR of all Managers."),),
        "crowded": (GoalResult(None, 5, "Many"),),
    }


def test_goals_and_figures_only_at_the_end(tmp_path: Path) -> None:
    assert simulation.view(with_modules(start(), "solar"), catalog.load()).ending is None
    colony, shelf = ended(tmp_path, Mode.SEMI_COOP)
    ending = simulation.view(colony, shelf).ending
    assert ending is not None
    assert dict(ending.figures)["Inhabitants"] == f"{colony.citizens:,}"
    assert [label for label, _ in ending.figures][:3] == ["Inhabitants", "Colonists", "SecForce"]
