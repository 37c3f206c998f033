"""Finding a code in a tag's memory over the chip model: wherever the record stands, and when reading goes wrong."""

import pytest
from hypothesis import given, strategies as st

from firmware.desk.chips.tag_kinds import Classic1K, InfineonClassic1K, Ntag213, Ntag215, Ntag216, Ultralight
from firmware.desk.chips.tags import Tag
from firmware.drivers.card_memory import CLASSIC_LIMIT, TRIES, TYPE2_LIMIT, CardMemory, bytes_wanted
from firmware.drivers.iso14443 import WUPA, TypeA
from protocol.tag import NO_CODE, memory_for
from tests.firmware.reader.rig import Rig
from tests.firmware.reader.told import UID4, UID7

LOCK_TLV = bytes.fromhex("0103A00C34")
OURS = memory_for(4711)[2:15]
"""The record alone: 13 bytes that begin D1."""


def record(kind: int, name: bytes, payload: bytes) -> bytes:
    return bytes((0xD0 | kind, len(name), len(payload))) + name + payload


def message(*records: bytes) -> bytes:
    """An NDEF TLV with these records; first and last are marked so."""
    marked = []
    for i, one in enumerate(records):
        flags = (0x80 if i == 0 else 0) | (0x40 if i == len(records) - 1 else 0)
        marked.append(bytes((one[0] & 0x3F | flags,)) + one[1:])
    body = b"".join(marked)
    length = bytes((len(body),)) if len(body) < 255 else b"\xff" + len(body).to_bytes(2, "big")
    return b"\x03" + length + body + b"\xfe"


TEXT = record(1, b"T", b"\x02enBeyond Humanity")
EXTERNAL = record(4, b"example.org:card", bytes(range(20)))
WEB = record(1, b"U", b"\x04example.org")


def read(tag: Tag) -> tuple[int | None, Rig, CardMemory]:
    rig = Rig()
    assert rig.chip.start()
    rig.lay(tag)
    assert rig.chip.radio_on()
    tags = TypeA(rig.chip)
    memory = CardMemory(rig.chip, tags)
    assert tags.wake(WUPA)
    assert tags.identify() == tag.uid
    return memory.read_code(tag.uid, tags.sak), rig, memory


@pytest.mark.parametrize(
    "content",
    [
        memory_for(4711),
        LOCK_TLV + memory_for(4711),
        b"\0\0\0" + LOCK_TLV + b"\0" + memory_for(4711),
        message(TEXT, OURS),
        message(OURS, TEXT),
        message(EXTERNAL, WEB, OURS),
        message(EXTERNAL, OURS, TEXT, WEB),
        LOCK_TLV + message(TEXT, EXTERNAL, OURS),
    ],
    ids=["alone", "lock TLV", "null TLVs", "after text", "before text", "after two", "among four", "all"],
)
@pytest.mark.parametrize("kind", [Ntag213, Ntag215, Ntag216])
def test_the_code_is_found_wherever_it_stands(kind: type[Ntag213], content: bytes) -> None:
    assert read(kind(UID7, content))[0] == 4711


def test_the_usual_tag_costs_one_read() -> None:
    _, rig, _ = read(Ntag213(UID7, memory_for(4711)))
    plain = rig.field.replies
    _, rig, _ = read(Ntag213(UID7, message(TEXT, OURS)))
    assert (plain, rig.field.replies) == (6, 8), "wake-up, two levels of two, and the reads"


def test_a_blank_tag_costs_one_read() -> None:
    for tag in (Ntag213(UID7, bytes(144)), Ntag213(UID7), Ntag215(UID7), Ntag216(UID7), Ultralight(UID7)):
        code, rig, _ = read(tag)
        assert (code, rig.field.replies) == (NO_CODE, 6)


@pytest.mark.parametrize(
    "content",
    [b"", LOCK_TLV + bytes.fromhex("0300FE"), message(WEB), message(TEXT, EXTERNAL), b"\xff" * 48, b"\x03\xff"],
    ids=["blank", "as delivered", "web address", "other records", "all ones", "cut off"],
)
def test_other_contents_have_no_code(content: bytes) -> None:
    assert read(Ntag213(UID7, content))[0] == NO_CODE


def test_an_ultralight_is_read_to_its_end() -> None:
    assert read(Ultralight(UID7, message(TEXT, OURS)))[0] == 4711
    assert read(Ultralight(UID7, b"\xff" * 48))[0] == NO_CODE
    assert read(Ultralight(UID7))[0] == NO_CODE


def test_a_message_longer_than_what_is_searched_has_no_code() -> None:
    long = message(record(1, b"T", bytes(240)), OURS)
    assert len(long) > TYPE2_LIMIT
    assert read(Ntag215(UID7, long))[0] == NO_CODE


def test_a_wrong_check_character_is_no_code() -> None:
    content = bytearray(memory_for(4711))
    content[14] = ord("3") if content[14] != ord("3") else ord("4")
    assert read(Ntag213(UID7, bytes(content)))[0] == NO_CODE


def test_classic_is_read_from_sector_1_with_either_key() -> None:
    for key in (b"\xff" * 6, bytes.fromhex("D3F7D3F7D3F7")):
        content = message(TEXT, OURS)
        blocks = {4 + at // 16: content[at : at + 16] for at in range(0, len(content), 16)}
        assert read(Classic1K(UID4, blocks, key))[0] == 4711
    assert CLASSIC_LIMIT == 48
    assert read(InfineonClassic1K(UID4, {4: memory_for(4711)}))[0] == 4711


def test_a_classic_with_a_foreign_key_is_not_read_and_still_answers() -> None:
    code, rig, memory = read(Classic1K(UID4, {4: memory_for(4711)}, key_a=b"secret"))
    assert code is None
    tags = TypeA(rig.chip)
    assert tags.reselect(UID4)
    assert memory.refusals == 0


def test_a_protected_memory_is_asked_three_times_and_then_counts_as_none() -> None:
    tag = Ntag213(UID7, memory_for(4711))
    tag.refusals = 100
    code, _, memory = read(tag)
    assert code == NO_CODE
    assert memory.refusals == TRIES


def test_a_damaged_read_is_repeated_and_a_lost_tag_is_not_a_tag_without_code() -> None:
    tag = Ntag213(UID7, memory_for(4711))
    rig = Rig()
    assert rig.chip.start()
    rig.field.spoil_every = 6
    rig.lay(tag)
    assert rig.chip.radio_on()
    tags = TypeA(rig.chip)
    memory = CardMemory(rig.chip, tags)
    assert tags.wake(WUPA)
    assert tags.identify() == UID7
    assert memory.read_code(UID7, tags.sak) == 4711
    assert tags.damaged == 1
    rig.take(tag)
    assert memory.read_code(UID7, tags.sak) is None


@given(st.binary(max_size=64), st.integers(0, 64))
def test_bytes_wanted_ends_and_never_asks_for_less_than_there_is(memory: bytes, have: int) -> None:
    padded = bytearray(TYPE2_LIMIT)
    padded[: len(memory)] = memory
    wanted = bytes_wanted(padded, have, TYPE2_LIMIT)
    assert have <= wanted <= TYPE2_LIMIT
