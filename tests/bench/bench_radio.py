"""Throughput of notifications over the desk's Bluetooth at each connection interval, beside what the events can carry."""

import asyncio
import struct
import time
from collections.abc import Iterator
from pathlib import Path

from bleak import BleakClient, BleakScanner

from companion.link.bumble_backend import BumbleClient, BumbleScanner
from companion.link.bumble_dongle import Dongle
from firmware.desk.board import BoardKind
from firmware.desk.radio_air import INTERVALS_MS, packets_fitting
from firmware.desk.supervisor import Supervisor
from tests.bench.rows import Row

ECHO = Path(__file__).parents[1] / "firmware" / "desk" / "boards" / "echo.py"
SERVICE, COMMAND, EVENT = (f"6e40000{n}-b5a3-f393-e0a9-e50e24dcca9e" for n in range(1, 4))
COUNT, SIZE = 300, 180
AT_LEAST = 0.8
"""Of what the connection events can carry."""
WITHIN_S = 60.0


def rows() -> Iterator[Row]:
    for interval_ms in INTERVALS_MS:
        limit = packets_fitting(interval_ms) * SIZE / interval_ms
        value = asyncio.run(_measure(interval_ms))
        yield Row(
            f"notifications over the desk's BLE at {interval_ms:g} ms",
            value,
            "kB/s",
            f"{packets_fitting(interval_ms)} an event",
            limit,
            budget=AT_LEAST * limit,
            at_least=True,
        )


async def _measure(interval_ms: float) -> float:
    """kB/s from the first to the last notification of a burst, in bytes of values."""
    supervisor = Supervisor(None, interval_ms, 1, lambda *_change: None)
    try:
        await supervisor.open()
        kind = BoardKind(entry=str(ECHO), heap="256k", has_radio=True)
        supervisor.add("echo", kind, bytes(range(8))).give_power()
        async with asyncio.timeout(WITHIN_S), Dongle.borrowed(supervisor.radio_address):
            return await _burst(supervisor.radio_address)
    finally:
        await supervisor.close()


async def _burst(radio: str) -> float:
    heard: list[float] = []
    # `radio` is for our backend; bleak's types know its own arguments only
    device = await BleakScanner.find_device_by_filter(
        lambda _device, data: SERVICE in data.service_uuids,
        backend=BumbleScanner,
        radio=radio,  # type: ignore[call-arg]
    )
    assert device is not None
    async with BleakClient(device, backend=BumbleClient, radio=radio) as client:
        await client.start_notify(EVENT, lambda _characteristic, _data: heard.append(time.monotonic()))
        await client.write_gatt_char(COMMAND, b"B" + struct.pack("<HH", COUNT, SIZE), response=True)
        while len(heard) <= COUNT:
            await asyncio.sleep(0.01)
    return (COUNT - 1) * SIZE / (heard[COUNT - 1] - heard[0]) / 1000
