"""bleak's scanner over a bumble host; the client is in `bumble_backend`."""

import contextlib
from typing import Any, Literal

from bleak.backends.scanner import AdvertisementData, AdvertisementDataCallback, BaseBleakScanner
from bleak.exc import BleakError
from bumble.core import AdvertisingData
from bumble.device import Device

from companion.link.bumble_dongle import Dongle, in_bleaks_words

_SERVICE_LISTS = (
    AdvertisingData.COMPLETE_LIST_OF_16_BIT_SERVICE_CLASS_UUIDS,
    AdvertisingData.INCOMPLETE_LIST_OF_16_BIT_SERVICE_CLASS_UUIDS,
    AdvertisingData.COMPLETE_LIST_OF_128_BIT_SERVICE_CLASS_UUIDS,
    AdvertisingData.INCOMPLETE_LIST_OF_128_BIT_SERVICE_CLASS_UUIDS,
)
_SERVICE_DATA = (AdvertisingData.SERVICE_DATA_16_BIT_UUID, AdvertisingData.SERVICE_DATA_128_BIT_UUID)


class BumbleScanner(BaseBleakScanner):
    """bleak's scanner on the desk's radio."""

    def __init__(
        self,
        detection_callback: AdvertisementDataCallback | None = None,
        service_uuids: list[str] | None = None,
        scanning_mode: Literal["active", "passive"] = "active",
        *,
        radio: str | None = None,
        **_other: Any,
    ) -> None:
        super().__init__(detection_callback, service_uuids)
        self._is_active = scanning_mode == "active"
        self._radio = radio
        self._dongle: Dongle | None = None

    async def start(self) -> None:
        self.seen_devices.clear()
        dongle = self._dongle = await Dongle.acquire(self._radio)
        dongle.device.on(Device.EVENT_ADVERTISEMENT, self._on_advertisement)
        try:
            with in_bleaks_words("the scan did not begin"):
                await dongle.device.start_scanning(active=self._is_active)
        except BaseException:
            with contextlib.suppress(BleakError):  # what was wrong first is told
                await self.stop()
            raise

    async def stop(self) -> None:
        dongle, self._dongle = self._dongle, None
        if dongle is None:
            return
        dongle.device.remove_listener(Device.EVENT_ADVERTISEMENT, self._on_advertisement)
        try:
            if dongle.is_lost:
                raise BleakError("the radio went away during the scan")
            with in_bleaks_words("the scan did not end"):
                await dongle.device.stop_scanning()
        finally:
            await dongle.release()

    def _on_advertisement(self, advertisement: Any) -> None:
        found = advertisement.data
        uuids = [uuid_text(uuid) for kind in _SERVICE_LISTS for group in found.get_all(kind) for uuid in group]
        if not self.is_allowed_uuid(uuids):
            return
        name = found.get(AdvertisingData.COMPLETE_LOCAL_NAME) or found.get(AdvertisingData.SHORTENED_LOCAL_NAME)
        makers = found.get_all(AdvertisingData.MANUFACTURER_SPECIFIC_DATA)
        data = AdvertisementData(
            local_name=name,
            manufacturer_data={company: bytes(value) for company, value in makers},
            service_data={uuid_text(u): bytes(v) for kind in _SERVICE_DATA for u, v in found.get_all(kind)},
            service_uuids=uuids,
            tx_power=found.get(AdvertisingData.TX_POWER_LEVEL),
            rssi=advertisement.rssi,
            platform_data=(advertisement,),
        )
        address = advertisement.address.to_string(False)
        device = self.create_or_update_device(address, address, name, advertisement.address, data)
        self.call_detection_callbacks(device, data)


def uuid_text(uuid: Any) -> str:
    """bleak's 128-bit lower-case form of a bumble UUID."""
    if len(uuid.uuid_bytes) == 16:
        return str(uuid.to_hex_str("-")).lower()
    return f"{int.from_bytes(uuid.uuid_bytes, 'little'):08x}-0000-1000-8000-00805f9b34fb"
