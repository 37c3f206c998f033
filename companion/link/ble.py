"""The ARC over Bluetooth LE, through bleak. Found by its service and device id, never by its address (other systems hide it)."""

import asyncio
from collections.abc import Callable
from typing import Any

from bleak import BleakClient, BleakScanner
from bleak.backends.characteristic import BleakGATTCharacteristic
from bleak.backends.device import BLEDevice
from bleak.backends.scanner import AdvertisementData
from bleak.exc import BleakDeviceNotFoundError, BleakError

from companion.link.reasons import LinkError, Reason
from companion.link.transport import Closed, Received
from protocol.gatt import COMMAND_UUID, COMPANY_ID, DEVICE_ID_SIZE, EVENT_UUID, INFO_UUID, SERVICE_UUID

SCAN_S = 10.0
CONNECT_S = 15.0
CALL_S = 5.0
_BROKEN = (BleakError, OSError, EOFError, TimeoutError)
"""What bleak's backends raise: their own, the operating system's (no D-Bus, no adapter), and time-outs."""


def device_of(advertisement: AdvertisementData) -> bytes | None:
    """The device id in an ARC's advertisement; None: not an ARC."""
    data = advertisement.manufacturer_data.get(COMPANY_ID, b"")
    if SERVICE_UUID not in advertisement.service_uuids or len(data) != DEVICE_ID_SIZE:
        return None
    return bytes(data)


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
        client = BleakClient(device, disconnected_callback=self._on_gone, timeout=CONNECT_S, **self._client_options)

        def on_unit(_: BleakGATTCharacteristic, data: bytearray) -> None:
            if self._client is client:
                received(bytes(data))

        try:
            async with asyncio.timeout(CONNECT_S + CALL_S):
                await client.connect()
                self._client = client
                self._check_table(client)
                await client.start_notify(EVENT_UUID, on_unit)
        except _BROKEN as error:
            await self._abandon(client)
            raise LinkError(Reason.DROPPED, str(error)) from error
        except BaseException:
            await self._abandon(client)
            raise
        self._closed = closed
        if not client.is_connected:
            await self._abandon(client)
            raise LinkError(Reason.DROPPED)

    async def _find(self) -> BLEDevice:
        """The wanted ARC as soon as it is heard; another one only when the scan is over (people are asked about it)."""
        wanted, others = self._wanted(), list[BLEDevice]()

        def is_wanted(device: BLEDevice, advertisement: AdvertisementData) -> bool:
            found = device_of(advertisement)
            if found is not None and wanted not in (None, found):
                others.append(device)
            return found is not None and wanted in (None, found)

        try:
            async with asyncio.timeout(SCAN_S + CALL_S):
                device = await BleakScanner.find_device_by_filter(
                    is_wanted, timeout=SCAN_S, service_uuids=[SERVICE_UUID], **self._scanner
                )
        except BleakDeviceNotFoundError as error:
            raise LinkError(Reason.NOT_FOUND) from error
        except _BROKEN as error:
            raise LinkError(Reason.NO_BLUETOOTH, str(error)) from error
        if device is None and not others:
            raise LinkError(Reason.NOT_FOUND)
        return device or others[-1]

    def _check_table(self, client: BleakClient) -> None:
        """A cache of an older firmware's table shows here and not in a write that goes astray."""
        missing = [
            uuid for uuid in (INFO_UUID, COMMAND_UUID, EVENT_UUID) if not client.services.get_characteristic(uuid)
        ]
        if missing:
            raise LinkError(
                Reason.NOT_AN_ARC, f"(no characteristic {missing[0]}; forget the device in the system's settings)"
            )

    async def _abandon(self, client: BleakClient) -> None:
        self._client = self._closed = None
        try:
            async with asyncio.timeout(CALL_S):
                await client.disconnect()
        except _BROKEN:
            pass  # it is gone already, which is what was wanted

    def _on_gone(self, client: BleakClient) -> None:
        if client is self._client:
            self._client = None
            closed, self._closed = self._closed, None
            if closed:
                closed()

    async def send(self, data: bytes) -> None:
        client = self._connected()
        try:
            async with asyncio.timeout(CALL_S):
                await client.write_gatt_char(COMMAND_UUID, data, response=True)
        except _BROKEN as error:
            raise LinkError(Reason.DROPPED, str(error)) from error

    async def read_info(self) -> bytes:
        client = self._connected()
        try:
            async with asyncio.timeout(CALL_S):
                return bytes(await client.read_gatt_char(INFO_UUID))
        except _BROKEN as error:
            raise LinkError(Reason.DROPPED, str(error)) from error

    def _connected(self) -> BleakClient:
        if self._client is None:
            raise LinkError(Reason.DROPPED)
        return self._client

    async def close(self) -> None:
        client = self._client
        if client:
            await self._abandon(client)
