"""The end screens: how the colony ended, victory points, and the table's points to be typed in."""

from kivy.properties import NumericProperty, ObjectProperty

from companion.screens.screen import AppScreen
from companion.screens.view_models.ending import EndingVM, PointsVM, ending_screen
from companion.screens.widgets.loading import load_kv
from companion.screens.widgets.tapping import Stepper
from companion.session.actions import EnterPoints, ReviewSummary
from companion.session.table import TableView

load_kv(__file__)

NOBODY = -1


class PointsRow(Stepper):
    vm = ObjectProperty(PointsVM(), rebind=True)


class EndingScreen(AppScreen):
    vm = ObjectProperty(EndingVM(), rebind=True)
    corrected = NumericProperty(NOBODY)
    """Place in `vm.entered` of the points that are put right."""

    def on_pre_enter(self, *_: object) -> None:
        self.corrected = NOBODY

    def apply(self, table: TableView | None) -> None:
        if table is not None and table.colony is not None and table.colony.ending is not None:
            self.vm = ending_screen(table.colony)
            self._lay_points()

    def _lay_points(self) -> None:
        """One manager's points at a time: the first that are missing, or those that are put right."""
        box, at = self.ids.points, int(self.corrected)
        wanted = self.vm.points[:1] or (self.vm.entered[at : at + 1] if at != NOBODY else ())
        if [row.vm for row in box.children] == list(wanted):
            return
        box.clear_widgets()
        for vm in wanted:
            row = PointsRow(vm=vm)
            row.done = lambda value, manager=vm.manager: self._enter(manager, value)
            box.add_widget(row)

    def correct(self) -> None:
        """From the first on, each confirmed as it is or put right; a second tap ends it."""
        self.corrected = 0 if self.corrected == NOBODY else NOBODY
        self._lay_points()

    def _enter(self, manager: str, points: int) -> None:
        if self.corrected != NOBODY:
            self.corrected = self.corrected + 1 if self.corrected + 1 < len(self.vm.entered) else NOBODY
        self.act(EnterPoints(manager or None, points))
        self._lay_points()

    def review(self) -> None:
        self.act(ReviewSummary())

    def leave(self) -> None:
        self.shell.leave_game()
