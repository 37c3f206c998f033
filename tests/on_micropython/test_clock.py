"""The board's clock sits the exam of clocks."""

from firmware.drivers.clock import Clock
from tests.conformance.clocks import EXAM


def test_the_boards_clock_passes_the_exam():
    for check in EXAM:
        check(Clock())


def test_milliseconds_since_boot_grow():
    clock = Clock()
    began = clock.now_ms()
    clock.sleep_ms(2)
    assert clock.now_ms() > began
