"""Builds what hangs on the ARC's pins and lives longer than a task: reader, LED bus, its power, partitions; and says why the board booted."""

import os

import machine
from esp32 import Partition
from machine import ADC, SPI, UART, Pin

from firmware.arc.card_watch import CardWatch
from firmware.arc.module_bus import ModuleBus
from firmware.arc.module_watch import ModuleWatch
from firmware.arc.reader import RoofReader
from firmware.boards import arc_esp32s3 as board, timings
from firmware.drivers.bus_power import BusPower
from firmware.drivers.bus_uart import BusUart
from firmware.drivers.mfrc522 import Mfrc522
from firmware.drivers.select_lines import SelectLines
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


def boot_cause(was_wanted: bool) -> int:
    """Why the board booted, in the protocol's numbers. `was_wanted`: the firmware left by itself, see `Log.leave`, or for the
    prompt, where nobody feeds the watchdog and nothing can stop it.

    MicroPython tells a restart by software and a panic alike as a hard reset, and the reset pin as a power-on. A brown-out
    it tells as a power-on too, but the chip's register does not: there it is a brown-out, or the restart that ESP-IDF makes of it.
    """
    cause = machine.reset_cause()
    if cause == machine.PWRON_RESET and machine.mem32[board.RESET_REGISTER] & 0x3F != board.POWER_ON_STATE:
        return events.BROWN_OUT
    if was_wanted and cause in (machine.HARD_RESET, machine.WDT_RESET):
        return events.SOFT_RESET
    return _CAUSES.get(cause, events.POWER_ON)


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


def build_modules(clock: "Clock") -> ModuleBus:
    """The bus with the modules."""
    uart = UART(
        board.BUS_UART,
        board.BUS_BAUD,
        tx=Pin(board.BUS_TX),
        rx=Pin(board.BUS_RX),
        rxbuf=board.BUS_RX_BUFFER,
    )
    lines = SelectLines([Pin(number, Pin.OPEN_DRAIN, value=1) for number in board.BUS_SEL])
    return ModuleBus(
        BusUart(uart, lines),
        random_epoch() & 0xFF,
        ModuleWatch(timings.MODULE_DETACHED_MS),
        clock,
        board.LED_BUDGET_MA,
        board.LED_MAX_MA,
        os.urandom,
        build_power(),
    )


def build_power() -> BusPower:
    """What this board can do about the current to the modules, down to nothing."""
    enable, fault, sense = board.VBUS_EN, board.VBUS_FAULT, board.VBUS_SENSE
    return BusPower(
        None if enable is None else Pin(enable, Pin.OUT, value=1),
        None if fault is None else Pin(fault, Pin.IN, Pin.PULL_UP),
        [Pin(number, Pin.OUT, value=1) for number in board.VBUS_PORT_EN],
        None if sense is None else ADC(Pin(sense), atten=ADC.ATTN_11DB),
        board.VBUS_SENSE_UV_PER_MA,
    )
