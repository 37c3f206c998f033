"""A reader chip that browns out, hangs, goes silent or is a counterfeit: what is told, and what is mended."""

import pytest

from firmware.arc.reader import HEALTH_MS
from firmware.desk.chips.tag_kinds import Ntag213
from firmware.drivers.mfrc522 import TX_CONTROL
from protocol import events
from protocol.events import FaultFound
from protocol.messages import ReaderCheck
from protocol.reasons import NO_TAG
from protocol.tag import memory_for
from tests.firmware.reader.rig import Rig, RigPin, settled_rig
from tests.firmware.reader.told import UID7, presented, removed


def cut_wire(rig: Rig) -> None:
    """From now on the chip says nothing, until `dead_for_good` is taken back."""
    rig.model.faults.dead_from_us = rig.clock.now_us
    rig.model.faults.dead_for_good = True


def rig_with_card() -> tuple[Rig, Ntag213]:
    """A card that has been presented and rests."""
    rig = settled_rig()
    card = Ntag213(UID7, memory_for(5))
    rig.lay(card)
    rig.run(1_000)
    return rig, card


def test_a_brown_out_of_the_chip_is_found_and_mended() -> None:
    rig, _ = rig_with_card()
    rig.model.brown_out()
    browned_ms = rig.now_ms()
    assert rig.run(8_000) == [FaultFound(events.FAULT_READER_RESET, 1)], "and the card has not been away"
    assert rig.seen[-1][0] - browned_ms <= HEALTH_MS + 200


def test_an_open_wire_is_a_reset_and_no_card() -> None:
    rig = settled_rig()
    rig.model.faults.dead_value = 0xFF
    rig.model.faults.dead_from_us = rig.clock.now_us
    assert rig.run(8_000) == [FaultFound(events.FAULT_READER_RESET, 1)]
    cut_wire(rig)
    assert all(isinstance(body, FaultFound) for body in rig.run(60_000))


@pytest.mark.parametrize("register", [0x12, 0x13, 0x15, 0x26, 0x2A, 0x2B, 0x2C, 0x2D])
def test_one_register_gone_wrong_is_mended_within_the_health_check(register: int) -> None:
    rig, card = rig_with_card()
    rig.chip.write(register, 0x03)
    rig.run(HEALTH_MS + 500)
    assert rig.reader.statistics()["resets"] == 1
    rig.take(card)
    rig.run(2_000)
    rig.lay(card)
    assert rig.run(500) == [presented(card.uid, 5)]


def test_another_version_than_at_the_start_is_a_chip_that_has_restarted_or_hangs() -> None:
    rig, _ = rig_with_card()
    rig.model.version = 0x91
    assert rig.run(5_200) == [FaultFound(events.FAULT_READER_RESET, 1)]
    assert rig.reader.version == 0x91
    assert rig.run(20_000) == [], "and is what it says it is from then on"


def test_an_antenna_that_does_not_go_on_is_found_although_the_roof_looks_empty() -> None:
    rig = settled_rig()
    read = rig.chip.read
    rig.chip.read = lambda register: read(register) & (0xFC if register == TX_CONTROL else 0xFF)  # type: ignore[method-assign]
    assert rig.run(5_200) == [FaultFound(events.FAULT_READER_RESET, 1)]


@pytest.mark.parametrize("version", [0x88, 0x90, 0x91, 0x92])
def test_every_version_of_a_data_sheet_is_taken_without_a_word(version: int) -> None:
    assert Rig(version=version).run(1_000) == []


def test_the_reset_pin_is_low_long_enough_and_the_start_ends_in_time_without_a_chip() -> None:
    rig = Rig()
    moved: list[tuple[int, int]] = []
    rig.chip._rst = RigPin(lambda level: moved.append((rig.clock.now_us, level)))
    rig.model.faults.dead_from_us = 0
    rig.model.faults.dead_for_good = True
    began_us = rig.clock.now_us
    assert not rig.chip.start()
    assert rig.clock.now_us - began_us < 65_000
    lows, highs = moved[::2], moved[1::2]
    assert {level for _, level in lows} == {0}
    assert len(lows) == len(highs)
    assert all(high[0] - low[0] >= 2_000 for low, high in zip(lows, highs))


def test_a_crystal_that_starts_in_time_after_a_reset_starts_in_time_after_each_power_down() -> None:
    rig = Rig()
    rig.model.start_up_us = 9_500
    assert rig.run(2_000) == []
    rig.lay(Ntag213(UID7, memory_for(5)))
    assert rig.run(500) == [presented(UID7, 5)]


def test_a_timer_that_never_ends_does_not_hang_the_board() -> None:
    rig = settled_rig()
    rig.model.faults.stuck_timer = True
    began_us = rig.clock.now_us
    rig.reader.poll()
    assert rig.clock.now_us - began_us < 200_000


def test_three_resets_in_a_minute_are_a_dead_reader_and_told_once() -> None:
    rig = settled_rig()
    cut_wire(rig)
    reset = [FaultFound(events.FAULT_READER_RESET, n) for n in (1, 2, 3)]
    assert rig.run(600_000) == reset + [FaultFound(events.FAULT_READER_DEAD, 3)]
    assert rig.reader.is_dead()
    rig.model.faults.dead_for_good = False
    rig.model.faults.dead_from_us = None
    rig.run(6_000)
    card = Ntag213(UID7, memory_for(5))
    rig.lay(card)
    assert rig.run(500) == [presented(card.uid, 5)], "it never gave up"
    assert not rig.reader.is_dead()


@pytest.mark.parametrize(("apart_ms", "is_dead"), [(25_000, True), (40_000, False)])
def test_resets_count_for_a_minute(apart_ms: int, is_dead: bool) -> None:
    rig = settled_rig()
    for _ in range(3):
        rig.model.brown_out()
        rig.run(apart_ms)
    told = [body.code for _, body in rig.seen if isinstance(body, FaultFound)]
    assert told == [events.FAULT_READER_RESET] * 3 + [events.FAULT_READER_DEAD] * is_dead


def test_a_reader_that_answers_but_ends_no_frame_stays_dead_until_it_reads_again() -> None:
    rig = settled_rig()
    rig.model.faults.stuck_timer = True
    assert FaultFound(events.FAULT_READER_DEAD, 3) in rig.run(2_000)
    for _ in range(20):
        rig.run(500)
        assert rig.reader.is_dead(), "each reset goes well, and no look at the roof"
    rig.model.faults.stuck_timer = False
    rig.run(6_000)
    assert not rig.reader.is_dead()


def test_a_board_without_a_reader_says_so_and_polls_on() -> None:
    rig = Rig()
    rig.model.faults.dead_from_us = 0
    rig.model.faults.dead_for_good = True
    codes = [body.code for body in rig.run(60_000) if isinstance(body, FaultFound)]
    assert codes == [events.FAULT_READER_RESET] * 3 + [events.FAULT_READER_DEAD]
    assert rig.reader.write_tag(5) == NO_TAG


def test_a_card_that_stays_while_the_reader_is_dead_has_not_been_away() -> None:
    rig, card = rig_with_card()
    cut_wire(rig)
    assert all(isinstance(body, FaultFound) for body in rig.run(90_000))
    rig.model.faults.dead_for_good = False
    assert rig.run(10_000) == []
    assert rig.reader.on_roof() == [(5, card.uid)]


def test_a_card_taken_while_the_reader_was_dead_is_removed_afterwards() -> None:
    rig, card = rig_with_card()
    cut_wire(rig)
    rig.take(card)
    assert removed(card.uid, 5) not in rig.run(4_000)
    rig.model.faults.dead_for_good = False
    assert rig.run(6_000)[-1] == removed(card.uid, 5)


def test_a_counterfeit_without_working_registers_is_not_used() -> None:
    rig = Rig(version=0x12)
    rig.model.faults.deaf_registers = True
    assert rig.run(300)[0] == FaultFound(events.FAULT_READER_UNSURE, 0x12 << 8 | 1)


def test_a_counterfeit_that_cannot_do_what_we_need_is_a_dead_reader_however_often_it_is_reset() -> None:
    rig = Rig(version=0x12)
    rig.model.faults.bad_fifo = True
    reset = [FaultFound(events.FAULT_READER_RESET, n) for n in (1, 2, 3)]
    dead = FaultFound(events.FAULT_READER_DEAD, 3)
    assert rig.run(60_000) == [FaultFound(events.FAULT_READER_UNSURE, 0x12 << 8 | 2)] + reset + [dead]
    assert rig.reader.is_dead()
    rig.model.faults.bad_fifo = False
    rig.run(6_000)
    assert not rig.reader.is_dead()


def test_a_dead_reader_on_a_loose_wire_that_reads_another_version_each_time_does_not_fill_the_log() -> None:
    rig = Rig(version=0x12)
    rig.model.faults.bad_fifo = True
    rig.run(12_000)
    for version in range(0x20, 0x40):
        rig.model.version = version
        assert rig.run(HEALTH_MS) == []


def test_the_check_tells_a_maker_what_the_reader_can_do() -> None:
    rig = settled_rig()
    rig.lay(Ntag213(UID7), coupling=0.5)
    report = rig.reader.check(10)
    assert (report.version, report.broken) == (0x92, 0)
    assert list(report.gains[:10]) == [18, 0, 23, 0, 33, 10, 38, 10, 43, 10]
    assert rig.run(500), "and goes on reading"
    assert rig.reader.statistics()["resets"] == 0
    card = rig.reader.check(0)
    assert (card.gains, card.broken) == (b"", 0), "no sweep when nobody asked for one"
    cut_wire(rig)
    assert rig.reader.check(20) == ReaderCheck(0x00, 0, 0, b"")


@pytest.mark.parametrize(
    ("fault", "broken"), [("bad_crc_unit", 4), ("bad_fifo", 2), ("deaf_registers", 1), ("stuck_timer", 8)]
)
def test_the_check_tells_what_is_broken(fault: str, broken: int) -> None:
    rig = settled_rig()
    setattr(rig.model.faults, fault, True)
    assert rig.reader.check(0).broken & broken
