"""When nobody plays: lights off and slow advertising after ten minutes, deep sleep after sixty. Pure.

Somebody plays while a tablet is connected, and when a card, a module or the button has told something.
"""

from firmware.boards import timings

AWAKE, DIM, ASLEEP = 0, 1, 2


class Idle:
    """Feed `seen` every second or so."""

    def __init__(self) -> None:
        self.level = AWAKE
        self._busy_ms = 0
        self._empty_ms = -1

    def seen(self, now_ms: int, stirred_ms: int, is_connected: bool, is_empty: bool) -> int:
        """The level now. An empty battery sleeps after some seconds, so that its last event can still be sent."""
        self._busy_ms = now_ms if is_connected else max(self._busy_ms, stirred_ms)
        idle_ms = now_ms - self._busy_ms
        if idle_ms >= timings.SLEEP_AFTER_MS or self._has_been_empty(now_ms, is_empty):
            self.level = ASLEEP
        elif idle_ms >= timings.DIM_AFTER_MS:
            self.level = DIM
        else:
            self.level = AWAKE
        return self.level

    def _has_been_empty(self, now_ms: int, is_empty: bool) -> bool:
        if not is_empty:
            self._empty_ms = -1
        elif self._empty_ms < 0:
            self._empty_ms = now_ms
        return is_empty and now_ms - self._empty_ms >= timings.EMPTY_SLEEP_MS
