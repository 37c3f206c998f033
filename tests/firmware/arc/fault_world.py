"""A board, a host and the air between them, all of which fail: the exam that event delivery has to pass.

Time is a number that `run_exam` moves on. Every event carries its own number, so that what arrives tells all.
"""

import itertools
import random
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field

from firmware.arc.outbox import Outbox
from firmware.arc.pairing import Pairing
from firmware.arc.session_link import Seat, SessionLink
from firmware.desk.chips.flash import Flash, PowerCut
from firmware.drivers.flash_ring import FlashRing
from firmware.drivers.settings_store import SettingsStore
from protocol.events import Booted, CardPresented
from tests.firmware.arc.acts import Acts
from tests.firmware.arc.scripted_host import HostCrash, HostStore, ScriptedHost

STEP_MS = 20
TABLET = 0x7AB1E7
CALM_LIMIT_MS = 60_000


@dataclass
class Making:
    """Which class plays which part: the real ones, or a mutant in the place of one."""

    outbox: type[Outbox] = Outbox
    link: type[SessionLink] = SessionLink
    store: type[HostStore] = HostStore
    host: type[ScriptedHost] = ScriptedHost


@dataclass
class Faults:
    """How bad it is: probabilities a message or a step, and the size of one message."""

    loss: float = 0.3
    command_loss: float = 0.05
    duplicate: float = 0.1
    reorder: float = 0.2
    disconnect: float = 0.006
    power_cut: float = 0.004
    host_crash: float = 0.006
    event: float = 0.06
    max_size: int = 20
    events: int = 40
    blocks: int = 16
    away_after: int = 1_000_000


@dataclass
class Verdict:
    """What became of the numbers on the events."""

    lost: list[int] = field(default_factory=list)
    duplicated: list[int] = field(default_factory=list)
    disordered: list[int] = field(default_factory=list)
    told_lost: int = 0
    reboots: int = 0
    crashes: int = 0
    stuck: bool = False

    @property
    def is_clean(self) -> bool:
        return not (self.lost or self.duplicated or self.disordered or self.stuck)


class Air:
    """Messages under way in one direction. What reorders them is that each takes its own time."""

    def __init__(self, rng: random.Random, loss: float, duplicate: float, reorder: float) -> None:
        self._rng = rng
        self._loss, self._duplicate, self._reorder = loss, duplicate, reorder
        self._under_way: list[tuple[int, int, bytes]] = []
        self._count = 0
        self.calm = False

    def send(self, data: bytes, now_ms: int) -> None:
        rng = self._rng
        if not self.calm and rng.random() < self._loss:
            return
        for _ in range(2 if not self.calm and rng.random() < self._duplicate else 1):
            late = rng.randrange(200) if not self.calm and rng.random() < self._reorder else 0
            self._count += 1
            self._under_way.append((now_ms + STEP_MS + late, self._count, data))

    def arrived(self, now_ms: int) -> list[bytes]:
        if not self._under_way:
            return []
        due = sorted(item for item in self._under_way if item[0] <= now_ms)
        if due:
            self._under_way = [item for item in self._under_way if item[0] > now_ms]
        return [data for _, _, data in due]

    def clear(self) -> None:
        self._under_way.clear()


class World:
    """One run. `beeped` holds the numbers whose append returned, with their sequences: those and their order are promised."""

    def __init__(self, seed: int, making: Making, faults: Faults) -> None:
        self.rng = random.Random(seed)
        self.making = making
        self.faults = faults
        self.now_ms = 0
        self.flash = Flash(256 * faults.blocks, 256, self.rng.randrange)
        self.settings = Flash(512, 256, self.rng.randrange)
        self.to_host = Air(self.rng, faults.loss, faults.duplicate, faults.reorder)
        # Commands are writes with response: in order and once, or the host knows that they failed.
        self.to_board = Air(self.rng, faults.command_loss, 0, 0)
        self.verdict = Verdict()
        self.beeped: dict[int, int] = {}
        self.number = 0
        self.is_connected = False
        pairing = Pairing(SettingsStore(self.settings, 0), self.rng.randbytes)
        pairing.open_window(0)
        token = pairing.pair(TABLET, 0)
        assert isinstance(token, bytes)
        self.token = token
        self.store = making.store()
        self.boot()
        self.start_host()

    # the board

    def boot(self) -> None:
        while True:
            self.flash.power_up()
            pairing = Pairing(SettingsStore(self.settings, 0), self.rng.randbytes)
            self.outbox = self.making.outbox(FlashRing(self.flash), lambda: self.rng.getrandbits(16))
            self.acts = Acts(self.outbox)
            self.link = self.making.link(self.outbox, pairing, Seat(), self.acts, self.rng.randbytes)
            self.link.max_size = self.faults.max_size
            try:
                self.outbox.append(Booted(1, 0, 1, 0), self.now_ms)
            except PowerCut:
                continue
            return

    def reboot(self) -> None:
        self.verdict.reboots += 1
        self.disconnect()
        self.boot()

    def happen(self) -> None:
        """Something happens on the table. Only what was written down before a cut is promised."""
        self.number += 1
        try:
            event = self.outbox.append(CardPresented(self.number, b"\x04\x01\x02\x03"), self.now_ms)
        except PowerCut:
            self.reboot()
            return
        self.beeped[self.number] = event.sequence

    def pump(self) -> None:
        for _ in range(8):
            message = self.link.outgoing(self.now_ms)
            if message is None:
                return
            self.to_host.send(bytes(message), self.now_ms)
            self.link.sent(self.now_ms)

    # the host

    def start_host(self) -> None:
        self.host = self.making.host(
            self.store,
            TABLET,
            self.token,
            lambda data: self.to_board.send(data, self.now_ms),
            lambda: self.acts.shown,
        )

    def guarded(self, act: Callable[[], None]) -> None:
        """Let the host act; when it dies in it, start it again from what it had stored."""
        try:
            act()
        except HostCrash:
            self.verdict.crashes += 1
            self.disconnect()
            self.start_host()

    # the connection

    def connect(self) -> None:
        self.is_connected = True
        self.link.connect(self.now_ms)
        self.host.connected(self.now_ms)

    def disconnect(self) -> None:
        self.is_connected = False
        self.to_host.clear()
        self.to_board.clear()
        self.link.disconnect()
        if hasattr(self, "host"):
            self.host.disconnected()

    # time

    def step(self) -> None:
        self.now_ms += STEP_MS
        if not self.is_connected:
            return
        try:
            for command in self.to_board.arrived(self.now_ms):
                self.link.receive(command, self.now_ms)
            self.pump()
        except PowerCut:
            self.reboot()
        for data in self.to_host.arrived(self.now_ms):
            if self.is_connected:
                self.guarded(lambda data=data: self.host.received(data, self.now_ms))  # type: ignore[misc]
        if self.is_connected:
            self.guarded(lambda: self.host.tick(self.now_ms))
        if self.is_connected and self.host.wants_reconnect:
            self.disconnect()

    def misfortune(self) -> None:
        rng, faults = self.rng, self.faults
        if self.is_connected and rng.random() < faults.disconnect:
            self.disconnect()
        if rng.random() < faults.power_cut:
            if rng.random() < 0.5:
                self.reboot()
            elif not self.flash.cut_at:
                self.flash.cut_at = 1 + rng.randrange(4)
        if rng.random() < faults.host_crash and not self.store.crash_at:
            self.store.crash_at = 1 + rng.randrange(6)

    def run(self) -> Verdict:
        while self.number < self.faults.events:
            self.come_and_go()
            self.misfortune()
            hurry = 10 if self.number >= self.faults.away_after else 1
            if self.rng.random() < hurry * self.faults.event:
                self.happen()
            self.step()
        self.calm_down()
        return self.judge()

    def come_and_go(self) -> None:
        if self.number >= self.faults.away_after:
            if self.is_connected:
                self.disconnect()
        elif not self.is_connected and self.rng.random() < 0.2:
            self.connect()

    def calm_down(self) -> None:
        """No more faults: now everything must arrive."""
        self.flash.power_up()
        self.store.crash_at = 0
        self.to_host.calm = self.to_board.calm = True
        until = self.now_ms + CALM_LIMIT_MS
        while not self.has_all() and self.now_ms < until:
            if not self.is_connected:
                self.connect()
            self.step()

    def has_all(self) -> bool:
        return self.store.epoch == self.outbox.epoch and self.store.sequence >= self.outbox.newest

    def was_told(self, sequence: int) -> bool:
        return any(first <= sequence <= last for first, last in self.store.lost)

    def judge(self) -> Verdict:
        verdict, entries = self.verdict, self.store.entries
        seen = set(entries)
        missing = [number for number in self.beeped if number not in seen]
        told = [number for number in missing if self.was_told(self.beeped[number])]
        verdict.told_lost = len(told)
        verdict.lost = [number for number in missing if number not in told]
        verdict.duplicated = sorted(number for number, count in Counter(entries).items() if count > 1)
        verdict.disordered = [b for a, b in itertools.pairwise(entries) if b < a]
        verdict.stuck = not self.has_all()
        return verdict


def run_exam(seed: int, making: Making | None = None, faults: Faults | None = None) -> Verdict:
    """One run with everything that can go wrong drawn from `seed`."""
    return World(seed, making or Making(), faults or Faults()).run()
