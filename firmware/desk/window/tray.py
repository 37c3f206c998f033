"""The tray below the felt: tokens, cards, odd tags and the box of miniatures, one tab each, scrolled sideways."""

from typing import Any

from attrs import frozen
from kivy.clock import Clock
from kivy.graphics import Color, SmoothLine
from kivy.metrics import dp
from kivy.uix.behaviors import ButtonBehavior
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.scrollview import ScrollView
from kivy.uix.widget import Widget

from firmware.desk.window import look
from firmware.desk.window.scene import Scene

TABS = ("Tokens", "Decrees", "Directives", "Modules", "Odd tags")
CARD_WIDTH, CARD_HEIGHT = 124, 112
BAR = 10
"""Room for the scroll bar under the cards."""


@frozen
class Item:
    """Something to pick up: a thing of the tray, or a miniature."""

    name: str
    title: str
    note: str
    accent: look.Rgba
    is_module: bool


def items(scene: Scene, tab: str) -> list[Item]:
    """What lies under a tab and is not on the table."""
    if tab == "Modules":
        return [Item(m["name"], m["title"], f"type {m['type_id']}", look.ACCENT, True) for m in scene.in_box()]
    kinds = {"Tokens": ("manager", "token"), "Decrees": ("decree",), "Directives": ("directive",), "Odd tags": ("tag",)}
    return [
        Item(t["name"], t["title"], t["code"] or t["kind"], _accent(t), False)
        for t in scene.things
        if t["kind"] in kinds[tab] and t["name"] not in scene.roof
    ]


def _accent(thing: dict[str, str]) -> look.Rgba:
    colour = thing["colour"] or thing["kind"]
    return look.rgba(colour) if colour.startswith("#") else look.KIND_COLOURS.get(colour, look.MUTED)


def draw_item(item: Item, x: float, y: float, *, lifted: bool = False) -> None:
    """A card, token or miniature with its lower left corner at (x, y)."""
    width, height = dp(CARD_WIDTH), dp(CARD_HEIGHT)
    look.block(x, y, width, height, look.PIECE, look.ACCENT if lifted else look.HAIRLINE)
    Color(*item.accent)
    SmoothLine(
        points=(x + dp(14), y + height - dp(12), x + width - dp(14), y + height - dp(12)), width=dp(2.5), cap="round"
    )
    look.write(item.title, x + width / 2, y + height * 0.52, font=look.STRONG, size=15, width=width - dp(16), lines=3)
    look.write(item.note, x + width / 2, y + dp(14), look.MUTED, size=14)


class Tab(ButtonBehavior, Widget):  # type: ignore[misc]  # Kivy ships no types
    """The name of a drawer; lit while it is open."""

    def __init__(self, name: str, **values: Any) -> None:
        super().__init__(size_hint=(None, 1), width=dp(124), **values)
        self.name = name
        self.is_open = False
        self._trigger = Clock.create_trigger(self._draw, -1)
        self.bind(pos=self._trigger, size=self._trigger)

    def show(self, is_open: bool) -> None:
        self.is_open = is_open
        self._trigger()

    def _draw(self, *_: object) -> None:
        self.canvas.clear()
        with self.canvas:
            look.block(self.x, self.y, self.width, self.height, look.PIECE if self.is_open else look.GROUND, radius=12)
            colour = look.TEXT if self.is_open else look.MUTED
            look.write(self.name, self.center_x, self.center_y, colour, font=look.STRONG, size=15)


class Strip(Widget):  # type: ignore[misc]
    """The row of items of the open tab."""

    def __init__(self, **values: Any) -> None:
        super().__init__(size_hint=(None, 1), **values)
        self.items: list[Item] = []
        self._trigger = Clock.create_trigger(self._draw, -1)
        self.bind(pos=self._trigger, size=self._trigger)

    def show(self, shown: list[Item]) -> None:
        self.items = shown
        self.width = len(shown) * dp(CARD_WIDTH + 10)
        self._trigger()

    def item_at(self, x: float, y: float) -> Item | None:
        index = int((x - self.x) // dp(CARD_WIDTH + 10))
        return self.items[index] if 0 <= index < len(self.items) and self.y <= y <= self.top else None

    def _draw(self, *_: object) -> None:
        self.canvas.clear()
        with self.canvas:
            for index, item in enumerate(self.items):
                draw_item(item, self.x + index * dp(CARD_WIDTH + 10), self.y + dp(BAR))


class TrayView(BoxLayout):  # type: ignore[misc]
    """Tabs above, items below. Picking up is the window's business: it asks `item_at`."""

    def __init__(self, scene: Scene, **values: Any) -> None:
        super().__init__(
            orientation="vertical", spacing=dp(8), size_hint=(1, None), height=dp(CARD_HEIGHT + BAR + 56), **values
        )
        self._scene = scene
        self._tab = TABS[0]
        row = BoxLayout(size_hint=(1, None), height=dp(48), spacing=dp(8))
        self._tabs = [Tab(name) for name in TABS]
        for tab in self._tabs:
            tab.bind(on_release=lambda pressed: self.open(pressed.name))
            row.add_widget(tab)
        row.add_widget(Widget())
        self._strip = Strip()
        self._scroll = ScrollView(
            do_scroll_y=False, bar_width=dp(3), bar_color=look.DIM, scroll_type=["bars", "content"]
        )
        self._scroll.add_widget(self._strip)
        self.add_widget(row)
        self.add_widget(self._scroll)
        self.open(self._tab)

    def open(self, tab: str) -> None:
        self._tab = tab
        for each in self._tabs:
            each.show(each.name == tab)
        self._scroll.scroll_x = 0
        self.refresh()

    def refresh(self) -> None:
        self._strip.show(items(self._scene, self._tab))

    def item_at(self, x: float, y: float) -> Item | None:
        """What lies at a window point."""
        if not self._scroll.collide_point(x, y):
            return None
        return self._strip.item_at(*self._strip.to_widget(x, y))
