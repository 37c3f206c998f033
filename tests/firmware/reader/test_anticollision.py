"""Driver and type A protocol over the chip model: which UIDs are found, whatever lies in the field."""

import random

from hypothesis import example, given, strategies as st

from firmware.desk.chips.air import Noise
from firmware.desk.chips.field import Field
from firmware.desk.chips.tag_kinds import Ntag213
from firmware.desk.chips.tags import Tag
from firmware.drivers.iso14443 import REQA, WUPA, TypeA, crc_a, is_random
from firmware.drivers.mfrc522 import BIT_FRAMING, COLL, COLLIDED, DAMAGED, SILENCE, STUCK
from tests.firmware.reader.rig import Rig
from tests.firmware.reader.told import UID7

UIDS = st.sampled_from((4, 7, 10)).flatmap(lambda size: st.binary(min_size=size, max_size=size))


def rig_with(*uids: bytes) -> tuple[Rig, TypeA]:
    rig = Rig()
    assert rig.chip.start()
    for uid in uids:
        rig.lay(Tag(uid))
    assert rig.chip.radio_on()
    return rig, TypeA(rig.chip)


class OddTag(Tag):
    """A tag whose first level is not what its UID says."""

    def __init__(self, uid: bytes, first: bytes) -> None:
        super().__init__(uid)
        bcc = first[0] ^ first[1] ^ first[2] ^ first[3]
        self._sent[0] = int.from_bytes(first, "little") | bcc << 32


class ShortTag(Tag):
    """Leaves out the check byte of its UID."""

    def receive(self, value: int, bits: int, encrypted: bool) -> tuple[int, int] | None:
        answer = super().receive(value, bits, encrypted)
        return (answer[0], 32) if answer and answer[1] == 40 else answer


class TalkativeTag(Tag):
    """Answers a wake-up with 30 bytes."""

    def receive(self, value: int, bits: int, encrypted: bool) -> tuple[int, int] | None:
        return 0x44, 240


class ParityNoise(Noise):
    """Hits the parity bit of the first byte, each time."""

    def flips(self, bits: int) -> list[int]:
        return [8]


def find_all(tags: TypeA) -> list[bytes]:
    found = []
    command = WUPA
    while tags.wake(command):
        uid = tags.identify()
        assert uid is not None
        found.append(uid)
        tags.halt()
        command = REQA
    return found


@given(UIDS)
@example(bytes.fromhex("88123456"))
@example(bytes.fromhex("88000000000000"))
@example(bytes.fromhex("88888888888888888888"))
def test_one_tag_gives_exactly_its_uid(uid: bytes) -> None:
    _, tags = rig_with(uid)
    assert find_all(tags) == [uid]
    assert tags.collisions == 0


@given(st.lists(UIDS, min_size=2, max_size=3, unique=True))
@example([bytes.fromhex("00000000"), bytes.fromhex("00000080")])
@example([bytes.fromhex("00000000"), bytes.fromhex("00000001")])
@example([bytes.fromhex("04A3C6CAE26180"), bytes.fromhex("04A3C6CAE26181")])
@example([bytes.fromhex("12345678"), bytes.fromhex("12345679"), bytes.fromhex("1234567A")])
def test_several_tags_are_all_found_and_nothing_else(uids: list[bytes]) -> None:
    _, tags = rig_with(*uids)
    assert sorted(find_all(tags)) == sorted(uids)
    assert tags.collisions >= len(uids) - 1


def test_the_first_level_of_a_long_uid_may_equal_a_whole_short_one() -> None:
    # 88 04 A3 C6 as a 4-byte UID beside 04 A3 C6 …: nothing collides in level 1, both answer SELECT, their SAKs collide
    _, tags = rig_with(bytes.fromhex("8804A3C6"), UID7)
    assert tags.wake(WUPA)
    assert tags.identify() is None
    assert tags.last == COLLIDED


def test_an_empty_field_is_silence() -> None:
    _, tags = rig_with()
    assert not tags.wake(WUPA)
    assert tags.last == SILENCE


def test_reselect_finds_that_tag_and_no_other() -> None:
    for uid in (bytes.fromhex("88123456"), UID7, bytes(range(1, 11))):
        _, tags = rig_with(uid, bytes.fromhex("AABBCCDD"))
        assert tags.reselect(uid)
        assert tags.reselect(uid), "still selected"
        tags.halt()
        assert tags.reselect(uid), "halted tags too"
        assert not tags.reselect(uid[:-1] + b"\x5a")


def test_a_tag_that_never_completes_its_uid_is_damage_and_ends() -> None:
    rig, tags = rig_with()
    endless = Tag(bytes(range(1, 11)))
    endless.SAK = 0x04
    rig.lay(endless)
    rig.clock.now_us += 5_000
    assert tags.wake(WUPA)
    assert tags.identify() is None
    assert tags.last == DAMAGED


def test_a_continued_uid_without_cascade_tag_is_damage() -> None:
    rig, tags = rig_with()
    rig.lay(OddTag(UID7, b"\x11\x04\xa3\xc6"))
    rig.clock.now_us += 5_000
    assert tags.wake(WUPA)
    assert tags.identify() is None
    assert tags.last == DAMAGED


def test_an_answer_cut_before_its_check_byte_is_damage() -> None:
    rig, tags = rig_with()
    # the check byte of this UID is 0, as the receive buffer is
    rig.lay(ShortTag(bytes.fromhex("11112222")))
    rig.clock.now_us += 5_000
    assert tags.wake(WUPA)
    assert tags.identify() is None
    assert tags.last == DAMAGED


@given(st.lists(UIDS, min_size=2, max_size=3, unique=True), st.integers(0, 1 << 32))
def test_a_chip_that_lies_about_collisions_makes_no_wrong_uid(uids: list[bytes], seed: int) -> None:
    rig, tags = rig_with(*uids)
    chance = random.Random(seed)
    read = rig.chip.read
    lie = lambda register: chance.randrange(0x40) if register == COLL else read(register)  # noqa: E731
    rig.chip.read = lie  # type: ignore[method-assign]
    for _ in range(3):
        if tags.wake(WUPA):
            assert tags.identify() in [None] + uids


def test_a_collision_told_beyond_the_uid_is_damage() -> None:
    rig, tags = rig_with(*(bytes.fromhex(uid) for uid in ("00000000", "00008000", "00008001")))
    read = rig.chip.read
    told = iter((0x18, 0x1F))  # the first is true, the second would be the 55th bit
    rig.chip.read = lambda register: next(told) if register == COLL else read(register)  # type: ignore[method-assign]
    assert tags.wake(WUPA)
    assert tags.identify() is None
    assert tags.last == DAMAGED


@given(st.lists(UIDS, min_size=2, max_size=3, unique=True))
def test_a_chip_that_counts_collisions_without_the_alignment_makes_no_wrong_uid(uids: list[bytes]) -> None:
    rig, tags = rig_with(*uids)
    read = rig.chip.read

    def read_unaligned(register: int) -> int:
        value = read(register)
        if register == COLL and not value & 0x20:
            value = value & 0xE0 | (value - (rig.chip.read(BIT_FRAMING) >> 4 & 7)) & 0x1F
        return value

    rig.chip.read = read_unaligned  # type: ignore[method-assign]
    if tags.wake(WUPA):
        assert tags.identify() in [None] + uids


def test_a_wrong_parity_bit_an_overlong_answer_and_an_open_wire_at_the_chip() -> None:
    rig, _ = rig_with(UID7)
    rig.chip.tx[0] = WUPA
    rig.field.noise = ParityNoise(0, 1)
    assert rig.chip.transceive(1, 7) == DAMAGED
    rig.field.noise = None
    rig.lay(TalkativeTag(UID7))
    rig.clock.now_us += 5_000
    assert rig.chip.transceive(1, 7) == DAMAGED
    rig.model.faults.dead_value = 0xFF
    rig.model.faults.dead_from_us = rig.clock.now_us
    assert rig.chip.transceive(1, 7) == STUCK


def test_a_chip_that_stops_answering_is_stuck_within_a_bound() -> None:
    rig, tags = rig_with(UID7)
    rig.model.faults.dead_from_us = rig.clock.now_us
    began_us = rig.clock.now_us
    assert not tags.wake(WUPA)
    assert tags.last == STUCK
    assert rig.clock.now_us - began_us < 10_000


def test_a_long_pause_of_the_board_during_an_exchange_loses_nothing() -> None:
    rig, tags = rig_with(UID7)
    sleep_us = rig.clock.sleep_us
    rig.clock.sleep_us = lambda duration_us: sleep_us(duration_us + 300_000)  # type: ignore[method-assign]
    assert find_all(tags) == [UID7]


@given(UIDS, st.integers(0, 1000))
def test_noise_never_makes_another_uid(uid: bytes, seed: int) -> None:
    rig = Rig(Field(Noise(0.01, seed)))
    assert rig.chip.start()
    rig.lay(Tag(uid))
    tags = TypeA(rig.chip)
    for _ in range(30):
        rig.chip.radio_on()
        if tags.wake(WUPA):
            assert tags.identify() in (None, uid)
        rig.chip.radio_off()


def test_a_tag_leaving_at_any_moment_gives_its_uid_or_none() -> None:
    for leave_us in range(0, 8_000, 37):
        rig, tags = rig_with()
        tag = Ntag213(UID7)
        rig.lay(tag)
        rig.clock.now_us += 5_000
        rig.field.take(tag, rig.clock.now_us + leave_us)
        found = tags.identify() if tags.wake(WUPA) else None
        assert found in (None, UID7)


def test_crc_a_is_the_one_of_the_standard() -> None:
    # ISO 14443-3 annex B: 00 00 → A0 1E and 12 34 → 26 CF as transmitted
    assert crc_a(bytes.fromhex("0000"), 2) == 0x1EA0
    assert crc_a(bytes.fromhex("1234"), 2) == 0xCF26


def test_random_uids_are_those_of_4_bytes_that_begin_with_08() -> None:
    assert is_random(bytes.fromhex("08123456"))
    assert not is_random(bytes.fromhex("18123456"))
    assert not is_random(bytes.fromhex("08123456789ABC"))
