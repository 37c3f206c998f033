"""A board for fuzzing: everything behind its command table is the firmware's own, on models. Runs on both interpreters.

A chip model with a tag answers WRITE_TAG, both updates write into files in memory (a module takes its own over the relay),
log, self-test and game have their flash. Beside the tablet that holds the session a second connection stands open.
"""

from binascii import crc32

from firmware.arc.card_watch import CardWatch
from firmware.arc.controller import Controller
from firmware.arc.game_store import GameStore
from firmware.arc.life import Life
from firmware.arc.lights import ArcLight, Beeper
from firmware.arc.log import Log
from firmware.arc.module_update import ModuleUpdate
from firmware.arc.outbox import Outbox
from firmware.arc.pairing import Pairing
from firmware.arc.reader import RoofReader
from firmware.arc.self_test import SelfTester
from firmware.arc.session_link import RESUMED, Seat, SessionLink
from firmware.arc.settings import Settings
from firmware.arc.table import Table
from firmware.bus.dialogue import Dialogue, Heard
from firmware.bus.health import ECHO_OK
from firmware.bus.node import ADDRESSED, ANSWER, Identity, Node, Vitals
from firmware.desk.chips.field import Field
from firmware.desk.chips.flash import Flash
from firmware.desk.chips.mfrc522 import Mfrc522Model
from firmware.desk.chips.tag_kinds import Ntag213
from firmware.drivers.board_files import BoardFiles
from firmware.drivers.flash_ring import FlashRing
from firmware.drivers.mfrc522 import Mfrc522
from firmware.drivers.settings_store import SettingsStore
from firmware.module.light import Light
from firmware.module.receiver import Receiver
from firmware.update.trial import RUNNING
from firmware.update.writing import Update
from protocol import events
from protocol.messages import (
    UNKNOWN_MODULE,
    GameBegin,
    GameChunk,
    GameCommit,
    Hello,
    Info,
    Ok,
    Resume,
    session_mac,
)
from protocol.reading import decode_notification
from protocol.update import BOARD_ARC, BOARD_MODULE
from protocol.update_image import pack_image
from tests.firmware.reader.rig import RigClock, RigPin, RigSpi

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Generator
    from typing import Any

    from protocol.message import Message

TABLET, STRANGER = 0x12345678, 0x0BADCAFE
GAME = b"the game" * 20
MPY = 6
MAX_SIZE = 244
UID = bytes.fromhex("04a3c6cae26180")
_NO_ENTRY = 2


class Chance:
    """xorshift32 (Marsaglia): the same numbers on both interpreters."""

    def __init__(self, seed: int) -> None:
        self._state = seed * 2654435761 & 0xFFFFFFFF or 1

    def below(self, count: int) -> int:
        state = self._state
        state ^= state << 13 & 0xFFFFFFFF
        state ^= state >> 17
        state ^= state << 5 & 0xFFFFFFFF
        self._state = state
        return state % count

    def bytes(self, count: int) -> bytes:
        return bytes([self.below(256) for _ in range(count)])


class _File:
    def __init__(self, files: "RamFiles", name: str, mode: str) -> None:
        self._files, self._name, self._at = files, name, 0
        if mode == "wb":
            files.held[name] = b""
        elif mode == "rb" and name not in files.held:
            raise OSError(_NO_ENTRY)

    def __enter__(self) -> "_File":
        return self

    def __exit__(self, *_: object) -> None:
        pass

    def read(self, count: int = -1) -> bytes:
        data = self._files.held[self._name]
        part = data[self._at :] if count < 0 else data[self._at : self._at + count]
        self._at += len(part)
        return part

    def readinto(self, buffer: bytearray) -> int:
        part = self.read(len(buffer))
        buffer[: len(part)] = part
        return len(part)

    def write(self, data: bytes) -> None:
        self._files.held[self._name] = self._files.held.get(self._name, b"") + data

    def close(self) -> None:
        pass


class RamFiles(BoardFiles):
    """A board's file system in memory, with `a` running."""

    def __init__(self) -> None:
        self.held = {RUNNING: b"a", "a/manifest.json": b"{}", "a/firmware/main.mpy": b"M what runs"}

    def open(self, name: str, mode: str) -> "Any":
        return _File(self, name, mode)

    def size(self, name: str) -> int:
        return len(self.held[name]) if name in self.held else -1

    def rename(self, old: str, new: str) -> None:
        if old not in self.held:
            raise OSError(_NO_ENTRY)
        self.held[new] = self.held.pop(old)

    def remove(self, name: str) -> None:
        self.held.pop(name, None)

    def make_folders(self, name: str) -> None:
        pass

    def keep_only(self, folder: str, is_kept: "Callable[[str], bool]") -> None:
        for name in [name for name in self.held if name.startswith(folder + "/") and not is_kept(name)]:
            del self.held[name]

    def blocks(self) -> "tuple[int, int]":
        return 4096, 400

    def running(self) -> "list[tuple[str, bytes]]":
        """What a fuzz must not change: the folder that runs, and which one that is."""
        return sorted([(name, data) for name, data in self.held.items() if name == RUNNING or name[:2] == "a/"])


def image_of(board: int) -> "Any":
    files = {f"firmware/part{at}.mpy": b"M%d " % at + bytes(size) for at, size in enumerate((90, 26, 150))}
    return pack_image(board, (0, 2, 0), MPY, files, b"{}" + bytes(40))


class Modules:
    """One module on a bus without a wire: lights that are remembered, and the relay of an update to a real node."""

    def __init__(self) -> None:
        self.files = RamFiles()
        firmware = Update(self.files, "a", lambda digest, mac: True, MPY, 0, BOARD_MODULE)
        self.receiver = Receiver(lambda: firmware)
        identity = Identity(bytes(8), 1, 1)
        self.node = Node(identity, Light(120, 10), Vitals(), lambda below: 0, None, 0, self.receiver)
        self.node.state, self.node.address, self.node.epoch = ADDRESSED, 3, 7
        self.dialogue = Dialogue(7)
        self.instance, self.address, self.missed = identity.instance, 3, 0
        self.update = ModuleUpdate(self)  # type: ignore[arg-type]
        self.lights: dict[int, int] = {}
        self.percent = 100

    def find(self, instance: int) -> "Modules | None":
        return self if instance == self.instance else None

    def turn(self) -> None:
        """The update's turn at the end of a cycle."""
        script = self.update.steps()
        request = next(script, None)
        while request is not None:
            reaction = self.node.hear(0, request.frame, 0)
            self.receiver.work()
            frame = reaction.frame if reaction.kind == ANSWER else b""
            try:
                request = script.send(Heard(frame, ECHO_OK, 0, 0))
            except StopIteration:
                request = None

    def modules(self) -> "list[tuple[int, int, int]]":
        return [(self.instance, 3, 0)]

    def edges(self) -> "list[tuple[int, int, int, int]]":
        return [(0, 2, self.instance, 1)]

    def set_light(self, instance: int, light: int) -> None:
        self.lights[instance] = light

    def set_all(self, light: int) -> None:
        self.lights[0] = light

    def set_light_percent(self, percent: int) -> None:
        self.percent = percent

    def is_working(self, now_ms: int) -> bool:
        return True

    def statistics(self) -> "dict[str, int]":
        return {"frames": 7}

    def read(self, instance: int) -> "bytes | int":
        return bytes(14) if instance == self.instance else UNKNOWN_MODULE

    @property
    def salt(self) -> "Modules":
        return self

    def rewrite(self, instance: int, neighbour: int, port: int) -> "bytes | int":
        return UNKNOWN_MODULE


class Target:
    """`link` holds the session, `other` is a stranger's connection. `say` gives a command to one of them."""

    def __init__(self, seed: int = 3) -> None:
        chance = Chance(seed)
        self.clock = RigClock(1_000_000)
        self.outbox = Outbox(FlashRing(Flash(16 * 256, 256)), lambda: 9)
        self.pairing = Pairing(SettingsStore(Flash(512, 256), 0), chance.bytes)
        self.seat = Seat()
        self.light, beeper = ArcLight(), Beeper()
        life = Life(SettingsStore(Flash(512, 256), 0), events.POWER_ON)
        self.settings = Settings(SettingsStore(Flash(512, 256), 0))
        self.board = Controller(
            b"device", self, self.outbox, self.pairing, self.seat, Table(), self.light, beeper, life, self.settings  # type: ignore[arg-type]
        )  # fmt: skip
        self._lay_a_card()
        self.modules = self.board.modules = Modules()
        self.board.take_modules([events.ModuleAttached(3, self.modules.instance, bytes(3), 0x21)])
        self.game = self.board.game = GameStore(Flash(2 * 17 * 4096, 4096))
        self.files = RamFiles()
        self.update = self.board.update = Update(self.files, "a", self._is_signed, MPY, 1)
        self.board.log = Log(SettingsStore(Flash(8192, 4096), 0), self._keep_log, b"", "")
        self.board.log.line("a line of the log")
        tester = SelfTester(
            self.board, self.light, beeper, Flash(4096, 4096), 0, lambda: 4_000, lambda: True, self.now_ms
        )
        self.board.self_test = tester.run
        self.board.link_counts = self.board.life_counts = lambda: {"boots": 2}
        self.link = SessionLink(self.outbox, self.pairing, self.seat, self.board, chance.bytes)
        self.other = SessionLink(self.outbox, self.pairing, self.seat, self.board, chance.bytes)
        self.arc_image, self.module_image = image_of(BOARD_ARC), image_of(BOARD_MODULE)
        self._pair()
        for link in (self.link, self.other):
            link.max_size = MAX_SIZE
            link.connect(self.now_ms())
        self.resume()
        for command in game_steps(GAME):
            self.say(command.encode())

    def now_ms(self) -> int:
        return self.clock.now_us // 1000

    def wait_ms(self, duration_ms: int) -> None:
        self.clock.sleep_ms(duration_ms)

    def say(self, data: bytes, link: "SessionLink | None" = None) -> "list[bytes]":
        """The units that come back."""
        link = link or self.link
        link.receive(data, self.now_ms())
        heard: list[bytes] = []
        while True:
            unit = link.outgoing(self.now_ms())
            if unit is None:
                return heard
            heard.append(bytes(unit))
            link.sent(self.now_ms())

    def ask(self, command: "Message") -> "Any":
        """The answer to one good command."""
        (unit,) = self.say(command.encode())
        return decode_notification(unit)[0]

    def resume(self) -> None:
        """The paired tablet begins a session."""
        ok = self.ask(Hello(1, 1, 0))
        epoch, newest = self.outbox.epoch, self.outbox.newest
        mac = session_mac(self.token, Info.decode(ok.data).nonce, TABLET, epoch, newest)
        self.ask(Resume(2, TABLET, epoch, newest, mac))
        assert self.link.state == RESUMED

    def kept(self) -> "tuple[object, ...]":
        """What not even an authorised tablet changes by accident."""
        log = (self.outbox.newest, self.outbox.epoch, self.pairing.tablets(), self.game.read(18, 1000))
        arc = (self.update.is_switched, self.files.running())
        return log + arc + (self.modules.receiver.is_switched, self.modules.files.running())

    def all_state(self) -> "tuple[object, ...]":
        """What a stranger changes nothing of."""
        state = (self.settings.packed(), self.kept_log, dict(self.modules.lights), self.modules.percent)
        return self.kept() + state + (self.tag.page_bytes(), self.seat.holder is self.link, self.link.state)

    def _pair(self) -> None:
        self.pairing.open_window(self.now_ms())
        token = self.pairing.pair(TABLET, self.now_ms())
        assert isinstance(token, bytes)
        self.token = token
        self.pairing.close_window()

    def _lay_a_card(self) -> None:
        field = Field()
        model = Mfrc522Model(field, lambda: self.clock.now_us, 0x92)
        chip = Mfrc522(RigSpi(model, self.clock), RigPin(), RigPin(model.reset_pin), self.clock)
        self.board.reader = RoofReader(chip, CardWatch(), self.clock, lambda uid: False)
        self.poll(8)
        self.tag = Tag()
        field.put(self.tag, self.clock.now_us, 1.0, None)
        self.poll(30)
        assert self.board.reader.on_roof()

    def poll(self, count: int) -> None:
        for _ in range(count):
            self.board.take_roof(self.board.reader.poll())
            self.wait_ms(self.board.reader.period_ms())

    def _is_signed(self, digest: bytes, mac: bytes) -> bool:
        return self.pairing.is_signed(self.seat.tablet, digest, mac)

    def _keep_log(self, data: bytes) -> None:
        self.kept_log = data


class Tag(Ntag213):
    def __init__(self) -> None:
        super().__init__(UID)

    def page_bytes(self) -> bytes:
        """All that is written on it."""
        return bytes(self.memory)


def game_steps(data: bytes) -> "Generator[Message, bytes, None]":
    """A game left with the board."""
    yield GameBegin(1, len(data), crc32(data), 9, 1)
    for at in range(0, len(data), 60):
        yield GameChunk(1, at, data[at : at + 60])
    yield GameCommit(1)


def is_ok(units: "list[bytes]") -> bool:
    return bool(units) and isinstance(decode_notification(units[0])[0], Ok)
