"""What the ARC keeps of its life: boots, crashes, safe mode."""

import struct

import pytest

from firmware.arc.life import Life
from firmware.desk.chips.flash import Flash
from firmware.drivers.settings_store import SettingsStore
from protocol import events


@pytest.mark.parametrize("cause", [events.WATCHDOG, events.RESET_PIN])
def test_five_bad_boots_lead_to_safe_mode(cause: int) -> None:
    store = SettingsStore(Flash(512, 256), 0)
    assert [Life(store, cause).is_safe_mode for _ in range(6)] == [False] * 5 + [True]


@pytest.mark.parametrize("cause", [events.POWER_ON, events.DEEP_SLEEP, events.BROWN_OUT, events.SOFT_RESET])
def test_no_number_of_flat_cells_or_of_restarts_that_were_wanted_leads_to_safe_mode(cause: int) -> None:
    store = SettingsStore(Flash(512, 256), 0)
    assert not any(Life(store, cause).is_safe_mode for _ in range(20))
    assert not Life(store, events.POWER_ON).is_safe_mode


def test_a_flash_that_keeps_no_counters_stops_nothing() -> None:
    store = SettingsStore(Flash(512, 256), 0)
    store.write = lambda value: (_ for _ in ()).throw(OSError(5))  # type: ignore[method-assign]
    life = Life(store, events.WATCHDOG)
    life.has_lasted()
    life.note_acknowledged(9, 5)
    assert life.boots == 1


def test_what_an_older_firmware_kept_still_counts() -> None:
    store = SettingsStore(Flash(512, 256), 0)
    store.write(struct.pack("<III", 9, 4, 5))
    life = Life(store, events.POWER_ON)
    assert (life.boots, life.watchdog_resets, life.is_safe_mode, life.acknowledged) == (10, 4, True, 0)


def test_a_good_boot_leads_out_of_safe_mode() -> None:
    store = SettingsStore(Flash(512, 256), 0)
    boots = [Life(store, events.WATCHDOG).is_safe_mode for _ in range(6)]
    assert boots == [False] * 5 + [True]
    life = Life(store, events.POWER_ON)
    assert (life.boots, life.watchdog_resets) == (7, 6)
    life.has_lasted()
    assert not Life(store, events.POWER_ON).is_safe_mode
