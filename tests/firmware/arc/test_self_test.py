"""The self-test on chip and wire models: what it says is how the parts are now, whatever they once were."""

from typing import Any

import pytest

from firmware.arc.lights import BEEP_CARD, BEEP_REFUSED, COLOURS, OFF
from firmware.arc.log import Log
from firmware.arc.self_test import SelfTester
from firmware.desk.chips.flash import Flash
from firmware.drivers.settings_store import SettingsStore
from protocol import events
from protocol.lights import WHITE
from protocol.messages import (
    TEST_ABSENT,
    TEST_BAD,
    TEST_BATTERY,
    TEST_BUS,
    TEST_FLASH,
    TEST_GOOD,
    TEST_RADIO,
    TEST_READER,
)
from tests.firmware.arc.bench import Bench
from tests.firmware.bus.play import Play, tree
from tests.firmware.reader.rig import Rig


class Board:
    """The real tester on a board of models. `reader` and `bus` are the firmware's own, on a chip and a wire that can fail."""

    def __init__(self, version: int = 0x92) -> None:
        self.bench = Bench()
        self.rig = Rig(version=version)
        self.play: Play = tree(2)
        self.flash = Flash(4096 * 10, 4096)
        self.is_on_air = True
        self.level_mv = 5_000
        self.log = Log(SettingsStore(Flash(8192, 4096), 0), lambda data: None, b"", "")
        self.controller = self.bench.controller
        self.controller.log = self.log
        self.controller.reader, self.controller.modules = self.rig.reader, self.play.bus
        parts = self.controller, self.bench.light, self.bench.beeper, self.flash, 8
        self.tester = SelfTester(*parts, lambda: self.level_mv, lambda: self.is_on_air, self.play.table.now_ms)

    def live(self, duration_ms: int = 2_000) -> None:
        """The tasks of reader and bus run for a while; what they find is told."""
        for body in self.rig.run(duration_ms):
            self.controller.emit(body)
        told = len(self.play.events)
        self.play.run_ms(duration_ms)
        for body in self.play.events[told:]:
            self.controller.emit(body)

    def verdict(self, part: int) -> int:
        found = self.tester.run()
        return dict(zip(found[::2], found[1::2], strict=True))[part]

    def cut_reader(self) -> None:
        self.rig.model.faults.dead_from_us = self.rig.clock.now_us
        self.rig.model.faults.dead_for_good = True

    def mend_reader(self) -> None:
        self.rig.model.faults.dead_for_good = False
        self.rig.model.faults.dead_from_us = None

    def lines(self) -> str:
        return self.log.read(0, 2_000).decode()


def test_a_good_board_is_good_and_reads_on() -> None:
    board = Board()
    board.live()
    assert {part: board.verdict(part) for part in (TEST_FLASH, TEST_READER, TEST_BUS, TEST_RADIO, TEST_BATTERY)} == {
        TEST_FLASH: TEST_GOOD,
        TEST_READER: TEST_GOOD,
        TEST_BUS: TEST_GOOD,
        TEST_RADIO: TEST_GOOD,
        TEST_BATTERY: TEST_GOOD,
    }
    assert "self-test: reader version 0x92, broken 0, SPI at " in board.lines()
    board.live()
    assert board.rig.reader.statistics()["resets"] == 0


def test_a_clone_that_can_do_everything_is_good_although_its_version_is_odd() -> None:
    board = Board(version=0x12)
    board.live()
    assert f"fault {events.FAULT_READER_UNSURE}, detail {0x12 << 8}" in board.lines()
    assert board.verdict(TEST_READER) == TEST_GOOD
    board.rig.model.faults.bad_crc_unit = True
    assert board.verdict(TEST_READER) == TEST_GOOD, "the CRC unit we do without"
    assert "reader version 0x12, broken 4" in board.lines()


@pytest.mark.parametrize("fault", ["deaf_registers", "stuck_timer"])
def test_a_reader_that_cannot_do_what_we_need_is_bad_whatever_its_version(fault: str) -> None:
    board = Board()
    board.live()
    setattr(board.rig.model.faults, fault, True)
    assert board.verdict(TEST_READER) == TEST_BAD


def test_a_reader_is_bad_while_it_is_dead_and_good_once_it_has_come_back() -> None:
    board = Board()
    board.live()
    board.cut_reader()
    board.live(60_000)
    assert board.bench.light.has_fault
    assert board.verdict(TEST_READER) == TEST_BAD
    assert "self-test: reader version 0x00, no chip" in board.lines()
    board.mend_reader()
    board.live(10_000)
    assert board.verdict(TEST_READER) == TEST_GOOD
    board.controller.watch_faults()
    assert not board.bench.light.has_fault


def test_a_reader_that_died_this_moment_is_bad_before_any_poll_has_found_it() -> None:
    board = Board()
    board.live()
    board.cut_reader()
    assert board.verdict(TEST_READER) == TEST_BAD


@pytest.mark.parametrize("level", ["stuck_low", "stuck_high"])
def test_a_stuck_bus_is_bad_until_it_is_free(level: str) -> None:
    board = Board()
    board.live()
    setattr(board.play.table.wire.medium, level, True)
    board.live(1_000)
    assert board.verdict(TEST_BUS) == TEST_BAD
    setattr(board.play.table.wire.medium, level, False)
    board.live(1_000)
    assert board.verdict(TEST_BUS) == TEST_GOOD


def test_a_noisy_minute_does_not_keep_the_bus_bad() -> None:
    board = Board()
    board.live()
    board.play.table.wire.medium.byte_error_rate = 0.02
    board.live(30_000)
    assert f"fault {events.FAULT_BUS_NOISY}" in board.lines()
    assert board.verdict(TEST_BUS) == TEST_BAD
    board.play.table.wire.medium.byte_error_rate = 0.0
    board.live(15_000)
    assert board.verdict(TEST_BUS) == TEST_GOOD


def test_a_bus_whose_cycles_have_stopped_is_bad() -> None:
    board = Board()
    assert board.verdict(TEST_BUS) == TEST_GOOD, "the tree has been cycled"
    board.play.table.wait_ms(3_000)
    assert board.verdict(TEST_BUS) == TEST_BAD
    board.play.start_arc(5)
    board.controller.modules = board.play.bus
    assert board.verdict(TEST_BUS) == TEST_BAD, "no frame yet"


def test_a_bus_without_modules_is_tried_all_the_same() -> None:
    board = Board()
    board.play = tree(0)
    board.controller.modules = board.play.bus
    board.tester._now_ms = board.play.table.now_ms
    board.play.run_ms(500)
    assert board.verdict(TEST_BUS) == TEST_GOOD
    board.play.table.wire.medium.stuck_high = True
    board.play.run_ms(500)
    assert board.verdict(TEST_BUS) == TEST_BAD


def fail(*_: object) -> Any:
    raise OSError(5)


@pytest.mark.parametrize("operation", ["writeblocks", "ioctl", "readblocks"])
def test_flash_that_fails_is_bad(operation: str) -> None:
    board = Board()
    setattr(board.flash, operation, fail)
    assert board.verdict(TEST_FLASH) == TEST_BAD


def test_flash_that_forgets_is_bad() -> None:
    board = Board()
    board.flash._program = lambda at, data: None  # type: ignore[method-assign]
    assert board.verdict(TEST_FLASH) == TEST_BAD


def test_a_silent_radio_is_bad_and_a_battery_out_of_range_absent() -> None:
    board = Board()
    board.is_on_air = False
    board.level_mv = 1_200
    assert board.verdict(TEST_RADIO) == TEST_BAD
    assert board.verdict(TEST_BATTERY) == TEST_ABSENT


def test_a_board_in_safe_mode_has_neither_reader_nor_bus() -> None:
    board = Board()
    board.controller.reader = board.controller.modules = None
    assert (board.verdict(TEST_READER), board.verdict(TEST_BUS)) == (TEST_ABSENT, TEST_ABSENT)


def test_light_and_tones_are_noticed_on_a_muted_and_darkened_board_too() -> None:
    board = Board()
    board.bench.beeper.is_muted = True
    board.bench.light.cap_percent = 0
    now_ms = board.play.table.now_ms()
    board.tester.run()
    assert board.bench.light.colour(now_ms + 900) == COLOURS[WHITE]
    assert board.bench.light.colour(now_ms + 1_000) == OFF
    heard = {board.bench.beeper.frequency(at_ms) for at_ms in range(now_ms, now_ms + 2_000, 10)}
    assert heard == {0, BEEP_REFUSED[0], BEEP_CARD[0]}
    board.bench.beeper.play(BEEP_CARD)
    assert not board.bench.beeper.frequency(now_ms + 5_000), "muted as before"
