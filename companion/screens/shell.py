"""The window around the screens: shows the screen a table calls for, sheets and toasts over it, keys, the table's side."""

from collections.abc import Callable
from importlib import import_module
from typing import Any

from kivy.clock import Clock
from kivy.core.window import Window
from kivy.graphics import Color, Rectangle
from kivy.metrics import Metrics
from kivy.uix.floatlayout import FloatLayout
from kivy.uix.screenmanager import NoTransition, ScreenManager, SlideTransition

from companion.screens import theme, widgets
from companion.screens.controller import Controller, Settings
from companion.screens.screen import AppScreen
from companion.screens.view_models.attention import attention
from companion.screens.view_models.dialogs import SheetVM, attention_sheet, dialog_sheet
from companion.screens.view_models.firmware import LEAVE, leaving_sheet
from companion.screens.view_models.navigation import OVERLAYS, screen_for
from companion.screens.view_models.toasts import toasts
from companion.screens.widgets.toast import Rooms, ToastStack
from companion.session.actions import Choose, DismissNotice, NameManager, Undo

SCREENS = {
    "start": ("start", "StartScreen"),
    "setup": ("setup", "SetupScreen"),
    "resume": ("resume", "ResumeScreen"),
    "colony": ("colony", "ColonyScreen"),
    "detail": ("detail", "DetailScreen"),
    "history": ("history", "HistoryScreen"),
    "summary": ("summary", "SummaryScreen"),
    "ending": ("ending", "EndingScreen"),
    "menu": ("menu", "MenuScreen"),
    "tray": ("tray", "TrayScreen"),
    "introduction": ("introduction", "IntroductionScreen"),
    "goals": ("goals", "GoalsScreen"),
    "firmware": ("firmware", "FirmwareScreen"),
}
"""Each is imported and built when it is first shown."""


class AppShell(FloatLayout):
    def __init__(self, controller: Controller, **values: Any) -> None:
        super().__init__(**values)
        self.controller = controller
        with self.canvas.before:
            Color(*theme.GROUND)
            self._ground = Rectangle()
        self.bind(size=lambda _shell, size: setattr(self._ground, "size", size))
        self.opened: str | None = None
        self._local_sheet: SheetVM | None = None
        self._settings: Settings | None = None
        self.screens = ScreenManager(transition=NoTransition())
        self.sheet = widgets.sheet.Sheet(chosen=self._chosen, named=self._named)
        self.toasts = ToastStack(self, self._toast_rooms, dismissed=self._dismiss, undone=self._undo)
        self._place: object = None
        self.add_widget(self.screens)
        self.add_widget(self.toasts)
        self.refresh()

    # for screens

    def go(self, name: str, **how: Any) -> None:
        if name == "attention":
            table = self.controller.table
            if table is not None and table.colony is not None:
                self.show_sheet(attention_sheet(attention(table, table.colony)))
            return
        self.opened = name
        self._screen(name).open(**how)
        self.refresh()

    def back(self) -> None:
        self.opened = self._local_sheet = None
        self.refresh()

    def leave_game(self) -> None:
        firmware = self.controller.firmware
        if firmware and firmware.update and firmware.update.is_running:
            self.show_sheet(leaving_sheet(firmware.update))
        else:
            self._leave()

    def _leave(self) -> None:
        self.back()
        self.controller.close_game()

    def show_sheet(self, vm: SheetVM) -> None:
        """A sheet of the tablet's own; a question of the session takes its place."""
        self._local_sheet = vm
        self._refresh_sheet()

    # following the table

    def refresh(self) -> None:
        """After every change: equal views change nothing on the screen."""
        if self.controller.settings != self._settings:
            self._take_settings(self.controller.settings)
        table = self.controller.table
        name = screen_for(table, self.opened)
        if name not in OVERLAYS:
            self.opened = None
        screen = self._screen(name)
        screen.apply(table)
        if self.screens.current != name:
            self._local_sheet = None
            self.screens.current = name
            self.toasts.place()
        self._refresh_sheet()
        place = (table.phase, table.page, table.is_reviewing) if table is not None else None
        if place != self._place:
            self._place = place
            self.page_turned()
        self.toasts.show(toasts(table) if table is not None else ())

    def page_turned(self) -> None:
        """Notices of the page before have been read; those that come with the new one stay."""
        self.toasts.hurry()

    def _screen(self, name: str) -> AppScreen:
        if not self.screens.has_screen(name):
            module, kind = SCREENS[name]
            build: Callable[..., AppScreen] = getattr(import_module(f"companion.screens.{module}"), kind)
            screen = build(self, name=name)
            screen.bind(toast_rooms=self.toasts.place)
            self.screens.add_widget(screen)
        shown: AppScreen = self.screens.get_screen(name)
        return shown

    def _refresh_sheet(self) -> None:
        table = self.controller.table
        vm = (dialog_sheet(table) if table is not None else None) or self._local_sheet
        self.toasts.above = None if vm is None else self.sheet.ids.panel
        if vm is None:
            self.remove_widget(self.sheet)
            return
        self.sheet.vm = vm
        if self.sheet.parent is None:
            self.add_widget(self.sheet, index=1)
            Clock.schedule_once(lambda _dt: self.sheet.rise(), -1)

    def _chosen(self, key: str) -> None:
        table = self.controller.table
        if table is not None and table.dialog is not None:
            self.controller.act(Choose(key))
        elif key == LEAVE:
            self._leave()
        else:
            self._local_sheet = None
            self._refresh_sheet()

    def _named(self, manager: str) -> None:
        self.controller.act(NameManager(manager))

    def _toast_rooms(self) -> tuple[Rooms, float]:
        screen = self.screens.current_screen
        return (screen.toast_rooms, float(screen.foot)) if screen else ((), 0.0)

    def _dismiss(self, notice: int) -> None:
        self.controller.act(DismissNotice(notice))

    def _undo(self, notice: int) -> None:
        self.controller.act(Undo())
        self.controller.act(DismissNotice(notice))

    # settings

    def _take_settings(self, settings: Settings) -> None:
        scale = settings.text_size.value / 100
        if self._settings is not None and scale != Metrics.fontscale:
            self._drop_screens()
        Metrics.fontscale = scale
        Window.rotation = 180 if settings.is_flipped else 0
        self.screens.transition = NoTransition() if settings.reduce_motion else SlideTransition(duration=0.2)
        self.sheet.moves = not settings.reduce_motion
        self._settings = settings

    def _drop_screens(self) -> None:
        """Sizes in sp are taken when a screen is built, so all are built anew."""
        self.screens.transition = NoTransition()
        self.screens.clear_widgets()
        self.remove_widget(self.sheet)
        self.sheet = widgets.sheet.Sheet(chosen=self._chosen, named=self._named)
        self.toasts.clear()
