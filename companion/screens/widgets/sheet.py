"""A bottom sheet over the screen: one question with its answers. It owns no rule; it reports what was tapped."""

from typing import Any

from kivy.animation import Animation
from kivy.clock import Clock
from kivy.properties import BooleanProperty, ObjectProperty
from kivy.uix.behaviors import ButtonBehavior
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.floatlayout import FloatLayout
from kivy.uix.widget import Widget

from companion.screens.view_models.dialogs import ChoiceVM, ManagerButtonVM, SheetVM
from companion.screens.widgets.panels import Surface, TextButton

UNREAD_S = 0.25
"""Nobody has read a question so soon, and a finger needs about as long to come down."""


class ManagerButton(ButtonBehavior, Surface, BoxLayout):
    """A manager to tap: portrait and name."""

    vm = ObjectProperty(ManagerButtonVM(), rebind=True)


class ChoiceButton(TextButton):
    vm = ObjectProperty(ChoiceVM(), rebind=True)


class Sheet(FloatLayout):
    """Shown while it has a parent. `chosen(key)` and `named(manager)` are called on taps.

    A finger that came down on an answer of the question before says nothing when it is lifted: the buttons it meant are gone. One
    that comes down as soon as a question has come was on its way to something else, and says nothing either.
    """

    vm = ObjectProperty(SheetVM(), rebind=True)
    chosen = ObjectProperty(None, allownone=True)
    named = ObjectProperty(None, allownone=True)
    moves = BooleanProperty(False)
    _answers: object = None
    _came_at = 0.0

    def on_kv_post(self, _base: Any) -> None:
        self.fill_answers()

    def on_vm(self, *_: object) -> None:
        if "managers" in self.ids:
            self.fill_answers()

    def fill_answers(self) -> None:
        answers = (self.vm.number, self.vm.managers, self.vm.choices)
        if answers == self._answers:
            return
        self._answers, self._came_at = answers, Clock.get_time()
        managers, choices = self.ids.managers, self.ids.choices
        managers.clear_widgets()
        for vm in self.vm.managers:
            managers.add_widget(ManagerButton(vm=vm, on_release=self._named))
        choices.clear_widgets()
        for choice in self.vm.choices:
            choices.add_widget(ChoiceButton(vm=choice, on_release=self._chosen))

    def _named(self, button: ManagerButton) -> None:
        if self.named and self._is_shown(button):
            self.named(button.vm.id)

    def _chosen(self, button: ChoiceButton) -> None:
        if self.chosen and self._is_shown(button):
            self.chosen(button.vm.key)

    def _is_shown(self, button: Widget) -> bool:
        return self.parent is not None and button.parent is not None

    def rise(self) -> None:
        """Comes up from the edge; at once when motion is reduced."""
        panel = self.ids.panel
        if not self.moves:
            panel.lift = 0
            return
        panel.lift = -panel.height
        Animation(lift=0, duration=0.18, t="out_cubic").start(panel)

    def on_touch_down(self, touch: Any) -> bool:
        """Nothing below the sheet can be tapped."""
        if Clock.get_time() - self._came_at >= UNREAD_S:
            super().on_touch_down(touch)
        return True
