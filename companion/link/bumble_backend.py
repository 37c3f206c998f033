"""bleak's scanner and client over a bumble host: the app's own Bluetooth code, on the desk's radio.

    BleakScanner(backend=BumbleScanner, radio="unix-client:PATH")
    BleakClient(device, backend=BumbleClient, radio="unix-client:PATH", mtu=23)

Without `radio` the environment variable ARC_BLE names it. `mtu` is what this host asks for at most: old tablets stay at 23.
"""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any, TypeVar

from bleak.assigned_numbers import CharacteristicPropertyName
from bleak.backends.characteristic import BleakGATTCharacteristic
from bleak.backends.client import BaseBleakClient, NotifyCallback
from bleak.backends.descriptor import BleakGATTDescriptor
from bleak.backends.device import BLEDevice
from bleak.backends.service import BleakGATTService, BleakGATTServiceCollection
from bleak.exc import BleakDeviceNotFoundError, BleakError, BleakGATTProtocolError, BleakGATTProtocolErrorCode
from bumble import att, core, hci
from bumble.core import PhysicalTransport
from bumble.device import Peer
from bumble.pairing import PairingConfig, PairingDelegate

from companion.link.bumble_dongle import Dongle, in_bleaks_words, is_cancelled_from_outside
from companion.link.bumble_scanner import BumbleScanner, uuid_text

__all__ = ["BumbleClient", "BumbleScanner"]

_T = TypeVar("_T")

MTU = 517
"""What this host asks for when nobody says less; the board's own limit decides."""

_PROPERTIES: tuple[tuple[int, CharacteristicPropertyName], ...] = (
    (0x01, "broadcast"),
    (0x02, "read"),
    (0x04, "write-without-response"),
    (0x08, "write"),
    (0x10, "notify"),
    (0x20, "indicate"),
    (0x40, "authenticated-signed-writes"),
    (0x80, "extended-properties"),
)


class BumbleClient(BaseBleakClient):
    """bleak's client on the desk's radio."""

    def __init__(self, address_or_ble_device: BLEDevice | str, **options: Any) -> None:
        super().__init__(
            address_or_ble_device,
            disconnected_callback=options.get("disconnected_callback"),
            timeout=options.get("timeout", 30.0),
        )
        self._found = address_or_ble_device if isinstance(address_or_ble_device, BLEDevice) else None
        self._wanted: set[str] | None = options.get("services")
        self._radio: str | None = options.get("radio")
        self._mtu: int = options.get("mtu", MTU)
        self._dongle: Dongle | None = None
        self._connection: Any = None
        self._peer: Any = None
        self._is_up = False
        self._subscriptions: dict[int, Callable[[bytes], None]] = {}

    @property
    def name(self) -> str:
        return (self._found and self._found.name) or self.address.replace(":", "-")

    @property
    def mtu_size(self) -> int:
        return int(self._peer.gatt_client.mtu) if self._peer else 23

    @property
    def is_connected(self) -> bool:
        return self._connection is not None

    async def connect(self, pair: bool, **_options: Any) -> None:
        if self._connection is not None:
            raise BleakError("already connected")
        self._dongle = await Dongle.acquire(self._radio)
        try:
            await self._reach(self._dongle)
            async with asyncio.timeout(self._timeout):
                await self._settle(pair)
        except BaseException as error:
            await self.disconnect()
            await self._let_go()
            if isinstance(error, BleakError) or is_cancelled_from_outside():
                raise
            raise BleakError(f"connecting to {self.address} failed: {error!r}") from error
        self._is_up = True

    async def _reach(self, dongle: Dongle) -> None:
        address = self._found.details if self._found else hci.Address(self.address)
        attempt = asyncio.ensure_future(
            dongle.device.connect(address, transport=PhysicalTransport.LE, timeout=self._timeout)
        )
        forget = dongle.on_lost(attempt.cancel)
        try:
            connection = await attempt
        except (core.TimeoutError, TimeoutError):
            raise BleakDeviceNotFoundError(self.address, f"{self.address} was not found") from None
        finally:
            forget()
        if not _is_alive(connection):
            raise BleakError(f"{self.address} did not take the connection")
        self._connection, self._peer = connection, Peer(connection)
        connection.on(connection.EVENT_DISCONNECTION, self._on_disconnection)

    async def _settle(self, pair: bool) -> None:
        if pair:
            await self.pair()
        await self._ask(lambda peer: peer.request_mtu(self._mtu))
        self.services = await self._ask(self._discover)

    async def _discover(self, peer: Any) -> BleakGATTServiceCollection:
        collection = BleakGATTServiceCollection()
        await peer.discover_services()
        for service in peer.services:
            if self._wanted and uuid_text(service.uuid) not in self._wanted:
                continue
            await peer.discover_characteristics(service=service)
            shown = BleakGATTService(service, service.handle, uuid_text(service.uuid))
            collection.add_service(shown)
            for characteristic in service.characteristics:
                await peer.discover_descriptors(characteristic=characteristic)
                self._add_characteristic(collection, shown, characteristic)
        return collection

    def _add_characteristic(
        self, collection: BleakGATTServiceCollection, service: BleakGATTService, found: Any
    ) -> None:
        properties = [name for bit, name in _PROPERTIES if found.properties & bit]
        shown = BleakGATTCharacteristic(
            found, found.handle, uuid_text(found.uuid), properties, lambda: self.mtu_size - 3, service
        )
        collection.add_characteristic(shown)
        for descriptor in found.descriptors:
            shown_descriptor = BleakGATTDescriptor(descriptor, descriptor.handle, uuid_text(descriptor.type), shown)
            collection.add_descriptor(shown_descriptor)

    def _on_disconnection(self, _reason: int) -> None:
        if self._connection is None:
            return
        was_up, self._is_up = self._is_up, False
        self._connection = self._peer = self.services = None
        self._subscriptions.clear()
        if was_up:
            # a drop while connecting is told by connect() itself
            asyncio.ensure_future(self._let_go())  # noqa: RUF006 - closes a socket, nobody waits for it
            if self._disconnected_callback:
                self._disconnected_callback()

    async def _let_go(self) -> None:
        dongle, self._dongle = self._dongle, None
        if dongle is not None:
            await dongle.release()

    async def disconnect(self) -> None:
        connection = self._connection
        if connection is None:
            return
        if not _is_alive(connection):
            self._on_disconnection(0)
            return
        try:
            async with asyncio.timeout(self._timeout):
                with in_bleaks_words("hanging up"):
                    await connection.disconnect()
        except (BleakError, TimeoutError):
            self._on_disconnection(0)

    async def pair(self, *_args: Any, delegate: PairingDelegate | None = None, **_options: Any) -> None:
        """Pair and bond; a `delegate` answers passkey questions and asks for protection by them."""
        connection = self._need_peer().connection
        connection.device.pairing_config_factory = lambda _connection: PairingConfig(
            sc=True,
            mitm=delegate is not None,
            bonding=True,
            delegate=delegate or PairingDelegate(),
            identity_address_type=PairingConfig.AddressType.RANDOM,
        )
        try:
            async with asyncio.timeout(self._timeout):
                with in_bleaks_words("pairing"):
                    await connection.pair()
        except (BleakError, TimeoutError) as error:
            # bumble keeps the failed session, and the next attempt would wait for it
            connection.device.smp_manager.sessions.pop(connection.handle, None)
            raise BleakError(f"pairing failed: {error}") from error

    async def unpair(self) -> None:
        """Bonds last as long as the dongle: leaving is forgetting."""
        await self.disconnect()

    def _need_peer(self) -> Any:
        if self._peer is None:
            raise BleakError("Not connected")
        return self._peer

    async def _ask(self, request: Callable[[Any], Awaitable[_T]]) -> _T:
        """One exchange with the peer, bumble's errors told in bleak's."""
        peer = self._need_peer()
        try:
            return await request(peer)
        except att.ATT_Error as error:
            raise BleakGATTProtocolError(BleakGATTProtocolErrorCode(error.error_code)) from error
        except asyncio.CancelledError:
            # bumble cancels its own pending request when the link drops
            if self._peer is peer or is_cancelled_from_outside():
                raise
            raise BleakError("disconnected") from None
        except (core.BaseBumbleError, hci.HCI_Error, TimeoutError) as error:
            raise BleakError(str(error) or repr(error)) from error

    async def read_gatt_char(
        self, characteristic: BleakGATTCharacteristic, *, use_cached: bool = False, **_options: Any
    ) -> bytearray:
        return bytearray(await self._ask(lambda peer: peer.read_value(characteristic.obj)))

    async def read_gatt_descriptor(
        self, descriptor: BleakGATTDescriptor, *, use_cached: bool = False, **_options: Any
    ) -> bytearray:
        return bytearray(await self._ask(lambda peer: peer.read_value(descriptor.obj)))

    async def write_gatt_char(self, characteristic: BleakGATTCharacteristic, data: Any, response: bool) -> None:
        value = bytes(data)
        if not response and len(value) > self.mtu_size - 3:
            raise BleakError(f"{len(value)} bytes do not fit into one write without response")
        await self._ask(lambda peer: peer.write_value(characteristic.obj, value, with_response=response))

    async def write_gatt_descriptor(self, descriptor: BleakGATTDescriptor, data: Any) -> None:
        await self._ask(lambda peer: peer.write_value(descriptor.obj, bytes(data), with_response=True))

    async def start_notify(
        self, characteristic: BleakGATTCharacteristic, callback: NotifyCallback, **_options: Any
    ) -> None:
        if characteristic.handle in self._subscriptions:
            raise BleakError("notifications are already on")

        def deliver(value: bytes) -> None:
            callback(bytearray(value))

        await self._ask(lambda peer: peer.subscribe(characteristic.obj, deliver))
        self._subscriptions[characteristic.handle] = deliver

    async def stop_notify(self, characteristic: BleakGATTCharacteristic) -> None:
        deliver = self._subscriptions.pop(characteristic.handle, None)
        if deliver is not None:
            await self._ask(lambda peer: peer.unsubscribe(characteristic.obj, deliver))


def _is_alive(connection: Any) -> bool:
    return connection.device.connections.get(connection.handle) is connection
