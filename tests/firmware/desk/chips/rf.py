"""A hand-held programmer for the chip model: plain register accesses, no driver of ours, so that both can be wrong apart."""

from firmware.desk.chips import mfrc522 as chip
from firmware.desk.chips.field import Field
from firmware.desk.chips.mfrc522 import Mfrc522Model


class Bench:
    """A chip with its field on and configured by hand; `us` is the time."""

    def __init__(self, field: Field | None = None) -> None:
        self.us = 1_000
        self.field = field or Field()
        self.model = Mfrc522Model(self.field, lambda: self.us)
        self.us += 10_000
        for register, value in ((chip.TX_ASK, 0x40), (chip.MODE, 0x3D), (chip.COLL, 0x00), (chip.TX_CONTROL, 0x83)):
            self.write(register, value)
        # timer: 25 µs a tick, 40 ticks
        for register, value in ((chip.T_MODE, 0x80), (chip.T_PRESCALER, 169), (chip.T_RELOAD_LOW, 40)):
            self.write(register, value)
        self.us += 10_000

    def read(self, register: int) -> int:
        return self.model.transfer(bytes((register << 1 | 0x80, 0)))[1]

    def write(self, register: int, *values: int) -> None:
        self.model.transfer(bytes((register << 1, *values)))

    def drain(self) -> bytes:
        """What is in the FIFO, in one burst."""
        count = self.read(chip.FIFO_LEVEL)
        return self.model.transfer(bytes([chip.FIFO_DATA << 1 | 0x80] * count + [0]))[1:]

    def send(self, data: bytes, last_bits: int = 0, align: int = 0, wait_us: int = 20_000) -> bytes:
        """Transceive; what came into the FIFO."""
        self.write(chip.COMMAND, chip.IDLE)
        self.write(chip.COM_IRQ, 0x7F)
        self.write(chip.FIFO_LEVEL, 0x80)
        self.write(chip.FIFO_DATA, *data)
        self.write(chip.BIT_FRAMING, align << 4 | last_bits)
        self.write(chip.COMMAND, chip.TRANSCEIVE)
        self.write(chip.BIT_FRAMING, 0x80 | align << 4 | last_bits)
        self.us += wait_us
        return self.drain()
