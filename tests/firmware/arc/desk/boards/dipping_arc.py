"""The ARC's program on a supply that dips a moment after a power-on: MicroPython tells the boot after that as a power-on too."""

import asyncio

import machine

from firmware.arc import main
from firmware.boards import arc_esp32s3 as board

BROWN_OUT_STATE = 15


async def dip(self: main.Arc) -> None:
    await asyncio.sleep_ms(300)
    self.log.line("the lights go on")
    machine.reset()


def run() -> None:
    if machine.reset_cause() == machine.PWRON_RESET:
        main.Arc._run_modules = dip  # type: ignore[method-assign]
    else:
        machine.mem32[board.RESET_REGISTER] = BROWN_OUT_STATE
        machine.reset_cause = lambda: machine.PWRON_RESET  # type: ignore[assignment]
    main.run()
