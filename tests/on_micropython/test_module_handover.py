"""A module's firmware on trial, on the interpreter we ship and on its own file system: kept once polled, left when it is not."""

import sys

sys.path.append(__file__.rsplit("/", 1)[0])

import test_update

from firmware.boards.module_rp2040zero import LEAVE_MS, TRIAL_MS
from firmware.drivers.board_files import BoardFiles
from firmware.module.handover import Handover
from firmware.update.trial import RUNNING, TRIAL, Trial, begin_trial


def on_trial(files):
    begin_trial(files, "b", "a", 0)
    files.replace(RUNNING, b"a")  # as the starter does
    return Trial(files, "b", 0)


def test_polled_it_stays():
    with test_update.OnDisk():
        files = BoardFiles()
        handover = Handover(on_trial(files), 0)
        assert not handover.is_due(TRIAL_MS, False, False)
        assert not handover.is_due(TRIAL_MS, True, False)
        assert files.read(RUNNING) == b"b"
        assert files.size(TRIAL) < 0


def test_not_polled_it_leaves_and_the_old_one_is_named():
    with test_update.OnDisk():
        files = BoardFiles()
        handover = Handover(on_trial(files), 0)
        assert handover.is_due(TRIAL_MS + 1, False, False)
        assert files.read(RUNNING) == b"a"


def test_it_leaves_a_while_after_the_switch():
    handover = Handover(None, 0)
    assert not handover.is_due(10 * TRIAL_MS, True, False)
    assert not handover.is_due(0, True, True)
    assert handover.is_due(LEAVE_MS, True, True)
