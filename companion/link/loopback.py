"""A transport without a wire: two ends in one process, for tests and for driving an app from a script."""

import asyncio
from collections.abc import Callable

from companion.link.reasons import LinkError, Reason
from companion.link.transport import Closed, Received


class Loopback:
    """The app's end; `peer(data)` gets every command, `give` brings units back, `drop` breaks the link."""

    needs_keepalive = False

    def __init__(self, peer: Callable[[bytes], None], info: Callable[[], bytes] = bytes) -> None:
        self._peer, self._info = peer, info
        self._received: Received | None = None
        self._closed: Closed | None = None
        self.refuse: LinkError | None = None
        """Set: `open` raises it."""

    async def open(self, received: Received, closed: Closed) -> None:
        await asyncio.sleep(0)
        if self.refuse:
            raise self.refuse
        self._received, self._closed = received, closed

    async def send(self, data: bytes) -> None:
        if self._received is None:
            raise LinkError(Reason.DROPPED)
        self._peer(data)

    async def read_info(self) -> bytes:
        if self._received is None:
            raise LinkError(Reason.DROPPED)
        return self._info()

    async def close(self) -> None:
        self._received = self._closed = None

    @property
    def is_open(self) -> bool:
        return self._received is not None

    def give(self, unit: bytes) -> None:
        """One message unit from the ARC; lost when nobody is connected."""
        if self._received:
            self._received(unit)

    def drop(self) -> None:
        """The link breaks."""
        closed, self._received, self._closed = self._closed, None, None
        if closed:
            closed()
