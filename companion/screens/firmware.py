"""The firmware page: the versions, an update of the ARC or of the modules, how far it is. Leaving it stops nothing."""

from typing import Any

from kivy.properties import ObjectProperty

from companion.screens.controller import FirmwareDeed
from companion.screens.screen import AppScreen
from companion.screens.view_models.firmware import ButtonVM, FirmwareVM, firmware_screen
from companion.screens.widgets.loading import load_kv
from companion.screens.widgets.panels import Meaning, TextButton
from companion.session.table import TableView


class FirmwareButton(Meaning, TextButton):
    vm = ObjectProperty(ButtonVM(), rebind=True)

    def meaning(self) -> object:
        return self.vm.deed


load_kv(__file__)


class FirmwareScreen(AppScreen):
    vm = ObjectProperty(FirmwareVM(), rebind=True)

    def open(self, **how: Any) -> None:
        self.controller.ask_firmware(FirmwareDeed.LOOK)

    def apply(self, table: TableView | None) -> None:
        self.vm = firmware_screen(self.controller.firmware)

    def up(self) -> None:
        self.go("menu")

    def tap(self, button: FirmwareButton) -> None:
        if button.is_meant:
            self.controller.ask_firmware(button.vm.deed)
