"""Faults that people met with such readers, each with the right behaviour. The first words of a test name the report."""

import pytest

from firmware.boards import arc_esp32s3
from firmware.desk.chips.air import Noise
from firmware.desk.chips.field import Field
from firmware.desk.chips.tag_kinds import Classic1K, Ntag213
from firmware.desk.chips.tags import Tag
from firmware.drivers.iso14443 import WUPA, TypeA
from firmware.drivers.mfrc522 import COLLIDED, SPI_HZ_MAX, SPI_HZ_MIN
from firmware.drivers.reader_check import measure_spi_hz, sweep_gain
from protocol import events
from protocol.events import CardsTogether, CardUnreadable, FaultFound
from protocol.tag import memory_for
from tests.firmware.reader.rig import Rig, RigSpi
from tests.firmware.reader.told import UID7, presented, removed

UID10 = bytes.fromhex("0102030405060708090A")


def test_cefn_2_a_7_byte_uid_has_no_cascade_tag_and_no_check_byte() -> None:
    rig = Rig()
    rig.settle()
    rig.lay(Ntag213(UID7, memory_for(5)))
    assert rig.run(500) == [presented(UID7, 5)]


def test_snapmaker_362_a_10_byte_uid_over_three_levels() -> None:
    rig = Rig()
    rig.settle()
    rig.lay(Tag(UID10))
    rig.chip.radio_on()
    tags = TypeA(rig.chip)
    assert tags.wake(WUPA)
    assert tags.identify() == UID10
    assert rig.run(1_000) == [presented(UID10, 0)]


def test_rfid_302_the_uid_comes_from_select_and_not_from_block_0() -> None:
    rig = Rig()
    rig.settle()
    card = Classic1K(UID7, {4: memory_for(8)})
    card.memory[0:4] = b"\xde\xad\xbe\xef"
    rig.lay(card)
    assert rig.run(500) == [presented(UID7, 8)]


def test_unleashed_1074_a_4_byte_uid_may_begin_with_88() -> None:
    rig = Rig()
    rig.settle()
    uid = bytes.fromhex("88123456")
    rig.lay(Classic1K(uid, {4: memory_for(9)}))
    assert rig.run(500) == [presented(uid, 9)]


def test_esphome_1675_a_collision_is_not_an_empty_field() -> None:
    rig = Rig()
    rig.settle()
    first, second = Ntag213(UID7), Classic1K(bytes.fromhex("11223344"))
    rig.lay(first)
    rig.lay(second)
    rig.chip.radio_on()
    rig.chip.tx[0] = WUPA
    assert rig.chip.transceive(1, 7) == COLLIDED, "the ATQAs differ"
    rig.chip.radio_off()
    assert rig.run(1_000) == [CardsTogether(2)]
    rig.take(second)
    assert rig.run(1_500) == [presented(UID7, 0)]


def test_esphome_1675_the_field_is_off_most_of_the_time() -> None:
    rig = Rig()
    rig.settle()
    for _ in range(30):
        card = Ntag213(UID7, memory_for(5))
        rig.lay(card)
        rig.run(2_500)
        rig.take(card)
        rig.run(1_500)
    assert rig.field.on_total_us <= 0.15 * rig.clock.now_us


def test_phoniebox_910_a_resting_card_acts_once() -> None:
    rig = Rig()
    rig.settle()
    rig.lay(Ntag213(UID7, memory_for(5)))
    assert rig.run(60_000) == [presented(UID7, 5)]


def test_phoniebox_1042_a_slow_swipe_with_a_gap_counts_once() -> None:
    rig = Rig()
    rig.settle()
    card = Ntag213(UID7, memory_for(5))
    rig.lay(card, for_ms=400)
    came = rig.run(700)
    rig.lay(card, for_ms=400)
    assert came + rig.run(3_000) == [presented(UID7, 5), removed(UID7, 5)]


def test_rfid_540_a_chip_that_goes_dead_after_an_hour_is_reset_and_reads_on() -> None:
    rig = Rig()
    rig.settle()
    rig.run(2_000)
    rig.clock.now_us += 3_600_000_000
    died_ms = rig.now_ms() + 1_000
    rig.model.faults.dead_from_us = died_ms * 1000
    card = Ntag213(UID7, memory_for(5))
    assert rig.run(7_000) == [FaultFound(events.FAULT_READER_RESET, 1)]
    assert died_ms < rig.seen[-1][0] <= died_ms + 5_000
    rig.lay(card)
    assert rig.run(500) == [presented(UID7, 5)]
    assert rig.reader.statistics()["resets"] == 1


def test_rfid_546_two_weeks_of_ticks_do_not_stop_it() -> None:
    rig = Rig(start_us=(1 << 30) * 1000 - 3_000_000)
    rig.settle()
    card = Ntag213(UID7, memory_for(5))
    rig.lay(card)
    assert rig.run(6_000) == [presented(UID7, 5)]
    assert rig.clock.ticks_ms() < 10_000, "the ticks have begun anew"
    rig.model.brown_out()
    assert rig.run(5_200) == [FaultFound(events.FAULT_READER_RESET, 1)], "its health is looked at as before"
    rig.take(card)
    assert rig.run(2_000) == [removed(UID7, 5)]


def test_rfid_546_a_card_that_leaves_as_the_ticks_begin_anew_is_removed() -> None:
    rig = Rig(start_us=(1 << 30) * 1000 - 1_500_000)
    rig.settle()
    card = Ntag213(UID7, memory_for(5))
    rig.lay(card, for_ms=700)
    assert rig.run(3_000) == [presented(UID7, 5), removed(UID7, 5)]


def test_rfid_560_a_supply_that_rises_slowly_is_waited_for() -> None:
    rig = Rig()
    rig.model.faults.blank_versions = 3
    rig.settle()
    assert rig.model.faults.blank_versions == 0
    assert rig.chip.version == 0x92
    rig.lay(Ntag213(UID7, memory_for(5)))
    assert rig.run(500) == [presented(UID7, 5)]


def test_rfid_106_an_fm17522_is_a_reader_like_any_other() -> None:
    rig = Rig(version=0x88)
    rig.settle()
    rig.lay(Ntag213(UID7, memory_for(5)))
    assert rig.run(500) == [presented(UID7, 5)]


def test_rfid_482_a_counterfeit_is_judged_by_what_it_can_do() -> None:
    for version in (0x12, 0x15, 0xB2):
        rig = Rig(version=version)
        assert rig.run(400) == [FaultFound(events.FAULT_READER_UNSURE, version << 8)]
        rig.lay(Ntag213(UID7, memory_for(5)))
        assert rig.run(500) == [presented(UID7, 5)]


def test_rfid_482_a_counterfeit_without_a_crc_unit_is_told_and_still_reads() -> None:
    rig = Rig(version=0x12)
    rig.model.faults.bad_crc_unit = True
    assert rig.run(400) == [FaultFound(events.FAULT_READER_UNSURE, 0x12 << 8 | 4)]
    rig.lay(Ntag213(UID7, memory_for(5)))
    assert rig.run(500) == [presented(UID7, 5)]


def test_rfid_398_after_a_wrong_key_the_card_is_selected_anew() -> None:
    rig = Rig()
    rig.settle()
    # the first key tried is wrong for this card, the second opens it
    card = Classic1K(bytes.fromhex("11223344"), {4: memory_for(9)}, key_a=bytes.fromhex("D3F7D3F7D3F7"))
    rig.lay(card)
    assert rig.run(300) == [presented(card.uid, 9)]


@pytest.mark.parametrize("polls", [1_500, pytest.param(100_000, marks=pytest.mark.soak)])
def test_rfid_66_a_crc_error_in_every_7th_answer_leaves_no_trace(polls: int) -> None:
    rig = Rig()
    rig.settle()
    rig.field.spoil_every = 7
    rig.lay(Ntag213(UID7, memory_for(5)))
    for _ in range(polls):
        rig.poll()
    statistics = rig.reader.statistics()
    assert [body for _, body in rig.seen] == [presented(UID7, 5)]
    assert statistics["crc_errors"] > polls / 4
    assert statistics["reads"] > polls / 4
    assert statistics["resets"] == 0


def test_flipper_2551_a_nak_is_an_error_and_tried_three_times_at_most() -> None:
    rig = Rig()
    rig.settle()
    card = Ntag213(UID7, memory_for(5))
    card.refusals = 2
    rig.lay(card)
    assert rig.run(500) == [presented(UID7, 5)]
    assert card.refusals == 0
    rig = Rig()
    rig.settle()
    stubborn = Ntag213(UID7, memory_for(5))
    stubborn.refusals = 1_000
    rig.lay(stubborn)
    assert rig.run(2_000) == [presented(UID7, 0)]
    assert stubborn.refusals == 997


def test_rfid_545_the_spi_clock_is_measured_and_not_believed() -> None:
    rig = Rig()
    rig.settle()
    assert SPI_HZ_MIN <= arc_esp32s3.RFID_BAUD <= SPI_HZ_MAX
    for hz in (100_000, 1_000_000, 4_000_000):
        rig.chip._spi = RigSpi(rig.model, rig.clock, hz)
        assert abs(measure_spi_hz(rig.chip, rig.clock) - hz) < hz / 10
    assert rig.run(300) == []


def test_diozero_71_the_gain_sweep_tells_the_rate_at_each_step() -> None:
    rig = Rig()
    rig.settle()
    rig.lay(Ntag213(UID7, memory_for(5)), coupling=0.15)
    rates = dict(sweep_gain(rig.chip, TypeA(rig.chip), 20))
    assert [rates[gain_db] for gain_db in (18, 23, 33, 38)] == [0, 0, 0, 0], "too far for these"
    assert rates[43] == 20
    assert 0 < rates[48] < 20, "at 48 dB it hears itself"
    assert rig.chip.gain_db == 38
    rig.chip.set_gain(43)
    assert rig.run(500) == [presented(UID7, 5)]


def test_a_sweep_counts_each_read_although_tags_live_on_between_two_polls() -> None:
    rig = Rig()
    rig.field.hold_us = 5_000
    rig.settle()
    rig.lay(Ntag213(UID7, memory_for(5)))
    assert dict(sweep_gain(rig.chip, TypeA(rig.chip), 10))[33] == 10


def test_diozero_71_noise_at_any_gain_gives_no_wrong_uid() -> None:
    rig = Rig(Field(Noise(5e-3, 11)))
    rig.settle()
    rig.chip.set_gain(48)
    card = Ntag213(UID7, memory_for(5))
    rig.lay(card)
    for body in rig.run(20_000):
        assert body in (presented(UID7, 5), removed(UID7, 5)) or isinstance(body, CardUnreadable)


def test_rfid_583_long_wires_make_no_wrong_uid_and_mend_themselves() -> None:
    rig = Rig()
    rig.settle()
    rig.spi.noise = Noise(3e-5, 21)
    card = Ntag213(UID7, memory_for(5))
    for _ in range(40):
        rig.lay(card)
        bodies = rig.run(3_000)
        rig.take(card)
        for body in bodies + rig.run(2_000):
            fine = body in (presented(UID7, 5), removed(UID7, 5))
            assert fine or isinstance(body, (CardUnreadable, FaultFound))
    assert rig.reader.statistics()["resets"] > 0, "configuration was hit too"
    rig.spi.noise = None
    rig.run(6_000)
    rig.lay(card)
    assert rig.run(500) == [presented(UID7, 5)]


# wendlers PR#14 (a platform nobody merged) is no behaviour: it is why the driver is ours.
