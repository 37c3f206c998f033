"""Runs a session link over a connection, whichever transport it came by. A fixed number of them, made at start."""

import asyncio

from firmware.arc.session_link import GREETED, SessionLink

RETRY_MS = 8
STRANGER_MS = 60_000
"""A connection that has not resumed for so long, and cannot be pairing, makes room for another."""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Callable

    from firmware.drivers.clock import Clock


class ArcLink:
    """`serve` each connection. `make_link` makes a session link; `is_pairing` tells whether the window is open."""

    def __init__(
        self, make_link: "Callable[[], SessionLink]", slots: int, clock: "Clock", is_pairing: "Callable[[], bool]"
    ) -> None:
        self._links = [make_link() for _ in range(slots)]
        self._free = list(self._links)
        self._serving: "list[Any]" = []
        self._clock = clock
        self._is_pairing = is_pairing
        self.turned_away = 0

    def wake_all(self) -> None:
        """There is something new to send."""
        for connection in self._serving:
            connection.wake.set()

    def is_connected(self) -> bool:
        return bool(self._serving)

    def total(self, counter: str) -> int:
        """The sum of one counter over all links: `resumes`, `resends`, `refusals`, `bad_commands`."""
        return sum([getattr(link, counter) for link in self._links])

    async def serve(self, connection: "Any") -> None:
        """Until the connection ends, by itself or because it must."""
        if not self._free:
            self.turned_away += 1
            connection.close()
            return
        link = self._free.pop()
        self._serving.append(connection)
        link.connect(self._clock.now_ms())
        try:
            await self._serve(link, connection)
        finally:
            link.disconnect()
            connection.close()
            self._serving.remove(connection)
            self._free.append(link)

    async def _serve(self, link: SessionLink, connection: "Any") -> None:
        while connection.connected() and not link.must_close and not self._is_stranger(link):
            link.max_size = connection.max_size
            command = connection.take() if link.can_receive() else None
            if command is not None:
                link.receive(command, self._clock.now_ms())
            if not self._send(link, connection):
                wait_ms = RETRY_MS
            elif command is not None:
                # some take long: every other task has its turn before the next
                await asyncio.sleep_ms(0)
                continue
            else:
                wait_ms = min(1_000, max(1, link.wait_ms(self._clock.now_ms())))
            try:
                await asyncio.wait_for_ms(connection.wake.wait(), wait_ms)
            except asyncio.TimeoutError:
                continue

    def _send(self, link: SessionLink, connection: "Any") -> bool:
        """All there is to send. False when the transport has no room and is to be asked again soon."""
        while True:
            now_ms = self._clock.now_ms()
            unit = link.outgoing(now_ms)
            if unit is None:
                return True
            if not connection.send(unit):
                return False
            link.sent(now_ms)

    def _is_stranger(self, link: SessionLink) -> bool:
        return link.state <= GREETED and not self._is_pairing() and self._clock.now_ms() - link.opened_ms >= STRANGER_MS
