"""The module's power fails at every operation of its file system during an update over the bus: the old or the new firmware runs."""

from pathlib import Path

import pytest

from tests.firmware.module.update_table import NEW, OLD, UpdateTable
from tests.firmware.update.model import fresh

ATTEMPTS = 4
"""A tablet begins again when the module was lost."""


def operations_of_an_update() -> int:
    """With the confirmation of the new firmware."""
    fresh(OLD)
    table = UpdateTable(count=2)
    assert table.send() == 0
    switched = table.disk.operations
    table.settle()
    assert table.ran == [OLD.version, NEW.version]
    return switched + table.disk.operations


def update_with_a_cut(cut_at: int) -> UpdateTable:
    """The table when the tablet has no more to do: cut once at that operation, counted over both lives of the module."""
    fresh(OLD)
    table = UpdateTable(count=2)
    table.disk.cut_at = cut_at
    for _ in range(ATTEMPTS):
        if table.send() == 0 or table.ran[-1] == NEW.version:
            break
        table.settle()
    left = cut_at - table.disk.operations
    if table.ran == [OLD.version] and left > 0:
        table.cut_at = left
    table.settle(80)
    if table.ran[-1] == OLD.version:
        assert table.send() == 0
        table.settle()
    return table


def check(cut_at: int) -> None:
    table = update_with_a_cut(cut_at)
    assert set(table.ran) == {OLD.version, NEW.version}, cut_at
    assert table.cuts == 1, cut_at
    assert table.ran[-1] == NEW.version, cut_at
    assert Path("running").read_text() == "b", cut_at


def test_a_sample_of_the_operations_is_cut(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    count = operations_of_an_update()
    assert count > 40
    for cut_at in (*range(1, count - 16, 6), *range(count - 16, count + 1)):
        check(cut_at)


@pytest.mark.soak
def test_every_operation_is_cut(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for cut_at in range(1, operations_of_an_update() + 1):
        check(cut_at)
