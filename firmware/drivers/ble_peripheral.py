"""The ARC's Bluetooth: one service, several connections, on MicroPython's built-in `bluetooth` module.

The interrupt handler only queues: a handle, or bytes that the next write would overwrite. Tasks do the rest.
Advertising goes on while tablets are connected, so that one more can be told that the ARC is in use.
"""

import asyncio

import bluetooth

from protocol import gatt

_CONNECT, _DISCONNECT, _WRITE, _MTU_EXCHANGED = 1, 2, 3, 21
_ENOMEM = 12
_QUEUE = 16
_ATT_OVERHEAD = 3

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


class BleConnection:
    """One tablet's connection. `wake` is set whenever something came or it ended."""

    def __init__(self, peripheral: "BlePeripheral", handle: int) -> None:
        self._peripheral = peripheral
        self._handle = handle
        self._commands: "list[bytes]" = []
        self._is_up = True
        self.wake = asyncio.ThreadSafeFlag()
        self.max_size = gatt.SMALLEST_MTU - _ATT_OVERHEAD

    def connected(self) -> bool:
        return self._is_up

    def take(self) -> "bytes | None":
        """The oldest command that has come, or None."""
        return self._commands.pop(0) if self._commands else None

    def send(self, data: "bytes | memoryview") -> bool:
        """Hand one message to the radio. False: no room for it now, try again a little later."""
        return self._is_up and self._peripheral.notify(self._handle, data)

    def close(self) -> None:
        """End the connection from our side."""
        if self._is_up:
            self._is_up = False
            self._peripheral.hang_up(self._handle)

    def on_write(self, data: bytes) -> None:
        """From the interrupt handler. A tablet that does not wait for answers loses its connection."""
        if len(self._commands) >= _QUEUE:
            self._peripheral.overruns += 1
            self.close()
        else:
            self._commands.append(data)
        self.wake.set()

    def on_end(self) -> None:
        """From the interrupt handler."""
        self._is_up = False
        self.wake.set()


class BlePeripheral:
    """The radio. `connects`, `no_memory`, `unsent` and `overruns` count; `start` once, then `accept` for each connection."""

    def __init__(self, device: bytes, max_connections: int) -> None:
        self._device = device
        self._max_connections = max_connections
        self._ble: "Any" = bluetooth.BLE()
        self._connections: "dict[int, BleConnection]" = {}
        self._new: "list[BleConnection]" = []
        self._changed = asyncio.ThreadSafeFlag()
        self._interval_us = 0
        self._must_advertise = False
        self.connects = 0
        self.no_memory = 0
        self.unsent = 0
        self.overruns = 0

    def start(self, info: bytes, interval_us: int) -> None:
        """Switch the radio on, before large allocations, and advertise."""
        ble = self._ble
        ble.active(True)
        ble.config(mtu=gatt.PREFERRED_MTU, gap_name=gatt.device_name(self._device))
        ble.irq(self._on_irq)
        table = tuple([(bluetooth.UUID(uuid), properties) for uuid, properties in gatt.CHARACTERISTICS])
        ((self._info, self._command, self._event),) = ble.gatts_register_services(
            ((bluetooth.UUID(gatt.SERVICE_UUID), table),)
        )
        # One byte more than a command may have tells a longer one from one that fits.
        ble.gatts_set_buffer(self._command, gatt.MAX_COMMAND + 1)
        ble.gatts_set_buffer(self._event, gatt.PREFERRED_MTU - _ATT_OVERHEAD)
        ble.gatts_set_buffer(self._info, 64)
        self.show_info(info)
        self.advertise(interval_us)

    def show_info(self, info: bytes) -> None:
        """What the INFO characteristic reads from now on."""
        self._ble.gatts_write(self._info, info)

    def advertise(self, interval_us: int) -> None:
        """Advertise at this interval; again after each connection and disconnection, from `accept`."""
        self._interval_us = interval_us
        self._must_advertise = True
        self._changed.set()

    async def accept(self, within_ms: int) -> "BleConnection | None":
        """The next new connection; None when there was none in time, or something else to do. Called again and again it keeps
        the advertising going. Nothing is taken before the wait is over: who comes just as the time runs out is not lost."""
        if self._must_advertise:
            self._advertise_now()
        if not self._new:
            try:
                await asyncio.wait_for_ms(self._changed.wait(), within_ms)
            except asyncio.TimeoutError:
                pass
        return self._new.pop(0) if self._new else None

    def is_on(self) -> bool:
        """Is the radio active, and does it advertise or serve somebody?"""
        return bool(self._ble.active()) and (bool(self._connections) or not self._must_advertise)

    def notify(self, handle: int, data: "bytes | memoryview") -> bool:
        """One notification; False when the stack has no room (`no_memory`) or does not take it: the connection is
        just ending, say (`unsent`)."""
        try:
            self._ble.gatts_notify(handle, self._event, data)
        except OSError as error:
            if error.errno == _ENOMEM:
                self.no_memory += 1
            else:
                self.unsent += 1
            return False
        return True

    def hang_up(self, handle: int) -> None:
        """End a connection; nothing happens when it has already ended."""
        try:
            self._ble.gap_disconnect(handle)
        except OSError:
            pass

    def _advertise_now(self) -> None:
        self._must_advertise = False
        try:
            if len(self._connections) >= self._max_connections:
                self._ble.gap_advertise(None)
                return
            self._ble.gap_advertise(
                self._interval_us, gatt.advertisement(self._device), resp_data=gatt.scan_response(self._device)
            )
        except OSError:
            # The stack is still busy with the connection that changed: the next change, or `accept`, tries again.
            self._must_advertise = True

    def _on_irq(self, event: int, data: "Any") -> None:
        handle = data[0]
        connection = self._connections.get(handle)
        try:
            if event == _CONNECT:
                connection = BleConnection(self, handle)
                self._connections[handle] = connection
                self._new.append(connection)
                self.connects += 1
                self._has_changed()
            elif event == _DISCONNECT:
                if connection is not None:
                    del self._connections[handle]
                    connection.on_end()
                self._has_changed()
            elif connection is None:
                return
            elif event == _WRITE and data[1] == self._command:
                connection.on_write(self._ble.gatts_read(self._command))
            elif event == _MTU_EXCHANGED:
                connection.max_size = min(data[1], gatt.PREFERRED_MTU) - _ATT_OVERHEAD
        except Exception:
            # For want of memory, say. After one that escapes MicroPython would not call again until the next boot; who is
            # hung up comes back, and nothing was taken of it.
            self.overruns += 1
            self.hang_up(handle)

    def _has_changed(self) -> None:
        self._must_advertise = True
        self._changed.set()
