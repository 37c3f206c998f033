"""What bleak may show us: which advertisement is an ARC, whose ARC, and what goes wrong before there is a connection."""

import asyncio
import itertools
from collections.abc import Iterator
from typing import Any

import pytest
from bleak.backends.client import BaseBleakClient
from bleak.backends.device import BLEDevice
from bleak.backends.scanner import AdvertisementData, BaseBleakScanner
from bleak.exc import (
    BleakBluetoothNotAvailableError,
    BleakBluetoothNotAvailableReason,
    BleakDBusError,
    BleakDeviceNotFoundError,
    BleakError,
)

from companion.link import ble_search
from companion.link.ble import Ble
from companion.link.ble_search import device_of
from companion.link.reasons import LinkError, Reason
from protocol.gatt import COMMAND_UUID, COMPANY_ID, EVENT_UUID, INFO_UUID, SERVICE_UUID

OURS, OTHER = bytes.fromhex("7cdfa1005f3a"), bytes.fromhex("7cdfa1000001")
BUSY = BleakDBusError("org.bluez.Error.InProgress", ["Operation already in progress"])
OFF = BleakBluetoothNotAvailableError("turned off", BleakBluetoothNotAvailableReason.POWERED_OFF)
TABLE = (INFO_UUID, COMMAND_UUID, EVENT_UUID)
PAUSES = len(ble_search.BUSY_PAUSES_S)


def advertisement(device: bytes, service: str = SERVICE_UUID, company: int = COMPANY_ID) -> AdvertisementData:
    return AdvertisementData(
        local_name=None, manufacturer_data={company: device}, service_data={}, service_uuids=[service], tx_power=None,
        rssi=-50, platform_data=(),
    )  # fmt: skip


@pytest.mark.parametrize(
    ("seen", "device"),
    [
        (advertisement(OURS), OURS),
        (advertisement(OURS, service="0000180f-0000-1000-8000-00805f9b34fb"), None),
        (advertisement(OURS, company=0x004C), None),
        (advertisement(OURS[:5]), None),
    ],
)
def test_an_arc_is_known_by_service_and_device_id(seen: AdvertisementData, device: bytes | None) -> None:
    assert device_of(seen) == device


class Air:
    """The system below bleak: who is heard, and how often starting, stopping and connecting fail, and with what."""

    def __init__(self) -> None:
        self.sky: tuple[tuple[str, AdvertisementData], ...] = (("ours", advertisement(OURS)),)
        self.start_failures: Iterator[Exception | None] = iter(())
        self.stop_failure: Exception | None = None
        self.connect_failures: Iterator[Exception | None] = iter(())
        self.notify_failure: Exception | None = None
        self.unpair_failure: Exception | None = None
        self.call_failure: Exception | None = None
        self.tables: Iterator[tuple[str, ...]] = itertools.repeat(TABLE)
        self.did: list[str] = []

    def note(self, what: str, failure: Exception | None = None) -> None:
        self.did.append(what)
        if failure:
            raise failure


class Scanner(BaseBleakScanner):
    def __init__(self, detection_callback: Any, service_uuids: Any, scanning_mode: str, *, air: Air, **_: Any) -> None:
        super().__init__(detection_callback, service_uuids)
        self.air = air

    async def start(self) -> None:
        self.air.note("scan", next(self.air.start_failures, None))
        asyncio.get_running_loop().call_soon(self._hear)

    def _hear(self) -> None:
        for address, seen in self.air.sky:
            device = self.create_or_update_device(address, address, None, None, seen)
            self.call_detection_callbacks(device, seen)

    async def stop(self) -> None:
        self.air.note("stop", self.air.stop_failure)


class Services:
    def __init__(self, uuids: tuple[str, ...]) -> None:
        self._uuids = uuids

    def get_characteristic(self, uuid: str) -> Any:
        return Characteristic() if uuid in self._uuids else None


class Characteristic:
    properties = ("notify",)


class Client(BaseBleakClient):
    is_up = False

    def __init__(self, device: Any, *, air: Air, disconnected_callback: Any, timeout: float, **_: Any) -> None:
        super().__init__(device, disconnected_callback=disconnected_callback, timeout=timeout)
        self.air = air

    @property
    def is_connected(self) -> bool:
        return self.is_up

    @property
    def name(self) -> str:
        return "ARC"

    @property
    def mtu_size(self) -> int:
        return 23

    async def connect(self, pair: bool, **_: Any) -> None:
        self.air.note("connect", next(self.air.connect_failures, None))
        self.services = Services(next(self.air.tables))  # type: ignore[assignment]
        self.is_up = True

    async def disconnect(self) -> None:
        self.air.note("disconnect")
        self.is_up = False

    async def unpair(self) -> None:
        self.air.note("forget", self.air.unpair_failure)

    async def start_notify(self, *_: Any, **__: Any) -> None:
        self.air.note("listen", self.air.notify_failure)

    async def pair(self, *_: Any, **__: Any) -> None:
        raise AssertionError("we never pair by Bluetooth's own means")

    read_gatt_descriptor = write_gatt_descriptor = stop_notify = pair  # type: ignore[assignment]

    async def read_gatt_char(self, *_: Any, **__: Any) -> bytearray:
        self.air.note("read", self.air.call_failure)
        return bytearray(b"info")

    async def write_gatt_char(self, *_: Any, **__: Any) -> None:
        self.air.note("write", self.air.call_failure)


@pytest.fixture
def air(monkeypatch: pytest.MonkeyPatch) -> Air:
    """Nothing of what is tested here needs time to pass."""
    monkeypatch.setattr(ble_search, "SCAN_S", 0.05)
    monkeypatch.setattr(ble_search, "BUSY_PAUSES_S", (0.0,) * PAUSES)
    return Air()


async def find(air: Air, wanted: bytes | None = None) -> BLEDevice:
    return await ble_search.find(wanted, {"backend": Scanner, "air": air})


async def open_ble(air: Air) -> Ble:
    transport = Ble(scanner={"backend": Scanner, "air": air}, client={"backend": Client, "air": air})
    await transport.open(lambda unit: None, lambda: None)
    return transport


async def why_not(air: Air) -> LinkError:
    with pytest.raises(LinkError) as failed:
        await open_ble(air)
    return failed.value


# the search


async def test_the_games_arc_is_taken_before_others(air: Air) -> None:
    air.sky = (("other", advertisement(OTHER)), ("ours", advertisement(OURS)))
    assert (await find(air, OURS)).address == "ours"


async def test_another_arc_is_offered_when_the_games_is_away(air: Air) -> None:
    air.sky = (("other", advertisement(OTHER)),)
    assert (await find(air, OURS)).address == "other"


async def test_any_arc_will_do_for_a_new_game(air: Air) -> None:
    air.sky = (("other", advertisement(OTHER)),)
    assert (await find(air)).address == "other"


@pytest.mark.parametrize(
    ("broken", "reason"),
    [
        (None, Reason.NOT_FOUND),
        (OFF, Reason.NO_BLUETOOTH),
        (BleakError("Bluetooth device is turned off"), Reason.NO_BLUETOOTH),
        (BleakDBusError("org.bluez.Error.NotReady", ["Resource Not Ready"]), Reason.NO_BLUETOOTH),
        (FileNotFoundError("no D-Bus"), Reason.NO_BLUETOOTH),
        (EOFError(), Reason.NO_BLUETOOTH),
    ],
)
async def test_why_nothing_was_found(air: Air, broken: Exception | None, reason: Reason) -> None:
    air.sky = (("headset", advertisement(OURS, company=0x004C)),)
    air.start_failures = iter((broken,))
    with pytest.raises(LinkError) as failed:
        await find(air)
    assert failed.value.reason is reason
    assert air.did == ["scan", "stop"], "people have to mend this: scanning on is of no use"


@pytest.mark.parametrize("tries", range(1, PAUSES + 1))
@pytest.mark.parametrize(
    "busy", [BUSY, BleakError("A BleakScanner is already scanning on this adapter.")], ids=["bluez", "android"]
)
async def test_a_system_busy_scanning_is_asked_again(air: Air, busy: Exception, tries: int) -> None:
    """Report 51: BlueZ is still at what a killed app began. Stopped, and scanned anew, until it is free."""
    air.start_failures = iter((busy,) * tries)
    assert (await find(air)).address == "ours"
    assert air.did == ["scan", "stop"] * (tries + 1)


async def test_a_system_busy_for_ever_is_told_as_that(air: Air) -> None:
    air.start_failures = itertools.repeat(BUSY)
    error = await why_not(air)
    assert error.reason is Reason.BLUETOOTH_BUSY
    assert "allow this app" not in str(error)
    assert air.did.count("scan") == PAUSES + 1


async def test_what_was_found_counts_although_the_scan_cannot_be_stopped(air: Air) -> None:
    air.stop_failure = BUSY
    assert (await find(air)).address == "ours"


async def test_a_scan_that_ends_badly_without_a_find_is_told(air: Air) -> None:
    """A radio that was pulled out while it scanned: there may well be an ARC."""
    air.sky, air.stop_failure = (), BleakError("the radio went away during the scan")
    assert (await why_not(air)).reason is Reason.NO_BLUETOOTH


async def test_a_scan_that_does_not_begin_may_wait_for_a_permission(air: Air, monkeypatch: pytest.MonkeyPatch) -> None:
    async def hang(self: Scanner) -> None:
        self.air.note("scan")
        await asyncio.get_running_loop().create_future()

    monkeypatch.setattr(ble_search, "START_S", 0.01)
    monkeypatch.setattr(Scanner, "start", hang)
    error = await why_not(air)
    assert error.reason is Reason.NO_BLUETOOTH
    assert "allow this app" in str(error)
    assert air.did == ["scan", "stop"]


# the connection


async def test_the_usual_way(air: Air) -> None:
    await open_ble(air)
    assert air.did == ["scan", "stop", "connect", "listen"]


FORGOTTEN = ["disconnect", "forget", "scan", "stop", "connect", "listen"]
"""What was begun is ended, the system's copy dropped, and everything done once more."""


@pytest.mark.parametrize("unpair_failure", [None, NotImplementedError(), BleakDeviceNotFoundError("ours"), OSError()])
@pytest.mark.parametrize("stale", [(), (COMMAND_UUID, EVENT_UUID)], ids=["empty", "older"])
async def test_a_table_that_is_empty_or_old_is_read_once_more(
    air: Air, stale: tuple[str, ...], unpair_failure: Exception | None
) -> None:
    """Reports 53 and 83."""
    air.tables = iter((stale, TABLE))
    air.unpair_failure = unpair_failure
    await open_ble(air)
    assert air.did == ["scan", "stop", "connect", *FORGOTTEN]


async def test_a_table_that_stays_wrong_is_told_with_what_to_do(air: Air) -> None:
    air.tables = itertools.repeat(())
    error = await why_not(air)
    assert error.reason is Reason.NO_SERVICES
    assert "switch Bluetooth off and on" in str(error)
    assert INFO_UUID in str(error)
    assert air.did[-2:] == ["disconnect", "forget"]
    assert air.did.count("connect") == 2


async def test_a_connection_that_a_killed_app_began_is_dropped_and_begun_anew(air: Air) -> None:
    """Report 51: InProgress from connecting, not from scanning."""
    air.connect_failures = iter((BUSY,))
    await open_ble(air)
    assert air.did == ["scan", "stop", "connect", *FORGOTTEN]


@pytest.mark.parametrize(
    ("failure", "reason"),
    [
        (BUSY, Reason.BLUETOOTH_BUSY),
        (OFF, Reason.NO_BLUETOOTH),
        (BleakDeviceNotFoundError("ours", "was not found"), Reason.NOT_FOUND),
        (BleakError("le-connection-abort-by-local"), Reason.DROPPED),
        (TimeoutError(), Reason.DROPPED),
    ],
)
async def test_why_there_is_no_connection(air: Air, failure: Exception, reason: Reason) -> None:
    air.connect_failures = itertools.repeat(failure)
    assert (await why_not(air)).reason is reason
    air.connect_failures, air.notify_failure = iter(()), failure
    assert (await why_not(air)).reason is reason
    assert "disconnect" in air.did


@pytest.mark.parametrize(
    ("failure", "reason", "detail"),
    [
        (BleakError("Not connected"), Reason.DROPPED, "(Not connected)"),
        (TimeoutError(), Reason.DROPPED, "(TimeoutError)"),
        (BUSY, Reason.BLUETOOTH_BUSY, f"({BUSY})"),
    ],
)
async def test_what_a_connection_that_is_up_stumbles_over_is_told(
    air: Air, failure: Exception, reason: Reason, detail: str
) -> None:
    transport = await open_ble(air)
    await transport.send(b"command")
    assert await transport.read_info() == b"info"
    air.call_failure = failure
    for call in (transport.send(b"command"), transport.read_info()):
        with pytest.raises(LinkError) as failed:
            await call
        assert (failed.value.reason, failed.value.detail) == (reason, detail)
    await transport.close()
    for call in (transport.send(b"command"), transport.read_info()):
        with pytest.raises(LinkError, match=Reason.DROPPED.value):
            await call
