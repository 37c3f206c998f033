"""A `PageVM` drawn: columns side by side where there is room, else one under the other, scrolling when they are long."""

from kivy.metrics import dp, sp
from kivy.properties import BooleanProperty, NumericProperty, ObjectProperty, StringProperty
from kivy.uix.anchorlayout import AnchorLayout
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.scrollview import ScrollView

from companion.screens import theme
from companion.screens.view_models.page import BlockVM, ItemVM, PageVM
from companion.screens.view_models.room import page_zoom
from companion.screens.widgets.panels import Card

SINGLE = 1000
"""A single column is never wider than this, in dp."""


class ItemRow(BoxLayout):
    vm = ObjectProperty(ItemVM(), rebind=True)
    zoom = NumericProperty(1.0)


class Emblem(AnchorLayout):
    """A large icon, or a portrait, in a tinted disc."""

    icon = StringProperty("")
    tone = StringProperty("accent")
    manager = ObjectProperty(None, allownone=True)
    is_seen = BooleanProperty(False)


class Block(Card):
    fixed = NumericProperty(0)
    """Height of all but the rows."""
    least = NumericProperty(0)
    spare = NumericProperty(0)
    zoom = NumericProperty(1.0)
    vm = ObjectProperty(BlockVM(), rebind=True)


class Column(BoxLayout):
    """Blocks of one column; the room left over is shared by need."""

    blocks = ObjectProperty(())
    zoom = NumericProperty(1.0)
    is_stacked = BooleanProperty(False)
    """Below another column."""

    def on_blocks(self, *_: object) -> None:
        while len(self.children) > len(self.blocks):
            self.remove_widget(self.children[0])
        for block, vm in zip(self.children[::-1], self.blocks, strict=False):
            block.zoom, block.vm = self.zoom, vm
        for vm in self.blocks[len(self.children) :]:
            self.add_widget(Block(vm=vm, zoom=self.zoom))

    def on_zoom(self, *_: object) -> None:
        for block in self.children:
            block.zoom = self.zoom


class PageView(ScrollView):
    vm = ObjectProperty(PageVM(), rebind=True)
    is_wide = BooleanProperty(True)
    is_single = BooleanProperty(False)
    """One column only: not wider than lines are pleasant to read."""
    zoom = NumericProperty(1.0)
    _title = ""
    """Another one is another page, read from its top; the same stays where people have scrolled to."""

    def on_vm(self, *_: object) -> None:
        body = self.ids.get("body")
        if body is None:
            return
        columns = self.vm.columns
        self.is_single = len(columns) == 1
        while len(body.children) > len(columns):
            body.remove_widget(body.children[0])
        while len(body.children) < len(columns):
            body.add_widget(Column())
        self._choose_zoom()
        for column, blocks in zip(body.children[::-1], columns, strict=True):
            column.blocks = blocks
        if self.vm.title != self._title:
            self._title = self.vm.title
            self.scroll_y = 1

    def on_kv_post(self, _base: object) -> None:
        self.on_vm()

    def on_size(self, *_: object) -> None:
        self.is_wide = self.width >= sp(theme.WIDE) - 2 * dp(theme.EDGE)
        if "body" in self.ids:
            self._choose_zoom()

    def _choose_zoom(self) -> None:
        unit = sp(1)
        width = min(self.width, dp(SINGLE)) if self.is_single else self.width
        self.zoom = page_zoom(self.vm, width / unit, self.height / unit, is_wide=self.is_wide)
        for column in self.ids["body"].children:
            column.is_stacked = not self.is_wide
            column.zoom = self.zoom

    def filled(self, needed: float, room: float) -> float:
        """Panels get some air; a page that nearly fills its room fills it."""
        airy = needed * 1.3
        return max(needed, room if airy > room * 0.86 else airy)
