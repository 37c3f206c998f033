"""The ARC in the world of faults: its log on a flash that loses power, its pages, and its command table without hands."""

import random
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

from firmware.arc.commands import Commands
from firmware.arc.lights import ArcLight
from firmware.arc.outbox import Outbox
from firmware.arc.pairing import Pairing
from firmware.arc.session_link import Seat, SessionLink
from firmware.desk.chips.flash import Flash, PowerCut
from firmware.drivers.flash_ring import FlashRing
from firmware.drivers.settings_store import SettingsStore
from protocol.events import Booted
from protocol.messages import Info, Message
from tests.firmware.arc.fault_table import TableTop, Truth

STEP_OF_EPOCH = 16


class Board:
    """Events carry their own number as their time, so that what arrives tells all; a boot carries 0.

    `beeped`: the numbers whose append returned, with their sequences: those and their order are promised. `truths`: what
    was true after each sequence. `on_boot` hears that all connections are gone.
    """

    def __init__(
        self,
        rng: random.Random,
        outbox: type[Outbox],
        blocks: int,
        block_size: int,
        on_boot: Callable[[], None],
    ) -> None:
        self._rng, self._outbox_type, self._on_boot = rng, outbox, on_boot
        self.flash = Flash(block_size * blocks, block_size, rng.randrange)
        self._settings = Flash(512, 256, rng.randrange)
        self.top = TableTop(rng)
        self.beeped: dict[int, int] = {}
        self.truths: dict[int, Truth] = {}
        self.number = 0
        self.reboots = 0
        self.shown = b""
        self.boot()

    def pair(self, tablet: int) -> bytes:
        """A token, as if the button had been pressed earlier."""
        self.pairing.open_window(0)
        token = self.pairing.pair(tablet, 0)
        self.pairing.close_window()
        assert isinstance(token, bytes)
        return token

    def new_link(self, kind: type[SessionLink], max_size: int) -> SessionLink:
        link = kind(self.outbox, self.pairing, self.seat, self, self._rng.randbytes)
        link.max_size = max_size
        return link

    # power

    def boot(self) -> None:
        """Until it has written down that it booted."""
        while True:
            self.flash.power_up()
            self.pairing = Pairing(SettingsStore(self._settings, 0), self._rng.randbytes)
            self.outbox = self._outbox_type(FlashRing(self.flash), lambda: self._rng.getrandbits(STEP_OF_EPOCH))
            self.seat = Seat()
            self.top.clear()
            hands: Any = SimpleNamespace(modules=None, reader=None, game=None, update=None, log=None)
            self._commands = Commands(hands, self.outbox, self.pairing, self.seat, self.top.pages, ArcLight())
            self._on_boot()
            try:
                event = self.outbox.append(Booted(1, 0, 1, 0), 0)
            except PowerCut:
                continue
            self.truths[event.sequence] = self.top.truth()
            return

    def reboot(self) -> None:
        self.reboots += 1
        self.boot()

    # the table

    def happen(self) -> None:
        """Something happens on the table. Only what was written down before a cut is promised."""
        self.number += 1
        body = self.top.draw()
        try:
            event = self.outbox.append(body, self.number)
        except PowerCut:
            self.reboot()
            return
        self.beeped[self.number] = event.sequence
        self.top.apply(body)
        self.truths[event.sequence] = self.top.truth()

    # what connections ask

    def info(self, nonce: bytes, now_ms: int) -> Info:
        outbox = self.outbox
        info = Info(1, 0, b"arc-01", 0, 1, 0, 0, outbox.epoch, outbox.oldest, outbox.newest, nonce)
        self.shown = info.encode()
        return info

    def carry_out(self, command: Message, now_ms: int, max_size: int) -> bytes | int | Message:
        return self._commands.carry_out(command, now_ms, max_size)
