"""What every screen of the app has: the shell it talks to and a bar with a way back."""

from typing import Any, Protocol

from kivy.properties import NumericProperty, ObjectProperty, StringProperty
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.screenmanager import Screen

from companion.screens.controller import Controller
from companion.screens.view_models.cards import PillVM
from companion.screens.widgets.loading import load_kv
from companion.session.actions import Action
from companion.session.table import TableView


class Shell(Protocol):
    """The window around the screens."""

    controller: Controller

    def go(self, name: str, **how: Any) -> None:
        """Opens an overlay: detail (card=…), history, menu, tray, firmware, attention."""

    def back(self) -> None:
        """Closes the overlay."""

    def leave_game(self) -> None:
        """Back to the start, after a question where something would be ended by it."""

    def page_turned(self) -> None:
        """A screen shows another of its own pages: notices of the old one may go."""


class BackBar(BoxLayout):
    """Back arrow, title, subtitle, and room for more on the right."""

    title = StringProperty("")
    subtitle = StringProperty("")
    icon = StringProperty("")
    tone = StringProperty("accent")
    pill = ObjectProperty(PillVM(), rebind=True)
    back = ObjectProperty(None, allownone=True)


load_kv(__file__)


class AppScreen(Screen):
    foot = NumericProperty(0)
    """Height of what stands at its lower edge and must not be covered; 0: one bar."""
    toast_rooms = ObjectProperty(())
    """What toasts may stand in for, as `Room`: those for one toast, for two of them, …; none: they stand above `foot`."""

    def __init__(self, shell: Shell, **values: Any) -> None:
        self.shell = shell
        super().__init__(**values)

    @property
    def controller(self) -> Controller:
        return self.shell.controller

    def act(self, action: Action) -> None:
        self.shell.controller.act(action)

    def go(self, name: str, **how: Any) -> None:
        self.shell.go(name, **how)

    def back(self) -> None:
        self.shell.back()

    def open(self, **how: Any) -> None:
        """Called with what `go` was given, before `apply`."""

    def apply(self, table: TableView | None) -> None:
        """Shows this table; equal view models change nothing."""
        raise NotImplementedError
