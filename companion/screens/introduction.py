"""Before round 1 of a scenario: the story, then the changed rules. Later from the menu, as is the table's checklist."""

from typing import Any

from kivy.properties import BooleanProperty, ObjectProperty, StringProperty

from companion.screens.screen import AppScreen
from companion.screens.view_models.introduction import STORY, introduction_page
from companion.screens.view_models.page import PageVM
from companion.screens.widgets.loading import load_kv
from companion.session.actions import LeaveIntroduction
from companion.session.table import TableView

load_kv(__file__)


class IntroductionScreen(AppScreen):
    vm = ObjectProperty(PageVM(), rebind=True)
    part = StringProperty(STORY)
    is_first = BooleanProperty(False)
    """Round 1 has not been shown yet."""

    def open(self, **how: Any) -> None:
        self.part = how.get("part", STORY)

    def apply(self, table: TableView | None) -> None:
        if table is None or table.colony is None:
            return
        self.is_first = table.is_introducing
        if self.is_first:
            self.part = STORY
        self.vm = introduction_page(self.part, table.colony)

    def leave(self) -> None:
        if self.is_first:
            self.act(LeaveIntroduction())
        else:
            self.back()
