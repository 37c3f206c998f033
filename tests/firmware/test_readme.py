"""`firmware/README.md` says what the code does: pins, partitions, times."""

import re
from pathlib import Path

from firmware.boards import arc_esp32s3 as board, timings
from firmware.desk.chips.flash import Flash
from firmware.drivers.flash_ring import FlashRing

FIRMWARE = Path(__file__).parents[2] / "firmware"
PAGE = (FIRMWARE / "README.md").read_text(encoding="utf-8")


def test_the_pins_are_those_of_the_pin_map() -> None:
    found = re.findall(r"\| ([A-Z_]+) \| ([\d, ]+?) (?=\|)", PAGE.split("## The ARC's pins")[1].split("##")[0])
    assert len(found) == 17
    for net, pins in found:
        value = getattr(board, net)
        assert pins == (", ".join(map(str, value)) if isinstance(value, tuple) else str(value)), net


def test_the_partitions_have_their_sizes() -> None:
    for name, size in board.PARTITIONS:
        assert f"| `{name}` | {size:,} |" in PAGE


def test_the_number_of_events_held_is_the_rings() -> None:
    ring = FlashRing(Flash(dict(board.PARTITIONS)[board.EVENTS_PARTITION], board.ERASE_BLOCK))
    assert f"At least {ring.capacity:,} events" in PAGE


def test_levels_and_times_are_those_of_the_boards() -> None:
    for level_mv in (timings.BATTERY_LOW_MV, timings.BATTERY_VERY_LOW_MV, timings.BATTERY_EMPTY_MV):
        assert f"{level_mv / 1000:.1f} V" in PAGE
    assert (timings.DIM_AFTER_MS, timings.SLEEP_AFTER_MS) == (10 * 60_000, 60 * 60_000)
    assert f"watchdog ({timings.WATCHDOG_MS // 1000} s)" in PAGE
    assert f"| modules | {timings.BUS_CYCLE_MS} ms |" in PAGE
    assert f"{timings.POLL_BUSY_MS} ms with something on the roof, {timings.POLL_IDLE_MS} ms idle" in PAGE


def test_every_file_it_names_is_there() -> None:
    for name in re.findall(r"`((?:arc|bus|drivers)/\w+\.py)`", PAGE):
        assert (FIRMWARE / name).exists(), name
    for name in re.findall(r"`((?:on_micropython|firmware)/[\w/]+)`", PAGE):
        path = FIRMWARE.parent / "tests" / name
        assert path.with_suffix(".py").exists() or path.is_dir(), name
