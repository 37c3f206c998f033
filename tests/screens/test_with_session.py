"""The real session, rules and catalog behind the screens: an evening by taps, every screen on the way fits."""

import pytest
from kivy.core.window import Window

from companion import catalog
from companion.screens.controller import Settings
from companion.screens.shell import AppShell
from companion.session import actions
from companion.session.colonies import Colonies
from companion.session.table import DialogKind, Phase
from companion.simulation.commands import Setup
from companion.simulation.words import Mode
from companion.storage.memory import MemoryStore
from companion.tablet import Tablet
from tests.screens.stage import TALL, WIDE, Stage, clear_window
from tests.screens.test_layout import edge_faults, label_faults, labels

pytestmark = pytest.mark.screens


class Evening:
    """A game played through the tablet, looked at after every act."""

    def __init__(self, stage: Stage, size: tuple[int, int]) -> None:
        self.store = MemoryStore()
        self.stage, self.size = stage, size
        self.switch_on()

    def switch_on(self) -> None:
        """The app is started anew: nothing is left but the store."""
        shelf = catalog.load()
        self.tablet = Tablet(self.store, Colonies(shelf), shelf.version, None, lambda bits: 5)
        self.tablet.keep_settings(Settings(reduce_motion=True))
        self.is_shown = False

    def show(self) -> None:
        """From now on the game is on the screen, and looked at."""
        clear_window()
        Window.size = self.size
        self.stage.shell = AppShell(self.tablet)
        self.tablet.subscribe(self.stage.shell.refresh)
        Window.add_widget(self.stage.shell)
        self.is_shown = True
        self.look()

    @property
    def table(self):  # type: ignore[no-untyped-def]  # a TableView, never None here
        assert self.tablet.table is not None
        return self.tablet.table

    def act(self, *acts: actions.Action) -> None:
        for act in acts:
            self.tablet.act(act)
            if self.is_shown:
                self.look()

    def look(self) -> None:
        self.stage.settle(4)
        seen = labels(self.stage)
        assert seen
        assert not [fault for label in seen for fault in (*label_faults(label), *edge_faults(self.stage, label))]

    def play_round(self, decree: str | None, manager: str) -> None:
        if decree is not None:
            self.act(actions.TapCard(decree))
            assert self.table.dialog.kind is DialogKind.OWNER
            self.act(actions.NameManager(manager))
        self.act(actions.Next(), actions.Choose("confirm"))
        pages = 0
        while self.table.phase is Phase.SUMMARY:
            pages += 1
            assert pages < 12
            self.act(actions.TurnPage(1))


@pytest.fixture
def evening(request: pytest.FixtureRequest, stage: Stage) -> Evening:
    return Evening(stage, request.param)


def decrees(evening: Evening) -> list[str]:
    return [card.id for card in evening.table.tray.cards if card.subject.startswith("decree")]


@pytest.mark.parametrize("evening", [WIDE], indirect=True, ids=["wide"])
def test_an_evening_by_taps(evening: Evening) -> None:
    stage = evening.stage
    evening.show()
    assert "New game" in stage.texts()
    evening.tablet.new_game()
    evening.look()
    evening.act(*(actions.ToggleManager(id) for id in ("bloch", "gore", "xu")))
    planet = evening.table.setup.planets[0].id
    evening.act(actions.StartGame("New Helvetia", Setup(Mode.SEMI_COOP, ("bloch", "gore", "xu"), planet)))
    assert evening.table.phase is Phase.ROUND
    assert "NEW HELVETIA" in stage.texts()

    evening.act(actions.TapModule(1))
    assert evening.table.dialog.kind is DialogKind.BUILDER
    evening.act(actions.NameManager("xu"))
    assert "1 act registered" in stage.texts()
    for card in ("status", "resources", "population", "special", "economy"):
        stage.shell.go("detail", card=card)
        evening.look()
    stage.shell.go("history")
    evening.look()
    stage.shell.go("tray")
    for tab in ("decrees", "directives", "tokens", "modules"):
        stage.shell.screens.get_screen("tray").show(tab)
        evening.look()
    stage.shell.back()
    for turn, decree in enumerate(decrees(evening)[:2]):
        evening.play_round(decree, ("bloch", "gore", "xu")[turn % 3])
    assert evening.table.phase in (Phase.ROUND, Phase.ENDED)
    assert evening.table.colony.round == 3


@pytest.mark.parametrize("evening", [TALL], indirect=True, ids=["tall"])
def test_a_game_to_its_end(evening: Evening) -> None:
    evening.tablet.new_game()
    evening.act(*(actions.ToggleManager(id) for id in ("bloch", "gore")))
    planet = evening.table.setup.planets[0].id
    evening.act(actions.StartGame("Last Harbour", Setup(Mode.CO_OP, ("bloch", "gore"), planet)))
    for _ in range(25):
        if evening.table.phase is Phase.ENDED:
            break
        evening.play_round(None, "")
    evening.show()
    assert evening.table.phase is Phase.ENDED
    assert "FINISH" in evening.stage.texts()
    for missing in evening.table.colony.ending.points_missing:
        evening.act(actions.EnterPoints(missing, 12))
    evening.tablet.close_game()
    evening.look()
    assert "Last Harbour" in evening.stage.texts()


@pytest.mark.parametrize("evening", [WIDE], indirect=True, ids=["wide"])
@pytest.mark.parametrize("is_closed", [True, False], ids=["closed", "switched off"])
def test_a_game_left_on_a_summary_page_goes_on_there(evening: Evening, is_closed: bool) -> None:
    evening.tablet.new_game()
    evening.act(*(actions.ToggleManager(id) for id in ("bloch", "gore")))
    planet = evening.table.setup.planets[0].id
    evening.act(actions.StartGame("Last Harbour", Setup(Mode.CO_OP, ("bloch", "gore"), planet)))
    evening.act(actions.Next(), actions.Choose("confirm"), actions.TurnPage(1))
    left = evening.table
    assert (left.phase, left.page) == (Phase.SUMMARY, 1)
    if is_closed:
        evening.tablet.close_game()
    evening.switch_on()
    evening.show()
    evening.stage.tap_text("RESUME")
    evening.look()
    if evening.table.phase is Phase.RESUME:
        evening.stage.tap_text("PLAY ON")
        evening.look()
    assert (evening.table.phase, evening.table.report) == (Phase.SUMMARY, left.report)
    assert evening.stage.shell.screens.current == "summary"
    assert "ROUND 1 IS CLOSED" in evening.stage.texts()
    for _ in range(len(left.report.sections) - evening.table.page):
        evening.stage.tap_text("CONTINUE" if "CONTINUE" in evening.stage.texts() else "BEGIN")
        evening.look()
    assert (evening.table.phase, evening.table.colony.round) == (Phase.ROUND, 2)
    assert "NEXT" in evening.stage.texts()
