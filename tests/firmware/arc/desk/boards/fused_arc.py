"""The ARC's program with a fuse and branches that try again ten times as soon, so that a test need not wait."""

from firmware.arc import main
from firmware.bus import supply


def run() -> None:
    supply.RETRY_MS = 200
    supply.LATER_MS = 3_000
    main.run()
