"""Everything that can change a colony. A command is a plain value; `step` applies it or refuses it with a reason.

Managers, decrees, directives, planets and fleets are named by their catalog ids, modules by their bus instance.
"""

from attrs import frozen

from companion.simulation.words import Fill, Group, Level, Mode, Resource, Status


@frozen
class Setup:
    """What the players chose before round 1 (rulebook §3). `managers` stand clockwise round the table."""

    mode: Mode
    managers: tuple[str, ...]
    planet: str
    fleet: str | None = None
    first_governor: str | None = None
    """None: the highest order-of-command number among the managers (§3.1.7)."""
    assistants: tuple[str, ...] = ()
    """Catalog ids of the assistants that lie face up, one a manager."""
    scenario: str | None = None


@frozen
class ConnectModule:
    """A miniature was plugged in: it waits for its builder (§4.5)."""

    instance: int
    type_id: int


@frozen
class SubmitModule:
    """The builder's token was laid down (§4.5). `manager` None: the players said that nobody built it."""

    instance: int
    manager: str | None


@frozen
class WithdrawModule:
    """The miniature was taken off before anybody was named its builder."""

    instance: int


@frozen
class SetConnections:
    """The graph of plugged modules as unordered pairs of instances; 0 is the ARC (§5.6.1)."""

    pairs: tuple[tuple[int, int], ...]


@frozen
class RegisterDecree:
    """§4.6"""

    decree: str
    manager: str


@frozen
class RegisterDirective:
    """§4.8.2: only by the manager to whom it belongs."""

    directive: str
    manager: str


@frozen
class Campaign:
    """§4.7.2"""

    manager: str


@frozen
class UseAmbassador:
    """A5.2: one Terran Dependence less, 2 VP and a little support."""

    manager: str


@frozen
class ChangeGovernor:
    """§2.3: takes effect in the next upkeep; the last claim wins."""

    manager: str


@frozen
class FlipAssistant:
    """§4.4: the other side of this manager's assistant card is up now."""

    manager: str


@frozen
class CorrectValue:
    """By hand, logged and undoable: exactly one of the targets is given. `value` is absolute.

    People know a status by its `level` and an accumulator by its `fill`: where one is given, it stands instead of `value`.
    """

    value: int
    stock: bool = False
    round: bool = False
    status: Status | None = None
    accumulator: Resource | None = None
    group: Group | None = None
    level: Level | None = None
    """With `status`: the middle of this level."""
    fill: Fill | None = None
    """With `accumulator`: empty, full, or half of what fits."""


@frozen
class Settle:
    """NEXT: ends the round and computes the settlement (§4.1, order in README.md)."""


@frozen
class EnterTablePoints:
    """After the end: victory points from goals, artifacts and abilities. Co-op and solo: one sum, manager None (A2.2.2)."""

    points: int
    manager: str | None = None


Command = (
    ConnectModule
    | SubmitModule
    | WithdrawModule
    | SetConnections
    | RegisterDecree
    | RegisterDirective
    | Campaign
    | UseAmbassador
    | ChangeGovernor
    | FlipAssistant
    | CorrectValue
    | Settle
    | EnterTablePoints
)


@frozen
class Refusal:
    """Why a command did not fit. `code` is stable for programs, `reason` is a sentence for players."""

    code: str
    reason: str
