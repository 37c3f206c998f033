"""A controller without a game: shows the table it is given and remembers what the screens asked for."""

from collections.abc import Callable

from companion.screens.controller import BoardDeed, BoardRow, FirmwareDeed, FirmwareView, Offer, SavedGame, Settings
from companion.session.actions import Action
from companion.session.table import TableView, TrayCard


class Puppet:
    def __init__(
        self,
        table: TableView | None = None,
        saved_games: tuple[SavedGame, ...] = (),
        settings: Settings | None = None,
    ) -> None:
        self._watchers: list[Callable[[], None]] = []
        self.begin(table, saved_games, settings or Settings(reduce_motion=True))

    def begin(self, table: TableView | None, saved_games: tuple[SavedGame, ...], settings: Settings) -> None:
        """As new, with the same watchers; nobody is told."""
        self.table = table
        self.saved_games = saved_games
        self.settings = settings
        self.message = ""
        self.offers: tuple[Offer, ...] = ()
        self.board: tuple[BoardRow, ...] = ()
        self.firmware: FirmwareView | None = None
        self.teachable: tuple[TrayCard, ...] = ()
        self.actions: list[Action] = []
        self.calls: list[str] = []

    def show(self, table: TableView | None) -> None:
        self.table = table
        self._tell()

    def keep_settings(self, settings: Settings) -> None:
        self.settings = settings
        self._tell()

    def new_game(self) -> None:
        self.calls.append("new")

    def open_game(self, id: str) -> None:
        self.calls.append(f"open {id}")

    def close_game(self) -> None:
        self.calls.append("close")

    def accept(self, id: str) -> None:
        self.calls.append(f"accept {id}")

    def ask_board(self, deed: BoardDeed) -> None:
        self.calls.append(f"board {deed.value}")

    def ask_firmware(self, deed: FirmwareDeed) -> None:
        self.calls.append(f"firmware {deed.value}")

    def act(self, action: Action) -> None:
        self.actions.append(action)

    def subscribe(self, changed: Callable[[], None]) -> None:
        self._watchers.append(changed)

    def _tell(self) -> None:
        for changed in self._watchers:
            changed()
