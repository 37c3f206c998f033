"""The end screens: how the colony ended, victory points, and the table's points to be typed in."""

from kivy.properties import ObjectProperty

from companion.screens.screen import AppScreen
from companion.screens.view_models.ending import EndingVM, PointsVM, ending_screen
from companion.screens.widgets.loading import load_kv
from companion.screens.widgets.tapping import Stepper
from companion.session.actions import EnterPoints, ReviewSummary
from companion.session.table import TableView

load_kv(__file__)


class PointsRow(Stepper):
    vm = ObjectProperty(PointsVM(), rebind=True)


class EndingScreen(AppScreen):
    vm = ObjectProperty(EndingVM(), rebind=True)

    def apply(self, table: TableView | None) -> None:
        if table is not None and table.colony is not None and table.colony.ending is not None:
            self.vm = ending_screen(table.colony)
            self._lay_points()

    def _lay_points(self) -> None:
        """One manager's points at a time: the first that are missing."""
        box = self.ids.points
        wanted = self.vm.points[:1]
        if [row.vm for row in box.children] == list(wanted):
            return
        box.clear_widgets()
        for vm in wanted:
            row = PointsRow(vm=vm)
            row.done = lambda value, manager=vm.manager: self.act(EnterPoints(manager or None, value))
            box.add_widget(row)

    def review(self) -> None:
        self.act(ReviewSummary())

    def leave(self) -> None:
        self.shell.leave_game()
