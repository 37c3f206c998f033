"""The ARC's program with a bus that works without pauses, so that an update of a module takes three seconds and not twenty; and with
more patience for a module that restarts: a process starts as fast as the computer has time for it."""

from firmware.arc import main
from firmware.boards import timings


def run() -> None:
    timings.BUS_CYCLE_MS = 5
    timings.MODULE_DETACHED_MS = 30_000
    main.run()
