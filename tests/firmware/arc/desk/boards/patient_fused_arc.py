"""`fused_arc` with more patience for modules that start again: a process starts as fast as the computer has time for it."""

import fused_arc  # of this folder, which is the program's path on the desk

from firmware.boards import timings


def run() -> None:
    timings.MODULE_DETACHED_MS = 30_000
    fused_arc.run()
