"""The first screen: go on with the newest game, begin a new one, or open another."""

from kivy.properties import ObjectProperty

from companion.screens.screen import AppScreen
from companion.screens.view_models.start import OFFER, StartVM, start_screen
from companion.screens.widgets.loading import load_kv
from companion.session.table import TableView

load_kv(__file__)


class StartScreen(AppScreen):
    vm = ObjectProperty(StartVM(), rebind=True)

    def apply(self, table: TableView | None) -> None:
        self.vm = start_screen(self.controller.saved_games, self.controller.message, self.controller.offers)

    def resume(self) -> None:
        self.controller.open_game(self.vm.resume_id)

    def begin(self) -> None:
        self.controller.new_game()

    def pick(self, id: str) -> None:
        if id.startswith(OFFER):
            self.controller.accept(id.removeprefix(OFFER))
        else:
            self.controller.open_game(id)
