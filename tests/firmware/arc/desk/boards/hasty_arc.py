"""The ARC's program with a battery filter and a farewell ten times as short, so that a test need not wait."""

from firmware.arc import main
from firmware.boards import timings


def run() -> None:
    timings.BATTERY_FILTER_MS = 300
    timings.EMPTY_SLEEP_MS = 500
    main.run()
