"""Events reach the journal exactly once and in order, whatever fails; six known shortcuts in their delivery do not pass.

The host here is a small double that shortcuts can be taken in. The app's own half sits the same exam, in the large number of
runs, in `tests/companion/link/test_faults.py`.
"""

import struct
from typing import Any

import pytest

from firmware.arc.outbox import Outbox
from firmware.arc.session_link import SessionLink
from firmware.drivers.flash_ring import FlashRing
from protocol.events import Body, Event, encode_record
from tests.firmware.arc.fault_world import Faults, Making, Verdict, run_exam
from tests.firmware.arc.scripted_host import HostStore, ScriptedHost

SAMPLE = 150
MUTANT_RUNS = 30


class RamOutbox(Outbox):
    """Shortcut 1: an event is only written down when it is sent; until then it waits in RAM."""

    def __init__(self, *parts: object) -> None:
        self._queue: list[tuple[Body, int]] = []
        super().__init__(*parts)  # type: ignore[arg-type]

    @property
    def newest(self) -> int:
        return self._ring.newest + len(self._queue)

    def append(self, body: Body, now_ms: int) -> Event:
        self._queue.append((body, now_ms))
        return Event(self.epoch, self.newest, now_ms, body)

    def read_into(self, sequence: int, into: bytearray | memoryview, at: int = 0) -> int:
        while self._queue and sequence > self._ring.newest:
            body, now_ms = self._queue.pop(0)
            number = self._ring.newest + 1
            self._ring.append(number, encode_record(body.record_kind(), self.epoch, number, now_ms, body.payload()))
        return super().read_into(sequence, into, at)


class SendOnceLink(SessionLink):
    """Shortcut 2: what was sent counts as delivered, for ever."""

    @property
    def _device(self) -> Any:
        """The flash: what the board would have deleted stays deleted through its reboots."""
        return self._outbox._ring._device

    def sent(self, now_ms: int) -> None:
        was_answer = bool(self._answers)
        super().sent(now_ms)
        if not was_answer:
            self._in_flight.clear()
            self._device.deleted_upto = self._acknowledged = self._batch_last

    def _begin_after(self, epoch: int, sequence: int) -> None:
        super()._begin_after(epoch, sequence)
        self._next = max(self._next, getattr(self._device, "deleted_upto", 0) + 1)


class ForgetfulHost(ScriptedHost):
    """Shortcut 3: no look at whether an event was there before."""

    def accepts(self, sequence: int, now_ms: int) -> bool:
        super().accepts(sequence, now_ms)
        return sequence <= self.store.sequence + 1


class GreedyHost(ScriptedHost):
    """Shortcut 4: whatever is newer is taken, gap or not."""

    def accepts(self, sequence: int, now_ms: int) -> bool:
        return sequence > self.store.sequence


class RestartingOutbox(Outbox):
    """Shortcut 5: every boot counts from 1 again, in the same epoch."""

    def __init__(self, ring: FlashRing, *others: object) -> None:
        self._before = ring.newest
        super().__init__(ring, *others)  # type: ignore[arg-type]

    @property
    def newest(self) -> int:
        return self._ring.newest - self._before

    @property
    def oldest(self) -> int:
        return max(1, self._ring.oldest - self._before)

    def append(self, body: Body, now_ms: int) -> Event:
        number = self.newest + 1
        record = encode_record(body.record_kind(), self.epoch, number, now_ms, body.payload())
        self._ring.append(self._ring.newest + 1, record)
        return Event(self.epoch, number, now_ms, body)

    def read_into(self, sequence: int, into: bytearray | memoryview, at: int = 0) -> int:
        return super().read_into(sequence + self._before, into, at)

    def _stored_epoch(self) -> int:
        if not self._ring.newest or not self._ring.read(self._ring.newest, self._record):
            return 0
        return int(struct.unpack_from("<BH", self._record, 0)[1])


class SplitStore(HostStore):
    """Shortcut 6: the cursor is saved apart from the entries."""

    def commit(self, entries: list[int], epoch: int, sequence: int) -> None:
        self.operation()
        self.entries += entries
        self.operation()
        self.epoch, self.sequence = epoch, sequence


SHORTCUTS = {
    "queue in RAM until sent": Making(outbox=RamOutbox),
    "send once, no acknowledgement": Making(link=SendOnceLink),
    "no look for duplicates on the host": Making(host=ForgetfulHost),
    "host accepts gaps": Making(host=GreedyHost),
    "sequence restarts at a boot": Making(outbox=RestartingOutbox),
    "cursor saved apart from the data": Making(store=SplitStore),
}


@pytest.mark.parametrize("seed", range(SAMPLE))
def test_nothing_is_lost_doubled_or_disordered(seed: int) -> None:
    verdict = run_exam(seed, faults=Faults(max_size=(20, 60, 120, 244)[seed % 4]))
    assert verdict.is_clean, verdict
    assert not verdict.told_lost


def test_the_sample_really_has_reboots_and_crashes() -> None:
    verdicts = [run_exam(seed) for seed in range(20)]
    assert sum(v.reboots for v in verdicts) > 20
    assert sum(v.crashes for v in verdicts) > 5


@pytest.mark.parametrize("name", SHORTCUTS)
def test_every_shortcut_is_caught(name: str) -> None:
    caught = [v for v in (run_exam(seed, SHORTCUTS[name]) for seed in range(MUTANT_RUNS)) if not v.is_clean]
    assert len(caught) >= MUTANT_RUNS // 3, f"{name}: caught in {len(caught)} of {MUTANT_RUNS} runs"


@pytest.mark.parametrize("seed", range(20))
def test_an_overrun_is_told_and_nothing_else_is_lost(seed: int) -> None:
    verdict: Verdict = run_exam(seed, faults=Faults(events=150, blocks=4, power_cut=0.001, away_after=40))
    assert verdict.told_lost
    assert verdict.is_clean, verdict


@pytest.mark.parametrize("how", ["program", "refuse", "erase"])
@pytest.mark.parametrize("seed", range(8))
def test_a_failed_block_of_flash_loses_nothing(seed: int, how: str) -> None:
    verdict = run_exam(seed, faults=Faults(events=120, blocks=32, failed_block=how))
    assert verdict.is_clean, verdict
    assert not verdict.told_lost


@pytest.mark.soak
@pytest.mark.parametrize("thousand", range(20))
def test_nothing_is_lost_doubled_or_disordered_soak(thousand: int) -> None:
    for seed in range(1_000_000 + thousand * 1000, 1_000_000 + (thousand + 1) * 1000):
        verdict = run_exam(seed, faults=Faults(max_size=(20, 60, 120, 244)[seed % 4]))
        assert verdict.is_clean, (seed, verdict)
