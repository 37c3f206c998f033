"""The window: felt, panel and tray, and the hand that carries things between them."""

import asyncio
from typing import Any

from kivy.app import App
from kivy.clock import Clock
from kivy.core.window import Window
from kivy.graphics import Color, Rectangle
from kivy.metrics import dp
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.floatlayout import FloatLayout
from kivy.uix.widget import Widget

from firmware.desk.control_client import Change, ControlClient
from firmware.desk.window import look
from firmware.desk.window.hands import Hands
from firmware.desk.window.panel import Panel
from firmware.desk.window.places import ARC
from firmware.desk.window.scene import Scene
from firmware.desk.window.table import TableView
from firmware.desk.window.tray import CARD_HEIGHT, CARD_WIDTH, Item, TrayView, draw_item

DRAWN_FRAMES = 5
"""Until everything has been laid out and drawn."""
LIFT = 14
"""So far a finger moves, in dp, before what is under it is lifted."""


class Held:
    """What the hand holds: from the tray, the roof or the felt."""

    def __init__(self, item: Item, start: tuple[float, float], from_table: bool) -> None:
        self.item = item
        self.touch: Any = None
        self.start = start
        self.from_table = from_table
        self.is_lifted = False
        self.is_on_roof = False


class Room(FloatLayout):  # type: ignore[misc]  # Kivy ships no types
    """All of the window. Touches come here first: a lifted thing is nobody else's."""

    def __init__(self, scene: Scene, hands: Hands, **values: Any) -> None:
        super().__init__(**values)
        with self.canvas.before:
            Color(*look.GROUND)
            self._ground = Rectangle()
        self._scene = scene
        self._hands = hands
        self._held: Held | None = None
        self.table = TableView(scene)
        self.panel = Panel(scene, hands)
        self.tray = TrayView(scene)
        self._above = Widget(size_hint=(1, 1))
        self._middle = BoxLayout(spacing=dp(12))
        self._middle.add_widget(self.table)
        self._middle.add_widget(self.panel)
        column = BoxLayout(orientation="vertical", spacing=dp(12), padding=dp(16))
        column.add_widget(self._middle)
        column.add_widget(self.tray)
        self.add_widget(column)
        self.add_widget(self._above)
        self.bind(size=self._lay_out)

    def _lay_out(self, *_: object) -> None:
        self._ground.size = self.size
        is_wide = self.width >= self.height
        self._middle.orientation = "horizontal" if is_wide else "vertical"
        self.panel.size_hint = (None, 1) if is_wide else (1, None)
        self.panel.cols = 1 if is_wide else 2
        self.panel.width, self.panel.height = dp(250), dp(138)

    def refresh(self) -> None:
        self.table.redraw()
        self.tray.refresh()
        self.panel.refresh()

    def on_touch_down(self, touch: Any) -> bool:
        # the wheel scrolls the tray and holds nothing; a second finger neither takes nor moves what the first holds
        if touch.is_mouse_scrolling or self._held:
            return bool(super().on_touch_down(touch))
        self._held = self._under(*touch.pos)
        if self._held:
            self._held.touch = touch
        if self._held and self._held.from_table:
            return True
        if loop := self.table.loop_at(*touch.pos):
            self._hands.close_loop(loop)
            return True
        return bool(super().on_touch_down(touch))

    def on_touch_move(self, touch: Any) -> bool:
        held = self._held
        if held is None or held.touch is not touch:
            return bool(super().on_touch_move(touch))
        dx, dy = touch.x - held.start[0], touch.y - held.start[1]
        # sideways is scrolling, as long as the finger stays in the tray
        is_carried = held.from_table or not self.tray.collide_point(*touch.pos)
        far = max(abs(dx), abs(dy)) if is_carried else (dy if dy > abs(dx) else 0)
        if not held.is_lifted and far < dp(LIFT):
            return bool(super().on_touch_move(touch))
        if not held.is_lifted:
            for reference in list(touch.grab_list):
                touch.ungrab(reference())
        held.is_lifted = True
        self._carry(held, touch)
        return True

    def on_touch_up(self, touch: Any) -> bool:
        held = self._held
        if held is None or held.touch is not touch:
            return bool(super().on_touch_up(touch))
        self._held = None
        self._above.canvas.clear()
        self.table.offer, self.table.near = False, None
        self.table.redraw()
        if held.is_lifted:
            self._drop(held, touch)
            return True
        moved = max(abs(touch.x - held.start[0]), abs(touch.y - held.start[1]))
        if not held.from_table and moved < dp(LIFT):
            self._tap(held.item)
        return bool(super().on_touch_up(touch))

    def _under(self, x: float, y: float) -> Held | None:
        if item := self.tray.item_at(x, y):
            return Held(item, (x, y), from_table=False)
        board = self.table.board_at(x, y)
        if board == ARC and self._scene.roof:
            thing = self._scene.roof[-1]
            held = Held(Item(thing, self._scene.title_of(thing), "", look.ACCENT, False), (x, y), from_table=True)
            held.is_on_roof = True
            return held
        if board and board != ARC:
            return Held(Item(board, self._scene.title_of(board), "", look.ACCENT, True), (x, y), from_table=True)
        return None

    def _carry(self, held: Held, touch: Any) -> None:
        self._above.canvas.clear()
        with self._above.canvas:
            x, y = touch.x - dp(CARD_WIDTH) / 2, touch.y - dp(CARD_HEIGHT) / 2
            if not held.is_on_roof or not self.table.is_over_roof(*touch.pos):
                draw_item(held.item, x, y, lifted=True)
        if held.item.is_module:
            self.table.offer, self.table.near = True, self.table.spot_at(*touch.pos)
            self.table.redraw()
            return
        is_over = self.table.is_over_roof(*touch.pos)
        if is_over != held.is_on_roof:
            held.is_on_roof = is_over
            (self._hands.lay if is_over else self._hands.take)(held.item.name)

    def _drop(self, held: Held, touch: Any) -> None:
        """A card stays where it was let go; a miniature goes to a free port, or back into the box."""
        if not held.item.is_module:
            return
        spot = self.table.spot_at(*touch.pos)
        if spot and spot.board != held.item.name:
            self._hands.plug(held.item.name, spot)
        elif held.from_table and not self.table.board_at(*touch.pos):
            self._hands.pull(held.item.name)

    def _tap(self, item: Item) -> None:
        if item.is_module:
            self._hands.plug(item.name, None)
        else:
            self._hands.swipe(item.name)


class TableApp(App):  # type: ignore[misc]
    """Opens the window on a desk's control socket and closes it with the desk."""

    title = "The desk"

    def __init__(self, control: str, **values: Any) -> None:
        super().__init__(**values)
        self.scene = Scene()
        self.client = ControlClient(control, self._on_change, self.stop)
        self.hands = Hands(self.client, self.scene, self._on_refusal)

    def build(self) -> Room:
        look.register_fonts()
        Window.clearcolor = look.GROUND
        self.room = Room(self.scene, self.hands)
        return self.room

    async def watch(self) -> None:
        """Load what the desk has and follow it. OSError when there is no desk."""
        await self.client.open()
        things, modules = await self.client.do("things"), await self.client.do("modules")
        self.scene.load(await self.client.do("watch"), things, modules)
        self.room.refresh()

    async def draw_to(self, file: str) -> None:
        """Keep what the window shows as a PNG file, ground included."""
        end = Clock.frames + DRAWN_FRAMES
        while Clock.frames < end:
            await asyncio.sleep(0)
        self.room.export_to_png(file)

    def _on_change(self, change: Change) -> None:
        self.scene.change(change)
        if change["change"] == "light":
            self.room.table.redraw()
        else:
            self.room.refresh()

    def _on_refusal(self, reason: str) -> None:
        self.room.panel.told.refusal = reason
        self.room.panel.refresh()
