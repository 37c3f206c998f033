"""What people see, hear and press: light, buzzer, button."""

import pytest

from firmware.arc.button import FORGET, LONG, NOTHING, SHORT, Button
from firmware.arc.lights import BEEP_CARD, BEEP_REFUSED, COLOURS, OFF, ArcLight, Beeper
from protocol.lights import BLINK_ONCE, BLUE, FLASH, GREEN, RED, SLOW_FLASH, STEADY, WHITE, YELLOW, light


def press(held_ms: int, bounce_ms: int = 0) -> list[int]:
    """What a press of this length tells, sampled every 10 ms, with contacts that bounce at both ends."""
    button = Button()
    told = []
    for now_ms in range(1_000, 1_000 + held_ms + 2_000, 10):
        at = now_ms - 1_000
        is_down = at < held_ms
        if bounce_ms and (at < bounce_ms or held_ms <= at < held_ms + bounce_ms):
            is_down = (at // 10) % 2 == 0
        told.append(button.sampled(now_ms, is_down))
    return [one for one in told if one != NOTHING]


@pytest.mark.parametrize(
    ("held_ms", "told"),
    [
        (50, [SHORT]),
        (1_900, [SHORT]),
        (2_100, [LONG]),
        (9_900, [LONG]),
        (10_100, [LONG, FORGET]),
        (30_000, [LONG, FORGET]),
    ],
)
def test_a_press_is_told_once_by_its_length(held_ms: int, told: list[int]) -> None:
    assert press(held_ms) == told


def test_the_press_that_woke_the_board_means_nothing_more_and_the_next_one_counts() -> None:
    button = Button(is_held=True)
    assert {button.sampled(now_ms, is_down=True) for now_ms in range(0, 12_000, 10)} == {NOTHING}
    assert button.sampled(12_000, is_down=False) == NOTHING
    assert button.sampled(13_000, is_down=True) == NOTHING
    assert button.sampled(13_200, is_down=False) == SHORT


def test_bouncing_contacts_are_one_press() -> None:
    assert press(500, bounce_ms=20) == [SHORT]


def lit(arc: ArcLight, now_ms: int = 10_000) -> tuple[int, int, int]:
    return arc.colour(now_ms)


def test_the_app_light_shows_when_nothing_else_wants_it() -> None:
    arc = ArcLight()
    assert lit(arc) == OFF
    arc.set_app(light(STEADY, GREEN), 0)
    assert lit(arc) == COLOURS[GREEN]


def test_what_is_more_urgent_covers_what_is_less() -> None:
    arc = ArcLight()
    arc.set_app(light(STEADY, GREEN), 0)
    arc.is_low = True
    assert lit(arc, 9_010) == COLOURS[RED]
    assert lit(arc, 9_500) == COLOURS[GREEN]
    arc.has_waiting = True
    assert lit(arc, 9_010) == COLOURS[YELLOW]
    arc.has_fault = True
    assert lit(arc, 9_010) == COLOURS[RED]
    arc.is_pairing = True
    assert lit(arc, 9_010) == COLOURS[BLUE]
    arc.flash(WHITE, 9_000)
    assert lit(arc, 9_010) == COLOURS[WHITE]
    assert lit(arc, 9_200) == COLOURS[BLUE]
    arc.cap_percent = 0
    assert lit(arc, 9_010) == OFF


def test_blink_once_falls_back_to_the_light_before() -> None:
    arc = ArcLight()
    arc.set_app(light(STEADY, GREEN), 0)
    arc.set_app(light(BLINK_ONCE, WHITE), 1_000)
    assert lit(arc, 1_100) == COLOURS[WHITE]
    assert lit(arc, 2_000) == COLOURS[GREEN]


@pytest.mark.parametrize(("pattern", "period_ms"), [(FLASH, 1_000), (SLOW_FLASH, 2_000)])
def test_a_pattern_is_lit_half_of_its_period(pattern: int, period_ms: int) -> None:
    arc = ArcLight()
    arc.set_app(light(pattern, BLUE), 0)
    shown = [lit(arc, now_ms) != OFF for now_ms in range(0, 4 * period_ms, 10)]
    assert sum(shown) * 2 == len(shown)


def test_the_battery_caps_the_brightness() -> None:
    arc = ArcLight()
    arc.set_app(light(STEADY, GREEN), 0)
    arc.cap_percent = 25
    assert lit(arc) == (0, 63, 0)


def test_two_beeps_are_heard_as_two_and_a_flood_is_cut() -> None:
    beeper = Beeper()
    for _ in range(10):
        beeper.play(BEEP_CARD)
    heard = [beeper.frequency(now_ms) for now_ms in range(0, 3_000, 10)]
    begins = [now for before, now in zip([0] + heard, heard) if now and not before]
    assert begins == [BEEP_CARD[0]] * 3


def test_a_beep_has_its_length() -> None:
    beeper = Beeper()
    beeper.play(BEEP_REFUSED)
    heard = [beeper.frequency(now_ms) for now_ms in range(0, 1_000, 10)]
    assert sum(1 for frequency in heard if frequency) == BEEP_REFUSED[1] // 10
