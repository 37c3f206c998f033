"""The main screen: five cards, the round, the acts registered in it, what needs attention, NEXT."""

from typing import Any

from kivy.core.window import Window
from kivy.metrics import Metrics, dp, sp
from kivy.properties import BooleanProperty, NumericProperty, ObjectProperty, StringProperty
from kivy.uix.boxlayout import BoxLayout

from companion.screens import theme
from companion.screens.cards import CARDS
from companion.screens.screen import AppScreen, Shell
from companion.screens.view_models.attention import AttentionVM
from companion.screens.view_models.cards import ActsVM, HeaderVM, PillVM
from companion.screens.view_models.colony import ColonyVM, colony_screen
from companion.screens.widgets.loading import load_kv
from companion.screens.widgets.panels import Portrait, PressCard, Surface
from companion.session.actions import Next, ShowHint, Undo
from companion.session.table import TableView


class TopBar(BoxLayout):
    is_roomy = BooleanProperty(True)
    no_pill = PillVM()
    vm = ObjectProperty(HeaderVM(), rebind=True)
    screen = ObjectProperty(None, allownone=True)


class HintStrip(Surface, BoxLayout):
    text = StringProperty("")
    screen = ObjectProperty(None, allownone=True)


class ActsStrip(PressCard):
    vm = ObjectProperty(ActsVM(), rebind=True)


class ActPortrait(Portrait):
    vm = ObjectProperty(("", "", ""))


class AttentionStrip(PressCard):
    vm = ObjectProperty(AttentionVM(), rebind=True)


load_kv(__file__)

WIDE = ((320, ("status", 467), ("resources", 523)), (285, ("population", 1), ("special", 1), ("economy", 1)))
TALL = (
    (262, ("status", 1)),
    (246, ("resources", 1)),
    (276, ("population", 1), ("special", 1)),
    (190, ("economy", 1)),
)
NARROW = (
    (262, ("status", 1)),
    (246, ("resources", 1)),
    (276, ("population", 1)),
    (262, ("special", 1)),
    (250, ("economy", 1)),
)
"""Rows as (height share, (card, width share) …): side by side, stacked, and stacked for large letters."""
BESIDE_HINT = 0.87


class ColonyScreen(AppScreen):
    vm = ObjectProperty(ColonyVM(), rebind=True)
    least_height = NumericProperty(0)

    def __init__(self, shell: Shell, **values: Any) -> None:
        super().__init__(shell, **values)
        self.cards = {name: self.ids[name].__self__ for name in CARDS}
        for name, card in self.cards.items():
            card.bind(on_release=lambda _card, name=name: self.go("detail", card=name))
        self.strips = {name: self.ids[name].__self__ for name in ("acts", "attention", "next")}
        for widget in (*self.cards.values(), *self.strips.values()):
            self.remove_widget(widget)
        for name in ("acts", "attention"):
            self.strips[name].bind(pos=self._give_toasts_room, size=self._give_toasts_room)
        self._rows: tuple[Any, ...] | None = None
        self.bind(size=self.arrange)
        self.arrange()

    def apply(self, table: TableView | None) -> None:
        if table is not None and table.colony is not None:
            firmware = self.controller.firmware
            self.vm = colony_screen(table, firmware.update if firmware else None)
            self._give_height()

    def ask_next(self) -> None:
        self.act(Next())

    def ask_undo(self) -> None:
        self.act(Undo())

    def put_hint_away(self) -> None:
        self.act(ShowHint(False))

    def arrange(self, *_: object) -> None:
        """Side by side or stacked, by how many letters fit into the width."""
        room = (self.width if self.width > 100 else Window.width) / sp(1)
        rows = WIDE if room >= theme.WIDE else TALL if room >= theme.TALL else NARROW
        if rows == self._rows:
            return
        self._rows = rows
        self._give_height()
        self._lay_cards(rows)
        self._lay_strips(rows is WIDE)

    def _give_height(self) -> None:
        """A hint takes room from the cards rather than letting them scroll."""
        share = BESIDE_HINT if self.vm.hint and self._rows is not NARROW else 1
        self.least_height = sp(sum(row[0] for row in self._rows or ())) * share

    def _give_toasts_room(self, *_: object) -> None:
        """A toast tells what the strips tell: it takes their place beside NEXT, and no card's. Two of them share it."""
        acts, attention = self.strips["acts"], self.strips["attention"]
        first, second = [(strip.x, strip.y, strip.width, strip.height) for strip in (acts, attention)]
        if acts.parent is attention.parent:
            both = (acts.x, acts.y, attention.right - acts.x, acts.height)
            self.toast_rooms = ((both,), (first, second))
        else:
            self.toast_rooms = ((second,), (second, first))

    def _lay_cards(self, rows: tuple[tuple[Any, ...], ...]) -> None:
        body = self.ids.body
        for row in body.children[:]:
            row.clear_widgets()
        body.clear_widgets()
        for height, *cards in rows:
            row = BoxLayout(spacing=dp(theme.GAP), size_hint_y=height)
            for name, share in cards:
                self.cards[name].size_hint_x = share
                row.add_widget(self.cards[name])
            body.add_widget(row)

    def _lay_strips(self, is_wide: bool) -> None:
        foot, strips = self.ids.foot, self.strips
        for row in foot.children[:]:
            row.clear_widgets()
        foot.clear_widgets()
        rows = [("acts", "attention", "next")] if is_wide else [("attention",), ("acts", "next")]
        for names in rows:
            row = BoxLayout(spacing=dp(theme.GAP))
            for name in names:
                row.add_widget(strips[name])
            foot.add_widget(row)
        strips["acts"].size_hint_x = 0.42
        strips["attention"].size_hint_x = 0.58
        foot.height = (dp(theme.BOTTOM_BAR) * len(rows) + dp(theme.GAP) * (len(rows) - 1)) * max(1, Metrics.fontscale)
