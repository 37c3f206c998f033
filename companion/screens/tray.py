"""Play without an ARC: cards and tokens to tap instead of swipe, modules to tap instead of plug in."""

from typing import Any

from kivy.properties import ObjectProperty, StringProperty

from companion.screens.screen import AppScreen
from companion.screens.view_models import tray
from companion.screens.widgets.loading import load_kv
from companion.screens.widgets.panels import TextButton
from companion.session import actions
from companion.session.table import TableView

load_kv(__file__)


class TrayScreen(AppScreen):
    cards = ObjectProperty(())
    tab = StringProperty(tray.TABS[0][0])
    module = StringProperty("")
    """A module was tapped: where it is plugged in is asked."""

    def on_kv_post(self, _base: Any) -> None:
        for key, name, _kinds in tray.TABS:
            button = TextButton(text=name, key=key)
            button.bind(on_release=lambda tapped: self.show(tapped.key))
            self.ids.tabs.add_widget(button)

    def open(self, **_how: Any) -> None:
        self.module = ""

    def apply(self, table: TableView | None) -> None:
        if table is None or table.colony is None:
            return
        self.cards = tray.parent_cards(table) if self.module else tray.tray_cards(table, self.tab)
        for button in self.ids.tabs.children:
            button.style = "primary" if button.key == self.tab else "plain"

    def show(self, tab: str) -> None:
        self.tab, self.module = tab, ""
        self.apply(self.controller.table)

    def pick(self, id: str) -> None:
        if self.tab != "modules":
            self.back()
            self.act(actions.TapCard(id))
        elif self.module:
            type_id, self.module = int(self.module), ""
            self.back()
            self.act(actions.TapModule(type_id, int(id)))
        else:
            self.module = id
            self.apply(self.controller.table)

    def up(self) -> None:
        if self.module:
            self.show(self.tab)
        else:
            self.back()
