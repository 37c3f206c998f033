"""A grid of cards to tap, a stepper for a number, a field for a name."""

from typing import Any

from kivy.clock import Clock
from kivy.metrics import sp
from kivy.properties import BooleanProperty, NumericProperty, ObjectProperty, StringProperty
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.gridlayout import GridLayout
from kivy.uix.scrollview import ScrollView

from companion.screens.view_models.choices import GroupVM, TapVM
from companion.screens.view_models.room import GridShape, grid_shape
from companion.screens.widgets import sheet
from companion.screens.widgets.panels import Meaning, PressCard, Surface

UNREAD = object()
"""What a finger on a card means that nobody can have read: nothing."""


class TapCard(Meaning, PressCard):
    vm = ObjectProperty(TapVM(), rebind=True)
    natural_height = NumericProperty(0)
    zoom = NumericProperty(1.0)
    is_poster = BooleanProperty(False)

    def meaning(self) -> object:
        return self.vm.id

    def on_press(self) -> None:
        """Cards that have just come take no finger: the second tap of two was on its way to what stood there before."""
        super().on_press()
        if self.parent is not None and self.parent.is_unread:
            self._meant = UNREAD


class TapGrid(GridLayout):
    """As many columns as fit; all cards as high as the highest. `picked(id)` is called on a tap."""

    items = ObjectProperty(())
    picked = ObjectProperty(None, allownone=True)
    least_width = NumericProperty("300dp")
    room = NumericProperty(0)
    """Height to be filled; 0: cards are as high as they need."""

    def __init__(self, **values: Any) -> None:
        self.shape = GridShape(1, 0)
        self._ids: frozenset[str] = frozenset()
        self._came_at = float("-inf")
        super().__init__(**values)
        self._even = Clock.create_trigger(self._even_out, -1)
        self.bind(width=self._fit, room=self._fit, least_width=self._fit)
        self._fit()

    def _fit(self, *_: object) -> None:
        unit = sp(1)
        if self.room:
            self.shape = grid_shape(len(self.items), self.width / unit, self.room / unit, self.least_width / unit)
        else:
            fitting = int((self.width + self.spacing[0]) // (self.least_width + self.spacing[0]))
            self.shape = GridShape(max(1, min(fitting, len(self.items))), 0)
        self.cols = self.shape.columns
        for card in self.children:
            card.zoom, card.is_poster = self.shape.zoom, self.shape.is_poster
        self._even()

    def _even_out(self, *_: object) -> None:
        natural = max((card.natural_height for card in self.children), default=0)
        self.row_default_height = max(natural, sp(self.shape.row_height))

    @property
    def is_unread(self) -> bool:
        return bool(Clock.get_time() - self._came_at < sheet.UNREAD_S)

    def on_items(self, *_: object) -> None:
        before, self._ids = self._ids, frozenset(vm.id for vm in self.items)
        if before and before.isdisjoint(self._ids):
            self._came_at = Clock.get_time()
        kept: list[Any] = self.children[::-1]
        for extra in kept[len(self.items) :]:
            self.remove_widget(extra)
        for card, vm in zip(kept, self.items, strict=False):
            card.vm = vm
        for vm in self.items[len(kept) :]:
            card = TapCard(vm=vm)
            card.bind(on_release=self._tapped, natural_height=self._even)
            self.add_widget(card)
        self._fit()

    def _tapped(self, card: TapCard) -> None:
        if self.picked and card.vm.is_open and card.is_meant:
            self.picked(card.vm.id)


class TapPage(ScrollView):
    """A grid that scrolls when it is long."""

    items = ObjectProperty(())
    picked = ObjectProperty(None, allownone=True)
    least_width = NumericProperty("300dp")
    fills = BooleanProperty(False)
    """Few cards become larger and stand in the middle."""


class TapGroup(BoxLayout):
    vm = ObjectProperty(GroupVM(), rebind=True)
    picked = ObjectProperty(None, allownone=True)


class GroupPage(ScrollView):
    """Grids under their headings, one below the other; cards are as high as they need."""

    groups = ObjectProperty(())
    picked = ObjectProperty(None, allownone=True)

    def on_groups(self, *_: object) -> None:
        body = self.ids["body"]
        while len(body.children) > len(self.groups):
            body.remove_widget(body.children[0])
        while len(body.children) < len(self.groups):
            body.add_widget(TapGroup(picked=self.picked))
        for group, vm in zip(body.children[::-1], self.groups, strict=True):
            group.vm, group.picked = vm, self.picked


class NameField(Surface, BoxLayout):
    """One line of text with a hint."""

    text = StringProperty("")
    hint = StringProperty("")

    def fill_in(self, text: str) -> None:
        self.ids.field.text = text


class Stepper(Surface, BoxLayout):
    """A number changed by taps; `done(value)` when it is confirmed."""

    title = StringProperty("")
    manager = ObjectProperty(None, allownone=True)
    value = NumericProperty(0)
    start = NumericProperty(0)
    step = NumericProperty(1)
    asks_anyway = BooleanProperty(True)
    """False: only a changed number can be confirmed."""
    done = ObjectProperty(None, allownone=True)

    def change(self, steps: int) -> None:
        self.value += int(steps * self.step)

    def confirm(self) -> None:
        if self.done:
            self.done(int(self.value))
