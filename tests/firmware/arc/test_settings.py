"""Settings and tokens in flash: kept, refused, and what a flash that fails does to them."""

import pytest

from firmware.arc.settings import Settings
from firmware.desk.chips.flash import Flash
from firmware.drivers.settings_store import SettingsStore
from protocol import events
from protocol.messages import (
    MALFORMED,
    UNSUPPORTED,
    WRITE_FAILED,
    Hello,
    Pair,
    Refused,
    SettingsRead,
    SettingsWrite,
)
from tests.firmware.arc.bench import Bench


@pytest.fixture
def bench() -> Bench:
    return Bench()


def fail(value: bytes) -> None:
    raise OSError(5)


def test_settings_are_kept_and_take_effect_at_once(bench: Bench) -> None:
    assert bench.do(SettingsRead(1)) == bytes((1, 38, 1, 100))
    assert bench.do(SettingsWrite(1, 1, bytes((43, 0, 50)))) == b""
    assert Settings(bench.settings_store).packed() == bytes((1, 43, 0, 50))
    assert bench.modules.percent == bench.light.cap_percent == 50
    bench.lay()
    assert bench.beeper.frequency(0) == 0
    bench.controller.take_battery(events.BatteryMeasured(3_900, 5, events.BATTERY_VERY_LOW))
    assert bench.modules.percent == 12


@pytest.mark.parametrize(
    ("version", "values", "reason"),
    [(2, (38,), UNSUPPORTED), (1, (40,), MALFORMED), (1, (38, 2), MALFORMED), (1, (38, 1, 101), MALFORMED),
     (1, (38, 1, 100, 0), MALFORMED)],
)  # fmt: skip
def test_settings_that_make_no_sense_change_nothing(
    bench: Bench, version: int, values: tuple[int, ...], reason: int
) -> None:
    assert bench.do(SettingsWrite(1, version, bytes(values))) == reason
    assert Settings(bench.settings_store).packed() == bytes((1, 38, 1, 100))


def test_a_flash_that_takes_no_settings_is_a_refusal_and_they_stay_as_they_were(bench: Bench) -> None:
    bench.settings_store.write = fail  # type: ignore[method-assign]
    assert bench.do(SettingsWrite(1, 1, bytes((43, 0, 50)))) == WRITE_FAILED
    assert bench.do(SettingsRead(1)) == bytes((1, 38, 1, 100))
    assert bench.controller.lost_writes == 1


def test_a_flash_that_takes_no_token_is_a_refusal(bench: Bench) -> None:
    bench.pairing.open_window(0)
    bench.pairing._store.write = fail  # type: ignore[method-assign]
    bench.link.connect(0)
    bench.link.receive(Hello(1, 1, 0).encode(), 0)
    bench.link.sent(0)
    bench.link.receive(Pair(2, 7).encode(), 0)
    assert bench.link.outgoing(0) == Refused(2, WRITE_FAILED, b"").encode()
    assert bench.pairing.tablets() == []


def test_a_flash_that_forgets_no_token_makes_no_sound_and_stops_nothing(bench: Bench) -> None:
    bench.pairing.open_window(0)
    bench.pairing.pair(7, 0)
    bench.pairing._store.write = fail  # type: ignore[method-assign]
    bench.controller.forget_tablets()
    assert bench.pairing.tablets() == [7]
    assert bench.beeper.frequency(0) == 0
    assert bench.controller.lost_writes == 1


def test_settings_of_an_older_and_a_newer_firmware_are_read() -> None:
    store = SettingsStore(Flash(512, 256), 0)
    store.write(bytes((1, 43)))
    assert Settings(store).packed() == bytes((1, 43, 1, 100))
    store.write(bytes((2, 33, 0, 70, 9, 9)))
    assert Settings(store).packed() == bytes((1, 33, 0, 70))
    store.write(bytes((1, 255, 1, 100)))
    assert Settings(store).packed() == bytes((1, 38, 1, 100))
