"""The Bluetooth host of one board, behind its `bluetooth` shim: GATT server, advertising, connections.

Frames both ways: length u16 of what follows, one letter, payload; little-endian. A `?`-marked letter is answered by
one `=` frame of JSON before anything else is asked.

    from the board                                        to the board
    A? JSON address and settings: switch on                c, d  connected, disconnected: connection u16, type u8, address
    C? JSON settings                                       m  MTU: connection u16, mtu u16
    S? JSON services; answers the handles                  w  remote write: connection u16, handle u16, value
    V? JSON advertising, null stops                        r  remote read, to be answered by R
    D? disconnect: connection u16                          n  one notification's buffer is free again: connection u16
    R  answer to r: connection u16, handle u16, status u8, value    i  indication done: connection, handle, status u8
    N  notify, I indicate: connection u16, handle u16, value        e  encryption: connection u16, 4 flags, key size
    U  update the subscribed: handle u16, value            p  passkey wanted: connection u16, action u8, number u32
    X  exchange MTU, G  pair: connection u16
    P  passkey: connection u16, action u8, number u32
"""

import asyncio
import contextlib
import json
import struct
from collections import deque
from typing import Any

from bumble import att, core, device, hci
from bumble.gatt import Characteristic, CharacteristicValue, Descriptor, Service
from bumble.gatt_server import Server
from bumble.host import Host
from bumble.transport.common import AsyncPipeSink

from firmware.desk.radio_air import Air
from firmware.desk.radio_controller import DeskController
from firmware.desk.radio_pairing import IDENTITY, Pairing

_FLAG_READ, _FLAGS_WRITE = 0x02, 0x04 | 0x08
"""As MicroPython and the specification have them: read; write without and with response."""
_FLAG_READ_ENCRYPTED, _FLAG_READ_AUTHENTICATED = 0x0200, 0x0400
_FLAG_WRITE_ENCRYPTED, _FLAG_WRITE_AUTHENTICATED = 0x1000, 0x2000
_ASKED = "ACSVD"
_ORDERS = {
    "A": "switch_on",
    "C": "configure",
    "S": "register_services",
    "V": "advertise",
    "R": "answer_read",
    "D": "disconnect",
    "N": "notify",
    "I": "indicate",
    "U": "update_subscribed",
    "X": "exchange_mtu",
    "G": "pair",
    "P": "give_passkey",
}


class Peripheral(asyncio.Protocol):
    """One board's connection to the radio; the board is on the air while it lasts and has switched its radio on."""

    def __init__(self, air: Air) -> None:
        self._air = air
        self._buffer = bytearray()
        self._orders: asyncio.Queue[bytes] = asyncio.Queue()
        self._settings: dict[str, Any] = {}
        self._device: Any = None
        self._controller: DeskController | None = None
        self._attributes: dict[int, Any] = {}
        self._connections: dict[int, Any] = {}
        self._pairing = Pairing(self._send)
        self._reads: dict[tuple[int, int], deque[asyncio.Future[bytes]]] = {}
        self._background: set[asyncio.Task[None]] = set()

    # the socket

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.WriteTransport)
        self._transport = transport
        self._spawn(self._work())

    def data_received(self, data: bytes) -> None:
        self._buffer += data
        while len(self._buffer) >= 2:
            end = 2 + (self._buffer[0] | self._buffer[1] << 8)
            if len(self._buffer) < end:
                return
            self._orders.put_nowait(bytes(self._buffer[2:end]))
            del self._buffer[:end]

    def connection_lost(self, exc: Exception | None) -> None:
        for task in self._background:
            task.cancel()
        if self._controller:
            self._controller.unplug()

    def _send(self, letter: bytes, payload: bytes = b"") -> None:
        self._transport.write(struct.pack("<H", 1 + len(payload)) + letter + payload)

    def _spawn(self, work: Any) -> None:
        task = asyncio.ensure_future(work)
        self._background.add(task)
        task.add_done_callback(self._background.discard)

    async def _work(self) -> None:
        while True:
            order = await self._orders.get()
            letter = chr(order[0])
            answer = await getattr(self, "_on_" + _ORDERS[letter])(order[1:])
            if letter in _ASKED:
                self._send(b"=", json.dumps(answer).encode())

    # switching on, services

    async def _on_switch_on(self, payload: bytes) -> None:
        self._settings = json.loads(payload)
        address = hci.Address(self._settings["address"])
        controller = self._controller = DeskController(f"board {address}", self._air)
        config = device.DeviceConfiguration(name="MPY", address=address, identity_address_type=IDENTITY)
        self._device = device.Device(config=config, host=Host(controller, AsyncPipeSink(controller)))
        self._device.gatt_server.max_mtu = self._settings["mtu"]
        self._device.on(device.Device.EVENT_CONNECTION, self._on_connection)
        self._pairing.attach(self._device, self._settings)
        await self._device.power_on()

    async def _on_configure(self, payload: bytes) -> None:
        self._settings.update(json.loads(payload))
        self._device.gatt_server.max_mtu = self._settings["mtu"]

    async def _on_register_services(self, payload: bytes) -> list[list[int]]:
        """Registering replaces the whole table, as on the boards."""
        self._device.gatt_server = server = Server(self._device)
        server.max_mtu = self._settings["mtu"]
        self._device.add_default_services()
        self._attributes, handles = {}, []
        for service_uuid, rows in json.loads(payload):
            characteristics = [self._characteristic(*row) for row in rows]
            self._device.add_service(Service(_uuid(service_uuid), characteristics))
            found = [a for c in characteristics for a in (c, *c.descriptors[: len(c.declared)])]
            self._attributes.update({a.handle: a for a in found})
            handles.append([a.handle for a in found])
        return handles

    def _characteristic(self, uuid: str, flags: int, descriptors: list[Any]) -> Any:
        declared = [self._valued(Descriptor(_uuid(u), _permissions(f), b""), f) for u, f in descriptors]
        properties = Characteristic.Properties(flags & 0x3F)
        characteristic: Any = Characteristic(_uuid(uuid), properties, _permissions(flags), b"", declared)
        characteristic.declared = declared
        return self._valued(characteristic, flags)

    def _valued(self, attribute: Any, flags: int) -> Any:
        """Reads and writes of `attribute` go to the board, if its flags have them: bumble does not look at that (NimBLE does), and
        takes every encrypted link for authenticated."""

        def demand(connection: Any, allowed: int, error: att.ErrorCode, flag: int) -> None:
            if not flags & allowed:
                raise att.ATT_Error(error)
            if flags & flag and connection.handle not in self._pairing.authenticated:
                raise att.ATT_Error(att.ErrorCode.INSUFFICIENT_AUTHENTICATION)

        async def read(connection: Any) -> bytes:
            demand(connection, _FLAG_READ, att.ErrorCode.READ_NOT_PERMITTED, _FLAG_READ_AUTHENTICATED)
            key = connection.handle, attribute.handle
            future: asyncio.Future[bytes] = asyncio.get_running_loop().create_future()
            self._reads.setdefault(key, deque()).append(future)
            self._send(b"r", struct.pack("<HH", *key))
            return await future

        def write(connection: Any, value: bytes) -> None:
            demand(connection, _FLAGS_WRITE, att.ErrorCode.WRITE_NOT_PERMITTED, _FLAG_WRITE_AUTHENTICATED)
            self._send(b"w", struct.pack("<HH", connection.handle, attribute.handle) + bytes(value))

        attribute.value = CharacteristicValue(read=read, write=write)
        return attribute

    async def _on_answer_read(self, payload: bytes) -> None:
        connection, handle, status = struct.unpack_from("<HHB", payload)
        waiting = self._reads.get((connection, handle))
        future = waiting.popleft() if waiting else None
        if future is None or future.done():
            return
        if status:
            future.set_exception(att.ATT_Error(status))
        else:
            future.set_result(payload[5:])

    # advertising and connections

    async def _on_advertise(self, payload: bytes) -> None:
        wanted = json.loads(payload)
        if wanted is None:
            await self._device.stop_advertising()
            return
        interval_us, data, response, connectable = wanted
        kinds = device.AdvertisingType
        await self._device.start_advertising(
            kinds.UNDIRECTED_CONNECTABLE_SCANNABLE if connectable else kinds.UNDIRECTED_SCANNABLE,
            advertising_data=bytes.fromhex(data),
            scan_response_data=bytes.fromhex(response),
            advertising_interval_min=interval_us / 1000,
            advertising_interval_max=interval_us / 1000,
        )

    def _on_connection(self, connection: Any) -> None:
        self._connections[connection.handle] = connection
        peer = connection.peer_address
        body = struct.pack("<HB", connection.handle, int(peer.address_type) & 1) + bytes(peer)[::-1]
        self._send(b"c", body)
        connection.on(connection.EVENT_DISCONNECTION, lambda _reason: self._on_disconnection(connection, body))
        connection.on(connection.EVENT_CONNECTION_ATT_MTU_UPDATE, lambda: self._on_mtu(connection))
        self._pairing.watch(connection)

    def _on_disconnection(self, connection: Any, body: bytes) -> None:
        self._connections.pop(connection.handle, None)
        self._pairing.authenticated.discard(connection.handle)
        for key in [key for key in self._reads if key[0] == connection.handle]:
            for future in self._reads.pop(key):
                future.cancel()
        self._send(b"d", body)

    def _on_mtu(self, connection: Any) -> None:
        self._send(b"m", struct.pack("<HH", connection.handle, connection.att_mtu))

    async def _on_disconnect(self, payload: bytes) -> bool:
        connection = self._connections.get(struct.unpack("<H", payload)[0])
        if connection is not None:
            self._spawn(self._end(connection))
        return connection is not None

    async def _end(self, connection: Any) -> None:
        with contextlib.suppress(core.BaseBumbleError, hci.HCI_Error):
            await connection.disconnect()

    async def _on_exchange_mtu(self, payload: bytes) -> None:
        """The central asks for the MTU in our profile; a board that asks gets what was agreed."""
        if connection := self._connections.get(struct.unpack("<H", payload)[0]):
            self._on_mtu(connection)

    async def _on_pair(self, payload: bytes) -> None:
        if connection := self._connections.get(struct.unpack("<H", payload)[0]):
            self._device.request_pairing(connection)

    async def _on_give_passkey(self, payload: bytes) -> None:
        self._pairing.give_passkey(struct.unpack("<HBI", payload)[2])

    # notifications

    async def _on_notify(self, payload: bytes) -> None:
        handle, attribute = struct.unpack_from("<HH", payload)
        connection = self._connections.get(handle)
        if connection is None or attribute not in self._attributes:
            return
        # NimBLE's notify_custom does not look at the CCCD
        await self._device.notify_subscriber(connection, self._attributes[attribute], payload[4:], force=True)
        self._spawn(self._return_buffer(connection))

    async def _return_buffer(self, connection: Any) -> None:
        """The board's buffer is free when the controller has sent what was queued up to now."""
        queue = self._device.host.le_acl_packet_queue
        target = queue.queued
        while connection.handle in self._connections and queue.completed < target:
            await _next_flow(queue, connection)
        self._send(b"n", struct.pack("<H", connection.handle))

    async def _on_update_subscribed(self, payload: bytes) -> None:
        (attribute,) = struct.unpack_from("<H", payload)
        await self._device.notify_subscribers(self._attributes[attribute], payload[2:])

    async def _on_indicate(self, payload: bytes) -> None:
        self._spawn(self._send_indication(payload))

    async def _send_indication(self, payload: bytes) -> None:
        handle, attribute = struct.unpack_from("<HH", payload)
        status = 13  # BLE_HS_ETIMEOUT
        if connection := self._connections.get(handle):
            with contextlib.suppress(core.BaseBumbleError, TimeoutError):
                await self._device.gatt_server.indicate_subscriber(
                    connection, self._attributes[attribute], payload[4:], force=True
                )
                status = 0
        self._send(b"i", struct.pack("<HHB", handle, attribute, status))


async def _next_flow(queue: Any, connection: Any) -> None:
    """Wait until the controller has sent something, or the connection is over."""
    flow = asyncio.get_running_loop().create_future()

    def end(*_arguments: Any) -> None:
        if not flow.done():
            flow.set_result(None)

    queue.once("flow", end)
    connection.once(connection.EVENT_DISCONNECTION, end)
    await flow
    for emitter, event in ((queue, "flow"), (connection, connection.EVENT_DISCONNECTION)):
        if end in emitter.listeners(event):
            emitter.remove_listener(event, end)


def _uuid(text: str) -> core.UUID:
    return core.UUID.from_bytes(bytes.fromhex(text))


def _permissions(flags: int) -> att.Attribute.Permissions:
    kinds = att.Attribute.Permissions
    permissions = kinds(0)
    if flags & _FLAG_READ:
        permissions |= kinds.READABLE
    if flags & _FLAGS_WRITE:
        permissions |= kinds.WRITEABLE
    if flags & (_FLAG_READ_ENCRYPTED | _FLAG_READ_AUTHENTICATED):
        permissions |= kinds.READ_REQUIRES_ENCRYPTION
    if flags & (_FLAG_WRITE_ENCRYPTED | _FLAG_WRITE_AUTHENTICATED):
        permissions |= kinds.WRITE_REQUIRES_ENCRYPTION
    return permissions
