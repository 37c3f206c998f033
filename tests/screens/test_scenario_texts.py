"""Every scenario and goal of the catalog on the screens that show them, in both sizes: nothing is cut off."""

import pytest
from attrs import evolve

from companion import catalog as catalogs
from companion.screens.gallery.scenes import Scene
from companion.session import actions
from companion.session.colonies import Colonies
from companion.session.table import Phase, TableView
from companion.simulation.commands import CorrectValue, Setup
from companion.simulation.words import Mode
from tests.companion.session.hands import Hands
from tests.screens.stage import TALL, WIDE, Stage
from tests.screens.test_layout import edge_faults, label_faults, labels

pytestmark = pytest.mark.screens

CATALOG = catalogs.load()
RULES = Colonies(CATALOG)
SIZES = pytest.mark.parametrize("size", [WIDE, TALL], ids=["wide", "tall"])


def look(stage: Stage) -> None:
    seen = labels(stage)
    assert seen
    assert not [fault for label in seen for fault in (*label_faults(label), *edge_faults(stage, label))]


def begun(setup: Setup) -> Hands:
    hands = Hands(rules=RULES, uses_arc=False)
    hands.act(actions.StartGame("Dawn", setup))
    assert hands.table().phase is Phase.ROUND
    return hands


@SIZES
@pytest.mark.parametrize("name", list(CATALOG.scenarios))
def test_a_scenarios_texts_fit(stage: Stage, name: str, size: tuple[int, int]) -> None:
    scenario = CATALOG.scenarios[name]
    managers = () if scenario.mode == "solo" else ("bloch", "gore", "artyomov", "pokorny", "johannes")
    table = begun(Setup(Mode(scenario.mode), managers, scenario.planet or "halcyon", scenario=name)).table()
    stage.show(table, size)
    assert scenario.text in stage.texts()
    look(stage)
    longest = max((hint.text for hint in scenario.hints), key=len, default="")
    table = evolve(table, is_introducing=False, hint=longest)
    stage.show(table, size)
    assert not longest or longest in stage.texts()
    look(stage)
    stage.play(Scene("", table, lambda shell: shell.go("introduction", part="table")), size)
    look(stage)


@SIZES
def test_the_wizard_lists_all_scenarios(stage: Stage, size: tuple[int, int]) -> None:
    stage.show(None, size)
    stage.show(Hands(rules=RULES, uses_arc=False).table(), size).tap_text("CONTINUE")
    assert {scenario.name for scenario in CATALOG.scenarios.values()} <= set(stage.texts())
    look(stage)


@SIZES
@pytest.mark.parametrize("mode", list(Mode))
def test_all_goals_can_be_read_and_judged(stage: Stage, mode: Mode, size: tuple[int, int]) -> None:
    table = ended(mode)
    assert table.colony is not None
    assert table.colony.ending is not None
    stage.show(table, size).tap(stage.find(key="goals"))
    owner = table.colony.ending.points_missing[0]
    mine = [goal for goal in table.colony.ending.goals if any(result.manager == owner for result in goal.results)]
    assert len(mine) == (25 + 1 if mode is Mode.SEMI_COOP else 15)
    assert {goal.title for goal in mine} <= set(stage.texts())
    look(stage)
    goals = stage.shell.screens.get_screen("goals")
    for goal in mine:
        goals.pick(goal.id)
    stage.settle()
    look(stage)
    stage.tap_text("JUDGE")
    assert {result.text for goal in mine for result in goal.results if result.manager == owner} <= set(stage.texts())
    look(stage)


def ended(mode: Mode) -> TableView:
    """A colony that stands after its last round, which was reached by hand."""
    managers = () if mode is Mode.SOLO else ("bloch", "gore")
    picked = tuple(list(CATALOG.assistants)[:6:2]) if mode is Mode.SOLO else ()
    hands = begun(Setup(mode, managers, "verdance", assistants=picked))
    hands.act(actions.Correct(CorrectValue(20, round=True)), actions.Next(), actions.Choose("confirm"))
    while hands.table().phase is Phase.SUMMARY:
        hands.act(actions.TurnPage(1))
    assert hands.table().phase is Phase.ENDED
    return hands.table()
