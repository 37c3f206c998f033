"""The roof reader: register traffic beside that of the popular drivers, swipes, field time. All in virtual time."""

from collections.abc import Iterator

from firmware.desk.chips import mfrc522 as registers
from firmware.desk.chips.tag_kinds import Ntag213
from firmware.drivers.iso14443 import crc_a
from protocol.events import CardPresented
from protocol.tag import memory_for
from tests.bench.rows import Row
from tests.firmware.reader.rig import TRANSFER_US, Rig
from tests.firmware.reader.swipes import CODE, UID, share_read

LOOP = "drivers that poll ComIrqReg up to 2,000 times"
POLLS = 20


class Traffic:
    """Register accesses between two moments."""

    def __init__(self, rig: Rig) -> None:
        self._rig = rig
        self._before = self._now()

    def _now(self) -> tuple[int, int, int]:
        return self._rig.model.register_reads, self._rig.model.register_writes, self._rig.clock.now_us

    def counts(self) -> tuple[int, int, int]:
        """Reads, writes and microseconds since."""
        reads, writes, us = (now - then for now, then in zip(self._now(), self._before, strict=True))
        return reads, writes, us


class LoopingDriver:
    """The register traffic of the popular MicroPython drivers, rebuilt from its description to be counted.

    FIFO bytes go one by one, flags are set by reading and writing, and the wait for an answer looks at RxIRq and
    IdleIRq alone: the timer's bit never ends it, so that silence costs all 2,000 turns.
    """

    def __init__(self, rig: Rig) -> None:
        self._chip = rig.chip

    def _flag(self, register: int, mask: int, *, on: bool) -> None:
        value = self._chip.read(register)
        self._chip.write(register, value | mask if on else value & ~mask)

    def exchange(self, data: bytes, last_bits: int = 0) -> bytes:
        """One frame to the card and its answer."""
        chip = self._chip
        chip.write(registers.BIT_FRAMING, last_bits)
        chip.write(0x02, 0xF7)
        self._flag(registers.COM_IRQ, 0x80, on=False)
        self._flag(registers.FIFO_LEVEL, 0x80, on=True)
        chip.write(registers.COMMAND, registers.IDLE)
        for byte in data:
            chip.write(registers.FIFO_DATA, byte)
        chip.write(registers.COMMAND, registers.TRANSCEIVE)
        self._flag(registers.BIT_FRAMING, 0x80, on=True)
        for _ in range(2_000):
            if chip.read(registers.COM_IRQ) & 0x30:
                break
        else:
            self._flag(registers.BIT_FRAMING, 0x80, on=False)
            return b""
        self._flag(registers.BIT_FRAMING, 0x80, on=False)
        chip.read(registers.ERROR)
        count = chip.read(registers.FIFO_LEVEL)
        chip.read(registers.CONTROL)
        return bytes(chip.read(registers.FIFO_DATA) for _ in range(count))

    def _crc(self, data: bytes) -> bytes:
        self._flag(registers.DIV_IRQ, 0x04, on=False)
        self._flag(registers.FIFO_LEVEL, 0x80, on=True)
        for byte in data:
            self._chip.write(registers.FIFO_DATA, byte)
        self._chip.write(registers.COMMAND, registers.CALC_CRC)
        for _ in range(0xFF):
            if self._chip.read(registers.DIV_IRQ) & 0x04:
                break
        return bytes((self._chip.read(registers.CRC_LOW), self._chip.read(registers.CRC_HIGH)))

    def read_uid(self) -> bytes:
        """Request, anticollision and select over two levels; empty when nobody answers."""
        uid = b""
        if not self.exchange(b"\x26", 7):
            return uid
        for level in (0x93, 0x95):
            part = self.exchange(bytes((level, 0x20)))
            frame = bytes((level, 0x70)) + part
            crc = self._crc(frame)
            assert crc == crc_a(frame, len(frame)).to_bytes(2, "little")
            self.exchange(frame + crc)
            uid += part[1:4] if level == 0x93 else part[:4]
        return uid


def rows() -> Iterator[Row]:
    yield from _traffic_rows()
    yield from _swipe_rows()
    yield from _field_rows()


def _rig(*, with_card: bool) -> Rig:
    rig = Rig()
    rig.settle()
    if with_card:
        rig.lay(Ntag213(UID, memory_for(CODE)))
        rig.run(1_000)
    return rig


def _ours(*, with_card: bool) -> tuple[int, int, int]:
    rig = _rig(with_card=with_card)
    traffic = Traffic(rig)
    for _ in range(POLLS):
        rig.reader.poll()
        rig.clock.sleep_ms(100)
    reads, writes, us = traffic.counts()
    return reads // POLLS, writes // POLLS, us // POLLS - 100_000


def _theirs(*, with_card: bool) -> tuple[int, int, int]:
    rig = _rig(with_card=with_card)
    rig.chip.radio_on()
    driver = LoopingDriver(rig)
    traffic = Traffic(rig)
    assert driver.read_uid() == (UID if with_card else b"")
    return traffic.counts()


def _traffic_rows() -> Iterator[Row]:
    for what, with_card, budget in (("empty poll", False, 40), ("7-byte card at rest", True, None)):
        ours, theirs = _ours(with_card=with_card), _theirs(with_card=with_card)
        yield Row(f"reader: register reads, {what}", ours[0], "reads", LOOP, theirs[0], budget)
        yield Row(f"reader: register writes, {what}", ours[1], "writes", LOOP, theirs[1])
        yield Row(
            f"reader: board kept busy at {TRANSFER_US} µs an access, {what}",
            ours[2] / 1000, "ms", f"{LOOP}, field always on", theirs[2] / 1000,
        )  # fmt: skip


def _swipe_rows() -> Iterator[Row]:
    for speed_cm_s in (5, 10, 20, 30):
        budget = 100 if speed_cm_s <= 20 else None
        share = 100 * share_read(speed_cm_s)
        yield Row(f"reader: swipes at {speed_cm_s} cm/s read", share, "%", budget=budget, at_least=True)
    rig = _rig(with_card=False)
    rig.lay(Ntag213(UID, memory_for(CODE)))
    bodies = rig.run(60_000)
    yield Row("reader: events of a card at rest for 60 s", len(bodies), "events", budget=1)
    yield Row(
        "reader: of these arrivals",
        sum(isinstance(b, CardPresented) for b in bodies),
        "events",
        budget=1,
        at_least=True,
    )


def _field_rows() -> Iterator[Row]:
    for what, with_card in (("empty roof", False), ("7-byte card at rest", True)):
        rig = _rig(with_card=with_card)
        rig.run(20_000)
        on_us, began_us = rig.field.on_total_us, rig.clock.now_us
        rig.run(60_000)
        share = 100 * (rig.field.on_total_us - on_us) / (rig.clock.now_us - began_us)
        yield Row(f"reader: field on, {what}", share, "%", "antenna always on", 100, 15)
