"""Keeps the tasks of a board alive: a task that fails is started again and counted; the watchdog is fed only when all tick."""

import asyncio
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Awaitable
    from typing import Callable

    from firmware.drivers.clock import Clock

RESTART_MS = 500
RESTART_MAX_MS = 32_000
GOOD_RUN_MS = 60_000
SILENT_MS = 6_000
"""A task that has not ticked for so long is stuck; the watchdog bites two seconds later."""


class Supervisor:
    """`on_failure(name, error)` is called for each failed task, before it is started again."""

    def __init__(self, clock: "Clock", on_failure: "Callable[[str, BaseException], None]") -> None:
        self._clock = clock
        self._on_failure = on_failure
        self._ticks: "dict[str, int]" = {}
        self.restarts = 0

    def tick(self, name: str) -> None:
        """The task `name` is alive. Every task under care says so at least every few seconds."""
        self._ticks[name] = self._clock.now_ms()

    def report(self, name: str, error: BaseException) -> None:
        """A task has failed: print, count, tell."""
        self.restarts += 1
        sys.print_exception(error)
        try:
            self._on_failure(name, error)
        except Exception as second:
            # No memory to write it down, say: a fault that cannot be told must not end all other tasks.
            sys.print_exception(second)

    def stuck(self) -> "list[str]":
        """The tasks that have not ticked for too long."""
        now_ms = self._clock.now_ms()
        return [name for name, ticked_ms in self._ticks.items() if now_ms - ticked_ms > SILENT_MS]

    async def keep(self, name: str, run: "Callable[[], Awaitable[None]]") -> None:
        """Run `run()` until it ends by itself; again after each error, sooner when it had run well for a while."""
        wait_ms = RESTART_MS
        while True:
            begun_ms = self._clock.now_ms()
            self.tick(name)
            try:
                await run()
                self._ticks.pop(name, None)
                return
            except Exception as error:
                # A fault in one task must not stop the others.
                self.report(name, error)
            if self._clock.now_ms() - begun_ms >= GOOD_RUN_MS:
                wait_ms = RESTART_MS
            # A task that waits for its next try is not stuck.
            self._ticks.pop(name, None)
            await asyncio.sleep_ms(wait_ms)
            wait_ms = min(2 * wait_ms, RESTART_MAX_MS)
