"""What the ARC does about its own faults: a task that fails, one that hangs, boots that do not last."""

import asyncio
import struct
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from unittest import mock

import pytest
from attrs import evolve

from firmware.boards import arc_esp32s3 as board
from firmware.desk import desk as desks
from firmware.desk.chips.flash import FileFlash
from firmware.desk.desk import ARC, Desk
from firmware.desk.kinds import ARC_KIND
from firmware.drivers.settings_store import SettingsStore
from protocol import events
from protocol.messages import INFO_SAFE_MODE, STATISTICS_LIFE, STATISTICS_READER, LogRead, ReadStatistics, WriteTag
from protocol.reading import unpack_counters
from tests.firmware.arc.desk.tablet import BleWire, Tablet, over_ble, over_serial
from tests.firmware.arc.desk.test_arc_on_desk import CARD, paired, read_whole

pytestmark = pytest.mark.desk

BOARDS = Path(__file__).parent / "boards"
LIFE_BLOCK = 2


@asynccontextmanager
async def desk_running(program: str) -> AsyncIterator[Desk]:
    """A desk whose ARC runs another program."""
    with mock.patch.object(desks, "ARC_KIND", evolve(ARC_KIND, entry=str(BOARDS / program))):
        async with Desk(interval_ms=7.5, seed=1) as desk:
            yield desk


async def fault(tablet: Tablet, code: int) -> events.FaultFound:
    while True:
        body = (await tablet.event(events.FaultFound)).body
        assert isinstance(body, events.FaultFound)
        if body.code == code:
            return body


async def test_a_task_that_fails_is_started_again_told_and_kept_for_people() -> None:
    async with desk_running("failing_arc.py") as desk, over_ble(desk.radio) as tablet:
        await paired(desk, tablet)
        await tablet.resume()
        await fault(tablet, events.FAULT_TASK_RESTARTED)
        await fault(tablet, events.FAULT_CRASHED)
        # the reader that was started again has polled
        while unpack_counters(STATISTICS_READER, await tablet.ok(ReadStatistics, STATISTICS_READER))["polls"] < 5:
            await asyncio.sleep(0.05)
        desk.present(CARD)
        await tablet.event(events.CardPresented)
        life = unpack_counters(STATISTICS_LIFE, await tablet.ok(ReadStatistics, STATISTICS_LIFE))
        assert life["task_restarts"] == 1
        log = (await read_whole(tablet, LogRead)).decode()
        assert log.startswith("crash: task reader\n")
        assert "ValueError: planned" in log
        assert 'failing_arc.py", line' in log


async def test_a_task_that_hangs_is_bitten_by_the_watchdog_and_its_last_lines_are_kept() -> None:
    async with desk_running("hanging_arc.py") as desk:
        await desk.wait("stopped", board=ARC)
        await desk.wait("started", board=ARC)
        async with over_ble(desk.radio) as tablet:
            await paired(desk, tablet)
            await tablet.resume()
            await fault(tablet, events.FAULT_CRASHED)
            life = unpack_counters(STATISTICS_LIFE, await tablet.ok(ReadStatistics, STATISTICS_LIFE))
            assert life["watchdog_resets"] >= 1
            log = (await read_whole(tablet, LogRead)).decode()
            assert log.startswith("crash: watchdog\nboot 1, cause 1")
            assert "about to hang" in log


async def test_boots_that_do_not_last_lead_to_safe_mode_where_the_link_still_works(tmp_path: Path) -> None:
    (tmp_path / ARC).mkdir()
    size = dict(board.PARTITIONS)[board.SETTINGS_PARTITION]
    flash = FileFlash(str(tmp_path / ARC / f"{board.SETTINGS_PARTITION}.flash"), size, board.ERASE_BLOCK)
    SettingsStore(flash, LIFE_BLOCK).write(struct.pack("<III", 9, 4, 5))
    flash.close()
    async with Desk(state=tmp_path, interval_ms=7.5, seed=1) as desk, over_serial(desk.serial) as tablet:
        assert (await tablet.hello()).flags & INFO_SAFE_MODE
        await paired(desk, tablet)
        await tablet.resume()
        boot = (await tablet.event(events.Booted)).body
        assert isinstance(boot, events.Booted)
        assert boot.safe_mode
        assert await tablet.refusal(WriteTag, 7)
        assert "boot 10" in (await read_whole(tablet, LogRead)).decode()


async def test_an_empty_battery_is_told_and_the_board_sleeps_until_the_button() -> None:
    async with desk_running("hasty_arc.py") as desk:
        async with over_ble(desk.radio) as tablet:
            await paired(desk, tablet)
            await tablet.resume()
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
