"""The ARC's program that finds itself switched to a new firmware a moment after a power-on, and restarts into it."""

import machine

from firmware.arc import main

_change = main.Arc._change_firmware


def change(self: main.Arc) -> None:
    self.update.is_switched = self.clock.now_ms() > 300
    _change(self)


def run() -> None:
    if machine.reset_cause() == machine.PWRON_RESET:
        main.Arc._change_firmware = change  # type: ignore[method-assign]
    main.run()
