"""The air between the controllers: packets cross only at connection events, advertisements at once.

bumble's `LocalLink` delivers everything immediately. A real link has an anchor point every connection interval, and
that wait is most of what a player feels between a card and its sheet.
"""

import asyncio
from collections import deque
from typing import Any

from bumble import hci, ll
from bumble.link import LocalLink

INTERVALS_MS = (7.5, 15.0, 30.0, 50.0)
PACKETS_PER_EVENT = 6
"""Data packets of 251 bytes that fit in one event of 15 ms and more on 1M PHY; at 7.5 ms fewer (`packets_fitting`)."""

_PACKET_PAIR_MS = 2.5  # 251 bytes at 1 Mbit/s, the empty answer and two inter-frame spaces


def packets_fitting(interval_ms: float) -> int:
    """How many full data packets one connection event carries each way."""
    return max(1, min(PACKETS_PER_EVENT, int(interval_ms / _PACKET_PAIR_MS)))


def next_event(anchor_s: float, interval_s: float, now_s: float) -> float:
    """The first connection event strictly after `now_s`."""
    return anchor_s + (int((now_s - anchor_s) / interval_s) + 1) * interval_s


class _Link:
    """One connection's two queues and the timer to its next event; no timer runs while both are empty."""

    def __init__(self, interval_ms: float) -> None:
        self._interval_s = interval_ms / 1000
        self._fitting = packets_fitting(interval_ms)
        self._loop = asyncio.get_running_loop()
        self._anchor_s = self._loop.time()
        self._queues: dict[str, deque[tuple[Any, Any]]] = {}
        self._timer: asyncio.TimerHandle | None = None

    def put(self, connection: Any, packet: Any) -> None:
        self._queues.setdefault(str(connection.self_address), deque()).append((connection, packet))
        self._arm()

    def close(self) -> None:
        self._queues.clear()
        if self._timer:
            self._timer.cancel()

    def _arm(self) -> None:
        if self._timer is None:
            at = next_event(self._anchor_s, self._interval_s, self._loop.time())
            self._timer = self._loop.call_at(at, self._event)

    def _event(self) -> None:
        self._timer = None
        for queue in self._queues.values():
            for _ in range(min(self._fitting, len(queue))):
                connection, packet = queue.popleft()
                connection.controller.cross(connection, packet)
        if any(self._queues.values()):
            self._arm()


class Air(LocalLink):
    """Every controller of the desk and the connections between them."""

    def __init__(self, interval_ms: float) -> None:
        super().__init__()  # type: ignore[no-untyped-call]
        self.interval_ms = interval_ms
        self._links: dict[frozenset[str], _Link] = {}

    def queue_packet(self, connection: Any, packet: Any) -> None:
        """Hold a data packet until the next connection event of its link."""
        key = frozenset((str(connection.self_address), str(connection.peer_address)))
        link = self._links.get(key)
        if link is None:
            link = self._links[key] = _Link(self.interval_ms)
        link.put(connection, packet)

    def close_link(self, connection: Any) -> None:
        """The connection is over: whatever was still queued is lost with it."""
        key = frozenset((str(connection.self_address), str(connection.peer_address)))
        if link := self._links.pop(key, None):
            link.close()

    def send_advertising_pdu(self, sender_controller: Any, packet: Any) -> None:
        if isinstance(packet, ll.ConnectInd):
            self._connect(sender_controller, packet)
        else:
            super().send_advertising_pdu(sender_controller, packet)

    def _connect(self, central: Any, packet: ll.ConnectInd) -> None:
        """Reach the advertiser now, or tell the central: two centrals may answer one advertisement, one of them late."""
        controllers: set[Any] = self.controllers
        for controller in controllers:
            if controller is not central and controller.is_advertising_as(packet.advertiser_address):
                controller.on_le_connect_ind(packet)
                return
        lost = ll.TerminateInd(hci.HCI_ErrorCode.CONNECTION_FAILED_TO_BE_ESTABLISHED_ERROR)
        asyncio.get_running_loop().call_soon(central.on_ll_control_pdu, packet.advertiser_address, lost)

    def send_ll_control_pdu(self, sender_address: Any, receiver_address: Any, packet: Any) -> None:
        """As bumble's, but a peer that is already gone is no error: its own end says so."""
        if self.find_le_controller(receiver_address) is not None:
            super().send_ll_control_pdu(sender_address, receiver_address, packet)
