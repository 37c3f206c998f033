"""What gets into a game's journal: facts from the ARC, as the game sees them, and what people did on the tablet.

A tag's code or UID is resolved before it becomes an act, so that replay does not depend on tags learned later.
"""

from attrs import field, frozen

from companion.session import actions


@frozen
class Swiped:
    """A card or token of this game lay on the ARC; `id` is its catalog id."""

    id: str


@frozen
class SwipedUnknown:
    """A tag that means nothing here; `label` is what can be told of it, for the notice."""

    label: str


@frozen
class Plugged:
    """A module is on the bus. `parent`: the low 24 bits of the instance it is plugged into, 0 for the ARC."""

    instance: int
    type_id: int
    parent: int


@frozen
class Unplugged:
    instance: int
    is_behind_another: bool
    """It went off together with the module it hangs on."""


@frozen
class EdgesSeen:
    """The whole graph as unordered pairs of instances, 0 for the ARC."""

    pairs: tuple[tuple[int, int], ...]


@frozen
class BusSeen:
    """A snapshot: everything on the bus, when events were lost or nothing is known. `modules`: (instance, type)."""

    modules: tuple[tuple[int, int], ...]
    pairs: tuple[tuple[int, int], ...]


@frozen
class ArcStarted:
    """The ARC was switched on: its bus is empty until modules report."""


@frozen
class TimedOut:
    """Nobody answered the question with this number."""

    dialog: int


@frozen
class Marked:
    """The ARC's log stood at `sequence` when NEXT was confirmed."""

    sequence: int


@frozen
class Drained:
    """Everything up to the mark has been shown: settle."""


@frozen
class LinkDropped:
    """The ARC went out of reach while NEXT waited for it."""


@frozen
class CaughtUp:
    """The ARC is back after a round was settled without it; cards up to `sequence` belong to no round."""

    sequence: int


ArcAct = (
    Swiped | SwipedUnknown | Plugged | Unplugged | EdgesSeen | BusSeen | ArcStarted | TimedOut
    | Marked | Drained | LinkDropped | CaughtUp
)  # fmt: skip


@frozen
class Continued:
    """The game goes on from the beginning of a round as it was kept: see `continuing`. Hidden numbers are in `snapshot`."""

    snapshot: str = field(repr=False)


Act = ArcAct | Continued | actions.Action
