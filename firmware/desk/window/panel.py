"""Beside the felt: the ARC's plug, its button and its battery, and what was heard."""

from collections.abc import Callable
from typing import Any

from kivy.clock import Clock
from kivy.graphics import Color, SmoothLine
from kivy.metrics import dp
from kivy.uix.behaviors import ButtonBehavior
from kivy.uix.gridlayout import GridLayout
from kivy.uix.widget import Widget

from firmware.desk.window import look
from firmware.desk.window.hands import Hands
from firmware.desk.window.scene import Scene

EMPTY_MV, FULL_MV = 3_500, 6_000


class Drawn(Widget):  # type: ignore[misc]  # Kivy ships no types
    """Draws itself anew when it moves or is told to."""

    def __init__(self, **values: Any) -> None:
        super().__init__(**values)
        self.redraw: Callable[..., None] = Clock.create_trigger(self._draw_anew, -1)
        self.bind(pos=self.redraw, size=self.redraw)

    def _draw_anew(self, *_: object) -> None:
        self.canvas.clear()
        with self.canvas:
            self.draw()

    def draw(self) -> None:
        raise NotImplementedError


class Key(ButtonBehavior, Drawn):  # type: ignore[misc]
    """A push button whose caption follows the scene."""

    def __init__(self, caption: Callable[[], str], is_lit: Callable[[], bool], **values: Any) -> None:
        self._caption = caption
        self._is_lit = is_lit
        super().__init__(size_hint=(1, None), height=dp(56), **values)
        self.bind(state=self.redraw)

    def draw(self) -> None:
        fill = look.PIECE if self.state == "down" else look.PANEL
        look.block(self.x, self.y, self.width, self.height, fill)
        look.disc(self.x + dp(24), self.center_y, dp(6), look.ACCENT if self._is_lit() else look.HAIRLINE)
        look.write(
            self._caption(),
            self.center_x + dp(12),
            self.center_y,
            font=look.STRONG,
            size=15,
            width=self.width - dp(60),
            lines=2,
        )


class Battery(Drawn):
    """A slider over the four cells' voltage."""

    def __init__(self, scene: Scene, on_level: Callable[[int], None], **values: Any) -> None:
        self._scene = scene
        self._on_level = on_level
        super().__init__(size_hint=(1, None), height=dp(72), **values)

    def draw(self) -> None:
        look.block(self.x, self.y, self.width, self.height, look.PANEL)
        volts = f"Battery {self._scene.battery_mv / 1000:.2f} V"
        look.write(volts, self.center_x, self.top - dp(22), font=look.STRONG, size=15)
        left, right, y = self.x + dp(24), self.right - dp(24), self.y + dp(22)
        share = (self._scene.battery_mv - EMPTY_MV) / (FULL_MV - EMPTY_MV)
        at = left + (right - left) * min(max(share, 0), 1)
        for end, colour in ((right, look.HAIRLINE), (at, look.ACCENT if share > 0.35 else look.WARN)):
            Color(*colour)
            SmoothLine(points=(left, y, max(end, left + 1), y), width=dp(3), cap="round")
        look.disc(at, y, dp(9), look.TEXT)

    def on_touch_down(self, touch: Any) -> bool:
        if touch.is_mouse_scrolling or not self.collide_point(*touch.pos):
            return False
        touch.grab(self)
        self._slide(touch)
        return True

    def on_touch_move(self, touch: Any) -> bool:
        if touch.grab_current is not self:
            return False
        self._slide(touch)
        return True

    def _slide(self, touch: Any) -> None:
        share = (touch.x - self.x - dp(24)) / (self.width - dp(48))
        self._on_level(int(EMPTY_MV + min(max(share, 0), 1) * (FULL_MV - EMPTY_MV)) // 10 * 10)


class Told(Drawn):
    """Beeps so far, and the last thing the desk refused."""

    def __init__(self, scene: Scene, **values: Any) -> None:
        self._scene = scene
        self.refusal = ""
        super().__init__(**values)

    def draw(self) -> None:
        look.block(self.x, self.y, self.width, self.height, look.PANEL)
        beeps = "1 beep" if self._scene.beeps == 1 else f"{self._scene.beeps} beeps"
        look.write(beeps, self.center_x, self.top - dp(24), font=look.STRONG, size=15)
        text, colour = (
            (self.refusal, look.WARN)
            if self.refusal
            else ("Tap a card to swipe it. Drag it to lay it down.", look.MUTED)
        )
        look.write(text, self.center_x, self.center_y - dp(14), colour, size=14, width=self.width - dp(28), lines=6)


class Panel(GridLayout):  # type: ignore[misc]
    """Plug, button, battery, and what was heard, top to bottom."""

    def __init__(self, scene: Scene, hands: Hands, **values: Any) -> None:
        super().__init__(cols=1, spacing=dp(10), **values)
        self._scene = scene
        self.told = Told(scene)
        self._power = Key(lambda: "ARC is on" if scene.is_arc_on else "ARC is off", lambda: scene.is_arc_on)
        self._power.bind(on_release=lambda *_: hands.switch(not scene.is_arc_on))
        self._button = Key(
            lambda: "Button: a tap pairs, ten seconds forget tablets", lambda: self._button.state == "down"
        )
        self._button.bind(state=lambda _key, state: hands.hold_button(state == "down"))
        self._battery = Battery(scene, hands.set_battery)
        for widget in (self._power, self._button, self._battery, self.told):
            self.add_widget(widget)

    def refresh(self) -> None:
        for widget in (self._power, self._button, self._battery, self.told):
            widget.redraw()
