"""Checks of a reader chip beyond its daily work: can a counterfeit do it, is the bus fast enough, which gain serves best.

Not the chip's own self-test: that leaves it unable to read until it is reset.
"""

from firmware.drivers.iso14443 import WUPA
from firmware.drivers.mfrc522 import (
    CALC_CRC,
    COMMAND,
    CRC_HIGH,
    CRC_LOW,
    DIV_IRQ,
    FIFO_LEVEL,
    GAIN_BITS,
    IDLE,
    T_RELOAD_LOW,
    TIMEOUT_SHORT,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from firmware.drivers.iso14443 import TypeA
    from firmware.drivers.mfrc522 import Mfrc522

BROKEN_REGISTERS, BROKEN_FIFO, BROKEN_CRC, BROKEN_FRAMES = 1, 2, 4, 8
"""What `find_broken` and `RoofReader.check` answer, added up. Without the CRC unit we can read: our CRC is software."""


def find_broken(chip: "Mfrc522", clock: "Any") -> int:
    """What a started chip gets wrong. Leaves its configuration as it was."""
    return _check_registers(chip) | _check_fifo(chip) | _check_crc_unit(chip, clock)


def _check_registers(chip: "Mfrc522") -> int:
    wrong = 0
    for value in (0x55, 0xAA, TIMEOUT_SHORT):
        chip.write(T_RELOAD_LOW, value)
        wrong += chip.read(T_RELOAD_LOW) != value
    return BROKEN_REGISTERS if wrong else 0


def _check_fifo(chip: "Mfrc522") -> int:
    for i in range(8):
        chip.tx[i] = 0x25 * i & 0xFF  # each bit both ways
    chip.load(8)
    if chip.read(FIFO_LEVEL) != 8:
        return BROKEN_FIFO
    chip.drain(8)
    return 0 if bytes(chip.rx[:8]) == bytes(chip.tx[:8]) else BROKEN_FIFO


def _check_crc_unit(chip: "Mfrc522", clock: "Any") -> int:
    chip.tx[0], chip.tx[1] = 0x12, 0x34
    chip.load(2)
    chip.write(DIV_IRQ, 0x04)
    chip.write(COMMAND, CALC_CRC)
    clock.sleep_us(100)
    done = chip.read(DIV_IRQ) & 0x04
    crc = chip.read(CRC_HIGH) << 8 | chip.read(CRC_LOW)
    chip.write(COMMAND, IDLE)
    # ISO 14443-3 annex B: 12 34 gives 26 CF, low byte first
    return 0 if done and crc == 0xCF26 else BROKEN_CRC


def measure_spi_hz(chip: "Mfrc522", clock: "Any") -> int:
    """The clock of the SPI bus as it really is, from the time that 20 more bytes take, 20 times."""
    spent_us = 0
    for length, sign in ((2, -1), (22, 1)):
        began_us = clock.ticks_us()
        for _ in range(20):
            chip.drain(length)
        spent_us += sign * ((clock.ticks_us() - began_us) & 0x3FFFFFFF)
    return 20 * 20 * 8 * 1_000_000 // max(1, spent_us)


def sweep_gain(chip: "Mfrc522", tags: "TypeA", polls: int = 20) -> "list[tuple[int, int]]":
    """(gain in dB, how many of `polls` reads succeed) for every gain, with one tag on the roof. Ends with the gain it had."""
    kept = chip.gain_db
    rates = []
    for gain_db in sorted(GAIN_BITS):
        good = 0
        for _ in range(polls):
            if chip.radio_on():
                chip.set_gain(gain_db)
                good += 1 if tags.wake(WUPA) and tags.identify() else 0
                # it may live on until the next poll: asleep it wakes then, selected it would not
                tags.halt()
            chip.radio_off()
        rates.append((gain_db, good))
    chip.set_gain(kept)
    return rates
