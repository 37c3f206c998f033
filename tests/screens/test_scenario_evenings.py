"""A whole scenario and two whole tutorials by taps alone: real session, rules and catalog, from the start screen to the end."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from kivy.core.window import Window
from kivy.uix.scrollview import ScrollView

from companion import catalog as catalogs
from companion.screens.controller import Settings
from companion.screens.shell import AppShell
from companion.session.colonies import Colonies
from companion.session.table import Phase, TableView
from companion.storage.memory import MemoryStore
from companion.tablet import Tablet
from tests.screens.stage import TALL, WIDE, Stage, clear_window

pytestmark = pytest.mark.screens

CATALOG = catalogs.load()
MOST_PAGES = 12


class Fingers:
    """A tablet without an ARC that is only ever touched."""

    def __init__(self, stage: Stage, size: tuple[int, int]) -> None:
        self.stage = stage
        self.tablet = Tablet(MemoryStore(), Colonies(CATALOG), CATALOG.version, None, lambda bits: 5)
        self.tablet.keep_settings(Settings(reduce_motion=True))
        clear_window()
        Window.size = size
        stage.shell = AppShell(self.tablet)
        self.tablet.subscribe(stage.shell.refresh)
        Window.add_widget(stage.shell)
        stage.settle(4)

    @property
    def table(self) -> TableView:
        assert self.tablet.table is not None
        return self.tablet.table

    def tap(self, *texts: str) -> None:
        for text in texts:
            self.touch(self.stage.find(text=text))

    def key(self, **attributes: object) -> None:
        self.touch(self.stage.find(**attributes))

    def touch(self, widget: Any) -> None:
        """Scrolled to first, as fingers do."""
        around = next((one for one in parents(widget) if isinstance(one, ScrollView)), None)
        if around is not None:
            around.scroll_to(widget, animate=False)
            self.stage.settle(2)
        self.stage.tap(widget)

    def sees(self, *texts: str) -> bool:
        return set(texts) <= set(self.stage.texts())

    def begin(self, scenario: str, *managers: str) -> None:
        """Through the wizard to the introduction."""
        self.key(key="new")
        self.tap("CONTINUE", CATALOG.scenarios[scenario].name, "CONTINUE")
        for manager in managers:
            self.tap(CATALOG.managers[manager].name)
        while not self.sees("START"):
            self.tap("CONTINUE")
        self.stage.find(hint="Name of the colony").fill_in("Dawn")
        self.stage.settle()
        self.tap("START")

    def build(self, module: str, manager: str) -> None:
        self.key(label="tray")
        self.key(key="modules")
        self.tap(module, "The ARC", CATALOG.managers[manager].name)

    def end_round(self) -> Iterator[str]:
        """The titles of the summary's pages."""
        self.tap("NEXT")
        self.key(key="confirm")
        for _ in range(MOST_PAGES):
            if self.table.phase is not Phase.SUMMARY:
                return
            yield self.stage.shell.screens.current_screen.vm.title
            self.touch(self.stage.find_where(lambda one: getattr(one, "text", "") in ("CONTINUE", "BEGIN")))


def parents(widget: Any) -> Iterator[Any]:
    while widget.parent is not None and widget.parent is not widget:
        widget = widget.parent
        yield widget


@pytest.fixture
def fingers(stage: Stage) -> Callable[[tuple[int, int]], Fingers]:
    return lambda size: Fingers(stage, size)


@pytest.mark.soak
def test_a_tutorial_to_its_end(fingers: Callable[[tuple[int, int]], Fingers]) -> None:
    hand = fingers(WIDE)
    tutorial = CATALOG.scenarios["tutorial-landing"]
    hand.begin(tutorial.id, "bloch", "gore")
    assert hand.sees(tutorial.text, *tutorial.rules_text)
    hand.tap("BEGIN")
    assert hand.sees(tutorial.hints[0].text, "Modules at work", "0 / 3")
    hand.build("Solar Power Plant", "bloch")
    hand.key(label="put the hint away")
    assert not hand.sees(tutorial.hints[0].text)
    pages = list(hand.end_round())
    assert "ACHIEVEMENTS" in pages
    for hint in tutorial.hints[1:]:
        assert hand.sees(hint.text)
        list(hand.end_round())
    assert hand.table.phase is Phase.ENDED
    assert hand.sees("YOU HAVE LANDED", "FINISH")
    hand.key(key="confirm")
    assert hand.table.colony is not None
    assert hand.table.colony.ending is not None
    assert hand.table.colony.ending.points_missing == ()
    hand.tap("FINISH")
    assert hand.tablet.table is None


@pytest.mark.soak
def test_goals_of_a_semi_coop_tutorial_are_judged(fingers: Callable[[tuple[int, int]], Fingers]) -> None:
    hand = fingers(TALL)
    hand.begin("tutorial-votes", "bloch", "gore")
    hand.tap("BEGIN")
    while hand.table.phase is Phase.ROUND:
        list(hand.end_round())
    entered: dict[str | None, int] = {}
    hand.key(key="goals")
    for manager in ("bloch", "gore"):
        own = next(goal for goal in CATALOG.goals.values() if goal.manager == manager)
        other = "Money in the chest" if manager == "bloch" else "Full streets"
        hand.tap(own.title, other, "JUDGE")
        entered[manager] = judged_points(hand.table, manager, own.title, other)
        hand.key(key="confirm")
    assert hand.table.colony is not None
    ending = hand.table.colony.ending
    assert ending is not None
    assert ending.points_missing == ()
    assert {
        score.manager: {line.label: line.points for line in score.lines}["On the table"] for score in ending.scores
    } == entered
    assert hand.sees("FINISH")


def judged_points(table: TableView, manager: str, *titles: str) -> int:
    assert table.colony is not None
    assert table.colony.ending is not None
    goals = [goal for goal in table.colony.ending.goals if goal.title in titles]
    assert len(goals) == len(titles)
    results = [result for goal in goals for result in goal.results if result.manager == manager]
    return sum(result.points or 0 for result in results)


def test_a_scenario_to_its_end(fingers: Callable[[tuple[int, int]], Fingers]) -> None:
    hand = fingers(WIDE)
    scenario = CATALOG.scenarios["first-breath"]
    hand.begin(scenario.id, "bloch", "gore")
    assert hand.sees(scenario.text, *scenario.rules_text)
    hand.tap("BEGIN")
    assert hand.sees(scenario.progress[0].text)
    hand.build("Solar Power Plant", "gore")
    rounds = 0
    while hand.table.phase is Phase.ROUND:
        rounds += 1
        list(hand.end_round())
    assert 1 < rounds <= 18
    assert hand.table.phase is Phase.ENDED
    assert hand.table.colony is not None
    assert hand.table.colony.ending is not None
    assert hand.sees(hand.table.colony.ending.title.upper(), "FINISH")
