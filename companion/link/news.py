"""What the link tells the app beside the events themselves. Plain values; `Event` comes from the protocol as it is."""

from enum import Enum

from attrs import frozen

from protocol.events import Event
from protocol.messages import Message


class LinkState(Enum):
    SEARCHING = "searching"
    CONNECTING = "connecting"
    PAIRING = "pairing"
    """Found, not paired: somebody has to press its button."""
    READY = "ready"
    LOST = "lost"
    REFUSED = "refused"
    """Another version, another tablet, another ARC than the game's: `detail` says which."""


@frozen
class LinkChanged:
    state: LinkState
    detail: str
    """A sentence for people; empty when the state says it all."""


@frozen
class Resumed:
    """The events flow from the cursor on; `newest` is what the ARC's log held then. All lights are due."""

    device: bytes
    epoch: int
    newest: int


@frozen
class Skipped:
    """The log no longer has what comes after the cursor: it goes on behind `sequence` of `epoch`. A snapshot follows."""

    epoch: int
    sequence: int
    text: str


@frozen
class Snapshot:
    """Everything on the table now. Modules are (instance, type), pairs (instance, instance) with 0 for the ARC."""

    modules: tuple[tuple[int, int], ...]
    pairs: tuple[tuple[int, int], ...]
    tags: tuple[tuple[int, bytes], ...]


@frozen
class EdgesRead:
    """The graph, read again because a loop was closed or opened."""

    pairs: tuple[tuple[int, int], ...]


@frozen
class MarkAnswered:
    """Where the log stood when the app asked with MARK."""

    sequence: int


@frozen
class CommandRefused:
    """The ARC did not do this; `text` is the sentence for people."""

    command: Message
    reason: int
    text: str


@frozen
class Answered:
    """The ARC did this, and `data` is what it answered. For what is asked beside the game: see `conversations`."""

    command: Message
    data: bytes


News = Event | LinkChanged | Resumed | Skipped | Snapshot | EdgesRead | MarkAnswered | CommandRefused | Answered
