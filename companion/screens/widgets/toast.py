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


class Toast(Surface, BoxLayout):
    """`dismissed(id)` when its cross is tapped, `undone(id)` when its Undo is."""

    vm = ObjectProperty(ToastVM(), rebind=True)
    least = NumericProperty(0)
    """It is at least so high."""
    dismissed = ObjectProperty(None, allownone=True)
    undone = ObjectProperty(None, allownone=True)


class ToastStack(BoxLayout):
    """`dismissed(id)` is called when a toast has been read, `undone(id)` when its Undo was tapped.

    `room()` gives the place that the lowest toast may take, or None, and how high the bar is that toasts stand on then.
    """

    above = ObjectProperty(None, allownone=True)
    """The panel of an open sheet: toasts stand on it instead of on the bottom bar."""

    def __init__(
        self,
        over: Widget,
        room: Callable[[], tuple[Room | None, float]],
        dismissed: Callable[[int], None],
        undone: Callable[[int], None],
        **values: Any,
    ) -> None:
        super().__init__(orientation="vertical", spacing="8dp", size_hint=(None, None), **values)
        self.over, self.room = over, room
        self.dismissed, self.undone = dismissed, undone
        self.shown: tuple[ToastVM, ...] = ()
        self.timers: dict[int, Any] = {}
        self._due: dict[int, float] = {}
        self._began: dict[int, float] = {}
        self._put = Clock.create_trigger(self._place, -1)
        over.bind(size=self.place, pos=self.place)
        self.bind(minimum_height=self.place)

    def on_above(self, _stack: Widget, panel: Widget | None) -> None:
        if panel is not None:
            panel.bind(top=self.place)
        self.place()

    def place(self, *_: object) -> None:
        """Something moved, or another screen is shown."""
        self._put()

    def _place(self, *_: object) -> None:
        room, foot = self.room()
        least = dp(LEAST)
        if self.above or room is None:
            self.width = min(self.over.width - dp(2 * theme.EDGE), dp(WIDEST))
            self.center_x = self.over.center_x
            bar = (foot or max(dp(theme.BOTTOM_BAR), sp(64))) + dp(2 * theme.GAP)
            self.y = self.above.top + dp(theme.GAP) if self.above else self.over.y + bar
        else:
            self.x, self.y, self.width, least = room
        for place, toast in enumerate(self.children):
            toast.least = least if place == 0 else dp(LEAST)
        self.height = self.minimum_height
        self.y = min(self.y, self.over.top - dp(8) - self.height)

    def show(self, vms: tuple[ToastVM, ...]) -> None:
        if vms == self.shown:
            return
        self.shown = vms
        self.place()
        self.clear_widgets()
        for vm in vms:
            self.add_widget(Toast(vm=vm, dismissed=self.dismissed, undone=self.undone))
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
