"""A setting is the old one or the new one, whatever the power does."""

import random

import pytest

from firmware.desk.chips.flash import Flash, PowerCut
from firmware.drivers.settings_store import SettingsStore

BLOCK = 256
LONG = bytes(range(200))


def make_flash(seed: int) -> Flash:
    return Flash(4 * BLOCK, BLOCK, random.Random(seed).randrange)


def test_nothing_is_an_empty_value() -> None:
    assert SettingsStore(make_flash(0), 0).read() == b""


@pytest.mark.parametrize("value", [b"", b"x", LONG, bytes(BLOCK - 12)])
def test_a_value_comes_back_after_a_restart(value: bytes) -> None:
    flash = make_flash(0)
    SettingsStore(flash, 2).write(b"before")
    SettingsStore(flash, 2).write(value)
    assert SettingsStore(flash, 2).read() == value
    assert SettingsStore(flash, 0).read() == b""


def test_a_value_too_long_is_refused_and_the_old_one_stays() -> None:
    store = SettingsStore(make_flash(0), 0)
    store.write(b"old")
    with pytest.raises(ValueError, match="at most 244"):
        store.write(bytes(BLOCK))
    assert store.read() == b"old"


def test_both_copies_wear_alike() -> None:
    flash = make_flash(0)
    store = SettingsStore(flash, 0)
    for number in range(10):
        store.write(bytes((number,)))
    assert flash.erases[:2] == [5, 5]


def test_a_flash_that_takes_nothing_is_an_error_and_the_old_value_stays() -> None:
    flash = make_flash(0)
    store = SettingsStore(flash, 0)
    store.write(b"old")
    flash._program = lambda at, data: None  # type: ignore[method-assign]
    with pytest.raises(OSError, match="5"):
        store.write(b"new")
    assert store.read() == b"old"


def write_with_cut(flash: Flash, cut_at: int, value: bytes) -> bool:
    """Whether the write returned."""
    flash.cut_at = cut_at
    try:
        SettingsStore(flash, 0).write(value)
    except PowerCut:
        return False
    finally:
        flash.power_up()
    return True


@pytest.mark.parametrize("seed", range(40))
@pytest.mark.parametrize("cut_at", [1, 2, 3])
def test_a_cut_at_every_operation_leaves_the_old_or_the_new_value(seed: int, cut_at: int) -> None:
    flash = make_flash(seed)
    SettingsStore(flash, 0).write(b"older")
    SettingsStore(flash, 0).write(b"old")
    returned = write_with_cut(flash, cut_at, LONG)
    found = SettingsStore(flash, 0).read()
    assert found == LONG if returned else found in (b"old", LONG)
    SettingsStore(flash, 0).write(b"after")
    assert SettingsStore(flash, 0).read() == b"after"


@pytest.mark.parametrize("seed", range(60))
def test_two_cuts_leave_a_value_that_was_written(seed: int) -> None:
    rng = random.Random(seed)
    flash = make_flash(seed)
    SettingsStore(flash, 0).write(b"old")
    may_be = {b"old"}
    for value in (b"first" * 30, b"second"):
        if write_with_cut(flash, 1 + rng.randrange(3), value):
            may_be = {value}
        else:
            may_be.add(value)
        found = SettingsStore(flash, 0).read()
        assert found in may_be
        may_be = {found}
