"""When a module restarts for the sake of its firmware, and when it keeps the one that runs."""

from typing import Any

from firmware.boards.module_rp2040zero import LEAVE_MS, TRIAL_MS
from firmware.module.handover import Handover
from firmware.update.trial import RUNNING, TRIAL, Trial, begin_trial

BEGUN_MS = 7_000


class Files:
    """A file system as far as a trial needs one."""

    def __init__(self) -> None:
        self.held: dict[str, bytes] = {}

    def read(self, name: str) -> bytes:
        return self.held.get(name, b"")

    def replace(self, name: str, data: bytes) -> None:
        self.held[name] = data

    def remove(self, name: str) -> None:
        self.held.pop(name, None)


def on_trial() -> "tuple[Any, Trial]":
    """`b` runs on trial, as the starter has left it."""
    files: Any = Files()
    begin_trial(files, "b", "a", 0)
    files.replace(RUNNING, b"a")
    return files, Trial(files, "b", 0)


def test_once_polled_the_new_firmware_stays_and_nothing_restarts() -> None:
    files, trial = on_trial()
    handover = Handover(trial, BEGUN_MS)
    assert not handover.is_due(BEGUN_MS + TRIAL_MS, is_polled=False, is_switched=False)
    assert files.read(RUNNING) == b"a"
    assert not handover.is_due(BEGUN_MS + TRIAL_MS, is_polled=True, is_switched=False)
    assert files.held == {RUNNING: b"b"}
    assert not handover.is_due(BEGUN_MS + 10 * TRIAL_MS, is_polled=False, is_switched=False)


def test_never_polled_it_restarts_into_the_old_firmware_and_not_before_its_time() -> None:
    files, trial = on_trial()
    handover = Handover(trial, BEGUN_MS)
    assert not handover.is_due(BEGUN_MS + TRIAL_MS, is_polled=False, is_switched=False)
    assert handover.is_due(BEGUN_MS + TRIAL_MS + 1, is_polled=False, is_switched=False)
    assert files.read(RUNNING) == b"a"
    assert TRIAL in files.held


def test_a_firmware_that_is_on_no_trial_waits_for_the_arc_for_ever() -> None:
    handover = Handover(None, BEGUN_MS)
    assert not handover.is_due(BEGUN_MS + 100 * TRIAL_MS, is_polled=False, is_switched=False)


def test_after_the_switch_the_arc_has_time_to_ask_once_more() -> None:
    handover = Handover(None, 0)
    assert not handover.is_due(0, is_polled=True, is_switched=True)
    assert not handover.is_due(LEAVE_MS - 1, is_polled=True, is_switched=True)
    assert handover.is_due(LEAVE_MS, is_polled=True, is_switched=True)


def test_a_firmware_on_trial_that_takes_the_next_one_leaves_for_it() -> None:
    files, trial = on_trial()
    handover = Handover(trial, 0)
    assert not handover.is_due(500, is_polled=True, is_switched=True)
    assert files.read(RUNNING) == b"b"
    assert handover.is_due(500 + LEAVE_MS, is_polled=True, is_switched=True)
