"""What has waited too long: a question that nobody answers, a token that stays on the roof. Pure: time is passed in."""

from companion.session.answering import TIMES_OUT
from companion.session.state import State
from companion.session.table import Phase

QUESTION_MS = 60_000
"""How long a question about a card waits for an answer while the ARC can be reached (HZ-7)."""
RESTING_MS = 10_000
"""After this a token on the roof is in the way of the next one (HZ-2)."""


class FrontQuestion:
    """A question's time begins when it is shown, and stands still while nobody can answer with a token."""

    def __init__(self) -> None:
        self._number, self._since_ms = 0, 0

    def watch(self, state: State, link: str, now_ms: int, *, is_shown: bool = True) -> None:
        number = state.front.number if state.front else 0
        if number != self._number or link == "down" or state.phase is not Phase.ROUND or not is_shown:
            self._number, self._since_ms = number, now_ms

    def overdue(self, state: State, now_ms: int) -> int | None:
        """The number of the question whose time is up."""
        front = state.front
        if front and front.number == self._number and front.kind in TIMES_OUT:
            return front.number if now_ms - self._since_ms >= QUESTION_MS else None
        return None


class RestingTags:
    """What lies on the roof, by UID."""

    def __init__(self) -> None:
        self._since_ms: dict[bytes, int] = {}

    def lay(self, uid: bytes, now_ms: int) -> None:
        self._since_ms[uid] = now_ms

    def lift(self, uid: bytes) -> None:
        self._since_ms.pop(uid, None)

    def clear(self) -> None:
        self._since_ms.clear()

    def take_overdue(self, now_ms: int) -> int:
        """How many have lain there too long; each is named once."""
        overdue = [uid for uid, since_ms in self._since_ms.items() if now_ms - since_ms >= RESTING_MS]
        for uid in overdue:
            del self._since_ms[uid]
        return len(overdue)
