"""The radio with a real interpreter behind it: what bleak sees of a board, and what either sees of the other's end."""

import asyncio
import struct
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

import pytest
from bleak import BleakClient, BleakScanner
from bleak.backends.device import BLEDevice
from bleak.backends.scanner import AdvertisementData
from bleak.exc import BleakDeviceNotFoundError, BleakError
from bumble.pairing import PairingDelegate

from companion.link.bumble_backend import BumbleClient, BumbleScanner
from companion.link.bumble_dongle import Dongle
from tests.firmware.desk.conftest import EchoDesk, echo_desk

pytestmark = [pytest.mark.desk, pytest.mark.asyncio(loop_scope="module")]

SERVICE, COMMAND, EVENT, SMALL, PRIVATE = (f"6e40000{n}-b5a3-f393-e0a9-e50e24dcca9e" for n in range(1, 6))
WITHIN_S = 10.0


async def find(radio: str, mode: str = "active") -> tuple[BLEDevice, AdvertisementData]:
    async with BleakScanner(scanning_mode=mode, backend=BumbleScanner, radio=radio) as scanner:  # type: ignore[arg-type]
        async with asyncio.timeout(WITHIN_S):
            async for device, data in scanner.advertisement_data():
                if SERVICE in data.service_uuids:
                    return device, data
    raise AssertionError("unreachable")


class Central:
    """One bleak client, its notifications and the news of its end."""

    def __init__(self, device: BLEDevice | str, radio: str, timeout: float = WITHIN_S) -> None:
        self.heard: asyncio.Queue[bytes] = asyncio.Queue()
        self.ended = asyncio.Event()
        self.client = BleakClient(
            device, lambda _client: self.ended.set(), timeout=timeout, backend=BumbleClient, radio=radio
        )

    async def connect(self) -> None:
        await self.client.connect()
        await self.client.start_notify(EVENT, lambda _characteristic, data: self.heard.put_nowait(bytes(data)))

    async def tell(self, order: bytes) -> None:
        await self.client.write_gatt_char(COMMAND, order, response=True)

    async def ask(self, order: bytes) -> bytes:
        await self.tell(order)
        return await asyncio.wait_for(self.heard.get(), WITHIN_S)


@asynccontextmanager
async def connected(echo: EchoDesk) -> AsyncIterator[Central]:
    async with Dongle.borrowed(echo.radio):
        device, _ = await find(echo.radio)
        central = Central(device, echo.radio)
        await central.connect()
        try:
            yield central
        finally:
            await central.client.disconnect()


async def test_scan_response_is_seen_by_active_scans_only(echo: EchoDesk) -> None:
    _, active = await find(echo.radio)
    _, passive = await find(echo.radio, "passive")
    assert active.local_name == "ARC-TEST"
    assert passive.local_name is None
    assert active.service_uuids == passive.service_uuids == [SERVICE]


async def test_a_session_reads_writes_and_hears(echo: EchoDesk) -> None:
    async with connected(echo) as central:
        assert central.client.mtu_size == 256
        assert await central.client.read_gatt_char(EVENT) == b"hello"
        assert await central.ask(b"E" + b"x" * 200) == b"E" + b"x" * 200
    async with connected(echo) as again:
        assert await again.ask(b"Eback") == b"Eback"


async def test_values_are_cut_to_their_buffers(echo: EchoDesk) -> None:
    async with connected(echo) as central:
        await central.client.write_gatt_char(SMALL, bytes(50), response=True)
        assert await central.ask(b"L") == bytes([20])


async def test_addresses_live_only_in_the_handler(echo: EchoDesk) -> None:
    async with connected(echo) as central:
        assert await central.ask(b"A") == b"\xde" * 6


async def test_advertisements_have_31_bytes(echo: EchoDesk) -> None:
    async with connected(echo) as central:
        assert await central.ask(b"O") == bytes([22])


async def test_a_burst_runs_out_of_memory_and_loses_nothing(echo: EchoDesk) -> None:
    async with connected(echo) as central:
        await central.tell(b"B" + struct.pack("<HH", 100, 180))
        for number in range(100):
            data = await asyncio.wait_for(central.heard.get(), WITHIN_S)
            assert (len(data), struct.unpack_from("<H", data)[0]) == (180, number)
        last = await asyncio.wait_for(central.heard.get(), WITHIN_S)
        assert last[:4] == b"done"
        assert struct.unpack("<H", last[4:])[0] > 0


async def test_the_board_hangs_up(echo: EchoDesk) -> None:
    async with connected(echo) as central:
        with suppress(BleakError):  # the end may overtake the answer to the write
            await central.tell(b"D")
        await asyncio.wait_for(central.ended.wait(), WITHIN_S)
        assert not central.client.is_connected
        with pytest.raises(BleakError):
            await central.tell(b"E")


async def test_an_absent_board_times_out_and_the_next_attempt_works(echo: EchoDesk) -> None:
    async with Dongle.borrowed(echo.radio):
        with pytest.raises(BleakDeviceNotFoundError):
            await Central("F0:F0:F0:F0:F0:F0", echo.radio, timeout=0.3).connect()
        async with connected(echo) as central:
            assert await central.ask(b"E1") == b"E1"


async def test_a_second_central_joins_while_the_first_is_connected(echo: EchoDesk) -> None:
    async with connected(echo) as first:
        device, _ = await find(echo.radio)
        other_radio = echo.radio.replace("/hci", "/./hci")  # another name: another dongle
        second = Central(device, other_radio)
        await second.connect()
        assert await second.ask(b"E2") == b"E2"
        assert await first.ask(b"E1") == b"E1"
        assert first.heard.empty()
        await second.client.disconnect()
        assert await first.ask(b"E3") == b"E3"


async def test_two_centrals_race_for_one_advertisement(echo: EchoDesk) -> None:
    device, _ = await find(echo.radio)
    centrals = [Central(device, echo.radio.replace("/hci", "/./" * n + "hci")) for n in range(1, 4)]
    results = await asyncio.gather(*(central.connect() for central in centrals), return_exceptions=True)
    for central, result in zip(centrals, results, strict=True):
        if result is None:
            assert await central.ask(b"Ehere") == b"Ehere"
            await central.client.disconnect()
        else:
            assert isinstance(result, BleakError)
    assert None in results


async def test_killing_the_board_ends_the_connection_and_it_comes_back(echo: EchoDesk) -> None:
    starts = echo.board.starts
    async with connected(echo) as central:
        echo.board.kill()
        await asyncio.wait_for(central.ended.wait(), WITHIN_S)
    async with connected(echo) as central:
        assert await central.ask(b"E!") == b"E!"
    assert echo.board.starts == starts + 1


async def test_killing_the_radio_ends_everything_and_all_come_back(echo: EchoDesk) -> None:
    device, _ = await find(echo.radio)
    central = Central(device, echo.radio)
    await central.connect()
    radios, starts = echo.supervisor.radio_starts, echo.board.starts
    echo.supervisor.kill_radio()
    await asyncio.wait_for(central.ended.wait(), WITHIN_S)
    async with asyncio.timeout(WITHIN_S):
        while echo.supervisor.radio_starts == radios or echo.board.starts == starts or echo.board.pid is None:
            await asyncio.sleep(0.02)
        while True:
            try:
                async with connected(echo) as again:
                    assert await again.ask(b"E!") == b"E!"
                    break
            except BleakError:
                await asyncio.sleep(0.05)


async def test_a_central_that_dies_leaves_no_ghost(echo: EchoDesk) -> None:
    device, _ = await find(echo.radio)
    central = Central(device, echo.radio)
    await central.connect()
    dongle = await Dongle.acquire(echo.radio)
    dongle._transport.sink.transport.abort()  # what the kernel does to the socket of a killed process
    await asyncio.wait_for(central.ended.wait(), WITHIN_S)
    await dongle.release()
    async with connected(echo) as again:
        assert await again.ask(b"E!") == b"E!"
        assert again.heard.empty()


@pytest.mark.parametrize("interval_ms", [15.0, 50.0])
async def test_packets_cross_only_at_connection_events(interval_ms: float) -> None:
    async with echo_desk(interval_ms) as echo, connected(echo) as central:
        await central.ask(b"E")
        began = time.monotonic()
        for _ in range(5):
            await central.ask(b"E")
        each_ms = (time.monotonic() - began) / 5 * 1000
    # there at one event, the answer at the next: never faster than two intervals, and not much slower
    assert 1.9 * interval_ms <= each_ms <= 4 * interval_ms + 40


class _Display(PairingDelegate):
    def __init__(self, number: int) -> None:
        super().__init__(PairingDelegate.KEYBOARD_INPUT_ONLY)
        self.number = number

    async def get_number(self) -> int | None:
        return self.number


async def test_pairing_with_a_passkey_opens_what_is_private_and_a_wrong_one_can_be_repeated(echo: EchoDesk) -> None:
    async with connected(echo) as central:
        with pytest.raises(BleakError):
            await central.client.read_gatt_char(PRIVATE)
        with pytest.raises(BleakError, match="pairing failed"):
            await central.client._backend.pair(delegate=_Display(654321))
        await central.client._backend.pair(delegate=_Display(123456))
        assert await central.client.read_gatt_char(PRIVATE) == b"secret"
