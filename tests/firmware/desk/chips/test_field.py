"""The field: who hears, who is heard, what several answers make of each other, and the disturbances."""

from hypothesis import given, strategies as st

from firmware.desk.chips.air import Noise, flip, frame_us
from firmware.desk.chips.field import SENSITIVITY, Field
from firmware.desk.chips.tag_kinds import Classic1K, Ntag213
from firmware.desk.chips.tags import WUPA

UID7 = bytes.fromhex("04A3C6CAE26180")


def powered() -> Field:
    field = Field()
    field.switch(True, 0)
    return field


def test_bit_times() -> None:
    # ISO 14443-3 8.1: 128 periods of 13.56 MHz a bit; REQA is start, 7 bits, end
    assert frame_us(7) == 84
    assert frame_us(16) == 188


def test_weak_tags_are_heard_only_with_enough_gain() -> None:
    for gain_db, weakest in SENSITIVITY.items():
        for coupling, is_heard in ((weakest + 0.01, True), (weakest - 0.01, False)):
            field = powered()
            field.put(Ntag213(UID7), 0, coupling)
            assert (field.exchange(WUPA, 7, 10_000, gain_db, 0, False)[1] is not None) == is_heard


def test_tags_come_and_go_by_the_clock() -> None:
    field = powered()
    field.put(Ntag213(UID7), 50_000, leave_us=90_000)

    def answers(now_us: int) -> bool:
        field.switch(False, now_us - 2_000)
        field.switch(True, now_us - 2_000)
        return field.exchange(WUPA, 7, now_us, 38, 0, False)[1] is not None

    assert [answers(now_us) for now_us in (40_000, 60_000, 80_000, 100_000)] == [False, True, True, False]


def test_the_field_sums_the_time_it_was_on() -> None:
    field = Field()
    field.switch(True, 1_000)
    field.switch(True, 2_000)
    field.switch(False, 5_000)
    field.switch(False, 9_000)
    assert field.on_total_us == 4_000


@given(st.binary(min_size=4, max_size=4), st.binary(min_size=4, max_size=4))
def test_the_first_differing_bit_collides(one: bytes, other: bytes) -> None:
    field = powered()
    field.put(Classic1K(one), 0)
    field.put(Classic1K(other), 0)
    field.exchange(WUPA, 7, 10_000, 38, 0, False)
    reply = field.exchange(0x2093, 16, 20_000, 38, 0, False)[1]
    assert reply is not None
    difference = int.from_bytes(one, "little") ^ int.from_bytes(other, "little")
    assert reply.collision == (difference & -difference).bit_length() - 1


def test_noise_comes_at_its_rate_and_the_same_for_the_same_seed() -> None:
    runs = [[len(noise.flips(50)) for _ in range(20_000)] for noise in (Noise(1e-3, 7), Noise(1e-3, 7), Noise(1e-3, 8))]
    assert runs[0] == runs[1] != runs[2]
    assert 850 < sum(runs[0]) < 1_150
    assert Noise(0.0, 1).flips(1 << 20) == []


@given(st.integers(0, 7), st.integers(1, 5), st.data())
def test_one_flip_is_one_bit_or_a_parity_bit_and_always_told_in_whole_bytes(
    align: int, size: int, data: st.DataObject
) -> None:
    bits = size * 8 - align
    hit = data.draw(st.integers(0, bits + size - 1))
    value, is_told = flip(0, bits, align, [hit])
    assert bin(value).count("1") <= 1
    in_split_byte = align > 0 and hit <= 8 - align
    assert is_told != in_split_byte


def test_two_flips_in_one_byte_pass_its_parity() -> None:
    assert flip(0, 16, 0, [0, 1]) == (3, False)
    assert flip(0, 16, 0, [0, 9]) == (0x101, True)
    assert flip(0, 16, 0, [8]) == (0, True)


def test_every_nth_answer_can_be_spoilt_past_the_parity() -> None:
    field = powered()
    field.spoil_every = 3
    field.put(Ntag213(UID7), 0)
    values = []
    for _ in range(6):
        field.switch(False, 0)
        field.switch(True, 0)
        reply = field.exchange(WUPA, 7, 10_000, 38, 0, False)[1]
        assert reply is not None
        assert not reply.bad_parity
        values.append(reply.value)
    assert values == [0x44, 0x44, 0x344, 0x44, 0x44, 0x344]
