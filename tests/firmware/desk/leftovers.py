"""What a desk must not leave behind: processes and sockets."""

import os
from pathlib import Path

import psutil


def children_of_this_process() -> set[int]:
    """The pids of everything this test process has started and that still runs."""
    return {child.pid for child in psutil.Process().children(recursive=True) if child.status() != psutil.STATUS_ZOMBIE}


def assert_nothing_left(before: set[int], folder: Path) -> None:
    """No more children than before, no folder of sockets, no zombie."""
    left = psutil.Process().children(recursive=True)
    assert [child for child in left if child.pid not in before] == []
    assert not folder.exists()


def is_gone(pid: int) -> bool:
    """Whether this process has ended."""
    try:
        os.kill(pid, 0)
        return psutil.Process(pid).status() == psutil.STATUS_ZOMBIE
    except (ProcessLookupError, psutil.NoSuchProcess):
        return True
