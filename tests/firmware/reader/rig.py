"""A reader without a board: driver, chip model and field in one process, in virtual time. Runs on both interpreters."""

from firmware.arc.card_watch import CardWatch
from firmware.arc.reader import RoofReader
from firmware.desk.chips.field import Field
from firmware.desk.chips.mfrc522 import Mfrc522Model
from firmware.drivers.mfrc522 import Mfrc522

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from firmware.desk.chips.air import Noise
    from firmware.desk.chips.tags import Tag
    from protocol.events import Body

TRANSFER_US = 50
"""What one register access costs a MicroPython board: an estimate between 35 and 70 µs."""


class RigClock:
    """Time that only passes when somebody sleeps or speaks SPI. Ticks wrap at 2**30 as on a board."""

    def __init__(self, now_us: int = 0) -> None:
        self.now_us = now_us

    def ticks_us(self) -> int:
        return self.now_us & 0x3FFFFFFF

    def ticks_ms(self) -> int:
        return self.now_us // 1000 & 0x3FFFFFFF

    def sleep_us(self, duration_us: int) -> None:
        self.now_us += duration_us

    def sleep_ms(self, duration_ms: int) -> None:
        self.now_us += duration_ms * 1000


class RigSpi:
    """The bus to the chip model. With `hz`, transfers take as long as that clock needs, else `transfer_us` each.

    `noise` is that of long wires: it flips bits in both directions.
    """

    def __init__(self, model: Mfrc522Model, clock: RigClock, hz: int = 0) -> None:
        self.hz = hz
        self.transfer_us = TRANSFER_US
        self.noise: Noise | None = None
        self._model = model
        self._clock = clock

    def write_readinto(self, out: bytes, into: "bytearray | memoryview") -> None:
        assert len(out) == len(into)
        self._clock.now_us += 5 + len(out) * 8_000_000 // self.hz if self.hz else self.transfer_us
        answer = self._disturb(self._model.transfer(self._disturb(out)))
        for i in range(len(answer)):
            into[i] = answer[i]

    def _disturb(self, data: "bytes | bytearray | memoryview") -> "bytes | bytearray | memoryview":
        hits = self.noise.flips(len(data) * 8) if self.noise else None
        if not hits:
            return data
        damaged = bytearray(data)
        for hit in hits:
            damaged[hit // 8] ^= 1 << hit % 8
        return damaged


class RigPin:
    def __init__(self, changed: "Callable[[int], None] | None" = None) -> None:
        self._changed = changed

    def value(self, level: int) -> None:
        if self._changed:
            self._changed(level)


class Rig:
    """`run` polls as the ARC's task does; `seen` collects (milliseconds, body). `lay` and `take` move tags."""

    def __init__(self, field: "Field | None" = None, version: int = 0x92, start_us: int = 0) -> None:
        self.lay_there: set[bytes] = set()
        self.clock = RigClock(start_us)
        self.field = field or Field()
        self.model = Mfrc522Model(self.field, lambda: self.clock.now_us, version)
        self.spi = RigSpi(self.model, self.clock)
        self.chip = Mfrc522(self.spi, RigPin(), RigPin(self.model.reset_pin), self.clock)
        self.watch = CardWatch()
        self.reader = RoofReader(self.chip, self.watch, self.clock, lambda uid: uid in self.lay_there)
        self.seen: list[tuple[int, Body]] = []

    def now_ms(self) -> int:
        return self.clock.now_us // 1000

    def poll(self) -> "list[Body]":
        """One poll; then time goes on to where the next is due."""
        began_us = self.clock.now_us
        bodies = self.reader.poll()
        for body in bodies:
            self.seen.append((self.now_ms(), body))
        self.clock.sleep_ms(self.reader.wait_ms((self.clock.now_us - began_us) // 1000))
        return bodies

    def run(self, duration_ms: int) -> "list[Body]":
        """Poll for a while; the bodies that came."""
        until_us = self.clock.now_us + duration_ms * 1000
        bodies: list[Body] = []
        while self.clock.now_us < until_us:
            bodies = bodies + self.poll()
        return bodies

    def settle(self) -> None:
        """Let the reader start with an empty roof."""
        assert self.run(500) == []

    def lay(self, tag: "Tag", coupling: float = 1.0, for_ms: "int | None" = None) -> None:
        """Lay a tag on the roof, or with `for_ms` let it pass by."""
        until_us = None if for_ms is None else self.clock.now_us + for_ms * 1000
        self.field.put(tag, self.clock.now_us, coupling, until_us)

    def take(self, tag: "Tag") -> None:
        self.field.take(tag, self.clock.now_us)


def settled_rig() -> Rig:
    """One whose reader has found its roof empty."""
    rig = Rig()
    rig.settle()
    return rig
