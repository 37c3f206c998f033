"""The LED bus on the chip: all time below 50 ms is kept here. Frames go in and out, nothing of their meaning is known.

On the desk the UART brings `exchange` with it and this driver only passes on; on a board it is bytes, ticks and pins.
"""

import asyncio
import time

from firmware.bus.frame import IDLE_US, FrameReader, duration_us, is_whole
from firmware.bus.health import ECHO_NONE, ECHO_OK, ECHO_WRONG

TYPE_CHECKING = False
if TYPE_CHECKING:
    from firmware.drivers.select_lines import SelectLines

POLL_MS = 1
SELECT_US = 20000
"""A select line is let go after this long at the latest."""
WATCH_US = 11000
"""How long after a PROBE the own select lines are watched: less than the ARC's time-out."""
_PASS, _ANSWER, _SELECT = 0, 1, 2


class BusUart:
    """The ARC's side: one exchange at a time. `echo` and `links` are those of the last one."""

    def __init__(self, uart: "object", select_lines: "SelectLines | None" = None) -> None:
        self._uart = uart
        self._lines = select_lines
        self._on_desk = hasattr(uart, "exchange")
        self._reader = FrameReader(_accept_all)
        self._last_us = time.ticks_us()
        self.echo = ECHO_OK
        self.links = 0

    async def exchange(self, frame: bytes, reply_timeout_us: int, select: int = -1, collect: bool = False) -> bytes:
        """Send `frame` and give what came back behind the own echo: up to one whole frame, or all until the time-out.

        `select`: the own port whose select line is low meanwhile.
        """
        if self._on_desk:
            data, self.echo, self.links = await self._uart.exchange(frame, reply_timeout_us, select, collect)
            return data
        await self._send(frame)
        if select >= 0:
            self._lines.pull(select)
        try:
            data = await self._receive(frame, reply_timeout_us, collect)
        finally:
            if select >= 0:
                self._lines.release()
            self._last_us = time.ticks_us()
        self.links = self._lines.links()
        return data

    async def _send(self, frame: bytes) -> None:
        while time.ticks_diff(time.ticks_us(), self._last_us) < IDLE_US:
            await asyncio.sleep_ms(POLL_MS)
        while self._uart.any():
            self._uart.read()
        self._uart.write(frame)
        await asyncio.sleep_ms(duration_us(len(frame)) // 1000)
        self._uart.flush()

    async def _receive(self, frame: bytes, timeout_us: int, collect: bool) -> bytes:
        """The echo comes first and is compared; a reply is whole when its length says so, or over at a gap."""
        size = len(frame)
        heard = b""
        self._reader.reset()
        start = quiet_since = time.ticks_us()
        while True:
            data = self._uart.read()
            now = time.ticks_us()
            if data:
                heard += data
                quiet_since = now
            reply = heard[size:]
            is_over = time.ticks_diff(now, start) > timeout_us and (
                not reply or time.ticks_diff(now, quiet_since) > 2000
            )
            if is_over or (not collect and reply and self._is_done(reply, time.ticks_diff(now, quiet_since))):
                break
            await asyncio.sleep_ms(POLL_MS)
        self.echo = ECHO_OK if heard[:size] == frame else ECHO_WRONG if heard else ECHO_NONE
        return heard[size:]

    def _is_done(self, reply: bytes, quiet_us: int) -> bool:
        """A whole frame came, or something came and then nothing for two milliseconds."""
        return quiet_us > 2000 or (len(reply) > 1 and len(reply) >= reply[1] + 6 and is_whole(reply))


class NodeUart:
    """A module's side: frames that the node accepts, and what it does about them."""

    def __init__(self, uart: "object", accepts: "object", select_lines: "SelectLines | None" = None) -> None:
        self._uart = uart
        self._lines = select_lines
        self._on_desk = hasattr(uart, "exchange")
        self._reader = FrameReader(accepts)
        self._ready: "list[bytes]" = []
        self._end_us = 0
        self._links = 0
        self._selected = -1
        self._crc_errors = 0

    def begin(self, address: int) -> None:
        """The board runs: neighbours may see it from now on."""
        if self._on_desk:
            self._uart.listen(address)

    async def listen(self) -> bytes:
        """The next whole frame that the node accepts."""
        if self._on_desk:
            return await self._listen_on_desk()
        while not self._ready:
            data = self._uart.read()
            if data:
                self._lines.release()
                self._end_us = time.ticks_us()
                self._ready += self._reader.feed(data, self._end_us)
            if not self._ready:
                self._lines.release_after(SELECT_US)
                await asyncio.sleep_ms(POLL_MS)
        return self._ready.pop(0)

    async def _listen_on_desk(self) -> bytes:
        while True:
            frame, self._links, self._selected = await self._uart.delivery()
            if is_whole(frame):
                return frame
            self._crc_errors += 1
            self._uart.answer(_PASS, frame[2], 0, 0, b"")

    async def watch(self) -> int:
        """After a PROBE for somebody: the own port whose select line fell, or -1 when it was not for us."""
        if self._on_desk:
            return self._selected
        while time.ticks_diff(time.ticks_us(), self._end_us) < WATCH_US:
            port = self._lines.fallen_since(self._end_us)
            if port >= 0:
                return port
            if self._uart.any():
                return -1
            await asyncio.sleep_ms(0)
        return -1

    async def reply(self, frame: bytes, delay_us: int, address: int) -> None:
        """Send an answer, at least `delay_us` after the end of the request."""
        if self._on_desk:
            self._uart.answer(_ANSWER, address, 0, delay_us, frame)
            return
        while time.ticks_diff(time.ticks_us(), self._end_us) < delay_us:
            await asyncio.sleep_ms(0)
        self._uart.write(frame)
        await asyncio.sleep_ms(duration_us(len(frame)) // 1000)
        self._uart.flush()
        while self._uart.any():
            self._uart.read()  # our own echo

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
        return self._crc_errors + self._reader.crc_errors

    async def send_beacons(self, period_ms: "object") -> None:
        """Pull all select lines low for a moment every `period_ms()` milliseconds, unless the wire is busy; for ever."""
        if self._on_desk:
            return
        while True:
            await asyncio.sleep_ms(period_ms())
            if not self._reader.is_amid() and not self._lines.is_pulled:
                await self._lines.beacon()


def _accept_all(address: int, control: int) -> bool:
    return True
