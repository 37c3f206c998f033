"""The LED bus on a module's chip: all time below 50 ms is kept here. On the desk the UART keeps it, and this only passes on."""

import asyncio
import time

from firmware.bus.frame import GAP_US, OPCODE, FrameReader, duration_us, is_whole
from firmware.bus.words import PROBE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from firmware.drivers.select_lines import SelectLines

POLL_MS = 1
SELECT_US = 20000
"""A select line is let go after this long at the latest."""
WATCH_US = 11000
"""How long after a PROBE the own select lines are watched: less than the ARC's time-out."""
REPLY_SLOT_US = 15000
"""From the end of a PROBE to the end of the longest reply to it: no beacons meanwhile."""
_PASS, _ANSWER, _SELECT = 0, 1, 2


class NodeUart:
    """Frames that the node accepts, and what it does about them."""

    def __init__(self, uart: "Any", accepts: "Callable[[int, int], bool]", select_lines: "SelectLines") -> None:
        self._uart = uart
        self._lines = select_lines
        self._on_desk = hasattr(uart, "exchange")
        self._reader = FrameReader(accepts)
        self._ready: "list[bytes]" = []
        self._end_us: "Any" = time.ticks_us()
        self._before_us: "Any" = self._end_us
        self._probe_us: "Any" = self._end_us
        self._looked_us: "Any" = self._end_us
        self._links = 0
        self._selected = -1
        self._damaged = 0

    def begin(self, address: int) -> None:
        """The board runs: neighbours may see it from now on."""
        if self._on_desk:
            self._uart.listen(address)

    async def listen(self) -> bytes:
        """The next whole frame that the node accepts."""
        if self._on_desk:
            return await self._listen_on_desk()
        while not self._ready:
            # the chip's `read` would wait a millisecond or two for more
            count = self._uart.any()
            looked_us, self._looked_us = self._looked_us, time.ticks_us()
            if count:
                self._lines.release()
                self._before_us, self._end_us = looked_us, self._looked_us
                if time.ticks_diff(self._end_us, looked_us) > GAP_US:
                    # garbage was collected, or a frame dealt with: silence at the end of that is no gap within a frame
                    self._reader.was_away(self._end_us, count)
                self._ready += self._reader.feed(self._uart.read(count), self._end_us)
                if not self._ready:
                    await asyncio.sleep_ms(0)  # noise that never ends must not keep light and watchdog waiting
            else:
                self._lines.release_after(SELECT_US)
                await asyncio.sleep_ms(POLL_MS)
        frame = self._ready.pop(0)
        if frame[3] & OPCODE == PROBE:
            self._probe_us = self._end_us
            self._lines.end_beacon()
        return frame

    async def _listen_on_desk(self) -> bytes:
        while True:
            frame, self._links, self._selected = await self._uart.delivery()
            if is_whole(frame):
                return frame
            self._damaged += 1
            self._uart.answer_as_before()

    async def watch(self) -> int:
        """After a PROBE for somebody: the own port whose select line fell, or -1 when it was not for us."""
        if self._on_desk:
            return self._selected
        while time.ticks_diff(time.ticks_us(), self._end_us) < WATCH_US and not self._uart.any():
            # the frame may have ended, and the line fallen, right after the look before
            port = self._lines.selected(self._before_us, self._end_us)
            if port >= 0:
                return port
            await asyncio.sleep_ms(0)
        return -1

    async def reply(self, frame: bytes, delay_us: int, address: int) -> None:
        """Send an answer, at least `delay_us` after the end of the request; our own echo is taken off the wire again."""
        if self._on_desk:
            self._uart.answer(_ANSWER, address, 0, delay_us, frame)
            return
        while time.ticks_diff(time.ticks_us(), self._end_us) < delay_us:
            await asyncio.sleep_ms(0)
        self._uart.write(frame)
        await asyncio.sleep_ms(duration_us(len(frame)) // 1000)
        self._uart.flush()
        left = len(frame)
        until = time.ticks_us()
        while left > 0 and time.ticks_diff(time.ticks_us(), until) < GAP_US:
            left -= len(self._uart.read(left) or b"")
        self._reader.reset()

    def select(self, port: int, address: int) -> None:
        """Pull this port's select line low until the next frame, at most `SELECT_US`."""
        if self._on_desk:
            self._uart.answer(_SELECT, address, port, 0, b"")
        else:
            self._lines.pull(port)

    def pass_on(self, address: int) -> None:
        """Nothing to say to this frame."""
        if self._on_desk:
            self._uart.answer(_PASS, address, 0, 0, b"")

    def links(self) -> int:
        """The ports behind which a neighbour's beacon was seen lately, as bits."""
        return self._links if self._on_desk else self._lines.links()

    def crc_errors(self) -> int:
        """Frames for us that came damaged."""
        return self._damaged + self._reader.crc_errors

    def may_beacon(self) -> bool:
        """Not amid a frame, not while a line is pulled, not between a PROBE and the end of its reply slot."""
        # below 0: so long ago that the difference has wrapped
        is_slot = 0 <= time.ticks_diff(time.ticks_us(), self._probe_us) < REPLY_SLOT_US
        return not (is_slot or self._reader.is_amid() or self._lines.is_pulled)

    async def send_beacons(self, period_ms: "Callable[[], int]") -> None:
        """Pull all select lines low for a moment every `period_ms()` milliseconds; for ever. On the desk the wire does it."""
        while not self._on_desk:
            await asyncio.sleep_ms(period_ms())
            while not self.may_beacon():
                await asyncio.sleep_ms(POLL_MS)
            await self._lines.beacon()
