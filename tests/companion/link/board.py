"""An ARC for tests of the app's half: the firmware's own session link on a log in memory, with pages and lights."""

from collections.abc import Callable
from typing import Any

from firmware.arc.game_store import GameStore
from firmware.arc.outbox import Outbox
from firmware.arc.pairing import Pairing
from firmware.arc.session_link import Seat, SessionLink
from firmware.arc.table import Table
from firmware.desk.chips.flash import Flash
from firmware.drivers.flash_ring import FlashRing
from firmware.drivers.settings_store import SettingsStore
from protocol import messages as m
from protocol.events import Body, Booted
from protocol.pages import page_chunk
from protocol.statistics import pack_counters

DEVICE = bytes.fromhex("7cdfa1005f3a")
TABLET = 0x1F2E3D4C


class Board:
    """`give` gets each message unit that leaves it. Chance is a counter: the same run is the same to the byte."""

    def __init__(self, blocks: int = 16) -> None:
        self._count = 0
        self.flash = Flash(256 * blocks, 256, lambda n: 0)
        self.settings = Flash(512, 256, lambda n: 0)
        self.games = Flash(2 * 17 * 4096, 4096, lambda n: 0)
        self.max_size = 244
        self.give: Callable[[bytes], None] = lambda unit: None
        self.shown = b""
        self.lights: list[m.Message] = []
        self.resalted: list[tuple[int, int, int]] = []
        self.refuse: dict[type[m.Message], int] = {}
        self.mute: set[type[m.Message]] = set()
        self.now_ms = 0
        self.boot()

    def random_bytes(self, count: int) -> bytes:
        self._count += 1
        return self._count.to_bytes(count, "big")

    def boot(self) -> None:
        self.pairing = Pairing(SettingsStore(self.settings, 0), self.random_bytes)
        self.outbox = Outbox(FlashRing(self.flash), lambda: 0xBEEF)
        self.table = Table()
        self.game = GameStore(self.games)
        self.log = b""
        self.seat = Seat()
        self.link = SessionLink(self.outbox, self.pairing, self.seat, self, self.random_bytes)
        self.outbox.append(Booted(1, 0, 1, 0), self.now_ms)

    def format_log(self, epoch: int) -> None:
        self.flash = Flash(self.flash.size if hasattr(self.flash, "size") else 4096, 256, lambda n: 0)
        self.outbox = Outbox(FlashRing(self.flash), lambda: epoch)
        self.link = SessionLink(self.outbox, self.pairing, self.seat, self, self.random_bytes)

    def pair(self) -> bytes:
        """A token as if the button had been pressed earlier."""
        self.pairing.open_window(self.now_ms)
        token = self.pairing.pair(TABLET, self.now_ms)
        self.pairing.close_window()
        assert isinstance(token, bytes)
        return token

    def happen(self, *bodies: Body) -> None:
        for body in bodies:
            self.outbox.append(body, self.now_ms)
        self.pump()

    # the transport of the board

    def connect(self) -> None:
        self.link.connect(self.now_ms)
        self.link.max_size = self.max_size

    def receive(self, data: bytes) -> None:
        if any(data[0] == kind.KIND for kind in self.mute):
            return
        self.link.receive(data, self.now_ms)
        self.pump()

    def pump(self) -> None:
        while (unit := self.link.outgoing(self.now_ms)) is not None:
            unit = bytes(unit)
            self.link.sent(self.now_ms)
            self.give(unit)

    # the acts of the board

    def info(self, nonce: bytes, now_ms: int) -> m.Info:
        log = self.outbox
        made = m.Info(1, 0, DEVICE, 0, 1, 0, 0, log.epoch, log.oldest, log.newest, nonce)
        self.shown = made.encode()
        return made

    def carry_out(self, command: Any, now_ms: int, max_size: int) -> bytes | int | m.Message:
        if type(command) in self.refuse:
            return self.refuse[type(command)]
        if isinstance(command, m.Mark):
            return self.outbox.newest.to_bytes(4, "little")
        if isinstance(command, m.ReadHash):
            return m.HashAnswer(self.outbox.newest, self.table.hash()).pack()
        if isinstance(command, m.ReadPage):
            held = self.table.page(command.page)
            assert held is not None
            count, chunk = page_chunk(held[1], command.index, max_size - 6)
            return m.Page(command.request, command.page, held[0], command.index, count, chunk)
        aside = self._aside(command, max_size)
        if aside is None:
            self.lights.append(command)
        return aside or b""

    def _aside(self, command: Any, max_size: int) -> bytes | int | None:
        """What `firmware.arc.commands` answers to these; None: it is none of them."""
        if isinstance(command, m.GameBegin):
            return self.game.begin(command.length, command.crc, command.epoch, command.sequence) or b""
        if isinstance(command, m.GameChunk):
            return self.game.add(command.offset, command.data) or b""
        if isinstance(command, m.GameCommit):
            return self.game.commit() or b""
        if isinstance(command, m.GameRead):
            return self.game.read(command.offset, max_size - 2)
        if isinstance(command, m.LogRead):
            return self.log[command.offset :][: max_size - 2]
        if isinstance(command, m.SelfTest):
            return bytes((m.TEST_FLASH, m.TEST_GOOD, m.TEST_READER, m.TEST_BAD))
        if isinstance(command, m.ReadStatistics):
            return pack_counters(command.group, {"boots": 3, "watchdog_resets": 1, "reads": 7})
        if isinstance(command, m.ResaltModule):
            self.resalted.append((command.instance, command.neighbour, command.port))
            return (0xCAFE0001).to_bytes(4, "little")
        if isinstance(command, m.ForgetTablet):
            return b"" if self.pairing.forget(command.tablet) else m.NOT_AUTHORISED
        return None
