"""Events a second over the desk's Bluetooth from a full log, beside what the connection interval lets through at most."""

import asyncio
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from firmware.arc.outbox import Outbox
from firmware.boards import arc_esp32s3 as arc
from firmware.desk.chips.flash import FileFlash
from firmware.desk.desk import ARC, Desk
from firmware.desk.radio_air import INTERVALS_MS, packets_fitting
from firmware.drivers.flash_ring import FlashRing
from protocol.events import CardPresented, Event
from protocol.gatt import PREFERRED_MTU
from protocol.messages import Ack, Pair, Refused
from protocol.reading import decode_notification
from tests.bench.rows import Row
from tests.firmware.arc.desk.tablet import Tablet, over_ble

EVENTS = 1_200
EPOCH = 0xBEEF
UID = bytes.fromhex("04a3c6cae26180")
WITHIN_S = 60.0


def rows() -> Iterator[Row]:
    for interval_ms in INTERVALS_MS:
        yield Row(
            f"events a second from the log, BLE at {interval_ms:g} ms",
            value=asyncio.run(measure(interval_ms)),
            unit="1/s",
            peer="all the packets that fit",
            peer_value=most_events(interval_ms),
        )


def most_events(interval_ms: float) -> float:
    """Events a second if every connection event carried as many full notifications as fit."""
    record = len(CardPresented(1, UID).record(1, 1, 1))
    return packets_fitting(interval_ms) * ((PREFERRED_MTU - 3) // record) * 1000 / interval_ms


async def measure(interval_ms: float) -> float:
    with tempfile.TemporaryDirectory() as folder:
        fill_log(Path(folder))
        desk = Desk(state=Path(folder), interval_ms=interval_ms, seed=1)
        async with asyncio.timeout(WITHIN_S), desk, over_ble(desk.radio) as tablet:
            await tablet.hello()
            await desk.press()
            while isinstance(await tablet.ask(Pair, tablet.number), Refused):
                await asyncio.sleep(0.05)
            await tablet.pair()
            return await drain(tablet)


def fill_log(state: Path) -> None:
    """A log as an evening without a tablet leaves it."""
    (state / ARC).mkdir(parents=True)
    size = dict(arc.PARTITIONS)[arc.EVENTS_PARTITION]
    flash = FileFlash(str(state / ARC / f"{arc.EVENTS_PARTITION}.flash"), size, arc.ERASE_BLOCK)
    outbox = Outbox(FlashRing(flash), lambda: EPOCH)
    for number in range(EVENTS):
        outbox.append(CardPresented(1 + number % 1000, UID), number)
    flash.close()


async def drain(tablet: Tablet) -> float:
    """Events a second from RESUME to the last event of the log, acknowledged after each unit."""
    began_s = time.monotonic()
    await tablet.resume(EPOCH, 0)
    last = max((event.sequence for event in tablet.events), default=0)
    while last < EVENTS:
        parts = decode_notification(await tablet.wire.heard.get())
        last = max([last, *(part.sequence for part in parts if isinstance(part, Event))])
        if tablet.wire.heard.empty():
            await tablet.wire.write(Ack(0, EPOCH, last).encode())
    return EVENTS / (time.monotonic() - began_s)
