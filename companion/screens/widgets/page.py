"""A `PageVM` drawn: columns side by side where there is room, else one under the other, scrolling when they are long."""

from kivy.metrics import dp, sp
from kivy.properties import BooleanProperty, NumericProperty, ObjectProperty
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.scrollview import ScrollView

from companion.screens import theme
from companion.screens.view_models.page import BlockVM, ItemVM, PageVM
from companion.screens.widgets.panels import Card


class ItemRow(BoxLayout):
    vm = ObjectProperty(ItemVM(), rebind=True)


class Block(Card):
    fixed = NumericProperty(0)
    """Height of all but the rows."""
    vm = ObjectProperty(BlockVM(), rebind=True)


class Column(BoxLayout):
    """Blocks of one column, as high as each other where there is room."""

    blocks = ObjectProperty(())
    is_single = BooleanProperty(False)
    is_stacked = BooleanProperty(False)
    """Below another: the room left over is shared by need."""

    def on_blocks(self, *_: object) -> None:
        while len(self.children) > len(self.blocks):
            self.remove_widget(self.children[0])
        for block, vm in zip(self.children[::-1], self.blocks, strict=False):
            block.vm = vm
        for vm in self.blocks[len(self.children) :]:
            self.add_widget(Block(vm=vm))


class PageView(ScrollView):
    vm = ObjectProperty(PageVM(), rebind=True)
    is_wide = BooleanProperty(True)
    is_single = BooleanProperty(False)
    """One column only: as high as its words, in the middle."""

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
        for column, blocks in zip(body.children[::-1], columns, strict=True):
            column.blocks = blocks
            column.is_single = self.is_single
            column.is_stacked = not self.is_wide
        self.scroll_y = 1

    def on_kv_post(self, _base: object) -> None:
        self.on_vm()

    def on_width(self, *_: object) -> None:
        self.is_wide = self.width >= sp(theme.WIDE) - 2 * dp(theme.EDGE)
        for column in self.ids["body"].children if "body" in self.ids else ():
            column.is_stacked = not self.is_wide
