"""A small peripheral on the built-in `bluetooth` module, for the radio's tests: what it is told to do, it does.

Writes to COMMAND: `E…` is notified back, `B count size` notifies a burst with a running number and counts how often
the stack had no memory, `D` hangs up, `L` says how long the value in the 20-byte buffer is, `P` begins pairing.
"""

import asyncio
import struct

import bluetooth

SERVICE = bluetooth.UUID("6e400001-b5a3-f393-e0a9-e50e24dcca9e")
COMMAND = bluetooth.UUID("6e400002-b5a3-f393-e0a9-e50e24dcca9e")
EVENT = bluetooth.UUID("6e400003-b5a3-f393-e0a9-e50e24dcca9e")
SMALL = bluetooth.UUID("6e400004-b5a3-f393-e0a9-e50e24dcca9e")
PRIVATE = bluetooth.UUID("6e400005-b5a3-f393-e0a9-e50e24dcca9e")
_ENOMEM = 12

ble = bluetooth.BLE()
kept_addresses = []
orders = []


def advertise():
    flags_and_uuid = b"\x02\x01\x06\x11\x07" + bytes(SERVICE)
    ble.gap_advertise(100_000, flags_and_uuid, resp_data=b"\x09\x09ARC-TEST")


def on_irq(event, data):
    if event in (1, 2):
        kept_addresses.append(data[2])
        advertise()
    elif event == 3 and data[1] == command:
        orders.append((data[0], ble.gatts_read(command)))
    elif event == 31:
        ble.gap_passkey(data[0], data[1], 123456)


async def notify(connection, data):
    refused = 0
    while True:
        try:
            ble.gatts_notify(connection, notification, data)
            return refused
        except OSError as error:
            if error.errno != _ENOMEM:
                raise
            refused += 1
            await asyncio.sleep_ms(2)


async def burst(connection, count, size):
    refused = 0
    for number in range(count):
        refused += await notify(connection, struct.pack("<H", number) + bytes(size - 2))
    await notify(connection, b"done" + struct.pack("<H", refused))


async def obey(connection, order):
    letter = order[:1]
    if letter == b"E":
        await notify(connection, order)
    elif letter == b"B":
        await burst(connection, *struct.unpack("<HH", order[1:]))
    elif letter == b"D":
        ble.gap_disconnect(connection)
    elif letter == b"L":
        await notify(connection, bytes([len(ble.gatts_read(small))]))
    elif letter == b"A":
        await notify(connection, bytes(kept_addresses[-1]))
    elif letter == b"O":
        try:
            ble.gap_advertise(100_000, bytes(32))
        except OSError as error:
            await notify(connection, bytes([error.errno]))


async def main():
    while True:
        while orders:
            await obey(*orders.pop(0))
        await asyncio.sleep_ms(2)


def run():
    asyncio.run(main())


ble.active(True)
ble.config(bond=True, mitm=True, le_secure=True, io=0)
table = (
    (COMMAND, bluetooth.FLAG_WRITE | bluetooth.FLAG_WRITE_NO_RESPONSE),
    (EVENT, bluetooth.FLAG_READ | bluetooth.FLAG_NOTIFY),
    (SMALL, bluetooth.FLAG_READ | bluetooth.FLAG_WRITE),
    (PRIVATE, bluetooth.FLAG_READ | 0x0200 | 0x0400),
)
((command, notification, small, private),) = ble.gatts_register_services(((SERVICE, table),))
ble.gatts_set_buffer(command, 244)
ble.gatts_write(notification, b"hello")
ble.gatts_write(private, b"secret")
ble.irq(on_irq)
advertise()
