"""The current to the modules: an eFuse that trips, and switches that take a bad branch off. Pure; what it decides, a driver does.

1. Tripped: off, on again after 2 s. Tripped for the fourth time in a row: a fault, and one more try each 30 s.
2. A minute without a trip: all forgotten.
3. DATA stuck low and a board with port switches: one port off at a time until the wire is free; that branch stays off
   for 30 s and is tried again.
"""

RETRY_MS = 2000
RETRIES = 3
LATER_MS = 30000
FORGET_MS = 60000


class Fuse:
    """Asked every cycle with what the eFuse says. `trips` in a row, `total` since the start."""

    def __init__(self) -> None:
        self.is_faulty = False
        self.trips = 0
        self.total = 0
        self._off_until_ms = 0
        self._tripped_ms = 0
        self._is_on = True

    def step(self, now_ms: int, is_tripped: bool) -> bool:
        """Should the current be on?"""
        if self._is_on and is_tripped:
            self._is_on = False
            self.trips += 1
            self.total += 1
            self._tripped_ms = now_ms
            self.is_faulty = self.trips > RETRIES
            self._off_until_ms = now_ms + (LATER_MS if self.is_faulty else RETRY_MS)
        elif not self._is_on and now_ms >= self._off_until_ms:
            self._is_on = True
        elif self.trips and now_ms - self._tripped_ms >= FORGET_MS:
            self.trips = 0
            self.is_faulty = False
        return self._is_on


class Branches:
    """The ports of an ARC that can switch them. Asked every cycle with whether DATA is stuck."""

    def __init__(self, ports: int) -> None:
        self.bad = -1
        self._ports = ports
        self._tried = -1
        self._off_until_ms = 0

    def step(self, now_ms: int, is_stuck: bool) -> int:
        """The port that is to be off now, -1 for none."""
        if self.bad >= 0:
            if now_ms >= self._off_until_ms:
                self.bad = self._tried = -1
            return self.bad
        if self._tried >= 0 and not is_stuck:
            self.bad = self._tried
            self._off_until_ms = now_ms + LATER_MS
            return self.bad
        if is_stuck:
            self._tried = self._tried + 1 if self._tried + 1 < self._ports else -1
        return self._tried
