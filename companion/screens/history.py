"""What was registered this round, newest first, with the one step back and the last summary."""

from kivy.properties import BooleanProperty, ObjectProperty, StringProperty

from companion.screens.screen import AppScreen
from companion.screens.view_models.history import history_page
from companion.screens.view_models.page import PageVM
from companion.screens.widgets.loading import load_kv
from companion.session.actions import ReviewSummary, Undo
from companion.session.table import TableView

load_kv(__file__)


class HistoryScreen(AppScreen):
    vm = ObjectProperty(PageVM(), rebind=True)
    undo_text = StringProperty("")
    has_report = BooleanProperty(False)

    def apply(self, table: TableView | None) -> None:
        if table is None or table.colony is None:
            return
        self.vm = history_page(table, table.colony)
        self.undo_text = table.undo_text or ""
        self.has_report = table.report is not None

    def undo(self) -> None:
        self.act(Undo())

    def review(self) -> None:
        self.act(ReviewSummary())
