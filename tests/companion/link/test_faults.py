"""The app's half and the ARC's half together, with loss, duplicates, reorder, cuts and crashes; shortcuts of the host are caught."""

import pytest

from companion.link.delivery import Delivery, Verdict
from protocol.events import Event
from tests.companion.link.app_host import AppHost
from tests.firmware.arc.fault_world import Faults, Making, run_exam
from tests.firmware.arc.scripted_host import HostStore

SAMPLE = 60
SOAK = 20_000
MUTANT_RUNS = 30


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


def host_with(delivery: type[Delivery]) -> type[AppHost]:
    class Host(AppHost):
        delivery_class = delivery

    return Host


@pytest.mark.parametrize("seed", range(SAMPLE))
def test_everything_arrives_once_and_in_order(seed: int) -> None:
    verdict = run_exam(seed, Making(host=AppHost))
    assert verdict.is_clean, (seed, verdict)
    assert not verdict.told_lost


@pytest.mark.parametrize("seed", range(12))
def test_with_a_big_mtu(seed: int) -> None:
    verdict = run_exam(seed, Making(host=AppHost), Faults(max_size=244))
    assert verdict.is_clean, (seed, verdict)


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
    ],
    ids=["no dedupe", "accepts gaps", "cursor apart from data"],
)
def test_a_shortcut_is_caught(making: Making) -> None:
    assert any(not run_exam(seed, making).is_clean for seed in range(MUTANT_RUNS))


@pytest.mark.soak
def test_everything_arrives_once_and_in_order_many_times() -> None:
    for seed in range(1_000, 1_000 + SOAK):
        verdict = run_exam(seed, Making(host=AppHost))
        assert verdict.is_clean, (seed, verdict)
