"""`firmware/README.md` says what the code does: pins, partitions, times."""

import re
from pathlib import Path

from firmware.arc import card_watch
from firmware.arc.power import LIGHT_PERCENT
from firmware.boards import arc_esp32s3 as board, module_rp2040zero as module, timings
from firmware.desk.chips.flash import Flash
from firmware.drivers.flash_ring import FlashRing
from protocol.events import BATTERY_EMPTY, BATTERY_GOOD, BATTERY_LOW, BATTERY_USB, BATTERY_VERY_LOW

FIRMWARE = Path(__file__).parents[2] / "firmware"
PAGE = (FIRMWARE / "README.md").read_text(encoding="utf-8")


def test_the_pins_are_those_of_the_pin_map() -> None:
    found = re.findall(r"\| ([A-Z_]+) \| ([\d, ]+?) (?=\|)", PAGE.split("## The ARC's pins")[1].split("##")[0])
    assert len(found) == 17
    for net, pins in found:
        value = getattr(board, net)
        assert pins == (", ".join(map(str, value)) if isinstance(value, tuple) else str(value)), net


def test_the_modules_pins_are_those_of_its_pin_map() -> None:
    wiring = PAGE.split("## Wiring")[1].split("## ")[0]
    found = dict(re.findall(r"^\| ([A-Z_]+) \| ([\d, ]+) \|", wiring, re.MULTILINE))
    assert set(found) == {"BUS_TX", "BUS_RX", "BUS_SEL", "LED_DIN"}
    for net, pins in found.items():
        value = getattr(module, net)
        assert pins == (", ".join(map(str, value)) if isinstance(value, tuple) else str(value)), net
    for net in re.findall(r"\b(?:VBUS|USB|BATTERY|BUZZER|BUTTON|ARC_LIGHT|RFID)_?[A-Z_]*\b", wiring):
        assert net in ("VBUS", "USB", "RFID_") or hasattr(board, net), net


def _states(of: str) -> dict[str, str]:
    """The rows of one state table, by their first words."""
    rows = PAGE.split(f"**{of}**")[1].split("\n\n")[1].splitlines()[2:]
    return {row.split("|")[1].split(":")[0].strip(): row for row in rows}


def test_the_tables_of_states_have_the_times_and_levels_of_the_code() -> None:
    card, battery = _states("Card"), _states("Battery")
    gone = f"{timings.CARD_REMOVED_MS:,} ms and {timings.CARD_REMOVED_POLLS} polls"
    assert all(gone in card[state] for state in ("present", "barred", "ignored"))
    for text in (
        f"{card_watch.FORGET_MS} ms: forgotten",
        f"after {card_watch.MEMORY_TRIES} polls",
        f"for {card_watch.UNREADABLE_POLLS} polls",
    ):
        assert text in card["new"]
    assert f"grace of {timings.MODULE_DETACHED_MS / 1000:.1f} s" in PAGE
    levels = [timings.BATTERY_LOW_MV, timings.BATTERY_VERY_LOW_MV, timings.BATTERY_EMPTY_MV]
    for (better, worse), level_mv in zip(
        [("good", "low"), ("low", "very low"), ("very low", "empty")], levels, strict=True
    ):
        assert f"below {level_mv / 1000:.1f} V → {worse} |" in battery[better]
        assert f"from {(level_mv + timings.BATTERY_HYSTERESIS_MV) / 1000:.1f} V → {better}" in battery[worse]
    names = {
        BATTERY_GOOD: "good",
        BATTERY_LOW: "low",
        BATTERY_VERY_LOW: "very low",
        BATTERY_EMPTY: "empty",
        BATTERY_USB: "on USB",
    }
    assert all(f"lights {LIGHT_PERCENT[state]} %" in battery[name] for state, name in names.items())
    assert f"after {timings.EMPTY_SLEEP_MS // 1000} s the board sleeps" in battery["empty"]


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
