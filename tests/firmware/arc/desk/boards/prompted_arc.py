"""The ARC's program until somebody takes the prompt with Control-C; then the board is restarted there, as `mpremote reset` does."""

import machine

from firmware.arc import main


def run() -> None:
    try:
        main.run()
    except KeyboardInterrupt:
        machine.reset()
