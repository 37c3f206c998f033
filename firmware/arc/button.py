"""The one button: from its level to a short press, a long one, or the ten seconds that forget all tablets. Pure."""

from firmware.boards import timings

NOTHING, SHORT, LONG, FORGET = 0, 1, 2, 3


class Button:
    """Feed `sampled` every few milliseconds with whether it is down.

    `is_held`: it is down already, from the press that woke the board. That press has done its work and means nothing more.
    """

    def __init__(self, is_held: bool = False) -> None:
        self._is_down = is_held
        self._changed_ms = 0
        self._down_ms = 0
        self._told = FORGET if is_held else NOTHING

    def sampled(self, now_ms: int, is_down: bool) -> int:
        """NOTHING, or once for each press: SHORT when it is released early, LONG and FORGET as soon as they are reached."""
        if is_down != self._is_down:
            if now_ms - self._changed_ms < timings.DEBOUNCE_MS and self._changed_ms:
                return NOTHING
            self._is_down, self._changed_ms = is_down, now_ms
            if is_down:
                self._down_ms, self._told = now_ms, NOTHING
                return NOTHING
            return SHORT if self._told == NOTHING else NOTHING
        if not is_down:
            return NOTHING
        held_ms = now_ms - self._down_ms
        for press, after_ms in ((LONG, timings.LONG_PRESS_MS), (FORGET, timings.FORGET_PRESS_MS)):
            if held_ms >= after_ms and self._told < press:
                self._told = press
                return press
        return NOTHING
