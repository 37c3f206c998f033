"""Short messages at the lower edge that go by themselves: at most two, each for its time."""

from collections.abc import Callable
from typing import Any

from kivy.clock import Clock
from kivy.metrics import dp, sp
from kivy.properties import NumericProperty, ObjectProperty
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.widget import Widget

from companion.screens import theme
from companion.screens.view_models.toasts import ToastVM, outdated
from companion.screens.widgets.panels import Surface

WIDEST = 600
LEAST = 60
Room = tuple[float, float, float, float]
"""x, y, width, height"""
Rooms = tuple[tuple[Room, ...], ...]
"""For one toast, for two of them, …; the oldest takes the first."""


class Toast(Surface, BoxLayout):
    """`dismissed(id)` when its cross is tapped, `undone(id)` when its Undo is."""

    vm = ObjectProperty(ToastVM(), rebind=True)
    least = NumericProperty(0)
    """It is at least so high."""
    dismissed = ObjectProperty(None, allownone=True)
    undone = ObjectProperty(None, allownone=True)


class ToastStack(Widget):
    """`dismissed(id)` is called when a toast has been read, `undone(id)` when its Undo was tapped.

    `rooms()` gives the places that toasts may take, and how high the bar is that they stand on where there is none.
    """

    above = ObjectProperty(None, allownone=True)
    """The panel of an open sheet: toasts stand on it instead of on the bottom bar."""

    def __init__(
        self,
        over: Widget,
        rooms: Callable[[], tuple[Rooms, float]],
        dismissed: Callable[[int], None],
        undone: Callable[[int], None],
        **values: Any,
    ) -> None:
        super().__init__(**values)
        self.over, self.rooms = over, rooms
        self.dismissed, self.undone = dismissed, undone
        self.shown: tuple[ToastVM, ...] = ()
        self.timers: dict[int, Any] = {}
        self._due: dict[int, float] = {}
        self._began: dict[int, float] = {}
        self._put = Clock.create_trigger(self._place, -1)
        over.bind(size=self.place, pos=self.place)

    def on_above(self, _stack: Widget, panel: Widget | None) -> None:
        if panel is not None:
            panel.bind(top=self.place)
        self.place()

    def place(self, *_: object) -> None:
        """Something moved, or another screen is shown."""
        self._put()

    def _place(self, *_: object) -> None:
        rooms, foot = self.rooms()
        toasts = self.children[::-1]  # oldest first
        if not self.above and 0 < len(toasts) <= len(rooms):
            self._put_in(toasts, rooms[len(toasts) - 1])
        else:
            self._pile(toasts, foot)

    def _put_in(self, toasts: list[Toast], rooms: tuple[Room, ...]) -> None:
        """Each in its room; one that needs more grows upwards, and lifts what stands on it."""
        placed: list[tuple[Toast, float]] = []
        for toast, (x, y, width, height) in sorted(zip(toasts, rooms, strict=True), key=lambda each: each[1][1]):
            toast.width, toast.least = width, height
            toast.pos = x, max([y, *(one.top + dp(8) for one, below in placed if below < y)])
            placed.append((toast, y))

    def _pile(self, toasts: list[Toast], foot: float) -> None:
        """In the middle, the newest lowest."""
        width = min(self.over.width - dp(2 * theme.EDGE), dp(WIDEST))
        for toast in toasts:
            toast.width, toast.least = width, dp(LEAST)
        bar = (foot or max(dp(theme.BOTTOM_BAR), sp(64))) + dp(2 * theme.GAP)
        y = self.above.top + dp(theme.GAP) if self.above else self.over.y + bar
        y = min(y, self.over.top - sum(toast.height + dp(8) for toast in toasts))
        for toast in reversed(toasts):
            toast.center_x, toast.y = self.over.center_x, y
            y = toast.top + dp(8)

    def show(self, vms: tuple[ToastVM, ...]) -> None:
        if vms == self.shown:
            return
        self.shown = vms
        self.place()
        self.clear_widgets()
        for vm in vms:
            toast = Toast(vm=vm, dismissed=self.dismissed, undone=self.undone)
            toast.bind(height=self.place)
            self.add_widget(toast)
            if vm.id not in self.timers:
                self._began[vm.id] = Clock.get_time()
                self._end_at(vm, vm.seconds)
        for id in self.timers.keys() - {vm.id for vm in vms}:
            self.timers.pop(id).cancel()
        for vm in outdated(vms):
            self._end_at(vm, vm.least)

    def hurry(self) -> None:
        """What is shown now goes as soon as it may."""
        for vm in self.shown:
            self._end_at(vm, vm.least)

    def clear(self) -> None:
        self.shown = ()
        self.clear_widgets()

    def _end_at(self, vm: ToastVM, seconds: float) -> None:
        """So many seconds after it came, never later than already set."""
        due = self._began[vm.id] + seconds
        if vm.id in self.timers:
            if due >= self._due[vm.id]:
                return
            self.timers[vm.id].cancel()
        self._due[vm.id] = due
        wait = max(due - Clock.get_time(), 0)
        self.timers[vm.id] = Clock.schedule_once(lambda _dt, id=vm.id: self.dismissed(id), wait)
