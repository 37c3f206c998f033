"""At the end: whose goals are whose, how they stand, and their points on the way into the table points."""

from typing import Any

from kivy.properties import BooleanProperty, ObjectProperty, StringProperty

from companion.screens.screen import AppScreen, Shell
from companion.screens.texts import _
from companion.screens.view_models.cards import PillVM
from companion.screens.view_models.goals import chosen_pill, goal_cards, heading, judged, toggled
from companion.screens.view_models.page import PageVM
from companion.screens.widgets.loading import load_kv
from companion.screens.widgets.tapping import Stepper
from companion.session.actions import EnterPoints
from companion.session.table import TableView
from companion.simulation.player import EndingView, PlayerView

load_kv(__file__)


class GoalsScreen(AppScreen):
    cards = ObjectProperty(())
    page = ObjectProperty(PageVM(), rebind=True)
    pill = ObjectProperty(PillVM(), rebind=True)
    heading = StringProperty("")
    lead = StringProperty("")
    is_judging = BooleanProperty(False)
    """The picked goals are judged; before that they are picked."""
    has_picked = BooleanProperty(False)

    def __init__(self, shell: Shell, **values: Any) -> None:
        self.owner: str | None = None
        self.picked: dict[str | None, tuple[str, ...]] = {}
        super().__init__(shell, **values)

    def open(self, **how: Any) -> None:
        """Begins with the first whose table points are missing."""
        ending = self._ending()
        self.picked = {}
        self._turn_to(ending.points_missing[0] if ending and ending.points_missing else None)

    def apply(self, table: TableView | None) -> None:
        colony, ending = self._colony(), self._ending()
        if colony is None or ending is None:
            return
        self.heading = heading(colony, self.owner)
        self.lead = (
            _("What the app cannot see, you judge")
            if self.is_judging
            else _("Tap the cards that were kept; nobody needs to take part")
        )
        self.cards = () if self.is_judging else goal_cards(ending, colony, self.owner, self.picked)
        self.pill = chosen_pill(self.picked, self.owner)
        self.has_picked = bool(self.picked.get(self.owner))
        if self.is_judging:
            self.page = judged(ending, colony, self.owner, self.picked).page

    def pick(self, id: str) -> None:
        self.picked = toggled(self.picked, self.owner, id)
        self.apply(self.controller.table)

    def judge(self) -> None:
        colony, ending = self._colony(), self._ending()
        if colony is None or ending is None:
            return
        vm = judged(ending, colony, self.owner, self.picked)
        stepper = Stepper(title=vm.title, manager=vm.portrait, start=vm.points)
        stepper.done = self._enter
        self.ids.stepper.add_widget(stepper)
        self.is_judging = True
        self.apply(self.controller.table)

    def up(self) -> None:
        """From the results back to the cards, from the cards to the end screen."""
        if self.is_judging:
            self._turn_to(self.owner)
            self.apply(self.controller.table)
        else:
            self.back()

    def _enter(self, points: int) -> None:
        """The next whose points are missing follows."""
        ending = self._ending()
        left = [one for one in ending.points_missing if one != self.owner] if ending else []
        owner = self.owner
        if left:
            self._turn_to(left[0])
        else:
            self.back()
        self.act(EnterPoints(owner, points))
        self.apply(self.controller.table)

    def _turn_to(self, owner: str | None) -> None:
        self.owner, self.is_judging = owner, False
        self.ids.stepper.clear_widgets()

    def _colony(self) -> PlayerView | None:
        table = self.controller.table
        return table.colony if table else None

    def _ending(self) -> EndingView | None:
        colony = self._colony()
        return colony.ending if colony else None
