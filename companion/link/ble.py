"""The ARC over Bluetooth LE, through bleak: one connection, its units and its end. `ble_search` finds the ARC."""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from typing import Any, TypeVar

from bleak import BleakClient
from bleak.backends.characteristic import BleakGATTCharacteristic
from bleak.backends.device import BLEDevice

from companion.link import ble_search
from companion.link.ble_errors import BROKEN, link_error
from companion.link.reasons import LinkError, Reason
from companion.link.transport import Closed, Received
from protocol.gatt import COMMAND_UUID, EVENT_UUID, INFO_UUID

log = logging.getLogger(__name__)

T = TypeVar("T")
CONNECT_S = 15.0
CALL_S = 5.0
_STALE = frozenset({Reason.BLUETOOTH_BUSY, Reason.NO_SERVICES})
"""What the system believes of the device is out of date; once it has forgotten it, it looks anew."""


class Ble:
    """See `transport.Transport`. `wanted` gives the device id to look for first, None: any ARC.

    `scanner` and `client` are further arguments for bleak's classes: on the desk, the backend on its radio.
    """

    needs_keepalive = True
    """A system that does not tell of a link's end would leave an app that believes it is connected, for ever."""

    def __init__(
        self,
        wanted: Callable[[], bytes | None] = lambda: None,
        *,
        scanner: dict[str, Any] | None = None,
        client: dict[str, Any] | None = None,
    ) -> None:
        self._wanted = wanted
        self._scanner, self._client_options = scanner or {}, client or {}
        self._client: BleakClient | None = None
        self._closed: Closed | None = None

    async def open(self, received: Received, closed: Closed) -> None:
        device = await self._find()
        try:
            client = await self._connect(device, received)
        except LinkError as error:
            if error.reason not in _STALE:
                raise
            log.info("link: %s Once more from the beginning", error)
            client = await self._connect(await self._find(), received)
        self._closed = closed
        if not client.is_connected:
            await self._abandon(client)
            raise LinkError(Reason.DROPPED)

    async def _find(self) -> BLEDevice:
        return await ble_search.find(self._wanted(), self._scanner)

    async def _connect(self, device: BLEDevice, received: Received) -> BleakClient:
        client = BleakClient(device, disconnected_callback=self._on_gone, timeout=CONNECT_S, **self._client_options)
        try:
            await self._subscribe(client, received)
        except BROKEN as error:
            failed = link_error(error, Reason.DROPPED)
            await self._abandon(client, failed.reason)
            raise failed from error
        except LinkError as error:
            await self._abandon(client, error.reason)
            raise
        except BaseException:
            await self._abandon(client)
            raise
        return client

    async def _subscribe(self, client: BleakClient, received: Received) -> None:
        def on_unit(_: BleakGATTCharacteristic, data: bytearray) -> None:
            if self._client is client:
                received(bytes(data))

        async with asyncio.timeout(CONNECT_S + CALL_S):
            await client.connect()
            self._client = client
            self._check_table(client)
            await client.start_notify(EVENT_UUID, on_unit)

    def _check_table(self, client: BleakClient) -> None:
        """A table that a system kept of an older firmware, or did not read, shows here and not in a write that goes astray."""
        missing = [
            uuid for uuid in (INFO_UUID, COMMAND_UUID, EVENT_UUID) if not client.services.get_characteristic(uuid)
        ]
        if missing:
            raise LinkError(Reason.NO_SERVICES, f"(no characteristic {missing[0]})")

    async def _abandon(self, client: BleakClient, why: Reason | None = None) -> None:
        self._client = self._closed = None
        try:
            async with asyncio.timeout(CALL_S):
                await client.disconnect()
        except BROKEN:
            pass  # it is gone already, which is what was wanted
        if why in _STALE:
            await self._make_forget(client)

    async def _make_forget(self, client: BleakClient) -> None:
        """BlueZ then drops its copy of the table, and a connection that a killed app began. Not all systems can."""
        try:
            async with asyncio.timeout(CALL_S):
                await client.unpair()
        except (*BROKEN, NotImplementedError) as error:
            log.info("link: the system does not forget the device: %r", error)

    def _on_gone(self, client: BleakClient) -> None:
        if client is self._client:
            self._client = None
            closed, self._closed = self._closed, None
            if closed:
                closed()

    async def send(self, data: bytes) -> None:
        await _within_time(self._connected().write_gatt_char(COMMAND_UUID, data, response=True))

    async def read_info(self) -> bytes:
        return bytes(await _within_time(self._connected().read_gatt_char(INFO_UUID)))

    def _connected(self) -> BleakClient:
        if self._client is None:
            raise LinkError(Reason.DROPPED)
        return self._client

    async def close(self) -> None:
        client = self._client
        if client:
            await self._abandon(client)


async def _within_time(call: Awaitable[T]) -> T:
    """A call on a connection that is up. `LinkError` when it fails or takes too long."""
    try:
        async with asyncio.timeout(CALL_S):
            return await call
    except BROKEN as error:
        raise link_error(error, Reason.DROPPED) from error
