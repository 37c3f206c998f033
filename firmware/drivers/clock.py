"""The board's clock: ticks as MicroPython counts them, and milliseconds since boot that never wrap."""

import time


class Clock:
    """`ticks_ms` and `ticks_us` wrap at 2**30 on boards; `now_ms` does not, as long as somebody asks every few days."""

    ticks_ms = staticmethod(time.ticks_ms)
    ticks_us = staticmethod(time.ticks_us)
    sleep_us = staticmethod(time.sleep_us)

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
