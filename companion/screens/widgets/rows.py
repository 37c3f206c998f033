"""A list of view models as widgets: what stays is kept, what differs gets its new model, no more is touched."""

from typing import Any

from kivy.factory import Factory
from kivy.properties import NumericProperty, ObjectProperty, StringProperty
from kivy.uix.boxlayout import BoxLayout


class RowList(BoxLayout):
    """`row` names a widget class with a property `vm`; one is kept for each of `items`."""

    row = StringProperty("")
    least = NumericProperty(0)
    items = ObjectProperty(())
    zoom = NumericProperty(1.0)
    """Given to rows that have a zoom of their own."""

    def on_row(self, *_: object) -> None:
        self.clear_widgets()
        self.on_items()

    def on_items(self, *_: object) -> None:
        if not self.row:
            return
        kept: list[Any] = self.children[::-1]
        for extra in kept[len(self.items) :]:
            self.remove_widget(extra)
        for widget, vm in zip(kept, self.items, strict=False):
            widget.vm = vm
        for vm in self.items[len(kept) :]:
            self.add_widget(self._new_row(vm))

    def on_zoom(self, *_: object) -> None:
        for row in self.children:
            if hasattr(row, "zoom"):
                row.zoom = self.zoom

    def _new_row(self, vm: object) -> Any:
        row = Factory.get(self.row)(vm=vm)
        if hasattr(row, "zoom"):
            row.zoom = self.zoom
        return row
