"""Short messages at the top that go by themselves."""

from kivy.properties import ObjectProperty
from kivy.uix.boxlayout import BoxLayout

from companion.screens.view_models.toasts import ToastVM
from companion.screens.widgets.panels import Surface


class Toast(Surface, BoxLayout):
    """`dismissed(id)` when its cross is tapped, `undone(id)` when its Undo is."""

    vm = ObjectProperty(ToastVM(), rebind=True)
    dismissed = ObjectProperty(None, allownone=True)
    undone = ObjectProperty(None, allownone=True)
