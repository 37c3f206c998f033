"""The ARC's program with a bus task that hangs for ever after a power-on; after the watchdog's reset it is as it is."""

import asyncio

import machine

from firmware.arc import main, supervisor
from firmware.boards import timings


async def hang(self: main.Arc) -> None:
    self.log.line("about to hang")
    while True:
        await asyncio.sleep_ms(1_000)


def run() -> None:
    # impatient, so that a test need not wait for so long
    timings.WATCHDOG_MS = 2_500
    supervisor.SILENT_MS = 1_500
    main.ACCEPT_MS = 200
    if machine.reset_cause() == machine.PWRON_RESET:
        main.Arc._run_modules = hang  # type: ignore[method-assign]
    main.run()
