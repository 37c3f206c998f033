"""Lights over a whole table: silence, battery, bulk frames, blinks, and what a module missed."""

import pytest

from protocol.lights import BLINK_ONCE, FLASH, GREEN, RED, STEADY, light
from tests.firmware.bus.play import game_events, tree


def test_a_blink_is_not_seen_again_after_a_brown_out() -> None:
    table = tree(2)
    table.bus.set_light(table.instance("m0"), light(BLINK_ONCE, GREEN))
    table.run_ms(500)
    assert table.table.modules["m0"].light.byte == light(BLINK_ONCE, GREEN)
    table.table.reset("m0", 600)
    table.run_ms(5000)
    assert table.table.modules["m0"].light.rgb(table.table.now_ms()) == (0, 0, 0)
    assert table.bus.statistics()["joins"] == 3


def test_a_silent_arc_dims_the_lights_and_a_returning_one_lights_them_again() -> None:
    table = tree(3)
    table.bus.set_all(light(STEADY, GREEN))
    table.run_ms(1000)

    def shown() -> set[tuple[int, int, int]]:
        return {module.light.rgb(table.table.now_ms()) for module in table.table.modules.values()}

    (full,) = shown()
    table.table.wait_ms(3000)
    (dim,) = shown()
    assert 0 < dim[1] <= full[1] // 10
    table.table.wait_ms(7000)
    assert shown() == {(0, 0, 0)}
    table.run_ms(1000)
    assert shown() == {full}
    assert not game_events(table.events[3:])


@pytest.mark.parametrize(("percent", "cap"), [(100, 40), (50, 20), (25, 10), (0, 0)])
def test_the_battery_caps_every_light_within_two_seconds(percent: int, cap: int) -> None:
    table = tree(5)
    table.bus.set_all(light(STEADY, GREEN))
    table.bus.set_light_percent(percent)
    table.run_ms(2000)
    assert {module.light.cap_tenths_ma for module in table.table.modules.values()} == {cap}


def test_thirty_one_lights_change_by_one_frame() -> None:
    table = tree(31)
    before = table.bus.statistics()["frames"]
    table.cycle()
    idle = table.bus.statistics()["frames"] - before
    table.bus.set_all(light(FLASH, RED))
    before = table.bus.statistics()["frames"]
    table.cycle()
    assert table.bus.statistics()["frames"] - before <= idle + 2
    assert {module.light.byte for module in table.table.modules.values()} == {light(FLASH, RED)}


def test_a_light_that_a_module_missed_is_put_right_by_its_next_poll() -> None:
    table = tree(5)
    table.bus.set_all(light(STEADY, GREEN))
    table.run_ms(1000)
    table.table.modules["m2"].light.show(table.table.now_ms(), light(FLASH, RED), 9)
    table.run_ms(500)
    assert table.table.modules["m2"].light.byte == light(STEADY, GREEN)


def test_blink_once_blinks_each_time_it_is_asked_for() -> None:
    table = tree(2)
    led = table.table.modules["m0"].light

    def blinks(duration_ms: int) -> int:
        seen = 0
        for _ in range(duration_ms // 250):
            table.cycle()
            seen += led.rgb(table.table.now_ms()) != (0, 0, 0)
        return seen

    table.bus.set_light(table.instance("m0"), light(BLINK_ONCE, GREEN))
    assert blinks(1000) == 1
    assert blinks(10_000) == 0, "refreshing the lights blinks nothing"
    table.bus.set_light(table.instance("m0"), light(BLINK_ONCE, GREEN))
    assert blinks(1000) == 1
    table.bus.set_all(light(BLINK_ONCE, GREEN))
    assert blinks(1000) == 1
