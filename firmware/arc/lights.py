"""What the ARC's own light shows and what it sounds like: pure, time in, colour and tone out.

Several things may want the light at once; the first of these that holds is shown:
| what                                   | light                |
|----------------------------------------|----------------------|
| self-test                              | white, a second      |
| at rest, battery empty                 | dark: no brightness  |
| something just happened                | its short flash      |
| pairing window open                    | blue, flashing       |
| reader dead, log damaged               | red, flashing        |
| events wait and no tablet is connected | yellow, short blink  |
| battery low                            | red, short blink     |
| the app's own light                    | as the app said      |
"""

from protocol.messages import (
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
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    Colour = tuple[int, int, int]

OFF = (0, 0, 0)
COLOURS = {
    NO_COLOUR: OFF,
    GREEN: (0, 255, 0),
    BLUE: (0, 0, 255),
    RED: (255, 0, 0),
    WHITE: (170, 170, 170),
    YELLOW: (200, 140, 0),
}

# Period and lit part of each pattern in milliseconds; 0: no period.
PATTERNS = {DARK: (0, 0), STEADY: (0, 1), FLASH: (1_000, 500), SLOW_FLASH: (2_000, 1_000), ATTENTION: (500, 250)}
FEEDBACK_MS = 120
TEST_MS = 1_000
BLINK_PERIOD_MS, BLINK_MS = 3_000, 80

BEEP_CARD, BEEP_REFUSED, BEEP_PAIRING = (2_700, 60), (900, 250), (1_800, 120)
"""Tone in hertz and length in milliseconds."""


class ArcLight:
    """The light of the ARC. Set what is the case; ask for the colour several times a second."""

    def __init__(self) -> None:
        self.is_pairing = False
        self.has_fault = False
        self.has_waiting = False
        self.is_low = False
        self.cap_percent = 100
        self._app = DARK << 4
        self._app_once_until_ms = 0
        self._app_once = DARK << 4
        self._feedback: "Colour" = OFF
        self._feedback_until_ms = 0
        self._test_until_ms = 0

    def set_app(self, light: int, now_ms: int) -> None:
        """The light byte that the app gave; BLINK_ONCE falls back to the one before."""
        if light >> 4 == BLINK_ONCE:
            self._app_once, self._app_once_until_ms = light, now_ms + FEEDBACK_MS * 2
        else:
            self._app = light

    def flash(self, colour: int, now_ms: int) -> None:
        """Something was written down: say so for a moment."""
        self._feedback, self._feedback_until_ms = COLOURS[colour], now_ms + FEEDBACK_MS

    def test(self, now_ms: int) -> None:
        """White for a second, whatever else there is to show and however dim lights are to be."""
        self._test_until_ms = now_ms + TEST_MS

    def colour(self, now_ms: int) -> "Colour":
        """Red, green, blue, 0 to 255, brightness cap applied."""
        if now_ms < self._test_until_ms:
            return COLOURS[WHITE]
        red, green, blue = self._choose(now_ms)
        cap = self.cap_percent
        return (red * cap // 100, green * cap // 100, blue * cap // 100)

    def _choose(self, now_ms: int) -> "Colour":
        if now_ms < self._feedback_until_ms:
            return self._feedback
        if self.is_pairing:
            return _pattern(FLASH, BLUE, now_ms)
        if self.has_fault:
            return _pattern(FLASH, RED, now_ms)
        is_blink = now_ms % BLINK_PERIOD_MS < BLINK_MS
        if self.has_waiting:
            return COLOURS[YELLOW] if is_blink else OFF
        if self.is_low and is_blink:
            return COLOURS[RED]
        if now_ms < self._app_once_until_ms:
            return COLOURS[self._app_once & 0x0F]
        return _pattern(self._app >> 4, self._app & 0x0F, now_ms)


class Beeper:
    """The tones still to be played, a few at most: the rest would only be heard when nobody knows any more why."""

    def __init__(self) -> None:
        self.is_muted = False
        self._tones: "list[tuple[int, int]]" = []
        self._until_ms = 0
        self._frequency = 0

    def play(self, tone: "tuple[int, int]", is_test: bool = False) -> None:
        """Queue a tone: hertz and milliseconds. A test sounds on a muted board too."""
        if len(self._tones) < 3 and (is_test or not self.is_muted):
            self._tones.append(tone)

    def frequency(self, now_ms: int) -> int:
        """What to sound now, 0 for silence."""
        if now_ms >= self._until_ms:
            if self._frequency:
                # A pause, so that two beeps are heard as two.
                self._frequency, self._until_ms = 0, now_ms + 60
            elif self._tones:
                self._frequency, length_ms = self._tones.pop(0)
                self._until_ms = now_ms + length_ms
        return self._frequency


def _pattern(pattern: int, colour: int, now_ms: int) -> "Colour":
    period, lit = PATTERNS[pattern]
    is_lit = now_ms % period < lit if period else bool(lit)
    return COLOURS[colour] if is_lit else OFF
