"""The app's half and the ARC's half together, at every MTU from 23 to 247, with loss, duplicates, reorder, cuts and crashes:
nothing lost, doubled or disordered, every belief about the table right. Shortcuts of the host are caught.
"""

import random

import pytest

from companion.link.checking import Checking
from companion.link.delivery import Delivery, Verdict
from companion.link.mirror import Mirror
from protocol import messages as m
from protocol.events import Event
from protocol.gatt import PREFERRED_MTU, SMALLEST_MTU
from tests.companion.link.app_host import AppHost
from tests.firmware.arc.fault_world import Faults, Making, run_exam
from tests.firmware.arc.scripted_host import HostStore

SAMPLE = 150
SOAK_PARTS, SOAK_PART = 100, 1_000
MUTANT_RUNS = 30
ATT_OVERHEAD = 3


def drawn(seed: int) -> Faults:
    """Faults of every size, so that some runs have time to take snapshots and some hardly get through."""
    rng = random.Random(seed)
    return Faults(
        max_size=rng.randint(SMALLEST_MTU, PREFERRED_MTU) - ATT_OVERHEAD,
        loss=rng.choice((0.0, 0.02, 0.3)),
        command_loss=rng.choice((0.0, 0.05)),
        duplicate=rng.choice((0.0, 0.1)),
        reorder=rng.choice((0.0, 0.2)),
        disconnect=rng.choice((0.001, 0.006)),
        power_cut=rng.choice((0.001, 0.004)),
        host_crash=rng.choice((0.002, 0.006)),
        event=rng.choice((0.06, 0.3)),
    )


class NoDedupe(Delivery):
    """Shortcut: what came before is taken again."""

    def verdict(self, event: Event) -> Verdict:
        verdict = super().verdict(event)
        return Verdict.NEXT if verdict is Verdict.DUPLICATE else verdict


class AcceptsGaps(Delivery):
    """Shortcut: whatever is newer is taken."""

    def verdict(self, event: Event) -> Verdict:
        verdict = super().verdict(event)
        return Verdict.NEXT if verdict is Verdict.GAP and event.sequence > self.cursor[1] else verdict


class CursorApart(HostStore):
    """Shortcut: data and cursor are two writes."""

    def commit(self, entries: list[int], epoch: int, sequence: int) -> None:
        self.entries += entries
        self.operation()
        self.epoch, self.sequence = epoch, sequence
        self.operation()


class TrustsPages(Checking):
    """Shortcut: pages are believed as they come, whatever happened while they were read."""

    def take_page(self, page: m.Page) -> None:
        super().take_page(page)
        if self._found is not None:
            mirror = Mirror()
            mirror.fill(*self._found.values())
            self._found, self.is_done = None, True
            self._delivery.host.deliver(mirror.snapshot())
            self._delivery.mirror = mirror


def host_with(delivery: type[Delivery] = Delivery, checking: type[Checking] = Checking) -> type[AppHost]:
    class Host(AppHost):
        delivery_class = delivery
        checking_class = checking

    return Host


@pytest.mark.parametrize("seed", range(SAMPLE))
def test_everything_arrives_once_and_in_order(seed: int) -> None:
    verdict = run_exam(seed, Making(host=AppHost), drawn(seed))
    assert verdict.is_clean, (seed, verdict)
    assert not verdict.told_lost


def test_the_sample_has_snapshots_reboots_crashes_and_both_ends_of_the_mtu() -> None:
    verdicts = [run_exam(seed, Making(host=AppHost), drawn(seed)) for seed in range(60)]
    assert sum(verdict.snapshots for verdict in verdicts) > 80
    assert sum(verdict.reboots for verdict in verdicts) > 40
    assert sum(verdict.crashes for verdict in verdicts) > 40
    sizes = {drawn(seed).max_size for seed in range(SOAK_PART)}
    assert {min(sizes), max(sizes)} == {20, 244}


@pytest.mark.parametrize("seed", range(6))
def test_an_overrun_is_told(seed: int) -> None:
    verdict = run_exam(seed, Making(host=AppHost), Faults(blocks=4, events=150, away_after=40, power_cut=0.001))
    assert verdict.is_clean, (seed, verdict)
    assert verdict.told_lost


@pytest.mark.parametrize(
    "making",
    [
        Making(host=host_with(NoDedupe)),
        Making(host=host_with(AcceptsGaps)),
        Making(host=AppHost, store=CursorApart),
        Making(host=host_with(checking=TrustsPages)),
    ],
    ids=["no dedupe", "accepts gaps", "cursor apart from data", "pages without their hash"],
)
def test_a_shortcut_is_caught(making: Making) -> None:
    assert any(not run_exam(seed, making, drawn(seed)).is_clean for seed in range(MUTANT_RUNS))


@pytest.mark.soak
@pytest.mark.parametrize("part", range(SOAK_PARTS))
def test_everything_arrives_once_and_in_order_soak(part: int) -> None:
    for seed in range((part + 1) * SOAK_PART, (part + 2) * SOAK_PART):
        verdict = run_exam(seed, Making(host=AppHost), drawn(seed))
        assert verdict.is_clean, (seed, verdict)
        assert not verdict.told_lost
