"""What the screens need from the app around them. No Kivy in here: the session's side imports this freely."""

from collections.abc import Callable
from enum import Enum
from typing import Protocol

from attrs import frozen

from companion.session.actions import Action
from companion.session.table import TableView, TrayCard


@frozen
class SavedGame:
    """A game in the store as the start screen lists it. `id` goes into `open_game`."""

    id: str
    name: str
    planet: str
    round: int
    max_rounds: int
    saved_at: str
    """Finished text in the players' time: «today, 21:07»."""
    is_ended: bool = False


@frozen
class Offer:
    """Something the start screen offers beside the saved games; `id` goes into `accept`. The texts are finished."""

    id: str
    title: str
    text: str
    icon: str


@frozen
class BoardRow:
    """One thing the ARC says of itself, in finished texts. `tone` is good, poor, critical or muted."""

    title: str
    text: str
    icon: str
    tone: str = "muted"
    deed: "BoardDeed | None" = None
    """What a tap on it asks for."""


class BoardDeed(Enum):
    """What the menu can ask of the ARC."""

    READ = "read"
    TEST = "test"
    FORGET = "forget"
    REPORT = "report"
    PART = "part"
    """Two modules have the same number: give one of them its own."""


class UpdateStage(Enum):
    SENDING = "sending"
    CHECKING = "checking"
    """The board reads back what it was sent."""
    WAITING = "waiting"
    """For the link."""
    RESTARTING = "restarting"
    DONE = "done"
    FAILED = "failed"
    AWAY = "away"
    """The ARC has everything and was not reached again: nobody can tell what it runs."""
    STOPPED = "stopped"


@frozen
class UpdateView:
    """The update that runs, or how the last one ended; the texts are finished."""

    stage: UpdateStage
    is_for_modules: bool
    is_running: bool
    sent: int
    size: int
    """Bytes, of the board that has its turn."""
    seconds_left: int | None
    """Of the whole update; None: nobody can tell yet."""
    number: int
    of: int
    """The module that has its turn, and how many there are."""
    done: int
    """Modules that were updated."""
    name: str
    text: str

    @property
    def percent(self) -> int:
        """Of all boards."""
        done = (self.number - 1) * self.size + self.sent
        return min(100, done * 100 // max(1, self.of * self.size))


@frozen
class ModuleFirmware:
    """Modules of one type that stand alike: `state` is "", due, next, now, restarts, done or failed; `text` says why."""

    name: str
    count: int
    version: str
    """Empty: not known."""
    state: str
    text: str = ""


@frozen
class FirmwareView:
    """What runs, what is at hand, and what can be done about it. Versions are texts, empty when there is none or none is known."""

    arc_version: str
    arc_at_hand: str
    arc_blocked: str
    """Why the ARC cannot be updated now; empty: it can."""
    modules_at_hand: str
    modules_blocked: str
    modules: tuple[ModuleFirmware, ...]
    due: int
    """How many modules an update would be for."""
    update: UpdateView | None = None


class FirmwareDeed(Enum):
    """What the firmware page can ask for."""

    LOOK = "look"
    """Into the folder, and at the modules."""
    UPDATE_ARC = "update_arc"
    UPDATE_MODULES = "update_modules"
    STOP = "stop"


class TextSize(Enum):
    NORMAL = 100
    LARGE = 125
    HUGE = 150


@frozen
class Settings:
    """What belongs to this tablet and not to a game."""

    text_size: TextSize = TextSize.NORMAL
    reduce_motion: bool = False
    is_flipped: bool = False
    """Drawn for the people on the other side of the table."""


class Controller(Protocol):
    """The app behind the screens. All calls are made on the loop's thread and return at once."""

    @property
    def table(self) -> TableView | None:
        """None: no game is open, the start screen is shown."""

    @property
    def saved_games(self) -> tuple[SavedGame, ...]:
        """Newest first."""

    @property
    def message(self) -> str:
        """For the start screen: why a game did not open, how a look at the ARC goes; empty: nothing."""

    @property
    def offers(self) -> tuple[Offer, ...]:
        """For the start screen, beside the saved games."""

    def accept(self, id: str) -> None:
        """One of the offers was taken."""

    @property
    def board(self) -> tuple[BoardRow, ...]:
        """What is known of the ARC; empty before `BoardDeed.READ`, or without an ARC."""

    def ask_board(self, deed: BoardDeed) -> None:
        """The answer comes as a change of `board`, or as a notice."""

    @property
    def firmware(self) -> FirmwareView | None:
        """None: no ARC is used."""

    def ask_firmware(self, deed: FirmwareDeed) -> None:
        """What comes of it is a change of `firmware`. An update goes on whatever screen is shown."""

    @property
    def teachable(self) -> tuple[TrayCard, ...]:
        """Cards and tokens that a tag without a code can be taught to be."""

    @property
    def settings(self) -> Settings: ...

    def keep_settings(self, settings: Settings) -> None:
        """Remember these; `settings` answers them from now on."""

    def new_game(self) -> None:
        """Opens the setup wizard: `table` is in phase SETUP from now on."""

    def open_game(self, id: str) -> None:
        """Resumes a saved game; one that cannot be read gives a notice and stays in the list."""

    def close_game(self) -> None:
        """Back to the start screen; the game stays saved."""

    def act(self, action: Action) -> None:
        """Given to the session; a refused one comes back as a notice in `table`."""

    def subscribe(self, changed: Callable[[], None]) -> None:
        """`changed` is called after every change of what is above."""
