"""The acts of the ARC: what happened is written down, then heard and seen, then sent."""

from firmware.arc.commands import Commands
from firmware.arc.lights import BEEP_CARD, BEEP_PAIRING, BEEP_REFUSED
from firmware.arc.pairing import PAIRING_TOKEN_CODE
from firmware.arc.power import LIGHT_PERCENT
from firmware.arc.settings import BEEPS, LIGHT_PERCENT as BRIGHTNESS
from firmware.version import FIRMWARE_VERSION
from protocol import events
from protocol.lights import BLUE, GREEN, RED, WHITE
from protocol.messages import INFO_IN_USE, INFO_LOCKED, INFO_PAIRING, INFO_SAFE_MODE, VERSION, WRITE_FAILED, Info

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Callable

    from firmware.arc.game_store import GameStore
    from firmware.arc.life import Life
    from firmware.arc.lights import ArcLight, Beeper
    from firmware.arc.log import Log
    from firmware.arc.outbox import Outbox
    from firmware.arc.pairing import Pairing
    from firmware.arc.session_link import Seat
    from firmware.arc.settings import Settings
    from firmware.arc.table import Table
    from firmware.drivers.clock import Clock
    from firmware.update.writing import Update
    from protocol.message import Message


class Controller:
    """One board's acts. `reader` and `modules` are set when they have been built; a board in safe mode has neither."""

    def __init__(
        self,
        device: bytes,
        clock: "Clock",
        outbox: "Outbox",
        pairing: "Pairing",
        seat: "Seat",
        table: "Table",
        light: "ArcLight",
        beeper: "Beeper",
        life: "Life",
        settings: "Settings",
    ) -> None:
        self._device = device
        self._clock = clock
        self._outbox = outbox
        self._pairing = pairing
        self._seat = seat
        self._table = table
        self._light = light
        self._beeper = beeper
        self._life = life
        self.settings = settings
        self._nonce = bytes(8)
        self._was_pairing = False
        self._is_resting = False
        self._has_log_fault = False
        self.reader: "Any" = None
        self.modules: "Any" = None
        self.game: "GameStore | None" = None
        self.update: "Update | None" = None
        self.log: "Log | None" = None
        self.battery_state = events.BATTERY_GOOD
        self.last_card = 0
        self.lost_writes = 0
        self.stirred_ms = 0
        self.on_news: "Callable[[], None]" = _nothing
        self.show_info: "Callable[[bytes], None]" = _ignore
        self.link_counts: "Callable[[], dict[str, int]]" = dict
        self.life_counts: "Callable[[], dict[str, int]]" = dict
        self.self_test: "Callable[[], bytes]" = bytes
        self._commands = Commands(self, outbox, pairing, seat, table, light)

    # what happens on the table

    def emit(self, body: "events.Body") -> bool:
        """Write an event down; only then it is heard, seen and sent. False when the flash did not take it."""
        now_ms = self._clock.now_ms()
        try:
            self._outbox.append(body, now_ms)
        except OSError:
            # No beep: people see that it did not count, and do it again.
            self.lost_writes += 1
            self._has_log_fault = True
            if self.log is not None:
                self.log.line("%d ms: the flash did not take an event" % now_ms)
            self.watch_faults()
            return False
        self._respond(body, now_ms)
        self.on_news()
        return True

    def take_roof(self, bodies: "list[events.Body]") -> None:
        """What the reader found in one poll."""
        if not bodies:
            return
        for body in bodies:
            if self.emit(body) and isinstance(body, events.CardPresented) and body.code == PAIRING_TOKEN_CODE:
                self.open_pairing()
        self._table.set_tags(self.reader.on_roof())

    def take_modules(self, bodies: "list[events.Body]") -> None:
        """What one cycle of the bus found."""
        if not bodies:
            return
        for body in bodies:
            self.emit(body)
        self._table.set_modules(self.modules.modules(), self.modules.edges())

    def open_pairing(self) -> None:
        """A hand on the board: tablets may pair for a minute."""
        self._pairing.open_window(self._clock.now_ms())
        self._beeper.play(BEEP_PAIRING)
        self.watch_pairing()

    def watch_pairing(self) -> None:
        """Tell when the pairing window has opened or closed. Call it every second or so."""
        is_open = self._pairing.is_open(self._clock.now_ms())
        if is_open != self._was_pairing:
            self._was_pairing = self._light.is_pairing = is_open
            self.emit(events.PairingWindow(int(is_open)))

    def watch_faults(self) -> None:
        """Red while the log is damaged or the reader dead, and no longer. Call it every second or so."""
        is_reader_dead = self.reader is not None and self.reader.is_dead()
        self._light.has_fault = self._has_log_fault or is_reader_dead

    def forget_tablets(self) -> None:
        """The button was held for ten seconds. No beep when the flash does not take it: then all are known as before."""
        try:
            self._pairing.forget_all()
        except OSError:
            self.lost_writes += 1
            return
        holder = self._seat.holder
        if holder is not None:
            holder.end_session()
            # or its tablet waits on, taken for connected, for events that do not come
            holder.must_close = True
        self._beeper.play(BEEP_REFUSED)

    def take_battery(self, body: "events.BatteryMeasured") -> None:
        """A new state of the battery: written down, and lights and reader slowed to it."""
        self.battery_state = body.state
        self.emit(body)
        self.apply_settings()
        self._light.is_low = body.state in (events.BATTERY_LOW, events.BATTERY_VERY_LOW)

    def apply_settings(self) -> None:
        """What the settings say of sounds and lights, within what the battery allows; at rest all is dark. Call it again
        when reader or modules have been built: the first look at the battery comes before them."""
        values = self.settings.values
        self._beeper.is_muted = not values[BEEPS]
        percent = 0 if self._is_resting else LIGHT_PERCENT[self.battery_state] * values[BRIGHTNESS] // 100
        self._light.cap_percent = percent
        if self.modules is not None:
            self.modules.set_light_percent(percent)
        if self.reader is not None:
            self.reader.is_saving_power = self.battery_state in (events.BATTERY_VERY_LOW, events.BATTERY_EMPTY)

    def rest(self, is_resting: bool) -> None:
        """Nobody plays, or somebody does again."""
        self._is_resting = is_resting
        self.apply_settings()

    def has_waiting_cards(self) -> bool:
        """Whether a card was swiped that no app has taken yet."""
        return self.last_card > self._outbox.acknowledged

    def find_waiting_card(self) -> None:
        """Look in the log for a card of an earlier boot that no app has taken."""
        self.last_card = self._outbox.newest_waiting_card()

    def note_taken_cards(self) -> None:
        """In a quiet moment: what apps have taken is no longer waiting after the next boot either."""
        log, life = self._outbox, self._life
        is_noted = life.epoch == log.epoch and life.acknowledged >= self.last_card
        if self.last_card and not is_noted and not self.has_waiting_cards():
            life.note_acknowledged(log.epoch, log.acknowledged)

    def _respond(self, body: "events.Body", now_ms: int) -> None:
        """What people hear and see of an event that has been written down."""
        if isinstance(body, events.CardPresented):
            self.last_card = self._outbox.newest
            self._light.flash(WHITE, now_ms)
            self._beeper.play(BEEP_CARD)
        elif isinstance(body, (events.CardsTogether, events.CardUnreadable)):
            self._light.flash(RED, now_ms)
            self._beeper.play(BEEP_REFUSED)
        elif isinstance(body, events.ModuleAttached):
            self._light.flash(GREEN, now_ms)
        elif isinstance(body, events.ButtonPressed):
            self._light.flash(BLUE, now_ms)
        elif isinstance(body, events.FaultFound):
            self._note_fault(body, now_ms)
        elif isinstance(body, events.ModuleNoticed) and body.code == events.MODULE_FOREIGN_VERSION and self.log:
            spoken = self.modules.foreign_version(body.instance)
            self.log.line("module %08x speaks bus version %d.%d" % (body.instance, spoken >> 4, spoken & 15))
        if not isinstance(body, (events.BatteryMeasured, events.FaultFound)):
            # a fault that comes again and again keeps nobody awake
            self.stirred_ms = now_ms

    def _note_fault(self, body: "events.FaultFound", now_ms: int) -> None:
        self._has_log_fault = self._has_log_fault or body.code == events.FAULT_LOG_DAMAGED
        if self.log is not None:
            self.log.fault(body, now_ms)
        self.watch_faults()

    # what connections ask

    def info(self, nonce: bytes, now_ms: int) -> Info:
        """What anyone may know, with this nonce; the INFO characteristic shows the same."""
        self._nonce = nonce
        info = self._info(now_ms)
        self.show_info(info.encode())
        return info

    def refresh_info(self) -> None:
        """Bring the INFO characteristic up to date without a new nonce."""
        self.show_info(self._info(self._clock.now_ms()).encode())

    def carry_out(self, command: "Message", now_ms: int, max_size: int) -> "bytes | int | Message":
        """One command of an authorised tablet; see `commands`. A flash that does not take something ends no session."""
        try:
            return self._commands.carry_out(command, now_ms, max_size)
        except OSError:
            self.lost_writes += 1
            return WRITE_FAILED

    def _info(self, now_ms: int) -> Info:
        flags = INFO_PAIRING if self._pairing.is_open(now_ms) else 0
        flags |= INFO_IN_USE if self._seat.holder is not None else 0
        flags |= INFO_LOCKED if self._pairing.seconds_locked(now_ms) else 0
        flags |= INFO_SAFE_MODE if self._life.is_safe_mode else 0
        log = self._outbox
        firmware = FIRMWARE_VERSION
        return Info(
            *(VERSION[0], VERSION[1], self._device, firmware[0], firmware[1], firmware[2]),
            *(flags, log.epoch, log.oldest, log.newest, self._nonce)
        )  # fmt: skip


def _nothing() -> None:
    """Nobody listens yet."""


def _ignore(info: bytes) -> None:
    """No radio yet."""
