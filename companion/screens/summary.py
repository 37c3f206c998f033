"""The carousel between two rounds, and its review later in the round."""

from kivy.properties import BooleanProperty, NumericProperty, ObjectProperty, StringProperty

from companion.screens.screen import AppScreen
from companion.screens.texts import _
from companion.screens.view_models.page import PageVM
from companion.screens.view_models.summary import section_page
from companion.screens.widgets.loading import load_kv
from companion.session.actions import CloseReview, TurnPage
from companion.session.table import TableView

load_kv(__file__)


class SummaryScreen(AppScreen):
    vm = ObjectProperty(PageVM(), rebind=True)
    page = NumericProperty(0)
    pages = NumericProperty(1)
    heading = StringProperty("")
    forward_text = StringProperty("")
    is_reviewing = BooleanProperty(False)

    def apply(self, table: TableView | None) -> None:
        if table is None or table.report is None or table.colony is None:
            return
        sections = table.report.sections
        self.pages = len(sections)
        self.page = min(table.page, len(sections) - 1)
        self.vm = section_page(sections[self.page], table.colony)
        self.heading = _("ROUND {n} IS CLOSED").format(n=table.report.closed_round)
        self.is_reviewing = table.is_reviewing
        self.forward_text = self._forward_text(table)

    def _forward_text(self, table: TableView) -> str:
        if self.page < self.pages - 1:
            return _("Next: page {page} of {pages}").format(page=self.page + 2, pages=self.pages)
        if table.is_reviewing:
            return _("Back to the round")
        assert table.colony is not None
        if table.colony.ending is not None:
            return _("See how it ended")
        return _("Begin round {n}").format(n=table.colony.round)

    def forward(self) -> None:
        is_last = self.page >= self.pages - 1
        self.act(CloseReview() if self.is_reviewing and is_last else TurnPage(1))

    def backward(self) -> None:
        self.act(TurnPage(-1))

    def close(self) -> None:
        self.act(CloseReview())
