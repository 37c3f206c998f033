"""The ARC's program on a board whose radio hangs at its start after a power-on, before any task runs."""

import time

import machine

from firmware.arc import main
from firmware.boards import timings
from firmware.drivers.ble_peripheral import BlePeripheral


def hang(self: BlePeripheral, info: bytes, interval_us: int) -> None:
    while True:
        time.sleep_ms(100)


def run() -> None:
    # impatient, so that a test need not wait for so long
    timings.WATCHDOG_MS = 2_500
    if machine.reset_cause() == machine.PWRON_RESET:
        BlePeripheral.start = hang  # type: ignore[method-assign]
    main.run()
