"""The chip model against the data sheet: registers, FIFO, timer, power-down, commands, errors."""

import pytest

from firmware.desk.chips import mfrc522 as chip, tags
from firmware.desk.chips.air import Noise, with_crc
from firmware.desk.chips.tag_kinds import Classic1K, Ntag213
from tests.firmware.desk.chips.rf import Bench

UID7 = bytes.fromhex("04A3C6CAE26180")
HALT = bytes.fromhex("500057CD")


def test_registers_have_their_reset_values_and_keep_what_is_written() -> None:
    bench = Bench()
    bench.model.reset_pin(0)
    assert bench.read(chip.VERSION) == 0
    bench.model.reset_pin(1)
    bench.us += 1000
    assert (bench.read(chip.VERSION), bench.read(chip.MODE), bench.read(chip.TX_CONTROL)) == (0x92, 0x3F, 0x80)
    assert (bench.read(chip.COM_IRQ), bench.read(chip.COLL), bench.read(chip.RF_CFG)) == (0x14, 0xA0, 0x48)
    bench.write(chip.T_RELOAD_HIGH, 0xA5)
    bench.write(chip.VERSION, 0x11)
    assert (bench.read(chip.T_RELOAD_HIGH), bench.read(chip.VERSION)) == (0xA5, 0x92)


def test_one_transaction_reads_several_registers_and_bursts_the_fifo() -> None:
    bench = Bench()
    bench.write(chip.FIFO_DATA, 1, 2, 3)
    addresses = bytes(register << 1 | 0x80 for register in (chip.FIFO_LEVEL, chip.VERSION, chip.FIFO_DATA)) + b"\0"
    assert bench.model.transfer(addresses)[1:] == bytes((3, 0x92, 1))
    assert bench.drain() == b"\2\3"
    assert bench.read(chip.FIFO_DATA) == 0


def test_fifo_overflow_is_an_error_until_the_flush_and_alerts_follow_the_water_level() -> None:
    bench = Bench()
    assert bench.read(chip.STATUS1) & 3 == 1
    bench.write(chip.FIFO_DATA, *range(64))
    assert bench.read(chip.STATUS1) & 3 == 2
    bench.write(chip.FIFO_DATA, 0xEE)
    assert bench.read(chip.FIFO_LEVEL) == 64
    assert bench.read(chip.ERROR) & chip.BUFFER_OVERFLOW
    bench.write(chip.FIFO_LEVEL, 0x80)
    assert (bench.read(chip.FIFO_LEVEL), bench.read(chip.ERROR)) == (0, 0)


def test_interrupt_bits_are_set_and_cleared_through_bit_7() -> None:
    bench = Bench()
    bench.write(chip.COM_IRQ, 0x7F)
    assert bench.read(chip.COM_IRQ) == 0
    bench.write(chip.COM_IRQ, 0x80 | 0x21)
    assert bench.read(chip.COM_IRQ) == 0x21
    bench.write(chip.COM_IRQ, 0x01)
    assert bench.read(chip.COM_IRQ) == 0x20


@pytest.mark.parametrize(
    ("data", "preset", "expected"),
    [("0000", 1, 0x1EA0), ("1234", 1, 0xCF26), ("5000", 1, 0xCD57), ("3000", 1, 0xA802), ("", 1, 0x6363)],
)
def test_the_crc_unit_gives_the_values_of_the_standard(data: str, preset: int, expected: int) -> None:
    bench = Bench()
    bench.write(chip.MODE, 0x3C | preset)
    bench.write(chip.FIFO_LEVEL, 0x80)
    if data:
        bench.write(chip.FIFO_DATA, *bytes.fromhex(data))
    bench.write(chip.DIV_IRQ, 0x04)
    bench.write(chip.COMMAND, chip.CALC_CRC)
    assert bench.read(chip.DIV_IRQ) & 0x04
    assert bench.read(chip.CRC_HIGH) << 8 | bench.read(chip.CRC_LOW) == expected


def test_the_whole_way_to_a_7_byte_uid_as_bytes_on_the_air() -> None:
    bench = Bench()
    bench.field.put(Ntag213(UID7), 0)
    assert bench.send(b"\x26", last_bits=7) == bytes.fromhex("4400")
    assert bench.send(bytes.fromhex("9320")) == bytes.fromhex("8804A3C6E9")
    assert bench.send(with_crc(bytes.fromhex("93708804A3C6E9"))[0].to_bytes(9, "little")) == bytes.fromhex("04DA17")
    assert bench.send(bytes.fromhex("9520")) == bytes.fromhex("CAE26180C9")
    assert bench.send(with_crc(bytes.fromhex("9570CAE26180C9"))[0].to_bytes(9, "little")) == bytes.fromhex("00FE51")
    page = bench.send(bytes.fromhex("300002A8"))
    assert len(page) == 18
    assert page[:3] + page[4:8] == UID7
    assert bench.send(HALT) == b""
    assert bench.send(b"\x26", last_bits=7) == b""
    assert bench.send(b"\x52", last_bits=7) == bytes.fromhex("4400")


def test_the_timer_runs_from_the_end_of_sending_and_stops_when_an_answer_begins() -> None:
    bench = Bench()
    bench.send(b"\x26", last_bits=7, wait_us=900)
    assert bench.read(chip.COM_IRQ) & (chip.RX_IRQ | chip.TIMER_IRQ | chip.TX_IRQ) == chip.TX_IRQ
    bench.us += 300
    assert bench.read(chip.COM_IRQ) & chip.TIMER_IRQ
    bench.field.put(Ntag213(UID7), 0)
    bench.us += 5_000
    bench.send(b"\x26", last_bits=7, wait_us=20_000)
    assert bench.read(chip.COM_IRQ) & (chip.RX_IRQ | chip.TIMER_IRQ) == chip.RX_IRQ


def test_the_timer_of_one_frame_runs_out_in_the_next_unless_it_is_stopped() -> None:
    for control, expected in ((0x10, chip.TIMER_IRQ), (0x90, 0)):
        bench = Bench()
        # 358 µs on the air and 1,025 µs of timer: it ends while the next frame is sent, from 1,340 to 1,424
        bench.send(HALT, wait_us=1_340)
        bench.write(chip.CONTROL, control)
        bench.send(b"\x26", last_bits=7, wait_us=80)
        assert bench.read(chip.COM_IRQ) & (chip.TIMER_IRQ | chip.TX_IRQ) == expected


def test_an_answer_of_three_bits_does_not_stop_the_timer() -> None:
    bench = Bench()
    bench.field.phantom_every = 1
    bench.send(b"\x26", last_bits=7, wait_us=900)
    assert bench.read(chip.COM_IRQ) & (chip.RX_IRQ | chip.TIMER_IRQ) == chip.RX_IRQ
    bench.us += 300
    assert bench.read(chip.COM_IRQ) & chip.TIMER_IRQ


def test_transmit_is_over_before_its_last_bit_and_whoever_goes_on_then_cuts_it_short() -> None:
    for register, value in ((chip.COMMAND, chip.IDLE), (chip.TX_CONTROL, 0x80), (chip.COM_IRQ, 0x7F)):
        bench = Bench()
        tag = Ntag213(UID7)
        bench.field.put(tag, 0)
        bench.us += 5_000
        bench.send(b"\x26", last_bits=7)
        for select in ("93708804A3C6E9", "9570CAE26180C9"):
            bench.send(with_crc(bytes.fromhex(select))[0].to_bytes(9, "little"))
        assert tag.state == tags.ACTIVE
        bench.write(chip.BIT_FRAMING, 0)
        bench.write(chip.FIFO_DATA, *HALT)
        bench.write(chip.COM_IRQ, 0x7F)
        bench.write(chip.COMMAND, chip.TRANSMIT)
        bench.us += 300
        assert bench.read(chip.COM_IRQ) & (chip.IDLE_IRQ | chip.TX_IRQ) == chip.IDLE_IRQ
        bench.write(register, value)
        bench.us += 100
        is_whole = register == chip.COM_IRQ
        assert bool(bench.read(chip.COM_IRQ) & chip.TX_IRQ) == is_whole
        assert (tag.state == tags.HALT) == is_whole


def test_nothing_is_heard_with_the_receiver_off_or_the_initiator_bit_cleared() -> None:
    for register, value in ((chip.COMMAND, 0x20 | chip.TRANSCEIVE), (chip.CONTROL, 0x80)):
        bench = Bench()
        bench.field.put(Ntag213(UID7), 0)
        bench.us += 5_000
        bench.write(chip.FIFO_DATA, 0x26)
        bench.write(chip.COMMAND, chip.TRANSCEIVE)
        bench.write(register, value)
        bench.write(chip.BIT_FRAMING, 0x87)
        bench.us += 2_000
        assert bench.read(chip.COM_IRQ) & (chip.RX_IRQ | chip.TIMER_IRQ) == chip.TIMER_IRQ


def test_an_answer_is_not_there_before_its_last_bit() -> None:
    bench = Bench()
    bench.field.put(Ntag213(UID7), 0)
    # REQA 85 µs, frame delay 91 µs, ATQA 188 µs
    assert bench.send(b"\x26", last_bits=7, wait_us=300) == b""
    bench.us += 80
    assert bench.drain() == bytes.fromhex("4400")


def test_a_collision_gives_its_position_and_cleared_bits() -> None:
    bench = Bench()
    bench.field.put(Classic1K(bytes.fromhex("12345678")), 0)
    bench.field.put(Classic1K(bytes.fromhex("12345E78")), 0)
    bench.send(b"\x26", last_bits=7)
    assert bench.read(chip.ERROR) == 0, "equal ATQAs do not collide"
    got = bench.send(bytes.fromhex("9320"))
    # 0x56 and 0x5E differ in bit 3 of the third byte: the 20th bit
    assert bench.read(chip.ERROR) & chip.COLLISION
    assert bench.read(chip.COLL) & 0x3F == 20
    assert got == bytes.fromhex("1234060000")
    bench.send(b"\x52", last_bits=7)
    bench.send(b"\x26", last_bits=7)
    assert bench.send(bytes.fromhex("9344123456"), last_bits=4, align=4)[0] == 0x50
    # with the first four bits of the third byte known (0110 for 56): alone, no collision
    assert bench.read(chip.ERROR) == 0


def test_the_collision_position_includes_the_alignment() -> None:
    bench = Bench()
    for third in (0x06, 0x46):
        bench.field.put(Classic1K(bytes((0x12, 0x34, third, 0x78))), 0)
    bench.send(b"\x26", last_bits=7)
    bench.send(bytes.fromhex("9344123406"), last_bits=4, align=4)
    # bit 6 of the third byte is the third received; RxAlign 4 makes it the seventh
    assert bench.read(chip.COLL) & 0x3F == 7


def test_a_collision_in_the_32nd_bit_reads_as_position_0() -> None:
    bench = Bench()
    for last in (0x00, 0x80):
        bench.field.put(Classic1K(bytes((0x12, 0x34, 0x56, last))), 0)
    bench.send(b"\x26", last_bits=7)
    bench.send(bytes.fromhex("9320"))
    assert bench.read(chip.COLL) & 0x3F == 0


def test_parity_and_crc_errors_are_told_apart() -> None:
    bench = Bench()
    bench.field.put(Ntag213(UID7), 0)
    bench.field.noise = Noise(0.02, 3)
    seen = set()
    for _ in range(200):
        bench.send(b"\x52", last_bits=7)
        seen.add(bench.read(chip.ERROR))
    assert seen == {0, chip.PARITY_ERROR}
    bench.field.noise = None
    bench.write(chip.RX_MODE, 0x80)
    # one of two finds the tag idle; its ATQA carries no CRC
    errors = set()
    for _ in range(2):
        bench.send(b"\x26", last_bits=7)
        errors.add(bench.read(chip.ERROR))
    assert errors == {0, chip.CRC_ERROR}


def test_the_chip_adds_and_checks_the_crc_when_asked() -> None:
    bench = Bench()
    tag = Ntag213(UID7)
    bench.field.put(tag, 0)
    bench.send(b"\x26", last_bits=7)
    bench.send(bytes.fromhex("9320"))
    bench.write(chip.TX_MODE, 0x80)
    bench.write(chip.RX_MODE, 0x80)
    assert bench.send(bytes.fromhex("93708804A3C6E9")) == b"\x04"
    assert bench.read(chip.ERROR) == 0


def test_four_bits_are_told_by_rx_last_bits() -> None:
    bench = Bench()
    tag = Ntag213(UID7)
    bench.field.put(tag, 0)
    for frame, last in (("26", 7), ("93708804A3C6E9", 0), ("9570CAE26180C9", 0), ("30F0", 0)):
        data = bytes.fromhex(frame)
        answer = bench.send(data if last else with_crc(data)[0].to_bytes(len(data) + 2, "little"), last_bits=last)
    assert answer == b"\x00"
    assert bench.read(chip.CONTROL) & 7 == 4


def test_power_down_silences_the_field_and_keeps_the_registers() -> None:
    bench = Bench()
    tag = Ntag213(UID7)
    bench.field.put(tag, 0)
    bench.write(chip.COMMAND, 0x10)
    bench.us += 10_000
    assert bench.field.on_since_us < 0
    bench.write(chip.COMMAND, 0x00)
    assert bench.read(chip.COMMAND) & 0x10, "the oscillator is starting"
    bench.us += 500
    assert not bench.read(chip.COMMAND) & 0x10
    assert bench.read(chip.MODE) == 0x3D
    bench.us += 5_000
    assert bench.send(b"\x26", last_bits=7) == bytes.fromhex("4400")


@pytest.mark.parametrize(("register", "value"), [(chip.TX_ASK, 0), (chip.TX_CONTROL, 0x80)])
def test_no_answer_without_full_modulation_or_antenna(register: int, value: int) -> None:
    bench = Bench()
    bench.field.put(Ntag213(UID7), 0)
    bench.write(register, value)
    assert bench.send(b"\x26", last_bits=7) == b""


def test_a_tag_needs_its_start_up_time_in_the_field() -> None:
    bench = Bench()
    tag = Ntag213(UID7)
    tag.startup_us = 4_900
    bench.field.put(tag, 0)
    bench.write(chip.TX_CONTROL, 0x80)
    bench.write(chip.TX_CONTROL, 0x83)
    bench.us += 4_000
    assert bench.send(b"\x26", last_bits=7, wait_us=500) == b""
    bench.us += 500
    assert bench.send(b"\x26", last_bits=7) == bytes.fromhex("4400")


def test_a_tag_that_leaves_cuts_its_answer_short() -> None:
    bench = Bench()
    tag = Ntag213(UID7)
    bench.field.put(tag, 0)
    bench.send(b"\x26", last_bits=7)
    # 9320 takes 188 µs, 91 µs of delay, then bits: gone in the third byte
    bench.field.take(tag, bench.us + 188 + 91 + 250)
    got = bench.send(bytes.fromhex("9320"))
    assert 1 <= len(got) <= 3
    assert bytes.fromhex("8804A3C6E9").startswith(got[:-1])
    assert bench.send(b"\x52", last_bits=7) == b""


def test_soft_reset_and_brown_out_forget_the_configuration() -> None:
    for by_command in (True, False):
        bench = Bench()
        if by_command:
            bench.write(chip.COMMAND, chip.SOFT_RESET)
        else:
            bench.model.brown_out()
        bench.us += 1_000
        assert (bench.read(chip.MODE), bench.read(chip.TX_CONTROL)) == (0x3F, 0x80)
        assert bench.field.on_since_us < 0


def test_mifare_authentication_sets_crypto_and_ends_by_itself() -> None:
    bench = Bench()
    uid = bytes.fromhex("11223344")
    bench.field.put(Classic1K(uid, {4: b"treasure"}), 0)

    def select_and_authenticate(key: bytes) -> int:
        bench.write(chip.STATUS2, 0)
        bench.send(b"\x52", last_bits=7)
        bench.send(with_crc(bytes.fromhex("93701122334444"))[0].to_bytes(9, "little"))
        bench.write(chip.COM_IRQ, 0x7F)
        bench.write(chip.FIFO_LEVEL, 0x80)
        bench.write(chip.FIFO_DATA, 0x60, 4, *key, *uid)
        bench.write(chip.COMMAND, chip.MF_AUTHENT)
        bench.us += 5_000
        return bench.read(chip.COM_IRQ) & (chip.IDLE_IRQ | chip.TIMER_IRQ)

    assert select_and_authenticate(b"\0" * 6) == chip.TIMER_IRQ
    assert bench.read(chip.STATUS2) & 8 == 0
    assert select_and_authenticate(b"\xff" * 6) == chip.IDLE_IRQ
    assert bench.read(chip.STATUS2) & 8
    assert bench.send(with_crc(b"\x30\x04")[0].to_bytes(4, "little"))[:8] == b"treasure"
    bench.write(chip.STATUS2, 0)
    assert bench.read(chip.STATUS2) & 8 == 0


def test_injected_faults() -> None:
    bench = Bench()
    bench.model.faults.dead_from_us = bench.us + 100
    assert bench.read(chip.VERSION) == 0x92
    bench.us += 100
    assert bench.read(chip.VERSION) == 0
    bench.model.reset_pin(0)
    bench.model.reset_pin(1)
    assert bench.read(chip.VERSION) == 0x92
    bench.model.faults.blank_versions = 2
    assert [bench.read(chip.VERSION) for _ in range(3)] == [0, 0, 0x92]
    bench.model.faults.stuck_timer = True
    bench.send(b"\x26", last_bits=7)
    assert not bench.read(chip.COM_IRQ) & chip.TIMER_IRQ
