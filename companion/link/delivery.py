"""Applying and acknowledging events: each once, in order, and never acknowledged before it is in the journal. Pure.

The fault tests subclass `Delivery` to take the known shortcuts; each of them must be caught.
"""

from enum import Enum
from typing import Protocol

from companion.link import news
from companion.link.mirror import Mirror
from protocol import messages as m
from protocol.events import Event

ACK_AFTER_EVENTS = 8
ACK_AFTER_MS = 200


class Verdict(Enum):
    """What a record is to the app."""

    NEXT = "next"
    DUPLICATE = "duplicate"
    GAP = "gap"


class Host(Protocol):
    """The app behind the connection."""

    def resume_point(self, info: m.Info) -> tuple[int, int] | None:
        """(epoch, sequence) up to which this ARC's events are in the journal; None: not with this ARC."""

    def token(self, device: bytes) -> bytes | None: ...

    def keep_token(self, device: bytes, token: bytes) -> None: ...

    def deliver(self, message: news.News) -> None:
        """When it returns, the message is in the journal. When it raises, it was not taken."""


class Delivery:
    """The app's end of the event log: where its journal stands, and what it owes the ARC."""

    def __init__(self, host: Host) -> None:
        self.host = host
        self.cursor = (0, 0)
        """(epoch, sequence) of the last event that was delivered."""
        self.mirror: Mirror | None = None
        """None until a snapshot was read."""
        self.ack_due_ms: int | None = None
        self._unacknowledged = 0

    def verdict(self, event: Event) -> Verdict:
        epoch, sequence = self.cursor
        if event.epoch == epoch and event.sequence <= sequence:
            return Verdict.DUPLICATE
        return Verdict.NEXT if (event.epoch, event.sequence) == (epoch, sequence + 1) else Verdict.GAP

    def take(self, event: Event, now_ms: int) -> Verdict:
        """Applies the event when it is the next one. A duplicate is acknowledged at once: its ACK must have been lost."""
        verdict = self.verdict(event)
        if verdict is Verdict.NEXT:
            self.apply(event)
            self.owe(now_ms)
        elif verdict is Verdict.DUPLICATE:
            self.owe_again(now_ms)
        return verdict

    def apply(self, event: Event) -> None:
        """Journal first: when `deliver` raises, the cursor stays where it was."""
        self.host.deliver(event)
        self.cursor = (event.epoch, event.sequence)
        if self.mirror:
            self.mirror.apply(event.body)

    def skip_to(self, epoch: int, sequence: int, text: str) -> None:
        """The log has a hole, or is another one: the cursor moves over it, and only a snapshot tells what lies there."""
        self.host.deliver(news.Skipped(epoch, sequence, text))
        self.cursor = (epoch, sequence)
        self.mirror = None

    def ack(self, now_ms: int) -> m.Ack | None:
        """The ACK that is due now; its request id is set by the caller."""
        if self.ack_due_ms is None or now_ms < self.ack_due_ms:
            return None
        self.ack_due_ms, self._unacknowledged = None, 0
        return m.Ack(0, *self.cursor)

    def owe_nothing(self) -> None:
        """RESUME said it all."""
        self.ack_due_ms, self._unacknowledged = None, 0

    def owe_again(self, now_ms: int) -> None:
        """What was acknowledged has come again."""
        self.ack_due_ms = now_ms

    def owe(self, now_ms: int) -> None:
        """One more that the ARC waits to hear of."""
        self._unacknowledged += 1
        if self._unacknowledged >= ACK_AFTER_EVENTS:
            self.ack_due_ms = now_ms
        elif self.ack_due_ms is None:
            self.ack_due_ms = now_ms + ACK_AFTER_MS
