"""Builds the parts of the ARC from its pin map. The only place that names both pins and drivers."""

import os

import machine
from esp32 import Partition
from machine import SPI, Pin

from firmware.arc.card_watch import CardWatch
from firmware.arc.module_bus import build_module_bus
from firmware.arc.reader import RoofReader
from firmware.boards import arc_esp32s3 as board, timings
from firmware.drivers.mfrc522 import Mfrc522
from protocol import events

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from firmware.drivers.clock import Clock

_CAUSES = {
    machine.PWRON_RESET: events.POWER_ON,
    machine.HARD_RESET: events.RESET_PIN,
    machine.WDT_RESET: events.WATCHDOG,
    machine.DEEPSLEEP_RESET: events.DEEP_SLEEP,
    machine.SOFT_RESET: events.SOFT_RESET,
}


def boot_cause() -> int:
    """Why the board booted, in the protocol's numbers."""
    return _CAUSES.get(machine.reset_cause(), events.POWER_ON)


def partition(label: str) -> "Any":
    """The partition, untyped: the stubs know fewer kinds of buffers than `esp32.Partition` takes."""
    found = Partition.find(Partition.TYPE_DATA, label=label)
    if not found:
        raise OSError("no flash partition %s: flash the board with `make flash`" % label)
    return found[0]


def random_epoch() -> int:
    """Sixteen bits nobody can foresee."""
    return int.from_bytes(os.urandom(2), "little")


def build_reader(clock: "Clock", gain_db: int, lay_there: "Callable[[bytes], bool]") -> RoofReader:
    """The reader in the roof. `lay_there` as in `RoofReader`."""
    spi = SPI(
        board.RFID_SPI,
        baudrate=board.RFID_BAUD,
        sck=Pin(board.RFID_SCK),
        mosi=Pin(board.RFID_MOSI),
        miso=Pin(board.RFID_MISO),
    )
    select = Pin(board.RFID_CS, Pin.OUT, value=1)
    reset = Pin(board.RFID_RST, Pin.OUT, value=0)
    return RoofReader(Mfrc522(spi, select, reset, clock, gain_db), CardWatch(), clock, lay_there)


def build_modules(clock: "Clock") -> "Any":
    """The bus with the modules."""
    return build_module_bus(board, timings, clock, random_epoch())
