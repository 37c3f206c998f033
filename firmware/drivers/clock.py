"""The board's clock in milliseconds since boot. Never wraps, unlike `time.ticks_ms`, as long as it is read every few days."""

import time


class Clock:
    """Time since this object was made."""

    def __init__(self) -> None:
        self._ticks = time.ticks_ms()
        self._now_ms = 0

    def now_ms(self) -> int:
        """Milliseconds since boot."""
        ticks = time.ticks_ms()
        self._now_ms += time.ticks_diff(ticks, self._ticks)
        self._ticks = ticks
        return self._now_ms

    def sleep_ms(self, milliseconds: int) -> None:
        """Do nothing for a short time. Everything else waits too: for chips that need a pause, not for tasks."""
        time.sleep_ms(milliseconds)
