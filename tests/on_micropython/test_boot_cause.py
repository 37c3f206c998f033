"""Why the ARC booted: what its chip tells, in the protocol's numbers."""

import machine

from firmware.arc.build import boot_cause
from firmware.boards import arc_esp32s3 as board
from protocol import events

SHIMS = True
HEAP = "1m"

BROWNED_OUT = 15
CASES = [
    # what MicroPython says, the chip's register, did the firmware leave by itself or for the prompt?
    (machine.PWRON_RESET, board.POWER_ON_STATE, False, events.POWER_ON),
    (machine.PWRON_RESET, BROWNED_OUT, False, events.BROWN_OUT),
    (machine.HARD_RESET, 3, False, events.RESET_PIN),
    (machine.HARD_RESET, 3, True, events.SOFT_RESET),
    (machine.WDT_RESET, 7, False, events.WATCHDOG),
    # nobody feeds the watchdog at the prompt, and nothing stops it
    (machine.WDT_RESET, 7, True, events.SOFT_RESET),
    (machine.DEEPSLEEP_RESET, 5, False, events.DEEP_SLEEP),
    (machine.SOFT_RESET, 3, True, events.SOFT_RESET),
    (0, 3, False, events.POWER_ON),
]


def test_each_cause_is_told_in_the_protocols_numbers():
    real, register = machine.reset_cause, machine.mem32[board.RESET_REGISTER]
    try:
        for cause, state, was_wanted, told in CASES:
            machine.reset_cause = lambda: cause  # noqa: B023 - asked at once
            machine.mem32[board.RESET_REGISTER] = state | 0x40
            assert boot_cause(was_wanted) == told, (cause, state, was_wanted)
    finally:
        machine.reset_cause, machine.mem32[board.RESET_REGISTER] = real, register
