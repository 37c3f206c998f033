"""A board with the ARC's own radio driver and nothing behind it: it answers every command backwards, for the exam of transports.

Orders come as files `order-N` in its folder, in the order of their numbers: `say` and bytes in hex, or `drop`.
"""

import asyncio
import os
from binascii import unhexlify

from firmware.drivers.ble_peripheral import BlePeripheral

DEVICE = b"\x7c\xdf\xa1\x00\x00\x01"
INFO = b"what INFO says"
LOOK_MS = 5

radio = BlePeripheral(DEVICE, 3)
connections = []


async def say(connection, unit):
    while connection.connected() and not connection.send(unit):
        await asyncio.sleep_ms(2)


async def answer(connection):
    connections.append(connection)
    while connection.connected():
        command = connection.take()
        if command is None:
            await connection.wake.wait()
        else:
            await say(connection, bytes(reversed(command)))
    connections.remove(connection)


def next_order(number):
    name = f"order-{number}"
    try:
        with open(name) as file:
            words = file.read().split()
    except OSError:
        return None
    os.remove(name)
    return words


async def obey():
    number = 0
    while True:
        words = next_order(number)
        if words is None:
            await asyncio.sleep_ms(LOOK_MS)
            continue
        number += 1
        for connection in list(connections):
            if words[0] == "say":
                await say(connection, unhexlify(words[1]))
            else:
                connection.close()


async def main():
    radio.start(INFO, 20_000)
    tasks = [asyncio.create_task(obey())]
    while True:
        connection = await radio.accept(1_000)
        if connection is not None:
            tasks.append(asyncio.create_task(answer(connection)))


def run():
    asyncio.run(main())
