"""What bleak may show us: which advertisement is an ARC, whose ARC, and what goes wrong before there is a connection."""

import asyncio
from collections.abc import Callable
from typing import Any

import pytest
from bleak.backends.device import BLEDevice
from bleak.backends.scanner import AdvertisementData, BaseBleakScanner
from bleak.exc import BleakError

from companion.link import ble
from companion.link.ble import Ble, device_of
from companion.link.reasons import LinkError, Reason
from protocol.gatt import COMMAND_UUID, COMPANY_ID, EVENT_UUID, INFO_UUID, SERVICE_UUID

OURS, OTHER = bytes.fromhex("7cdfa1005f3a"), bytes.fromhex("7cdfa1000001")


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


class Air(BaseBleakScanner):
    """A scanner that hears what `sky` says a moment after it started."""

    sky: tuple[tuple[str, AdvertisementData], ...] = ()
    broken: Exception | None = None

    def __init__(self, detection_callback: Any, service_uuids: Any, scanning_mode: str = "active", **_: Any) -> None:
        super().__init__(detection_callback, service_uuids)

    async def start(self) -> None:
        if self.broken:
            raise self.broken
        asyncio.get_running_loop().call_later(0.01, self._hear)

    def _hear(self) -> None:
        for address, seen in self.sky:
            device = self.create_or_update_device(address, address, None, None, seen)
            self.call_detection_callbacks(device, seen)

    async def stop(self) -> None:
        pass


@pytest.fixture
def find(monkeypatch: pytest.MonkeyPatch) -> Callable[..., Any]:
    """Scans once under this sky; the device found."""
    monkeypatch.setattr(ble, "SCAN_S", 0.2)

    async def scan(
        *seen: tuple[str, AdvertisementData], wanted: bytes | None = None, broken: Exception | None = None
    ) -> BLEDevice:
        monkeypatch.setattr(Air, "sky", seen)
        monkeypatch.setattr(Air, "broken", broken)
        return await Ble(lambda: wanted, scanner={"backend": Air})._find()

    return scan


async def test_the_games_arc_is_taken_before_others(find: Callable[..., Any]) -> None:
    found = await find(("other", advertisement(OTHER)), ("ours", advertisement(OURS)), wanted=OURS)
    assert found.address == "ours"


async def test_another_arc_is_offered_when_the_games_is_away(find: Callable[..., Any]) -> None:
    found = await find(("other", advertisement(OTHER)), wanted=OURS)
    assert found.address == "other"


async def test_any_arc_will_do_for_a_new_game(find: Callable[..., Any]) -> None:
    assert (await find(("other", advertisement(OTHER)))).address == "other"


@pytest.mark.parametrize(
    ("broken", "reason"),
    [
        (None, Reason.NOT_FOUND),
        (BleakError("Bluetooth device is turned off"), Reason.NO_BLUETOOTH),
        (FileNotFoundError("no D-Bus"), Reason.NO_BLUETOOTH),
        (EOFError(), Reason.NO_BLUETOOTH),
    ],
)
async def test_why_nothing_was_found(find: Callable[..., Any], broken: Exception | None, reason: Reason) -> None:
    with pytest.raises(LinkError) as failed:
        await find(("headset", advertisement(OURS, company=0x004C)), broken=broken)
    assert failed.value.reason is reason


class Services:
    def __init__(self, *uuids: str) -> None:
        self._uuids = uuids

    def get_characteristic(self, uuid: str) -> str | None:
        return uuid if uuid in self._uuids else None


class Client:
    def __init__(self, *uuids: str) -> None:
        self.services = Services(*uuids)


def test_a_stale_table_of_characteristics_is_said() -> None:
    Ble()._check_table(Client(INFO_UUID, COMMAND_UUID, EVENT_UUID))  # type: ignore[arg-type]
    with pytest.raises(LinkError, match=f"no characteristic {EVENT_UUID}; forget the device"):
        Ble()._check_table(Client(INFO_UUID, COMMAND_UUID))  # type: ignore[arg-type]
