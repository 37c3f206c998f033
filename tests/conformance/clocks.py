"""The exam of clocks: what drivers and the reader rely on in `ticks_ms`, `ticks_us`, `sleep_ms`, `sleep_us`.

Runs on both interpreters.
"""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

MASK = 0x3FFFFFFF
"""Differences are taken modulo 2**30, where boards wrap."""


def check_sleeping_lets_that_time_pass(clock: "Any") -> None:
    began_us = clock.ticks_us()
    clock.sleep_us(400)
    assert (clock.ticks_us() - began_us) & MASK >= 400
    began_us = clock.ticks_us()
    clock.sleep_ms(3)
    # some ports count whole milliseconds, the first of which had begun
    assert (clock.ticks_us() - began_us) & MASK >= 2_000


def check_both_ticks_are_the_same_time(clock: "Any") -> None:
    # the milliseconds are asked within the microseconds: a pause of the machine then lengthens both or the outer one
    began_us = clock.ticks_us()
    began_ms = clock.ticks_ms()
    clock.sleep_ms(5)
    passed_ms = (clock.ticks_ms() - began_ms) & MASK
    passed_us = (clock.ticks_us() - began_us) & MASK
    assert 4 <= passed_ms <= passed_us // 1000 + 1


def check_ticks_never_go_back(clock: "Any") -> None:
    last = clock.ticks_us()
    for _ in range(100):
        now = clock.ticks_us()
        assert (now - last) & MASK < MASK // 2
        last = now


EXAM = (check_sleeping_lets_that_time_pass, check_both_ticks_are_the_same_time, check_ticks_never_go_back)
