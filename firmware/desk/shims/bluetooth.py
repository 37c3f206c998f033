"""The boards' `bluetooth` module for the interpreter on the computer: peripheral role, served by the desk's radio.

Frames as in `radio_peripheral.py`. Fidelity is to MicroPython's NimBLE port: values are cut to their buffers (20
bytes until set), notifications run out of memory, IRQ addresses live only inside the handler. IRQs are delivered
while the asyncio loop runs.
"""

import asyncio
import binascii
import json
import os
import struct
import sys

import _line

FLAG_BROADCAST = 0x0001
FLAG_READ = 0x0002
FLAG_WRITE_NO_RESPONSE = 0x0004
FLAG_WRITE = 0x0008
FLAG_NOTIFY = 0x0010
FLAG_INDICATE = 0x0020
FLAG_AUTHENTICATED_SIGNED_WRITE = 0x0040

_IRQ_CENTRAL_CONNECT = 1
_IRQ_CENTRAL_DISCONNECT = 2
_IRQ_GATTS_WRITE = 3
_IRQ_GATTS_READ_REQUEST = 4
_IRQ_GATTS_INDICATE_DONE = 20
_IRQ_MTU_EXCHANGED = 21
_IRQ_ENCRYPTION_UPDATE = 28
_IRQ_PASSKEY_ACTION = 31

_EINVAL, _ENOMEM, _ENODEV, _ENOTCONN = 22, 12, 19, 107
_DEFAULT_BUFFER = 20
_ADVERTISING_LIMIT = 31


class UUID:
    """A 16-bit number, a 128-bit text, or the bytes of either, little-endian."""

    def __init__(self, value):
        if isinstance(value, int):
            self._bytes = struct.pack("<H", value)
        elif isinstance(value, str):
            data = binascii.unhexlify(value.replace("-", ""))
            if len(data) != 16:
                raise ValueError("invalid UUID")
            self._bytes = bytes(reversed(data))
        else:
            self._bytes = bytes(value)
            if len(self._bytes) not in (2, 4, 16):
                raise ValueError("invalid UUID")

    def __iter__(self):  # bytes(uuid): the interpreter asks for an iterator, not for __bytes__
        return iter(self._bytes)

    def __len__(self):
        return len(self._bytes)

    def __eq__(self, other):
        return isinstance(other, UUID) and self._bytes == other._bytes

    def __hash__(self):
        return hash(self._bytes)

    def __repr__(self):
        return "UUID('%s')" % binascii.hexlify(bytes(reversed(self._bytes))).decode()


class _Value:
    """An attribute's buffer."""

    def __init__(self, limit, append):
        self.data = b""
        self.limit = limit
        self.append = append

    def take(self, data):
        """A remote write: what does not fit is cut off."""
        self.data = ((self.data if self.append else b"") + data)[: self.limit]


class BLE:
    """The one Bluetooth of this board."""

    _the_one = None

    def __new__(cls):
        if cls._the_one is None:
            cls._the_one = super().__new__(cls)
            cls._the_one._start()
        return cls._the_one

    def _start(self):
        self._line = None
        self._handler = None
        self._values = {}
        self._connections = set()
        self._waiting = []
        # How many notifications the stack buffers. Not measured on a board: a knob.
        self._buffers = self._free = int(os.getenv("ARC_BLE_BUFFERS") or 12)
        self._settings = {
            "address": os.getenv("ARC_BLE_ADDRESS") or "F0:F1:F2:00:00:02",
            "mtu": 256,
            "bond": False,
            "mitm": False,
            "le_secure": True,
            "io": 3,
        }
        # no `rxbuf`: boards that call the handler at once, as the ESP32 does, have no such buffer and refuse the name
        self._local = {"gap_name": b"MPY NIMBLE", "addr_mode": 0}

    # the radio

    def _tell(self, letter, payload=b""):
        if self._line is None:
            raise OSError(_ENODEV)
        self._line.write(struct.pack("<H", 1 + len(payload)) + letter + payload)

    def _ask(self, letter, payload=b""):
        self._tell(letter, payload)
        while True:
            frame = self._line.read_frame()
            if frame[0] == 0x3D:  # =
                break
            self._waiting.append(frame)
        if self._waiting:
            # the pump sleeps until something new comes
            asyncio.create_task(self._deliver_waiting())  # noqa: RUF006 - here the loop holds its tasks
        return json.loads(frame[1:])

    async def _deliver_waiting(self):
        while self._waiting:
            frame = self._waiting.pop(0)
            self._on_frame(chr(frame[0]), frame)

    async def _pump(self):
        line = self._line
        while self._line is line:
            await self._deliver_waiting()
            frame = line.poll_frame()
            if frame is None:
                await line.readable()
            else:
                self._on_frame(chr(frame[0]), frame)

    def _irq(self, event, data):
        if self._handler is None:
            return None
        try:
            return self._handler(event, data)
        except Exception as error:
            # as on the boards: a failing handler is printed and never called again
            sys.print_exception(error)
            self._handler = None
            return None

    def _on_frame(self, letter, frame):
        if letter == "w":
            connection, handle = struct.unpack_from("<HH", frame, 1)
            if handle in self._values:
                self._values[handle].take(frame[5:])
                self._irq(_IRQ_GATTS_WRITE, (connection, handle))
        elif letter == "n":
            self._free = min(self._buffers, self._free + 1)
        elif letter == "r":
            self._on_read(*struct.unpack_from("<HH", frame, 1))
        elif letter in "cd":
            self._on_link(letter == "c", frame)
        elif letter == "m":
            self._irq(_IRQ_MTU_EXCHANGED, struct.unpack_from("<HH", frame, 1))
        elif letter == "i":
            self._irq(_IRQ_GATTS_INDICATE_DONE, struct.unpack_from("<HHB", frame, 1))
        elif letter == "e":
            connection, encrypted, authenticated, bonded, size = struct.unpack_from("<HBBBB", frame, 1)
            data = (connection, bool(encrypted), bool(authenticated), bool(bonded), size)
            self._irq(_IRQ_ENCRYPTION_UPDATE, data)
        elif letter == "p":
            self._irq(_IRQ_PASSKEY_ACTION, struct.unpack_from("<HBI", frame, 1))

    def _on_read(self, connection, handle):
        status = self._irq(_IRQ_GATTS_READ_REQUEST, (connection, handle)) or 0
        value = self._values[handle].data if handle in self._values else b""
        self._tell(b"R", struct.pack("<HHB", connection, handle, status) + value)

    def _on_link(self, is_up, frame):
        connection, kind = struct.unpack_from("<HB", frame, 1)
        address = bytearray(frame[4:10])
        if is_up:
            self._connections.add(connection)
        else:
            self._connections.discard(connection)
            if not self._connections:
                self._free = self._buffers
        self._irq(_IRQ_CENTRAL_CONNECT if is_up else _IRQ_CENTRAL_DISCONNECT, (connection, kind, memoryview(address)))
        # the board's memory is used again after the handler: whoever kept the view reads rubbish there too
        for i in range(6):
            address[i] = 0xDE

    # what a firmware calls

    def active(self, active=None):
        if active and self._line is None:
            self._line = _line.Line(os.getenv("ARC_RADIO"))
            self._ask(b"A", json.dumps(self._settings).encode())
            self._pumping = asyncio.create_task(self._pump())
        elif active is not None and not active and self._line is not None:
            self._line.close()
            self._line = None
            self._connections.clear()
            self._free = self._buffers
        return self._line is not None

    def config(self, *names, **settings):
        if names:
            if names[0] == "mac":
                return (1, binascii.unhexlify(self._settings["address"].replace(":", "")))
            if names[0] in self._settings:
                return self._settings[names[0]]
            if names[0] in self._local:
                return self._local[names[0]]
            raise ValueError("unknown config param")
        for name, value in settings.items():
            if name in self._local:
                self._local[name] = value
            elif name in self._settings:
                self._settings[name] = value
            else:
                raise ValueError("unknown config param")
        if self._line is not None:
            self._ask(b"C", json.dumps(self._settings).encode())
        return None

    def irq(self, handler):
        self._handler = handler

    def gap_advertise(self, interval_us, adv_data=None, *, resp_data=None, connectable=True):
        if interval_us is None:
            self._ask(b"V", b"null")
            return
        texts = []
        for part in (adv_data, resp_data):
            data = b"" if part is None else bytes(part)
            if len(data) > _ADVERTISING_LIMIT:
                raise OSError(_EINVAL)
            texts.append(binascii.hexlify(data).decode())
        self._ask(b"V", json.dumps([interval_us, texts[0], texts[1], connectable]).encode())

    def gap_disconnect(self, conn_handle):
        return self._ask(b"D", struct.pack("<H", conn_handle))

    def gap_pair(self, conn_handle):
        self._tell(b"G", struct.pack("<H", conn_handle))

    def gap_passkey(self, conn_handle, action, passkey):
        self._tell(b"P", struct.pack("<HBI", conn_handle, action, passkey))

    def gatts_register_services(self, services):
        table = []
        for uuid, characteristics in services:
            rows = []
            for row in characteristics:
                descriptors = [[_hex(d[0]), d[1]] for d in (row[2] if len(row) > 2 else ())]
                rows.append([_hex(row[0]), row[1], descriptors])
            table.append([_hex(uuid), rows])
        handles = self._ask(b"S", json.dumps(table).encode())
        self._values = {handle: _Value(_DEFAULT_BUFFER, False) for service in handles for handle in service}
        return tuple([tuple(service) for service in handles])

    def gatts_read(self, value_handle):
        value = self._values[value_handle]
        data = value.data
        if value.append:
            value.data = b""
        return data

    def gatts_write(self, value_handle, data, send_update=False):
        value = self._values[value_handle]
        value.data = bytes(data)
        value.limit = max(value.limit, len(value.data))
        if send_update:
            self._tell(b"U", struct.pack("<H", value_handle) + value.data)

    def gatts_set_buffer(self, value_handle, size, append=False):
        self._values[value_handle] = _Value(size, append)

    def gatts_notify(self, conn_handle, value_handle, data=None):
        payload = self._outgoing(conn_handle, value_handle, data)
        if self._free <= 0:
            raise OSError(_ENOMEM)
        self._free -= 1
        self._tell(b"N", payload)

    def gatts_indicate(self, conn_handle, value_handle, data=None):
        self._tell(b"I", self._outgoing(conn_handle, value_handle, data))

    def gattc_exchange_mtu(self, conn_handle):
        self._tell(b"X", struct.pack("<H", conn_handle))

    def _outgoing(self, connection, handle, data):
        if connection not in self._connections:
            raise OSError(_ENOTCONN)
        value = self._values[handle].data if data is None else bytes(data)
        return struct.pack("<HH", connection, handle) + value


def _hex(uuid):
    return binascii.hexlify(bytes(uuid)).decode()
