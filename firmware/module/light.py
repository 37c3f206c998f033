"""What a module's LED shows at an instant: pattern, colour, cap, phase, and what becomes of it when the bus falls silent.

Pure: `now_ms` is passed in. Dark until the first frame.
"""

from protocol.lights import (
    ATTENTION,
    BLINK_ONCE,
    BLUE,
    DARK,
    FLASH,
    GREEN,
    NO_COLOUR,
    RED,
    SLOW_FLASH,
    STEADY,
    WHITE,
    YELLOW,
    is_light,
)

# Parts of a full channel in 1/255, red, green, blue. White and yellow share the same current as one pure colour.
_COLOURS = {
    NO_COLOUR: (0, 0, 0),
    GREEN: (0, 255, 0),
    BLUE: (0, 0, 255),
    RED: (255, 0, 0),
    WHITE: (85, 85, 85),
    YELLOW: (150, 105, 0),
}
_PERIOD_MS = {FLASH: 1000, SLOW_FLASH: 2000, ATTENTION: 500}
_BLINK_MS = 300

DIM_AFTER_MS = 3000
OFF_AFTER_MS = 10000
_DIM_PERCENT = 10
IN_PHASE_UP_TO = 8
"""ATTENTION flashes everywhere at once up to this many modules, beyond that in four groups: the current adds up."""

OFF = (0, 0, 0)
FOREVER_MS = 60000


def phase_ms(pattern: int, address: int, modules: int, period_ms: int) -> int:
    """How far the module's flash lags: evenly over the period, so that the sum of all currents stays near its mean."""
    if pattern == ATTENTION:
        return 0 if modules <= IN_PHASE_UP_TO else period_ms * (address & 3) // 4
    return period_ms * address // modules if modules else 0


class Light:
    """The LED of one module. `full_tenths_ma`: what one channel draws fully on, in tenths of a milliampere."""

    def __init__(self, full_tenths_ma: int, cap_tenths_ma: int) -> None:
        self.byte = 0
        self.generation = 0
        self.cap_tenths_ma = cap_tenths_ma
        self._full = full_tenths_ma
        self._address = 0
        self._modules = 0
        self._offset_ms = 0
        self._since_ms = 0
        self._heard_ms: "int | None" = None

    def heard(self, now_ms: int) -> None:
        """A valid frame came: the bus lives."""
        self._heard_ms = now_ms

    def show(self, now_ms: int, byte: int, generation: int) -> None:
        """A valid light byte. The same generation again changes nothing, so a repeated BLINK_ONCE blinks once."""
        if byte == self.byte and generation == self.generation:
            return
        self.byte, self.generation, self._since_ms = byte, generation, now_ms

    def adopt(self, now_ms: int, byte: int) -> None:
        """A light out of a bulk frame: counts only if it is valid and another one than that shown."""
        if byte != self.byte and is_light(byte):
            self.show(now_ms, byte, self.generation)

    def sit(self, address: int) -> None:
        """The address decides the phase."""
        self._address = address

    def tick(self, now_ms: int, time_ms: int, cap_tenths_ma: int, modules: int) -> None:
        """The ARC's time, by which all patterns run, the current each LED may draw, and how many there are."""
        self._offset_ms = time_ms - now_ms
        self.cap_tenths_ma = cap_tenths_ma
        self._modules = modules

    def rgb(self, now_ms: int) -> "tuple[int, int, int]":
        """What to send to the LED now: 0 … 255 for each channel, within the cap."""
        percent = self._percent(now_ms)
        if not percent or not self._is_on(now_ms):
            return OFF
        scale = min(255, self.cap_tenths_ma * 255 // self._full) * percent
        red, green, blue = _COLOURS[self.byte & 0x0F]
        return red * scale // 25500, green * scale // 25500, blue * scale // 25500

    def next_change_ms(self, now_ms: int) -> int:
        """In how many milliseconds `rgb` may differ, if nothing is heard until then; at least 1."""
        return max(1, min(self._pattern_change_ms(now_ms), self._silence_change_ms(now_ms)))

    def _percent(self, now_ms: int) -> int:
        if self._heard_ms is None:
            return 0
        silent = now_ms - self._heard_ms
        return 100 if silent < DIM_AFTER_MS else _DIM_PERCENT if silent < OFF_AFTER_MS else 0

    def _silence_change_ms(self, now_ms: int) -> int:
        if self._heard_ms is None:
            return FOREVER_MS
        silent = now_ms - self._heard_ms
        for limit in (DIM_AFTER_MS, OFF_AFTER_MS):
            if silent < limit:
                return limit - silent
        return FOREVER_MS

    def _place(self, now_ms: int, period_ms: int) -> int:
        lag = phase_ms(self.byte >> 4, self._address, self._modules, period_ms)
        return (now_ms + self._offset_ms - lag) % period_ms

    def _is_on(self, now_ms: int) -> bool:
        pattern = self.byte >> 4
        if pattern == BLINK_ONCE:
            return now_ms - self._since_ms < _BLINK_MS
        period = _PERIOD_MS.get(pattern)
        if period:
            return self._place(now_ms, period) < period // 2
        return pattern == STEADY

    def _pattern_change_ms(self, now_ms: int) -> int:
        pattern = self.byte >> 4
        if pattern == BLINK_ONCE:
            left = _BLINK_MS - (now_ms - self._since_ms)
            return left if left > 0 else FOREVER_MS
        period = _PERIOD_MS.get(pattern, 0)
        if pattern == DARK or not period:
            return FOREVER_MS
        half = period // 2
        return half - self._place(now_ms, period) % half
