"""What carries message units: Bluetooth, a serial port, a pair of queues in tests. One face, one examination for all."""

from collections.abc import Callable
from typing import Protocol

Received = Callable[[bytes], None]
Closed = Callable[[], None]


class Transport(Protocol):
    """One connection at a time; may be opened again after it closed. All calls and callbacks on the loop's thread."""

    needs_keepalive: bool
    """Nothing tells the ARC that this host went: it has to hear from it."""

    async def open(self, received: Received, closed: Closed) -> None:
        """Connects; `LinkError` says why not. From now on `received` gets each message unit whole and in order.

        `closed` is called once when the connection ends by itself, after the last unit; never after `close`.
        """

    async def send(self, data: bytes) -> None:
        """One command. `LinkError` when the connection is gone."""

    async def read_info(self) -> bytes:
        """The INFO message, for connections too small to carry it in an answer."""

    async def close(self) -> None:
        """Ends the connection; harmless when there is none."""
