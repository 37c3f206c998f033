"""The ARC's program in an interpreter that panics a moment after a power-on: on the chip that is a hard reset, and nobody wanted it."""

import asyncio

import machine

from firmware.arc import main


async def panic(self: main.Arc) -> None:
    await asyncio.sleep_ms(300)
    self.log.line("about to panic")
    machine.reset()


def run() -> None:
    if machine.reset_cause() == machine.PWRON_RESET:
        main.Arc._run_modules = panic  # type: ignore[method-assign]
    main.run()
