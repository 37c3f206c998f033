"""The sitting as the screens see it: phase, dialogs, notices, the ARC's state, and inside it the player's view."""

from enum import Enum

from attrs import frozen

from companion.simulation.player import PlayerView
from companion.simulation.player_report import PlayerReport
from companion.simulation.words import Mode


class Phase(Enum):
    """Where the sitting is. Screens are chosen by it."""

    SETUP = "setup"
    RESUME = "resume"
    """A saved game was opened: what is still to be plugged in (design decision 13). Play may go on at any time."""
    ROUND = "round"
    SETTLING = "settling"
    """NEXT was confirmed; the ARC has not yet said where its log stands."""
    SUMMARY = "summary"
    ENDED = "ended"


class DialogKind(Enum):
    OWNER = "owner"
    """A decree or directive waits for its manager's token."""
    BUILDER = "builder"
    """A module waits for its builder's token."""
    CAMPAIGN = "campaign"
    AMBASSADOR = "ambassador"
    UNDO = "undo"
    REPLACE_CARD = "replace_card"
    """A second card came while the first waits for its owner: drop the first?"""
    FOREIGN_MODULE = "foreign_module"
    """Not in this game's pool, or of a type the catalog does not know: take off or accept."""
    NEXT = "next"
    SETTLE_WITHOUT_ARC = "settle_without_arc"
    """NEXT was confirmed and the ARC is out of reach: wait, or settle with what is registered."""
    OTHER_ARC = "other_arc"
    """The ARC found is not the one this game was played on."""


class ChoiceStyle(Enum):
    PRIMARY = "primary"
    PLAIN = "plain"
    DANGER = "danger"


@frozen
class Choice:
    key: str
    label: str
    style: ChoiceStyle


@frozen
class Dialog:
    """A sheet over the screen; the front of the queue. Text is finished, ready to draw."""

    kind: DialogKind
    title: str
    lines: tuple[str, ...]
    hint: str
    """What to do with hands: «Lay your token on the ARC»."""
    managers: tuple[str, ...]
    """Manager ids that may answer (by token, or by tap); empty when no manager is asked."""
    choices: tuple[Choice, ...]
    subject: str
    """Icon name of the thing asked about: decree_green, decree_red, directive, module, campaign, ambassador, undo, next."""
    number: int = 0
    """Which question of this game it is: two may look alike."""


class NoticeKind(Enum):
    DONE = "done"
    INFO = "info"
    WARNING = "warning"
    REFUSED = "refused"


@frozen
class Notice:
    """A short message that goes by itself. `manager` set: show their portrait for at least 2 s, with Undo (HZ-4)."""

    id: int
    kind: NoticeKind
    text: str
    manager: str | None = None
    can_undo: bool = False


class ArcState(Enum):
    NONE = "none"
    """Played by tapping."""
    SEARCHING = "searching"
    CONNECTING = "connecting"
    PAIRING = "pairing"
    """Found, not paired: press the button on the ARC."""
    READY = "ready"
    LOST = "lost"
    REFUSED = "refused"
    """Another version, or another tablet holds it; `detail` says which."""


@frozen
class ArcView:
    state: ArcState
    detail: str
    battery_percent: int | None
    battery_low: bool


@frozen
class MissingModule:
    """Part of the saved colony and not on the bus now."""

    instance: int
    name: str
    builder: str | None


@frozen
class ManagerChoice:
    id: str
    name: str
    letter: str
    colour: str
    modules: tuple[str, ...]
    order_of_command: int
    assistants: tuple[tuple[str, str], ...] = ()
    """The two sides of the manager's assistant card: (catalog id, name)."""


@frozen
class PlanetChoice:
    id: str
    name: str
    text: str
    difficulty: str
    vp_modifier: int
    """What co-op and solo start from, in the game that is planned so far."""


@frozen
class FleetChoice:
    id: str
    name: str
    text: str


@frozen
class ScenarioChoice:
    id: str
    name: str
    text: str
    difficulty: str
    mode: Mode = Mode.CO_OP
    planet: str | None = None
    """The planet it takes place on; None: any."""
    is_tutorial: bool = False


@frozen
class SetupView:
    """Everything the wizard offers, and who has been seated so far by token or tap (clockwise)."""

    managers: tuple[ManagerChoice, ...]
    planets: tuple[PlanetChoice, ...]
    fleets: tuple[FleetChoice, ...]
    scenarios: tuple[ScenarioChoice, ...]
    seated: tuple[str, ...]
    table_setup: tuple[str, ...] = ()
    """What people lay out before round 1 in the game that is planned; empty while it cannot begin yet."""


@frozen
class TrayCard:
    """A card or token that can be tapped when no ARC is used; `id` goes into `TapCard`."""

    id: str
    title: str
    subject: str
    """decree_green | decree_red | directive | manager | governor | ambassador"""
    text: str = ""
    manager: str | None = None
    """The manager a token or directive belongs to."""


@frozen
class TrayModule:
    """A miniature in the box; `type_id` goes into `TapModule`."""

    type_id: int
    name: str
    left: int
    """Copies not yet plugged in."""


@frozen
class TrayView:
    cards: tuple[TrayCard, ...]
    modules: tuple[TrayModule, ...]


@frozen
class TableView:
    """One value that holds all a screen needs; equal values mean nothing to redraw."""

    phase: Phase
    arc: ArcView
    dialog: Dialog | None
    waiting_dialogs: int
    notices: tuple[Notice, ...]
    missing: tuple[MissingModule, ...]
    setup: SetupView | None
    """Only in SETUP."""
    colony: PlayerView | None
    """None in SETUP."""
    report: PlayerReport | None
    """The last settlement, for SUMMARY and review."""
    page: int
    """Which section of the report is shown in SUMMARY or review."""
    is_reviewing: bool
    undo_text: str | None
    """What Undo would take back now; None: nothing."""
    is_introducing: bool = False
    """The scenario's story and rules are read before round 1 is shown."""
    hint: str = ""
    """A tutorial's sentence for this round, unless it was put away."""
    tray: TrayView | None = None
    """Only with `ArcState.NONE`: what can be tapped instead of swiped and plugged in."""
