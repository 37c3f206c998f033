"""What a module's LED shows: patterns, phases, the cap, silence, and dark at the start."""

import pytest
from hypothesis import given, strategies as st

from firmware.bus.budget import cap_tenths_ma
from firmware.module.light import DIM_AFTER_MS, OFF_AFTER_MS, Light, phase_ms
from protocol.lights import (
    ATTENTION,
    BLINK_ONCE,
    BLUE,
    DARK,
    FLASH,
    GREEN,
    NO_COLOUR,
    RED,
    SLOW_FLASH,
    STEADY,
    WHITE,
    YELLOW,
    light,
)

FULL = 120  # tenths of a milliampere of one channel
OFF = (0, 0, 0)


def lit(byte: int, *, cap: int = FULL, address: int = 1, modules: int = 1) -> Light:
    led = Light(FULL, cap)
    led.heard(0)
    led.sit(address)
    led.tick(0, 0, cap, modules)
    led.show(0, byte, 1)
    return led


def on_at(led: Light, times: range) -> list[int]:
    """The instants at which it shines, while the bus lives."""
    found = []
    for now in times:
        led.heard(now)
        if led.rgb(now) != OFF:
            found.append(now)
    return found


def test_dark_from_power_on_until_the_first_frame() -> None:
    # field report 71: no white flash
    led = Light(FULL, FULL)
    assert [led.rgb(now) for now in range(0, 20_000, 100)] == [OFF] * 200
    led.show(20_000, light(STEADY, GREEN), 1)
    assert led.rgb(20_000) == OFF, "a light without a frame does not exist"
    led.heard(20_001)
    assert led.rgb(20_001) != OFF


@pytest.mark.parametrize(
    ("colour", "rgb"),
    [
        (GREEN, (0, 255, 0)),
        (BLUE, (0, 0, 255)),
        (RED, (255, 0, 0)),
        (WHITE, (85, 85, 85)),
        (YELLOW, (150, 105, 0)),
        (NO_COLOUR, OFF),
    ],
)
def test_colours_draw_the_current_of_one_channel_at_most(colour: int, rgb: tuple[int, int, int]) -> None:
    assert lit(light(STEADY, colour)).rgb(0) == rgb
    assert sum(rgb) <= 255


@given(st.integers(0, 255), st.sampled_from([GREEN, BLUE, RED, WHITE, YELLOW]))
def test_the_cap_holds_for_every_colour(cap: int, colour: int) -> None:
    drawn_tenths = sum(lit(light(STEADY, colour), cap=cap).rgb(0)) * FULL / 255
    assert drawn_tenths <= cap


@pytest.mark.parametrize(("pattern", "period"), [(FLASH, 1000), (SLOW_FLASH, 2000), (ATTENTION, 500)])
def test_flashes_are_on_for_half_of_their_period(pattern: int, period: int) -> None:
    shining = on_at(lit(light(pattern, RED), modules=0), range(0, 4 * period, 10))
    assert len(shining) * 10 == 2 * period
    assert shining == [now for now in range(0, 4 * period, 10) if now % period < period // 2]


def test_blink_once_is_once() -> None:
    led = lit(light(BLINK_ONCE, WHITE))
    assert on_at(led, range(0, 5000, 10)) == list(range(0, 300, 10))
    led.show(5000, light(BLINK_ONCE, WHITE), 1)
    assert on_at(led, range(5000, 6000, 10)) == [], "the same generation again is no new blink"
    led.show(6000, light(BLINK_ONCE, WHITE), 2)
    assert on_at(led, range(6000, 7000, 10)) == list(range(6000, 6300, 10))


def test_a_bulk_refresh_does_not_blink_again() -> None:
    led = lit(light(BLINK_ONCE, WHITE))
    led.adopt(1000, light(BLINK_ONCE, WHITE))
    assert led.rgb(1000) == OFF
    led.adopt(1000, 0xFF)
    assert led.byte == light(BLINK_ONCE, WHITE), "what is no light is passed over"


def test_silence_dims_after_three_seconds_and_ends_after_ten() -> None:
    led = lit(light(STEADY, GREEN))
    assert led.rgb(DIM_AFTER_MS - 1) == (0, 255, 0)
    assert led.rgb(DIM_AFTER_MS) == (0, 25, 0)
    assert led.rgb(OFF_AFTER_MS - 1) == (0, 25, 0)
    assert led.rgb(OFF_AFTER_MS) == OFF
    led.heard(OFF_AFTER_MS + 5)
    assert led.rgb(OFF_AFTER_MS + 5) == (0, 255, 0)


def test_all_flash_by_the_arcs_time() -> None:
    one, other = lit(light(ATTENTION, RED), modules=4), lit(light(ATTENTION, RED), address=3, modules=4)
    one.tick(1000, 77_123, FULL, 4)
    other.tick(5_321, 77_130, FULL, 4)  # another clock; it heard its TICK seven milliseconds later
    for shift in range(0, 1000, 25):
        one.heard(1000 + shift)
        other.heard(5314 + shift)
        assert one.rgb(1000 + shift) == other.rgb(5314 + shift)


def test_up_to_eight_modules_call_attention_together_beyond_that_in_four_groups() -> None:
    assert {phase_ms(ATTENTION, address, 8, 500) for address in range(1, 9)} == {0}
    assert {phase_ms(ATTENTION, address, 9, 500) for address in range(1, 10)} == {0, 125, 250, 375}


@pytest.mark.parametrize("modules", [2, 8, 31])
@pytest.mark.parametrize("pattern", [FLASH, SLOW_FLASH])
def test_staggered_flashes_add_up_to_their_mean(pattern: int, modules: int) -> None:
    leds = [lit(light(pattern, RED), address=address, modules=modules) for address in range(1, modules + 1)]
    shining = [sum(led.rgb(now) != OFF for led in leds) for now in range(0, 2000, 20)]
    assert max(shining) <= modules // 2 + 1


@given(
    st.sampled_from([DARK, STEADY, FLASH, SLOW_FLASH, ATTENTION, BLINK_ONCE]),
    st.integers(0, 12_000),
    st.integers(1, 31),
)
def test_next_change_is_never_late(pattern: int, now: int, address: int) -> None:
    led = lit(light(pattern, GREEN), address=address, modules=31)
    shown = led.rgb(now)
    wait = led.next_change_ms(now)
    assert wait >= 1
    assert all(led.rgb(at) == shown for at in range(now, min(now + wait, now + 3000), 7))


@pytest.mark.parametrize(
    ("modules", "percent", "is_noisy", "cap"),
    [
        (1, 100, False, 40),
        (25, 100, False, 40),
        (31, 100, False, 32),
        (31, 50, False, 16),
        (8, 25, True, 5),
        (8, 0, False, 0),
    ],
)
def test_each_led_gets_its_share_of_the_budget(modules: int, percent: int, is_noisy: bool, cap: int) -> None:
    assert cap_tenths_ma(modules, 100, 4, percent, is_noisy) == cap


@given(st.integers(0, 31), st.integers(0, 100), st.booleans())
def test_the_sum_of_all_leds_stays_in_the_budget(modules: int, percent: int, is_noisy: bool) -> None:
    assert modules * cap_tenths_ma(modules, 100, 4, percent, is_noisy) <= 1000
