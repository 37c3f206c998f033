"""What the ARC does about its own faults: a task that fails, one that hangs, boots that do not last."""

import asyncio
import os
import struct
import tty
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from unittest import mock

import pytest
from attrs import evolve

from firmware.arc.lights import COLOURS
from firmware.boards import arc_esp32s3 as board, timings
from firmware.boards.module_rp2040zero import LED_DIN
from firmware.desk import desk as desks
from firmware.desk.chips.flash import FileFlash
from firmware.desk.desk import ARC, Desk
from firmware.desk.kinds import ARC_KIND
from firmware.drivers.settings_store import SettingsStore
from protocol import events
from protocol.lights import BLUE, RED, STEADY, YELLOW, light
from protocol.messages import (
    INFO_SAFE_MODE,
    STATISTICS_LIFE,
    STATISTICS_READER,
    LightAll,
    LogRead,
    ReadStatistics,
    WriteTag,
)
from protocol.reading import unpack_counters
from tests.firmware.arc.desk.tablet import BleWire, Tablet, over_ble, over_serial
from tests.firmware.arc.desk.test_arc_on_desk import CARD, in_session, paired, read_whole
from tests.firmware.desk.test_desk import until

pytestmark = pytest.mark.desk

BOARDS = Path(__file__).parent / "boards"
LIFE_BLOCK, SETTINGS_BLOCK = 2, 6
YELLOW_LIGHT, RED_LIGHT = list(COLOURS[YELLOW]), list(COLOURS[RED])


@asynccontextmanager
async def desk_running(program: str) -> AsyncIterator[Desk]:
    """A desk whose ARC runs another program."""
    with mock.patch.object(desks, "ARC_KIND", evolve(ARC_KIND, entry=str(BOARDS / program))):
        async with Desk(interval_ms=7.5, seed=1) as desk:
            yield desk


@contextmanager
def settings_store(state: Path, block: int) -> Iterator[SettingsStore]:
    """What outlives the ARC's boots, in a desk's folder of state."""
    (state / ARC).mkdir(exist_ok=True)
    size = dict(board.PARTITIONS)[board.SETTINGS_PARTITION]
    flash = FileFlash(str(state / ARC / f"{board.SETTINGS_PARTITION}.flash"), size, board.ERASE_BLOCK)
    try:
        yield SettingsStore(flash, block)
    finally:
        flash.close()


def keep_life(state: Path, boots: int, watchdog_resets: int, bad_boots: int) -> None:
    with settings_store(state, LIFE_BLOCK) as store:
        store.write(struct.pack("<III", boots, watchdog_resets, bad_boots))


def life_kept(state: Path) -> tuple[int, ...]:
    """Boots, resets by the watchdog, bad boots, and the epoch and sequence that apps have taken."""
    with settings_store(state, LIFE_BLOCK) as store:
        held = store.read()
    return struct.unpack("<IIIHI", held.ljust(struct.calcsize("<IIIHI"), b"\0"))


async def fault(tablet: Tablet, code: int) -> events.FaultFound:
    while True:
        body = (await tablet.event(events.FaultFound)).body
        assert isinstance(body, events.FaultFound)
        if body.code == code:
            return body


async def test_a_task_that_fails_is_started_again_told_and_kept_for_people() -> None:
    async with desk_running("failing_arc.py") as desk, in_session(desk) as tablet:
        assert (await fault(tablet, events.FAULT_TASK_RESTARTED)).detail == 1
        await fault(tablet, events.FAULT_CRASHED)
        assert (await fault(tablet, events.FAULT_TASK_RESTARTED)).detail == 2
        # the reader that was started again has polled
        while unpack_counters(STATISTICS_READER, await tablet.ok(ReadStatistics, STATISTICS_READER))["polls"] < 5:
            await asyncio.sleep(0.05)
        desk.present(CARD)
        await tablet.event(events.CardPresented)
        life = unpack_counters(STATISTICS_LIFE, await tablet.ok(ReadStatistics, STATISTICS_LIFE))
        assert (life["task_restarts"], life["boots"]) == (2, 1)
        log = (await read_whole(tablet, LogRead)).decode()
        assert log.startswith("crash: task reader\n")
        assert "ValueError: planned" in log
        assert "usb reader failed" in log
        assert 'failing_arc.py", line' in log


async def test_a_task_that_hangs_is_bitten_by_the_watchdog_and_its_last_lines_are_kept() -> None:
    async with desk_running("hanging_arc.py") as desk:
        await desk.wait("stopped", board=ARC)
        await desk.wait("started", board=ARC)
        async with in_session(desk) as tablet:
            await fault(tablet, events.FAULT_CRASHED)
            life = unpack_counters(STATISTICS_LIFE, await tablet.ok(ReadStatistics, STATISTICS_LIFE))
            assert life["watchdog_resets"] >= 1
            log = (await read_whole(tablet, LogRead)).decode()
            assert log.startswith("crash: watchdog\nboot 1, cause 1")
            assert "about to hang" in log


@pytest.mark.parametrize(
    ("program", "boot_cause", "crash", "line"),
    [
        ("panicking_arc.py", events.RESET_PIN, "unplanned reset", "about to panic"),
        ("dipping_arc.py", events.BROWN_OUT, "brown-out", "the lights go on"),
        ("stuck_arc.py", events.WATCHDOG, "watchdog", "boot 1"),
    ],
)
async def test_what_the_chip_calls_a_reset_or_a_power_on_is_kept_as_the_crash_it_was(
    program: str, boot_cause: int, crash: str, line: str
) -> None:
    async with desk_running(program) as desk:
        await desk.wait("stopped", board=ARC)
        await desk.wait("started", board=ARC)
        async with in_session(desk) as tablet:
            assert (await fault(tablet, events.FAULT_CRASHED)).detail == boot_cause
            log = (await read_whole(tablet, LogRead)).decode()
            assert log.startswith(f"crash: {crash}\nboot 1, cause 1")
            assert line in log
            assert f"\nboot 2, cause {boot_cause}" in log


async def test_a_restart_into_a_new_firmware_is_no_crash() -> None:
    async with desk_running("restarting_arc.py") as desk:
        await desk.wait("stopped", board=ARC)
        await desk.wait("started", board=ARC)
        async with in_session(desk) as tablet:
            while True:
                boot = (await tablet.event(events.Booted)).body
                assert isinstance(boot, events.Booted)
                if boot.cause == events.SOFT_RESET:
                    break
            log = (await read_whole(tablet, LogRead)).decode()
            assert log.startswith("boot 2, cause 5")


async def test_a_restart_at_the_prompt_is_no_crash() -> None:
    async with desk_running("prompted_arc.py") as desk:
        async with over_ble(desk.radio) as tablet:
            await tablet.hello()
        stopped = asyncio.create_task(desk.wait("stopped", board=ARC))
        press_control_c(desk.serial)
        await stopped
        await desk.wait("started", board=ARC)
        async with in_session(desk) as tablet:
            assert (await read_whole(tablet, LogRead)).decode().startswith("boot 2, cause 5")


def press_control_c(path: str) -> None:
    terminal = os.open(path, os.O_RDWR | os.O_NOCTTY)
    tty.setraw(terminal)
    os.write(terminal, b"\x03")
    os.close(terminal)


async def test_flat_cells_put_to_sleep_again_and_again_do_not_lead_to_safe_mode() -> None:
    async with desk_running("hasty_arc.py") as desk:
        desk.set_battery_mv(3_500)
        for _ in range(timings.SAFE_MODE_AFTER_BOOTS + 1):
            await desk.wait("stopped", board=ARC)
            starting = asyncio.create_task(desk.wait("started", board=ARC))
            await desk.press()
            await starting
        desk.set_battery_mv(5_500)
        async with over_serial(desk.serial) as tablet:
            assert not (await tablet.hello()).flags & INFO_SAFE_MODE
            await paired(desk, tablet)
            await tablet.resume()
            # a card is read: there is a reader
            desk.present(CARD)
            await tablet.event(events.CardPresented)


async def test_yellow_says_that_a_card_waits_after_a_power_cut_and_after_a_sleep() -> None:
    async with desk_running("hasty_arc.py") as desk:
        desk.present(CARD)
        await desk.wait("beep")
        await desk.cut_power()
        desk.remove()
        await desk.give_power()
        await desk.wait("light", board=ARC, light=YELLOW_LIGHT)
        desk.set_battery_mv(3_500)
        await desk.wait("stopped", board=ARC)
        desk.set_battery_mv(5_500)
        await desk.press()
        await desk.wait("light", board=ARC, light=YELLOW_LIGHT)


@pytest.mark.soak
async def test_no_yellow_after_a_power_cut_for_a_card_that_an_app_has(tmp_path: Path) -> None:
    async with Desk(state=tmp_path, interval_ms=7.5, seed=1) as desk:
        async with in_session(desk) as tablet:
            desk.present(CARD)
            card = await tablet.event(events.CardPresented)
            await tablet.acknowledge()
            await until(lambda: life_kept(tmp_path)[3:] >= (card.epoch, card.sequence), 20)  # in a quiet moment
        await desk.cut_power()
        await desk.give_power()
        with pytest.raises(TimeoutError):
            await desk.wait("light", within_s=5, board=ARC, light=YELLOW_LIGHT)


@pytest.mark.soak
async def test_a_minute_that_goes_well_ends_the_count_of_bad_boots(tmp_path: Path) -> None:
    keep_life(tmp_path, boots=9, watchdog_resets=4, bad_boots=3)
    with mock.patch.object(desks, "ARC_KIND", evolve(ARC_KIND, entry=str(BOARDS / "resting_arc.py"))):
        async with Desk(state=tmp_path, interval_ms=7.5, seed=1) as desk:
            await until(lambda: life_kept(tmp_path)[0] == 10)
            assert life_kept(tmp_path)[2] == 3
            (desk.supervisor.boards[ARC].files / "ahead").write_text(str(timings.GOOD_BOOT_AFTER_MS))
            await until(lambda: life_kept(tmp_path)[2] == 0)


@pytest.mark.soak
async def test_red_says_that_the_reader_is_dead_and_goes_out_when_it_reads_again() -> None:
    async with Desk(interval_ms=7.5, seed=1, arc_on=False) as desk:
        desk.reader.faults.stuck_timer = True
        await desk.give_power()
        for _ in range(2):  # it flashes
            await desk.wait("light", board=ARC, light=RED_LIGHT)
        desk.reader.faults.stuck_timer = False
        beep = asyncio.ensure_future(desk.wait("beep"))
        desk.present(CARD)
        await beep
        await desk.wait("light", board=ARC, light=YELLOW_LIGHT)  # the card waits for a tablet: red would cover that
        with pytest.raises(TimeoutError):
            await desk.wait("light", within_s=1.5, board=ARC, light=RED_LIGHT)


async def test_boots_that_do_not_last_lead_to_safe_mode_where_the_link_still_works(tmp_path: Path) -> None:
    keep_life(tmp_path, boots=9, watchdog_resets=4, bad_boots=5)
    async with Desk(state=tmp_path, interval_ms=7.5, seed=1) as desk, over_serial(desk.serial) as tablet:
        assert (await tablet.hello()).flags & INFO_SAFE_MODE
        await paired(desk, tablet)
        await tablet.resume()
        boot = (await tablet.event(events.Booted)).body
        assert isinstance(boot, events.Booted)
        assert boot.safe_mode
        assert await tablet.refusal(WriteTag, 7)
        assert "boot 10" in (await read_whole(tablet, LogRead)).decode()


async def test_a_brightness_that_was_set_holds_for_modules_from_the_boot_on(tmp_path: Path) -> None:
    """The first look at the battery, which dims the lights, comes before the bus is built."""
    with settings_store(tmp_path, SETTINGS_BLOCK) as store:
        store.write(bytes((1, 38, 1, 10)))
    async with Desk(state=tmp_path, interval_ms=7.5, seed=1) as desk, over_serial(desk.serial) as tablet:
        await paired(desk, tablet)
        await tablet.resume()
        await desk.plug("solar")
        await tablet.event(events.ModuleAttached)
        await tablet.ok(LightAll, light(STEADY, BLUE))
        pins = desk.supervisor.boards["solar"].pins
        await until(lambda: pins.pixels[LED_DIN] != (0, 0, 0))
        assert max(pins.pixels[LED_DIN]) <= 255 * board.LED_MAX_MA // 12 // 10 + 1, pins.pixels


async def test_an_empty_battery_is_told_and_the_board_sleeps_until_the_button() -> None:
    async with desk_running("hasty_arc.py") as desk:
        async with in_session(desk) as tablet:
            desk.set_battery_mv(3_500)
            while True:
                battery = (await tablet.event(events.BatteryMeasured)).body
                assert isinstance(battery, events.BatteryMeasured)
                if battery.state == events.BATTERY_EMPTY:
                    break
            assert isinstance(tablet.wire, BleWire)
            await asyncio.wait_for(tablet.wire.ended.wait(), 12)
        desk.set_battery_mv(5_500)
        await desk.press()
        async with over_ble(desk.radio) as again:
            again.token = tablet.token
            await again.resume()
            while True:
                boot = (await again.event(events.Booted)).body
                assert isinstance(boot, events.Booted)
                if boot.cause == events.DEEP_SLEEP:
                    break
