"""A board, one host or two, and the air between them, all of which fail: the exam that event delivery has to pass.

Time is a number that a run moves on. What is judged: nothing lost, doubled or disordered, and every belief about the table right.
"""

import itertools
import random
from collections import Counter
from dataclasses import dataclass, field

from firmware.arc.outbox import Outbox
from firmware.arc.session_link import SessionLink
from firmware.desk.chips.flash import PowerCut
from tests.firmware.arc.fault_board import Board
from tests.firmware.arc.fault_line import STEP_MS, Air, Line
from tests.firmware.arc.scripted_host import HostStore, ScriptedHost
from tests.firmware.drivers.bad_flash import spoil

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
    block_size: int = 256
    away_after: int = 1_000_000
    failed_block: str = ""
    """How the fourth block of the log has failed, see `bad_flash.spoil`."""


NO_FAULTS = Faults(0, 0, 0, 0, 0, 0, 0)


@dataclass
class Verdict:
    """What became of the numbers on the events, and of what the host believed."""

    lost: list[int] = field(default_factory=list)
    duplicated: list[int] = field(default_factory=list)
    disordered: list[int] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)
    told_lost: int = 0
    reboots: int = 0
    crashes: int = 0
    snapshots: int = 0
    stuck: bool = False

    @property
    def is_clean(self) -> bool:
        return not (self.lost or self.duplicated or self.disordered or self.wrong or self.stuck)


class World:
    """One run. `lines[0]` is the game's tablet; further ones have tablets of their own."""

    def __init__(self, seed: int, making: Making, faults: Faults, hosts: int = 1) -> None:
        self.rng = rng = random.Random(seed)
        self.faults = faults
        self.now_ms = 0
        self.lines: list[Line] = []
        self.board = Board(rng, making.outbox, faults.blocks, faults.block_size, self._on_boot)
        if faults.failed_block:
            spoil(self.board.flash, 3, faults.failed_block)
        for index in range(hosts):
            to_host = Air(rng, faults.loss, faults.duplicate, faults.reorder)
            # Commands are writes with response: in order and once, or the host knows that they failed.
            to_board = Air(rng, faults.command_loss, 0, 0)
            parts = (to_host, to_board, making.link, making.host, making.store())
            self.lines.append(Line(self.board, TABLET + index, *parts, faults.max_size))

    def _on_boot(self) -> None:
        for line in self.lines:
            line.plug_in()

    # time

    def run(self) -> Verdict:
        """Everything that can go wrong, then none of it any more; the verdict on the first host."""
        while self.board.number < self.faults.events:
            self.come_and_go()
            self.misfortune()
            hurry = 10 if self.board.number >= self.faults.away_after else 1
            if self.rng.random() < hurry * self.faults.event:
                self.board.happen()
            self.step()
        self.calm_down()
        return self.judge(self.lines[0])

    def step(self) -> None:
        self.now_ms += STEP_MS
        for line in self.lines:
            try:
                line.step(self.now_ms)
            except PowerCut:
                self.board.reboot()

    def come_and_go(self) -> None:
        for line in self.lines:
            if self.board.number >= self.faults.away_after:
                if line.is_connected:
                    line.disconnect()
            elif not line.is_connected and self.rng.random() < 0.2:
                line.connect(self.now_ms)

    def misfortune(self) -> None:
        rng, faults, flash = self.rng, self.faults, self.board.flash
        for line in self.lines:
            if line.is_connected and rng.random() < faults.disconnect:
                line.disconnect()
            if rng.random() < faults.host_crash and not line.store.crash_at:
                line.store.crash_at = 1 + rng.randrange(6)
        if rng.random() < faults.power_cut:
            if rng.random() < 0.5:
                self.board.reboot()
            elif not flash.cut_at:
                flash.cut_at = 1 + rng.randrange(4)

    def calm_down(self, limit_ms: int = CALM_LIMIT_MS) -> None:
        """No more faults: now everything must arrive, at one host after the other."""
        self.board.flash.power_up()
        for line in self.lines[1:]:
            line.disconnect()
        for line in self.lines:
            line.store.crash_at = 0
            line.to_host.calm = line.to_board.calm = True
        for line in self.lines:
            until = self.now_ms + limit_ms
            while not line.has_all() and self.now_ms < until:
                if not line.is_connected:
                    line.connect(self.now_ms)
                self.step()
            line.is_stuck = not line.has_all()
            line.compare_pairs()
            line.disconnect()

    def judge(self, line: Line) -> Verdict:
        store, beeped = line.store, self.board.beeped
        verdict = Verdict(reboots=self.board.reboots, crashes=line.crashes, wrong=line.wrong, snapshots=store.snapshots)
        seen = set(store.entries)
        missing = [number for number in beeped if number not in seen]
        told = [number for number in missing if any(a <= beeped[number] <= b for a, b in store.lost)]
        verdict.told_lost = len(told)
        verdict.lost = [number for number in missing if number not in told]
        verdict.duplicated = sorted(number for number, count in Counter(store.entries).items() if count > 1)
        verdict.disordered = [b for a, b in itertools.pairwise(store.entries) if b < a]
        verdict.stuck = line.is_stuck
        return verdict


def run_exam(seed: int, making: Making | None = None, faults: Faults | None = None) -> Verdict:
    """One run with everything that can go wrong drawn from `seed`."""
    return World(seed, making or Making(), faults or Faults()).run()
