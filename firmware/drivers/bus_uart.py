"""The LED bus on the ARC's chip: all time below 50 ms is kept here. Frames go out and in, nothing of their meaning is known.

On the desk the UART brings `exchange` with it and this driver only passes on; on a board it is bytes, ticks and pins.
A task that sleeps here sleeps for up to a tick of the ESP32's system, 10 ms: so within an exchange this one only lets the others have their turn.
"""

import asyncio
import time

from firmware.bus.frame import GAP_US, IDLE_US, OVERHEAD, SYNC, duration_us, is_whole
from firmware.bus.health import ECHO_NONE, ECHO_OK, ECHO_WRONG

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from firmware.drivers.select_lines import SelectLines

LONGEST_US = 20000
"""From the time-out on: the longest reply, a gap, garbage that is collected. Who still talks then babbles."""


class BusUart:
    """The ARC's side: one exchange at a time. `echo` and `links` are those of the last one."""

    def __init__(self, uart: "Any", select_lines: "SelectLines") -> None:
        self._uart = uart
        self._lines = select_lines
        self._on_desk = hasattr(uart, "exchange")
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
            heard = await self._receive(len(frame), reply_timeout_us, collect)
        finally:
            self._lines.release()
            self._last_us = time.ticks_us()
        echo = heard[: len(frame)]
        self.echo = ECHO_OK if echo == frame else ECHO_WRONG if heard else ECHO_NONE
        self.links = self._lines.links()
        return heard[len(frame) :]

    async def _send(self, frame: bytes) -> None:
        await _until(self._last_us, IDLE_US)
        self._uart.read()
        self._uart.write(frame)
        await _until(time.ticks_us(), duration_us(len(frame)))
        self._uart.flush()

    async def _receive(self, echo_size: int, timeout_us: int, collect: bool) -> bytes:
        """All that is heard, the echo first. A reply is over when it is whole, or at a gap of two milliseconds; noise without
        a gap is given up."""
        heard = b""
        start = last_us = time.ticks_us()
        while True:
            data = self._uart.read()
            now_us = time.ticks_us()
            if data:
                heard += data
                last_us = now_us
            reply_size = len(heard) - echo_size
            late_us = time.ticks_diff(now_us, start) - timeout_us
            is_late = late_us > 0
            is_quiet = time.ticks_diff(now_us, last_us) > GAP_US
            if reply_size <= 0:
                # the chip hands over the end of the echo up to a millisecond after it was sent
                if is_late and (reply_size == 0 or is_quiet):
                    return heard
            elif (is_quiet and (is_late or not collect)) or (not collect and _is_reply(heard[echo_size:])):
                return heard
            if late_us > LONGEST_US:
                return heard
            await asyncio.sleep_ms(0)


async def _until(since_us: "Any", long_us: int) -> None:
    """Until so long has gone by."""
    # below 0: so long ago that the difference has wrapped
    while 0 <= time.ticks_diff(time.ticks_us(), since_us) < long_us:
        await asyncio.sleep_ms(0)


def _is_reply(data: bytes) -> bool:
    """Do these bytes end with one whole frame, whatever came before it?"""
    at = data.find(bytes((SYNC,)))
    while at >= 0:
        if len(data) - at >= OVERHEAD and is_whole(data[at : at + OVERHEAD + data[at + 1]]):
            return True
        at = data.find(bytes((SYNC,)), at + 1)
    return False
