"""A saved game was opened: what is still to be plugged in, each shown as found when its light comes on."""

from kivy.properties import ObjectProperty

from companion.screens.screen import AppScreen
from companion.screens.view_models import words
from companion.screens.view_models.cards import PillVM
from companion.screens.view_models.page import PageVM
from companion.screens.view_models.start import resume_page
from companion.screens.widgets.loading import load_kv
from companion.session.actions import LeaveResume
from companion.session.table import TableView

load_kv(__file__)


class ResumeScreen(AppScreen):
    vm = ObjectProperty(PageVM(), rebind=True)
    pill = ObjectProperty(PillVM(), rebind=True)
    missing = ObjectProperty(0)

    def apply(self, table: TableView | None) -> None:
        if table is None or table.colony is None:
            return
        icon, _text, tone = words.ARC_PILLS[table.arc.state]
        self.pill = PillVM(icon, words.arc_text(table.arc), tone)
        self.missing = len(table.missing)
        self.vm = resume_page(table)

    def play_on(self) -> None:
        self.act(LeaveResume())

    def leave(self) -> None:
        self.shell.leave_game()
