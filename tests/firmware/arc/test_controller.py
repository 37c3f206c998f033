"""The acts of the ARC: written down before anybody hears of it; the button, the rest, a low battery."""

import pytest

from firmware.arc.lights import OFF
from firmware.arc.pairing import PAIRING_TOKEN_CODE
from firmware.arc.session_link import OPEN
from protocol import events
from protocol.lights import BLUE, STEADY, light
from protocol.messages import (
    ForgetTablet,
)
from tests.firmware.arc.bench import MODULE, UID, Bench


@pytest.fixture
def bench() -> Bench:
    return Bench()


def test_a_card_is_in_the_log_when_it_beeps(bench: Bench) -> None:
    bench.lay()
    assert bench.kinds() == [events.CardPresented]
    assert bench.beeper.frequency(0) > 0
    assert bench.light.colour(bench.clock.now) != OFF


def test_a_card_that_the_flash_does_not_take_does_not_beep(bench: Bench) -> None:
    bench.flash._program = lambda at, data: None  # type: ignore[method-assign]
    bench.lay()
    assert bench.kinds() == []
    assert bench.beeper.frequency(0) == 0
    assert bench.controller.lost_writes == 1


def test_news_are_announced_only_once_they_are_written(bench: Bench) -> None:
    heard: list[int] = []
    bench.controller.on_news = lambda: heard.append(bench.outbox.newest)
    bench.lay()
    assert heard == [1]


def test_the_pairing_token_on_the_roof_opens_the_window(bench: Bench) -> None:
    bench.lay(PAIRING_TOKEN_CODE)
    assert bench.pairing.is_open(bench.clock.now)
    assert bench.light.is_pairing
    assert bench.kinds() == [events.CardPresented, events.PairingWindow]
    bench.clock.now += 60_000
    bench.controller.watch_pairing()
    bench.controller.watch_pairing()
    assert bench.kinds()[2:] == [events.PairingWindow]
    assert not bench.light.is_pairing


def test_a_forgotten_tablet_loses_its_session(bench: Bench) -> None:
    bench.pairing.open_window(0)
    bench.pairing.pair(7, 0)
    bench.link.connect(0)
    bench.seat.take(bench.link, 7)
    assert bench.do(ForgetTablet(1, 7)) == b""
    assert bench.seat.holder is None
    assert bench.link.state == OPEN
    assert bench.pairing.tablets() == []


def test_ten_seconds_on_the_button_forget_all(bench: Bench) -> None:
    bench.pairing.open_window(0)
    bench.pairing.pair(7, 0)
    bench.link.connect(0)
    bench.seat.take(bench.link, 7)
    bench.controller.forget_tablets()
    assert bench.pairing.tablets() == []
    assert bench.seat.holder is None
    assert bench.link.must_close, "its tablet is to ask for the button, and not to wait for events"


def test_at_rest_all_is_dark_whatever_the_battery_reports(bench: Bench) -> None:
    bench.light.set_app(light(STEADY, BLUE), 0)
    bench.controller.rest(True)
    assert (bench.modules.percent, bench.light.colour(0)) == (0, OFF)
    bench.controller.take_battery(events.BatteryMeasured(5_000, 60, events.BATTERY_GOOD))
    bench.controller.take_battery(events.BatteryMeasured(5_000, 60, events.BATTERY_USB))
    assert (bench.modules.percent, bench.light.colour(0)) == (0, OFF), "it is told each five minutes"
    bench.controller.rest(False)
    assert bench.modules.percent == 100
    assert bench.light.colour(0) != OFF


@pytest.mark.parametrize(
    ("body", "is_somebody"),
    [
        (events.BatteryMeasured(5_000, 60, events.BATTERY_GOOD), False),
        (events.FaultFound(events.FAULT_BUS_STUCK, 0), False),
        (events.CardRemoved(5, UID), True),
        (MODULE, True),
        (events.ButtonPressed(1), True),
    ],
)
def test_what_the_board_tells_of_itself_keeps_nobody_awake(bench: Bench, body: events.Body, is_somebody: bool) -> None:
    bench.clock.now = 5_000
    bench.controller.emit(body)
    assert bench.controller.stirred_ms == (5_000 if is_somebody else 0)


def test_a_low_battery_dims_lights_and_slows_the_reader(bench: Bench) -> None:
    bench.controller.take_battery(events.BatteryMeasured(3_900, 5, events.BATTERY_VERY_LOW))
    assert bench.modules.percent == bench.light.cap_percent == 25
    assert bench.reader.is_saving_power
    bench.controller.take_battery(events.BatteryMeasured(5_000, 60, events.BATTERY_USB))
    assert bench.modules.percent == bench.light.cap_percent == 100
    assert not bench.reader.is_saving_power


def test_parts_that_are_built_after_the_first_look_at_the_battery_keep_to_it(bench: Bench) -> None:
    bench.controller.reader = bench.controller.modules = None
    bench.controller.take_battery(events.BatteryMeasured(3_900, 5, events.BATTERY_VERY_LOW))
    bench.controller.reader, bench.controller.modules = bench.reader, bench.modules
    bench.controller.apply_settings()
    assert bench.reader.is_saving_power
    assert bench.modules.percent == 25
