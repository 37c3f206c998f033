"""The select lines of a board: one open-drain pin for each port, pulled low to select and, shortly, as a link beacon."""

import asyncio
import time

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

BEACON_LOW_MS = 2
SELECTED_US = 2500
"""A line that is low for so long is no beacon: one that is under way when a PROBE comes ends when that has been read."""
LINK_MS = 750
"""A link counts as open when no beacon came for three of the slowest periods."""


class SelectLines:
    """`pins` are open drain: `value(0)` pulls low, `value(1)` lets go; `value()` is the level of the net.

    Falling edges that are not our own doing are noted by interrupt.
    """

    def __init__(self, pins: "list[Any]") -> None:
        self._pins = pins
        self._fell_us: "list[Any]" = [0] * len(pins)
        self._seen_ms: "list[Any]" = [None] * len(pins)
        self._pulled = -1
        self._pulled_us = 0
        self._is_beacon = False
        for port, pin in enumerate(pins):
            pin.irq(handler=self._on_fall(port), trigger=pin.IRQ_FALLING)

    @property
    def is_pulled(self) -> bool:
        """Do we hold a line low to select a neighbour?"""
        return self._pulled >= 0

    def pull(self, port: int) -> None:
        """Select the neighbour behind this port; nothing for a port we have not."""
        if 0 <= port < len(self._pins):
            self._pulled, self._pulled_us = port, time.ticks_us()
            self._drive(port, 0)

    def release(self) -> None:
        """Let go."""
        if self._pulled >= 0:
            port, self._pulled = self._pulled, -1
            self._drive(port, 1)

    def release_after(self, limit_us: int) -> None:
        """Let go if we hold it for longer than that."""
        if self._pulled >= 0 and time.ticks_diff(time.ticks_us(), self._pulled_us) > limit_us:
            self.release()

    def selected(self, before_us: int, at_us: int) -> int:
        """A port whose line is low since after `at_us`, or since after `before_us` and for longer than a beacon; or -1."""
        for port, pin in enumerate(self._pins):
            if port != self._pulled and not pin.value():
                fell_us = self._fell_us[port]
                is_long = time.ticks_diff(time.ticks_us(), fell_us) > SELECTED_US
                if time.ticks_diff(fell_us, before_us if is_long else at_us) > 0:
                    return port
        return -1

    def links(self) -> int:
        """One bit for each port whose line fell within `LINK_MS`."""
        now_ms, bits = time.ticks_ms(), 0
        for port, seen_ms in enumerate(self._seen_ms):
            if seen_ms is None:
                continue
            if time.ticks_diff(now_ms, seen_ms) <= LINK_MS:
                bits |= 1 << port
            else:
                self._seen_ms[port] = None  # so that ticks that wrap cannot bring it back
        return bits

    async def beacon(self) -> None:
        """All lines low for `BEACON_LOW_MS`, or until `end_beacon`."""
        self._is_beacon = True
        for port in range(len(self._pins)):
            self._drive(port, 0)
        await asyncio.sleep_ms(BEACON_LOW_MS)
        self.end_beacon()

    def end_beacon(self) -> None:
        """Let go of all lines but the one that selects."""
        if self._is_beacon:
            self._is_beacon = False
            for port in range(len(self._pins)):
                if port != self._pulled:
                    self._drive(port, 1)
            for port, pin in enumerate(self._pins):
                if port != self._pulled and not pin.value():
                    self._note_fall(port)  # while it was low by our doing, so its edge was nobody's

    def _drive(self, port: int, level: int) -> None:
        self._pins[port].value(level)

    def _on_fall(self, port: int) -> "Callable[[Any], None]":
        def note(pin: "Any") -> None:
            # the handler may run a little after the edge, so the question is who holds the line now
            if not self._is_beacon and port != self._pulled:
                self._note_fall(port)

        return note

    def _note_fall(self, port: int) -> None:
        self._fell_us[port] = time.ticks_us()
        self._seen_ms[port] = time.ticks_ms()
