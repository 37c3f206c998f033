"""One of the five cards, opened."""

from typing import Any

from kivy.properties import ObjectProperty, StringProperty

from companion.screens.screen import AppScreen
from companion.screens.view_models.details import CARD_ORDER, detail_page
from companion.screens.view_models.page import PageVM
from companion.screens.widgets.loading import load_kv
from companion.session.table import TableView

load_kv(__file__)


class DetailScreen(AppScreen):
    vm = ObjectProperty(PageVM(), rebind=True)
    card = StringProperty("status")

    def open(self, **how: Any) -> None:
        self.card = how["card"]

    def apply(self, table: TableView | None) -> None:
        if table is not None and table.colony is not None:
            self.vm = detail_page(self.card, table.colony)

    def turn(self, step: int) -> None:
        """The card beside this one."""
        self.go("detail", card=CARD_ORDER[(CARD_ORDER.index(self.card) + step) % len(CARD_ORDER)])
