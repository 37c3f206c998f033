"""The ARC's program with a clock that is put forward from outside: by as many milliseconds as the board's file `ahead` says."""

from firmware.arc import main, parts
from firmware.drivers.clock import Clock

_rest = main.Arc._rest


class DrivenClock(Clock):
    ahead_ms = 0

    def now_ms(self) -> int:
        return Clock.now_ms(self) + self.ahead_ms


def rest(self: main.Arc, now_ms: int) -> None:
    try:
        with open("ahead") as file:
            DrivenClock.ahead_ms = int(file.read() or DrivenClock.ahead_ms)
    except OSError:
        pass
    _rest(self, self.clock.now_ms())


def run() -> None:
    parts.Clock = DrivenClock  # type: ignore[misc]
    main.Arc._rest = rest  # type: ignore[method-assign]
    main.run()
