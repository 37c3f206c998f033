"""The DATA net as a thing of time: who sends when, and which bytes everybody hears. Wired-AND, noise, stuck lines.

Times are bus time in microseconds. Bytes are whole: two that overlap are heard as one, the AND of both.
"""

from collections.abc import Iterable
from random import Random

from firmware.bus.frame import BYTE_NS

Transmission = tuple[int, bytes]
"""Start in microseconds, bytes sent without a gap."""
HeardByte = tuple[int, int]
"""End in microseconds, value."""


class Medium:
    """One shared open-drain net. `byte_error_rate` is the chance that a byte is heard wrong by everybody."""

    def __init__(self, seed: int = 0) -> None:
        self.byte_error_rate = 0.0
        self.stuck_low = False
        self.stuck_high = False
        self._random = Random(seed)

    def is_undisturbed(self) -> bool:
        """Does a lone sender reach everybody as it sent?"""
        return not (self.byte_error_rate or self.stuck_low or self.stuck_high)

    def carry(self, transmissions: Iterable[Transmission]) -> list[HeardByte]:
        """What everybody on the net hears, in order of time."""
        if self.stuck_high:
            return []
        slots = _overlaid(transmissions)
        if self.stuck_low:
            return [(end, 0) for end, _ in slots[:1]]
        if not self.byte_error_rate:
            return slots
        return [(end, self._disturbed(value)) for end, value in slots]

    def _disturbed(self, value: int) -> int:
        if self._random.random() >= self.byte_error_rate:
            return value
        return value ^ self._random.randrange(1, 256)


def _overlaid(transmissions: Iterable[Transmission]) -> list[HeardByte]:
    """All bytes on one time line. A receiver that takes a byte ANDs into it whatever begins before it has ended."""
    pieces = list(transmissions)
    if len(pieces) == 1:
        start, data = pieces[0]
        return [(start + (index + 1) * BYTE_NS // 1000, value) for index, value in enumerate(data)]
    sent = sorted((start * 1000 + index * BYTE_NS, value) for start, data in pieces for index, value in enumerate(data))
    heard: list[HeardByte] = []
    busy_until = -1
    for start_ns, value in sent:
        if start_ns < busy_until:
            heard[-1] = (heard[-1][0], heard[-1][1] & value)
        else:
            busy_until = start_ns + BYTE_NS
            heard.append((busy_until // 1000, value))
    return heard
