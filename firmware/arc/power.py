"""The battery: from millivolts to a state that does not flicker, and what each state allows. Pure."""

from firmware.boards import timings
from protocol.events import (
    BATTERY_EMPTY,
    BATTERY_GOOD,
    BATTERY_LOW,
    BATTERY_USB,
    BATTERY_VERY_LOW,
    BatteryMeasured,
)

# State below this level, worst last; back up only after the hysteresis.
_STEPS = (
    (BATTERY_GOOD, 100_000),
    (BATTERY_LOW, timings.BATTERY_LOW_MV),
    (BATTERY_VERY_LOW, timings.BATTERY_VERY_LOW_MV),
    (BATTERY_EMPTY, timings.BATTERY_EMPTY_MV),
)

LIGHT_PERCENT = {BATTERY_USB: 100, BATTERY_GOOD: 100, BATTERY_LOW: 50, BATTERY_VERY_LOW: 25, BATTERY_EMPTY: 0}
"""How bright lights may be in each state."""


class Battery:
    """Feed `measured` regularly; it answers with an event when there is something to write down."""

    def __init__(self) -> None:
        self.state = BATTERY_GOOD
        self.level_mv = 0
        self._filtered = 0
        self._measured_ms = 0
        self._reported_ms = 0
        self._worse_since_ms = -1
        self._has_reported = False

    def measured(self, now_ms: int, level_mv: int, on_usb: bool) -> "BatteryMeasured | None":
        """Take one sample. An event comes at the first, at each change of state, and every few minutes."""
        self._filter(now_ms, level_mv)
        state = self._settled(now_ms, BATTERY_USB if on_usb else self._state_for(self.level_mv))
        is_due = now_ms - self._reported_ms >= timings.BATTERY_REPORT_MS
        if self._has_reported and state == self.state and not is_due:
            return None
        self.state = state
        self._has_reported = True
        self._reported_ms = now_ms
        return BatteryMeasured(min(self.level_mv, 0xFFFF), percent(self.level_mv), state)

    def _filter(self, now_ms: int, level_mv: int) -> None:
        """A mean over about three seconds, in thousandths of a millivolt."""
        if not self.level_mv:
            self._filtered = level_mv * 1000
        else:
            elapsed = min(max(now_ms - self._measured_ms, 1), timings.BATTERY_FILTER_MS)
            self._filtered += (level_mv * 1000 - self._filtered) * elapsed // timings.BATTERY_FILTER_MS
        self._measured_ms = now_ms
        self.level_mv = (self._filtered + 500) // 1000

    def _state_for(self, level_mv: int) -> int:
        state = BATTERY_GOOD
        for candidate, below_mv in _STEPS:
            is_held = self.state != BATTERY_USB and self.state >= candidate != BATTERY_GOOD
            if level_mv < below_mv + (timings.BATTERY_HYSTERESIS_MV if is_held else 0):
                state = candidate
        return state

    def _settled(self, now_ms: int, state: int) -> int:
        """A worse state counts when it has lasted three seconds; the radio's peaks are shorter."""
        if not self._has_reported or BATTERY_USB in (state, self.state) or state <= self.state:
            self._worse_since_ms = -1
            return state
        if self._worse_since_ms < 0:
            self._worse_since_ms = now_ms
        if now_ms - self._worse_since_ms < timings.BATTERY_FILTER_MS:
            return self.state
        self._worse_since_ms = -1
        return state


def percent(level_mv: int) -> int:
    """A rough charge of four AA cells, 0 to 100: a straight line, an estimate."""
    span = timings.BATTERY_FULL_MV - timings.BATTERY_EMPTY_MV
    return max(0, min(100, (level_mv - timings.BATTERY_EMPTY_MV) * 100 // span))
