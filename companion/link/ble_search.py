"""Finds an ARC on the air: by its service and device id, never by its address (other systems hide it). Connects to none."""

import asyncio
import logging
from typing import Any

from bleak import BleakScanner
from bleak.backends.device import BLEDevice
from bleak.backends.scanner import AdvertisementData

from companion.link.ble_errors import BROKEN, link_error
from companion.link.reasons import LinkError, Reason
from protocol.gatt import COMPANY_ID, DEVICE_ID_SIZE, SERVICE_UUID

log = logging.getLogger(__name__)

SCAN_S = 10.0
START_S = 15.0
"""Some systems ask people for permission first, and begin when they have answered."""
CALL_S = 5.0
BUSY_PAUSES_S = (0.5, 1.0, 2.0, 4.0)
"""Before the second, third, … scan of a system that says it is busy scanning. Shorter ones catch it as busy as before."""


def device_of(advertisement: AdvertisementData) -> bytes | None:
    """The device id in an ARC's advertisement; None: not an ARC."""
    data = advertisement.manufacturer_data.get(COMPANY_ID, b"")
    if SERVICE_UUID not in advertisement.service_uuids or len(data) != DEVICE_ID_SIZE:
        return None
    return bytes(data)


async def find(wanted: bytes | None, options: dict[str, Any]) -> BLEDevice:
    """The wanted ARC as soon as it is heard (None: any); another one only when the scan is over (people are asked about it).

    `options` are further arguments for bleak's scanner. `LinkError` says why there is none; a busy system is asked again first.
    """
    for pause_s in BUSY_PAUSES_S:
        try:
            return await _scan(wanted, options)
        except LinkError as error:
            if error.reason is not Reason.BLUETOOTH_BUSY:
                raise
            log.info("link: %s Scanning again in %g s", error, pause_s)
        await asyncio.sleep(pause_s)
    return await _scan(wanted, options)


async def _scan(wanted: bytes | None, options: dict[str, Any]) -> BLEDevice:
    heard: asyncio.Future[BLEDevice] = asyncio.get_running_loop().create_future()
    others: list[BLEDevice] = []

    def on_advertisement(device: BLEDevice, advertisement: AdvertisementData) -> None:
        found = device_of(advertisement)
        if found is None or heard.done():
            return
        if wanted in (None, found):
            heard.set_result(device)
        else:
            others.append(device)

    try:
        scanner = BleakScanner(on_advertisement, service_uuids=[SERVICE_UUID], **options)
        try:
            async with asyncio.timeout(START_S):
                await scanner.start()
            await asyncio.wait((heard,), timeout=SCAN_S)
        finally:
            trouble = await _stop(scanner)
    except TimeoutError as error:
        raise LinkError(Reason.NO_BLUETOOTH, "(the scan did not begin)") from error
    except BROKEN as error:
        raise link_error(error, Reason.NO_BLUETOOTH) from error
    if heard.done():
        return heard.result()
    if others:
        return others[-1]
    raise link_error(trouble, Reason.NO_BLUETOOTH) if trouble else LinkError(Reason.NOT_FOUND)


async def _stop(scanner: BleakScanner) -> Exception | None:
    """Also after a start that failed, so that nothing of ours is left scanning. What was found counts, however this ends;
    where nothing was found, a scan that cannot be stopped may have been none."""
    try:
        async with asyncio.timeout(CALL_S):
            await scanner.stop()
    except Exception as error:  # a scanner that did not start may have nothing that it could stop
        log.info("link: the scan could not be stopped: %r", error)
        return error
    return None
