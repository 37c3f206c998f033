"""The ARC's parts, built from the pin map and wired to each other. Which task turns which of them is `main`'s."""

import os
import sys

import machine

from firmware.arc.arc_link import ArcLink
from firmware.arc.build import boot_cause, partition, random_epoch
from firmware.arc.controller import Controller
from firmware.arc.counters import Counters
from firmware.arc.life import Life
from firmware.arc.lights import ArcLight, Beeper
from firmware.arc.log import CRASHES, LEFT, Log
from firmware.arc.outbox import Outbox
from firmware.arc.pairing import Pairing
from firmware.arc.power import Battery
from firmware.arc.self_test import SelfTester
from firmware.arc.session_link import Seat, SessionLink
from firmware.arc.settings import Settings
from firmware.arc.supervisor import Supervisor
from firmware.arc.table import Table
from firmware.boards import arc_esp32s3 as board
from firmware.drivers.ble_peripheral import BlePeripheral
from firmware.drivers.board_files import BoardFiles
from firmware.drivers.clock import Clock
from firmware.drivers.flash_ring import FlashRing
from firmware.drivers.settings_store import SettingsStore
from firmware.drivers.usb_serial import open_usb_serial
from firmware.update.trial import FOLDERS, Trial
from firmware.update.writing import Update
from firmware.version import FIRMWARE_VERSION
from protocol import events

# Places in the partition of settings.
_TOKENS_BLOCK, _LIFE_BLOCK, _CRASH_BLOCK, _SETTINGS_BLOCK, _SCRATCH_BLOCK = 0, 2, 4, 6, 8


class Parts:
    """One board, its boot written down; no radio is on and no task runs yet."""

    def __init__(self) -> None:
        self.clock = Clock()
        device = machine.unique_id()[:6]
        # The radio first: it takes one large piece of memory outside our heap.
        self.radio = BlePeripheral(device, board.MAX_BLE_CONNECTIONS)
        memory = machine.RTC()
        kept = bytes(memory.memory())
        cause = boot_cause(kept == LEFT)
        settings = partition(board.SETTINGS_PARTITION)
        self.life = Life(SettingsStore(settings, _LIFE_BLOCK), cause)
        ring = FlashRing(partition(board.EVENTS_PARTITION))
        self.outbox = Outbox(ring, random_epoch)
        if self.life.epoch == self.outbox.epoch:
            self.outbox.acknowledge(self.life.acknowledged)
        self.pairing = Pairing(SettingsStore(settings, _TOKENS_BLOCK), os.urandom)
        self.seat = Seat()
        self.light = ArcLight()
        self.beeper = Beeper()
        self.controller = Controller(
            device,
            self.clock,
            self.outbox,
            self.pairing,
            self.seat,
            Table(),
            self.light,
            self.beeper,
            self.life,
            Settings(SettingsStore(settings, _SETTINGS_BLOCK)),
        )
        self.supervisor = Supervisor(self.clock, self._on_failure)
        self.log = self.controller.log = Log(
            SettingsStore(settings, _CRASH_BLOCK), memory.memory, kept, CRASHES.get(cause, "")
        )
        self.links = ArcLink(self._make_link, board.MAX_BLE_CONNECTIONS + 1, self.clock, self._is_pairing)
        self.usb = open_usb_serial(self.clock)
        self.battery = Battery()
        self.controller.self_test = SelfTester(
            self.controller,
            self.light,
            self.beeper,
            settings,
            _SCRATCH_BLOCK,
            self._level_mv,
            self.radio.is_on,
            self.clock.now_ms,
        ).run
        files = BoardFiles()
        folder = sys.path[0] if sys.path[0] in FOLDERS else ""
        self.trial = Trial(files, folder, self.life.boots)
        mpy = getattr(sys.implementation, "_mpy", 0) & 0xFF
        self.update = self.controller.update = Update(files, folder, self._is_signed, mpy, self.life.boots)
        self.controller.on_news = self.links.wake_all
        self.controller.show_info = self.radio.show_info
        self.counters = Counters(
            self.radio, self.usb, self.links, self.life, self.supervisor, self.controller, ring, self._level_mv
        )
        self.controller.link_counts = self.counters.of_link
        self.controller.life_counts = self.counters.of_life
        self.controller.apply_settings()
        self._tell_boot(cause)

    def _tell_boot(self, cause: int) -> None:
        major, minor, _ = FIRMWARE_VERSION
        self.log.line("boot %d, cause %d, version %d.%d" % (self.life.boots, cause, major, minor))
        if self.trial.has_failed:
            self.log.line("the new firmware was not reached: this is the old one")
        self.controller.emit(events.Booted(cause, major, minor, int(self.life.is_safe_mode)))
        if self.outbox.is_damaged:
            self.controller.emit(events.FaultFound(events.FAULT_LOG_DAMAGED, self.outbox.oldest))
        if self.log.has_new_crash:
            self.controller.emit(events.FaultFound(events.FAULT_CRASHED, cause))

    def _make_link(self) -> SessionLink:
        return SessionLink(self.outbox, self.pairing, self.seat, self.controller, os.urandom)

    def _is_signed(self, digest: bytes, mac: bytes) -> bool:
        return self.pairing.is_signed(self.seat.tablet, digest, mac)

    def _level_mv(self) -> int:
        return self.battery.level_mv

    def _is_pairing(self) -> bool:
        return self.pairing.is_open(self.clock.now_ms())

    def _on_failure(self, name: str, error: BaseException) -> None:
        is_kept = self.log.failed(name, error, self.clock.now_ms())
        self.controller.emit(events.FaultFound(events.FAULT_TASK_RESTARTED, self.supervisor.restarts))
        if is_kept:
            self.controller.emit(events.FaultFound(events.FAULT_CRASHED, self.supervisor.restarts))
