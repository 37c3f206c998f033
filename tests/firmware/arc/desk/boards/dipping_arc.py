"""The ARC's program on a supply that dips a moment after a power-on: MicroPython tells the boot after that as a power-on too."""

import asyncio

import machine

from firmware.arc import main

RESET_STATE, BROWN_OUT = 0x60008038, 15
"""ESP32-S3: RTC_CNTL_RESET_STATE_REG, and what it says of a brown-out."""


async def dip(self: main.Arc) -> None:
    await asyncio.sleep_ms(300)
    self.log.line("the lights go on")
    machine.reset()


def run() -> None:
    if machine.reset_cause() == machine.PWRON_RESET:
        main.Arc._run_modules = dip  # type: ignore[method-assign]
    else:
        machine.mem32[RESET_STATE] = BROWN_OUT
        machine.reset_cause = lambda: machine.PWRON_RESET  # type: ignore[assignment]
    main.run()
