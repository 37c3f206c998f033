"""When a module restarts for the sake of its firmware, and when it keeps the one that runs."""

from pathlib import Path

import pytest

from firmware.boards.module_rp2040zero import LEAVE_MS, TRIAL_MS
from firmware.drivers.board_files import BoardFiles
from firmware.module.handover import Handover
from firmware.update.trial import RUNNING, TRIAL, Trial, begin_trial

BEGUN_MS = 7_000


@pytest.fixture
def trial(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Trial:
    """`b` runs on trial, as the starter has left it."""
    monkeypatch.chdir(tmp_path)
    files = BoardFiles()
    begin_trial(files, "b", "a", 0)
    files.replace(RUNNING, b"a")
    return Trial(files, "b", 0)


def test_once_polled_the_new_firmware_stays_and_nothing_restarts(trial: Trial) -> None:
    handover = Handover(trial, BEGUN_MS)
    assert not handover.is_due(BEGUN_MS + TRIAL_MS, is_polled=False, is_switched=False)
    assert Path(RUNNING).read_text() == "a"
    assert not handover.is_due(BEGUN_MS + TRIAL_MS, is_polled=True, is_switched=False)
    assert Path(RUNNING).read_text() == "b"
    assert not Path(TRIAL).exists()
    assert not handover.is_due(BEGUN_MS + 10 * TRIAL_MS, is_polled=False, is_switched=False)


def test_never_polled_it_restarts_into_the_old_firmware_and_not_before_its_time(trial: Trial) -> None:
    handover = Handover(trial, BEGUN_MS)
    assert not handover.is_due(BEGUN_MS + TRIAL_MS, is_polled=False, is_switched=False)
    assert handover.is_due(BEGUN_MS + TRIAL_MS + 1, is_polled=False, is_switched=False)
    assert Path(RUNNING).read_text() == "a"


def test_a_firmware_that_is_on_no_trial_waits_for_the_arc_for_ever() -> None:
    handover = Handover(None, BEGUN_MS)
    assert not handover.is_due(BEGUN_MS + 100 * TRIAL_MS, is_polled=False, is_switched=False)


def test_after_the_switch_the_arc_has_time_to_ask_once_more() -> None:
    handover = Handover(None, 0)
    at_ms = 0
    assert not handover.is_due(at_ms, is_polled=True, is_switched=True)
    assert not handover.is_due(at_ms + LEAVE_MS - 1, is_polled=True, is_switched=True)
    assert handover.is_due(at_ms + LEAVE_MS, is_polled=True, is_switched=True)


def test_a_firmware_on_trial_that_takes_the_next_one_leaves_for_it(trial: Trial) -> None:
    handover = Handover(trial, 0)
    assert not handover.is_due(500, is_polled=True, is_switched=True)
    assert handover.is_due(500 + LEAVE_MS, is_polled=True, is_switched=True)
