"""A controller with everything round it, for tests of what the ARC does."""

import random

from firmware.arc.controller import Controller
from firmware.arc.life import Life
from firmware.arc.lights import ArcLight, Beeper
from firmware.arc.outbox import Outbox
from firmware.arc.pairing import Pairing
from firmware.arc.session_link import Seat, SessionLink
from firmware.arc.settings import Settings
from firmware.arc.table import Table
from firmware.desk.chips.flash import Flash
from firmware.drivers.flash_ring import FlashRing
from firmware.drivers.settings_store import SettingsStore
from protocol import events, reading
from protocol.message import Message
from protocol.messages import (
    BUSY,
    UNKNOWN_MODULE,
    ReaderCheck,
)

UID = b"\x04\x01\x02\x03"
INSTANCE = 0xCAFE
MODULE = events.ModuleAttached(3, INSTANCE, bytes(3), 0x21)


class TestClock:
    __test__ = False
    now = 1_000

    def now_ms(self) -> int:
        return self.now


class Reader:
    """A roof with what a test puts on it."""

    def __init__(self) -> None:
        self.tags: list[tuple[int, bytes]] = []
        self.is_saving_power = False
        self.answer = 0
        self.version = 0x92
        self.dead = False
        self.found = ReaderCheck(0x92, 0, 4_000_000, b"")
        self.polls = -1

    def is_dead(self) -> bool:
        return self.dead

    def check(self, polls: int) -> ReaderCheck:
        self.polls = polls
        return self.found

    def on_roof(self) -> list[tuple[int, bytes]]:
        return self.tags

    def write_tag(self, code: int) -> int:
        return self.answer

    def statistics(self) -> dict[str, int]:
        return {"polls": 7}


class Modules:
    """Modules that remember their lights."""

    def __init__(self) -> None:
        self.lights: dict[int, int] = {}
        self.all = -1
        self.percent = 100

    def modules(self) -> list[tuple[int, int, int]]:
        return [(INSTANCE, 3, 0)]

    def edges(self) -> list[tuple[int, int, int, int]]:
        return [(0, 2, INSTANCE, 1)]

    def set_light(self, instance: int, light: int) -> None:
        self.lights[instance] = light

    def set_all(self, light: int) -> None:
        self.all = light

    def set_light_percent(self, percent: int) -> None:
        self.percent = percent

    def statistics(self) -> dict[str, int]:
        return {}

    def foreign_version(self, instance: int) -> int:
        return 0x21

    def read(self, instance: int) -> bytes | int:
        return bytes(range(14)) if instance == INSTANCE else UNKNOWN_MODULE

    @property
    def salt(self) -> "Modules":
        return self

    def rewrite(self, instance: int, neighbour: int, port: int) -> bytes | int:
        return BUSY if (instance, neighbour, port) == (INSTANCE, 7, 2) else UNKNOWN_MODULE


class Bench:
    """A controller with everything around it. `boot` again: what lies in flash is all that is left."""

    def __init__(self) -> None:
        self.flash = Flash(16 * 256, 256)
        self.life_store = SettingsStore(Flash(512, 256), 0)
        self.boot()

    def boot(self, cause: int = events.POWER_ON) -> None:
        rng = random.Random(3)
        self.clock = TestClock()
        self.outbox = Outbox(FlashRing(self.flash), lambda: 9)
        self.pairing = Pairing(SettingsStore(Flash(512, 256), 0), rng.randbytes)
        self.seat = Seat()
        self.light, self.beeper = ArcLight(), Beeper()
        self.life = Life(self.life_store, cause)
        if self.life.epoch == self.outbox.epoch:
            self.outbox.acknowledge(self.life.acknowledged)
        self.settings_store = SettingsStore(Flash(512, 256), 0)
        self.settings = Settings(self.settings_store)
        self.controller = Controller(
            b"device", self.clock, self.outbox, self.pairing, self.seat, Table(), self.light, self.beeper, self.life, self.settings  # type: ignore[arg-type]
        )  # fmt: skip
        self.reader = self.controller.reader = Reader()
        self.modules = self.controller.modules = Modules()
        self.link = SessionLink(self.outbox, self.pairing, self.seat, self.controller, rng.randbytes)

    def do(self, command: Message, max_size: int = 244) -> bytes | int | Message:
        return self.controller.carry_out(command, self.clock.now, max_size)

    def kinds(self) -> list[type[events.Body]]:
        return [type(reading.decode_event(record).body) for record in self.outbox.after(0)]

    def lay(self, code: int = 5) -> None:
        self.reader.tags.append((code, UID))
        self.controller.take_roof([events.CardPresented(code, UID)])
