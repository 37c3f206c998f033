"""What people do on the tablet. Every action is a plain value given to `Session.act`; a refused one changes nothing."""

from attrs import frozen

from companion.simulation.commands import CorrectValue, Setup


@frozen
class StartGame:
    """Ends the setup wizard: round 1 begins."""

    name: str
    setup: Setup


@frozen
class ToggleManager:
    """Setup: seat a manager, or unseat. A token on the roof does the same."""

    manager: str


@frozen
class PlanGame:
    """Setup: what the wizard has been told so far, as far as it goes; points and the table's checklist follow it. Who is
    seated is known already: `setup.managers` is not looked at.
    """

    setup: Setup


@frozen
class TapCard:
    """`--arc none`: this card or token as if it had been swiped. `id` is a catalog id: a decree, directive, manager,
    `governor` or `ambassador`."""

    id: str


@frozen
class TapModule:
    """`--arc none`: a miniature of this type is plugged in at this parent (0: the ARC)."""

    type_id: int
    parent: int = 0


@frozen
class NameManager:
    """Answers the front dialog with a manager, as the manager's token does."""

    manager: str


@frozen
class Choose:
    """Answers the front dialog with one of its `choices` by key: `confirm`, `not_this_card`, …"""

    key: str


@frozen
class Next:
    """The NEXT button: asks for confirmation."""


@frozen
class Undo:
    """Asks to take back the newest registered act, as the Governor token does."""


@frozen
class ClaimGovernor:
    """Menu: a manager claimed the Governor's role at the table (§2.3)."""

    manager: str


@frozen
class FlipAssistantCard:
    """Menu: a manager's assistant card was turned over."""

    manager: str


@frozen
class Correct:
    """Menu: put a value right by hand; logged, undoable."""

    command: CorrectValue


@frozen
class TurnPage:
    """The summary: `forward` +1 or −1. Forward from the last page begins the round."""

    forward: int


@frozen
class ReviewSummary:
    """Opens the summary of the last settlement again, until the round ends (§4.1)."""


@frozen
class CloseReview:
    """Back to the round."""


@frozen
class LeaveResume:
    """The list of modules still to plug in was read: play goes on, with the missing ones marked (decision 13)."""


@frozen
class LeaveIntroduction:
    """The story and the changed rules of the scenario were read: round 1 is shown."""


@frozen
class ShowHint:
    """Hides a tutorial's sentence for this round, or brings it back."""

    is_shown: bool


@frozen
class TeachTag:
    """Menu: the next tag without a code that is laid on the ARC is this card or token of a boxed game. None: stop."""

    id: str | None


@frozen
class EnterPoints:
    """End screen: table points of a manager, or of the group (None)."""

    manager: str | None
    points: int


@frozen
class DismissNotice:
    """The notice with this id was read."""

    id: int


Action = (
    StartGame
    | ToggleManager
    | PlanGame
    | TapCard
    | TapModule
    | NameManager
    | Choose
    | Next
    | Undo
    | ClaimGovernor
    | FlipAssistantCard
    | Correct
    | TurnPage
    | ReviewSummary
    | CloseReview
    | LeaveResume
    | LeaveIntroduction
    | ShowHint
    | TeachTag
    | EnterPoints
    | DismissNotice
)
