"""When to try again: a pure state table with back-off. Rule: only a resumed session sets the back-off to its start, since a link
that opens and breaks at once would otherwise be tried without pause. What people must mend is tried too, as late as its
`retry_ms` says: nobody has to tell the app that it was mended.
"""

from enum import Enum

from companion.link.reasons import LinkError

DELAYS_MS = (0, 500, 1_000, 2_000, 4_000, 8_000)
"""Before the first, second, … attempt in a row; the last one for all that follow."""


class Step(Enum):
    WAITING = "waiting"
    OPENING = "opening"
    OPEN = "open"
    """Connected, not yet resumed."""
    RESUMED = "resumed"


class Happened(Enum):
    DUE = "due"
    OPENED = "opened"
    RESUMED = "resumed"
    FAILED = "failed"


TABLE: dict[tuple[Step, Happened], Step] = {
    (Step.WAITING, Happened.DUE): Step.OPENING,
    (Step.OPENING, Happened.OPENED): Step.OPEN,
    (Step.OPENING, Happened.FAILED): Step.WAITING,
    (Step.OPEN, Happened.RESUMED): Step.RESUMED,
    (Step.OPEN, Happened.FAILED): Step.WAITING,
    (Step.RESUMED, Happened.RESUMED): Step.RESUMED,
    (Step.RESUMED, Happened.FAILED): Step.WAITING,
}
"""What is not in here cannot happen: `KeyError`, and nothing changed."""


class Reconnect:
    def __init__(self) -> None:
        self.step = Step.WAITING
        self._attempts = 0
        self._due_ms: int | None = None

    def wait_ms(self, now_ms: int) -> int | None:
        """Until the next attempt, 0: now; None: none is planned."""
        if self.step is not Step.WAITING:
            return None
        return max(0, self._due_ms - now_ms) if self._due_ms is not None else 0

    def happened(self, what: Happened) -> None:
        """The table's step for everything but failures."""
        self.step = TABLE[self.step, what]
        if what is Happened.RESUMED:
            self._attempts = 0
            self._due_ms = None

    def failed(self, error: LinkError, now_ms: int) -> None:
        """The attempt, or the link, is over."""
        self.step = TABLE[self.step, Happened.FAILED]
        delay_ms = DELAYS_MS[min(self._attempts, len(DELAYS_MS) - 1)]
        self._attempts += 1
        self._due_ms = now_ms + max(delay_ms, error.retry_ms)
