"""The select lines of a board: one open-drain pin for each port, pulled low to select and, shortly, as a link beacon."""

import asyncio
import time

BEACON_LOW_MS = 2
LINK_MS = 750
"""A link counts as open when no beacon came for three of the slowest periods."""


class SelectLines:
    """`pins` are inputs and outputs at once: `value(0)` pulls low, `value(1)` lets go; falling edges are noted by interrupt."""

    def __init__(self, pins: "list") -> None:
        self._pins = pins
        self._fell_us = [0] * len(pins)
        self._seen_ms: "list[int | None]" = [None] * len(pins)
        self._pulled = -1
        self._pulled_us = 0
        self._is_own = False
        for port, pin in enumerate(pins):
            pin.irq(handler=self._handler(port), trigger=pin.IRQ_FALLING)

    @property
    def is_pulled(self) -> bool:
        """Do we hold a line low to select a neighbour?"""
        return self._pulled >= 0

    def pull(self, port: int) -> None:
        """Select the neighbour behind this port; nothing for a port we have not."""
        if 0 <= port < len(self._pins):
            self._pulled, self._pulled_us = port, time.ticks_us()
            self._is_own = True
            self._pins[port].value(0)
            self._is_own = False

    def release(self) -> None:
        """Let go."""
        if self._pulled >= 0:
            self._pins[self._pulled].value(1)
            self._pulled = -1

    def release_after(self, limit_us: int) -> None:
        """Let go if we hold it for longer than that."""
        if self._pulled >= 0 and time.ticks_diff(time.ticks_us(), self._pulled_us) > limit_us:
            self.release()

    def fallen_since(self, at_us: int) -> int:
        """A port whose line fell after `at_us` and is still low, or -1."""
        for port, pin in enumerate(self._pins):
            if port != self._pulled and not pin.value() and time.ticks_diff(self._fell_us[port], at_us) > 0:
                return port
        return -1

    def links(self) -> int:
        """One bit for each port whose line fell within `LINK_MS`."""
        now, bits = time.ticks_ms(), 0
        for port, seen in enumerate(self._seen_ms):
            if seen is not None:
                if time.ticks_diff(now, seen) <= LINK_MS:
                    bits |= 1 << port
                else:
                    self._seen_ms[port] = None  # so that wrapped ticks cannot bring it back
        return bits

    async def beacon(self) -> None:
        """All lines low for `BEACON_LOW_MS`."""
        self._is_own = True
        for pin in self._pins:
            pin.value(0)
        self._is_own = False
        await asyncio.sleep_ms(BEACON_LOW_MS)
        for port, pin in enumerate(self._pins):
            if port != self._pulled:
                pin.value(1)

    def _handler(self, port: int) -> "object":
        def fell(pin: "object") -> None:
            if not self._is_own:
                self._fell_us[port] = time.ticks_us()
                self._seen_ms[port] = time.ticks_ms()

        return fell
