"""Lights over a whole table: silence, battery, bulk frames, blinks, and what a module missed."""

from itertools import pairwise

import pytest

from firmware.bus import words
from firmware.bus.frame import OPCODE
from firmware.desk.wire import Heard
from protocol.lights import BLINK_ONCE, FLASH, GREEN, RED, STEADY, light
from tests.firmware.bus.play import game_events, tree


@pytest.mark.parametrize("how", ["one", "all"])
@pytest.mark.parametrize("boot_ms", [0, 600, 1_400])
def test_a_blink_is_not_seen_again_after_a_brown_out(boot_ms: int, how: str) -> None:
    """Three at once get their lights in one frame, one alone in its own."""
    table = tree(4)
    names = ["m0"] if how == "one" else ["m1", "m2", "m3"]
    if how == "one":
        table.bus.set_light(table.instance("m0"), light(BLINK_ONCE, GREEN))
    else:
        table.bus.set_all(light(BLINK_ONCE, GREEN))
    table.run_ms(1_500)
    leds = [table.table.modules[name].light for name in names]
    assert {led.byte for led in leds} == {light(BLINK_ONCE, GREEN)}
    for name in names:
        table.table.reset(name, boot_ms)
    for _ in range(20):
        table.cycle()  # shorter than a blink
        shown = {table.table.modules[name].light.rgb(table.table.now_ms()) for name in names}
        assert shown == {(0, 0, 0)}
    assert table.bus.statistics()["joins"] == 4 + len(names)


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


def test_all_lights_are_repeated_every_four_seconds() -> None:
    table = tree(2)
    table.bus.set_all(light(STEADY, GREEN))
    table.run_ms(1000)
    exchange, repeated = table.table.exchange, []

    def watched(frame: bytes, timeout_us: int, select: int = -1, collect: bool = False) -> Heard:
        if frame[3] & OPCODE == words.BULK:
            repeated.append(table.table.now_ms())
        return exchange(frame, timeout_us, select, collect)

    table.table.exchange = watched  # type: ignore[method-assign]  # to look at what is sent
    table.run_ms(20_000)
    assert len(repeated) == 5
    assert all(4_000 <= later - earlier <= 4_250 for earlier, later in pairwise(repeated))


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


def test_a_blink_is_seen_although_its_generation_came_round() -> None:
    """256 lights later the number of a light is the same: 255 that others got in between."""
    table = tree(2)
    led, blink = table.table.modules["m0"].light, light(BLINK_ONCE, GREEN)
    table.bus.set_light(table.instance("m0"), blink)
    table.run_ms(500)
    table.bus.coordinator._generation = led.generation - 1 & 0xFF
    table.bus.set_light(table.instance("m0"), blink)
    table.cycle()
    assert led.rgb(table.table.now_ms()) != (0, 0, 0)
