"""The battery's states: filter, hysteresis, when it is told."""

import pytest

from firmware.arc.power import LIGHT_PERCENT, Battery, percent
from firmware.boards import timings
from protocol.events import (
    BATTERY_EMPTY,
    BATTERY_GOOD,
    BATTERY_LOW,
    BATTERY_USB,
    BATTERY_VERY_LOW,
    BatteryMeasured,
)

STEP_MS = timings.BATTERY_SAMPLE_MS


class Bench:
    """A battery on a bench supply."""

    def __init__(self, level_mv: int) -> None:
        self.battery = Battery()
        self.now_ms = 0
        self.events: list[BatteryMeasured] = []
        self.hold(level_mv, STEP_MS)

    def hold(self, level_mv: int, for_ms: int, on_usb: bool = False) -> list[int]:
        """The states told meanwhile."""
        before = len(self.events)
        for _ in range(for_ms // STEP_MS):
            self.now_ms += STEP_MS
            event = self.battery.measured(self.now_ms, level_mv, on_usb)
            if event is not None:
                self.events.append(event)
        return [event.state for event in self.events[before:]]


@pytest.mark.parametrize(
    ("level_mv", "state"),
    [(5_600, BATTERY_GOOD), (4_300, BATTERY_LOW), (3_900, BATTERY_VERY_LOW), (3_600, BATTERY_EMPTY)],
)
def test_the_first_sample_is_told_at_once(level_mv: int, state: int) -> None:
    bench = Bench(level_mv)
    assert [(event.level_mv, event.state) for event in bench.events] == [(level_mv, state)]


def test_a_falling_battery_goes_through_its_states_once_each() -> None:
    bench = Bench(5_600)
    states = []
    for level_mv in range(5_600, 3_500, -10):
        states += bench.hold(level_mv, 2_000)
    changes = [after for before, after in zip([BATTERY_GOOD] + states, states) if after != before]
    assert changes == [BATTERY_LOW, BATTERY_VERY_LOW, BATTERY_EMPTY]


def test_the_radios_peaks_do_not_count() -> None:
    bench = Bench(4_600)
    for _ in range(40):
        assert bench.hold(3_800, STEP_MS) == []
        assert bench.hold(4_600, 1_500) == []


def test_a_state_is_left_only_beyond_the_hysteresis() -> None:
    bench = Bench(5_000)
    assert bench.hold(4_300, 20_000) == [BATTERY_LOW]
    assert bench.hold(4_500, 20_000) == []
    assert bench.hold(4_700, 20_000) == [BATTERY_GOOD]


def test_a_cable_is_told_at_once_and_the_battery_again_after_it() -> None:
    bench = Bench(4_300)
    assert bench.hold(5_000, STEP_MS, on_usb=True) == [BATTERY_USB]
    assert bench.hold(5_000, 10_000, on_usb=True) == []
    assert bench.hold(5_000, STEP_MS) == [BATTERY_GOOD]


def test_it_is_told_every_few_minutes() -> None:
    bench = Bench(5_600)
    assert len(bench.hold(5_600, timings.BATTERY_REPORT_MS * 3)) == 3


def test_percent_and_light_fall_with_the_level() -> None:
    assert [percent(level) for level in (3_000, 3_700, 4_850, 6_000, 7_000)] == [0, 0, 50, 100, 100]
    order = (BATTERY_USB, BATTERY_GOOD, BATTERY_LOW, BATTERY_VERY_LOW, BATTERY_EMPTY)
    assert [LIGHT_PERCENT[state] for state in order] == [100, 100, 50, 25, 0]


def test_a_worse_state_counts_when_it_has_lasted_exactly_three_seconds() -> None:
    bench = Bench(4_500)
    bench.battery._filtered = 4_000_000
    bench.battery.level_mv = 4_000
    told_after = 0
    while not bench.hold(4_000, STEP_MS):
        told_after += STEP_MS
    assert told_after == timings.BATTERY_FILTER_MS


def test_a_worse_state_that_passes_begins_to_count_anew() -> None:
    battery = Battery()
    battery.measured(0, 5_000, False)
    for now_ms, level_mv in ((1_000, 4_300), (3_000, 4_300), (3_500, 5_000), (5_000, 4_300), (7_500, 4_300)):
        battery._filtered = level_mv * 1000
        assert battery.measured(now_ms, level_mv, False) is None
    battery._filtered = 4_300_000
    event = battery.measured(8_000, 4_300, False)
    assert event is not None
    assert event.state == BATTERY_LOW


@pytest.mark.parametrize(
    ("level_mv", "state"), [(4_400, BATTERY_GOOD), (4_399, BATTERY_LOW), (3_999, BATTERY_VERY_LOW)]
)
def test_a_threshold_belongs_to_the_better_state(level_mv: int, state: int) -> None:
    assert [event.state for event in Bench(level_mv).events] == [state]


def test_the_filter_follows_by_the_time_that_passed() -> None:
    battery = Battery()
    battery.measured(0, 6_000, False)
    battery.measured(1_500, 3_000, False)
    assert battery.level_mv == 4_500
    battery.measured(9_000, 3_000, False)
    assert battery.level_mv == 3_000
