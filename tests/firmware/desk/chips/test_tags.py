"""Tags as state machines, and their memories, frame by frame."""

import pytest
from hypothesis import given, strategies as st

from firmware.desk.chips.air import checked, crc_a, to_frame, with_crc
from firmware.desk.chips.tag_kinds import Classic1K, Ntag213, Ntag215, Ntag216, Phone, Ultralight
from firmware.desk.chips.tags import ACTIVE, HALT, IDLE, READY, REQA, WUPA, Tag, cascade_levels

UIDS = st.sampled_from((4, 7, 10)).flatmap(lambda size: st.binary(min_size=size, max_size=size))
UID7 = bytes.fromhex("04A3C6CAE26180")


def say(tag: Tag, data: bytes) -> "bytes | int | None":
    """Send a command with CRC; data without CRC, or the number of a 4-bit answer."""
    answer = tag.receive(*with_crc(data), False)
    if answer is None:
        return None
    value, bits = answer
    return value if bits == 4 else checked(value, bits)


def activate(tag: Tag) -> None:
    assert tag.receive(WUPA, 7, False) is not None
    for level, part in enumerate(tag.levels):
        bcc = part[0] ^ part[1] ^ part[2] ^ part[3]
        assert say(tag, bytes((0x93 + 2 * level, 0x70)) + part + bytes((bcc,))) is not None
    assert tag.state == ACTIVE


def test_the_cascade_tag_stands_before_every_part_but_the_last() -> None:
    assert cascade_levels(bytes(range(1, 5))) == [bytes((1, 2, 3, 4))]
    assert cascade_levels(bytes(range(1, 11))) == [b"\x88\1\2\3", b"\x88\4\5\6", b"\7\x08\x09\x0a"]
    with pytest.raises(ValueError, match="5"):
        cascade_levels(bytes(5))


@given(UIDS)
def test_every_uid_can_be_selected_and_the_sak_says_whether_it_goes_on(uid: bytes) -> None:
    tag = Tag(uid)
    assert tag.receive(REQA, 7, False) == (tag.atqa, 16)
    for level in range(len(tag.levels)):
        answer = tag.receive(*to_frame(bytes((0x93 + 2 * level, 0x20))), False)
        assert answer is not None
        part = answer[0].to_bytes(5, "little")
        assert part[0] ^ part[1] ^ part[2] ^ part[3] ^ part[4] == 0
        sak = say(tag, bytes((0x93 + 2 * level, 0x70)) + part)
        assert sak == (b"\x04" if level + 1 < len(tag.levels) else b"\x00")
    assert tag.state == ACTIVE


@given(UIDS, st.integers(0, 39))
def test_partial_anticollision_answers_with_the_rest(uid: bytes, known: int) -> None:
    tag = Tag(uid)
    tag.receive(REQA, 7, False)
    whole = tag.receive(*to_frame(b"\x93\x20"), False)
    assert whole is not None
    nvb = (2 + known // 8) << 4 | known % 8
    prefix = whole[0] & ((1 << known) - 1)
    assert tag.receive(0x93 | nvb << 8 | prefix << 16, 16 + known, False) == (whole[0] >> known, 40 - known)
    if known:
        assert tag.receive(0x93 | nvb << 8 | (prefix ^ 1) << 16, 16 + known, False) is None
        assert tag.state == IDLE


def test_only_wupa_wakes_a_halted_tag_and_mistakes_lead_back_to_halt() -> None:
    tag = Ntag213(UID7)
    activate(tag)
    assert say(tag, b"\x50\x00") is None
    assert tag.state == HALT
    assert tag.receive(REQA, 7, False) is None
    activate(tag)
    assert tag.receive(WUPA, 7, False) is None
    assert tag.state == HALT
    tag.receive(WUPA, 7, False)
    assert tag.state == READY
    tag.disturb()
    assert tag.state == HALT
    tag.power_off()
    assert tag.receive(REQA, 7, False) is not None


def test_a_damaged_command_is_refused_and_ends_the_session() -> None:
    tag = Ntag213(UID7)
    activate(tag)
    assert tag.receive(0x1234567890, 40, False) == (0x1, 4)
    assert tag.state == IDLE


@pytest.mark.parametrize(
    ("kind", "pages", "user", "size_byte", "storage"),
    [(Ntag213, 45, 144, 0x12, 0x0F), (Ntag215, 135, 504, 0x3E, 0x11), (Ntag216, 231, 888, 0x6D, 0x13)],
)
def test_ntags_know_their_size(kind: type[Ntag213], pages: int, user: int, size_byte: int, storage: int) -> None:
    tag = kind(UID7)
    assert (kind.PAGES, tag.user_size()) == (pages, user)
    activate(tag)
    cc = say(tag, b"\x30\x03")
    assert isinstance(cc, bytes)
    assert cc[:4] == bytes((0xE1, 0x10, size_byte, 0x00))
    version = say(tag, b"\x60")
    assert isinstance(version, bytes)
    assert version[6] == storage
    wrapped = say(tag, bytes((0x30, pages - 1)))
    assert isinstance(wrapped, bytes)
    assert wrapped[4:7] == UID7[:3]
    assert say(tag, bytes((0x30, pages))) == 0


def test_an_ultralight_has_no_version_and_48_user_bytes() -> None:
    tag = Ultralight(UID7, bytes(range(48)))
    activate(tag)
    page = say(tag, b"\x30\x0c")
    assert page == bytes(range(32, 48))
    assert say(tag, b"\x60") == 0
    with pytest.raises(ValueError, match="48 bytes"):
        Ultralight(UID7, bytes(49))


def test_locked_and_one_way_pages() -> None:
    tag = Ntag213(UID7)
    activate(tag)
    assert say(tag, b"\xa2\x05abcd") == 0xA
    assert tag.memory[20:24] == b"abcd"
    assert tag.reply_delay_us > 4_000
    tag.lock_pages(5, 9)
    assert say(tag, b"\xa2\x05wxyz") == 0
    assert tag.memory[20:24] == b"abcd"
    activate(tag)
    assert say(tag, b"\xa2\x03\x00\x00\x00\x01") == 0xA
    assert tag.memory[12:16] == b"\xe1\x10\x12\x01", "capability bits are only ever added"
    assert say(tag, b"\xa2\x00\x00\x00\x00\x00") == 0


def test_classic_wants_the_key_and_sleeps_after_a_wrong_one() -> None:
    uid = bytes.fromhex("88123456")
    tag = Classic1K(uid, {4: b"0123456789abcdef"})
    activate(tag)
    assert say(tag, b"\x30\x04") == 0x4
    activate(tag)
    assert not tag.authenticate(0x60, 4, bytes(6), uid)
    assert tag.state == IDLE
    activate(tag)
    assert tag.authenticate(0x60, 4, b"\xff" * 6, uid)
    answer = tag.receive(*with_crc(b"\x30\x04"), True)
    assert answer is not None
    assert checked(*answer) == b"0123456789abcdef"
    trailer = tag.receive(*with_crc(b"\x30\x07"), True)
    assert trailer is not None
    assert trailer[0].to_bytes(18, "little")[:6] == bytes(6), "key A never leaves the card"
    assert tag.receive(*with_crc(b"\x30\x08"), True) == (0x4, 4), "another sector"
    activate(tag)
    assert tag.authenticate(0x60, 4, b"\xff" * 6, uid)
    assert say(tag, b"\x30\x04") is None, "plain frames mean nothing in a session"


def test_classic_takes_a_block_in_two_steps() -> None:
    uid = bytes.fromhex("11223344")
    tag = Classic1K(uid)
    activate(tag)
    assert tag.authenticate(0x60, 4, b"\xff" * 6, uid)
    assert tag.receive(*with_crc(b"\xa0\x04"), True) == (0xA, 4)
    assert tag.receive(*with_crc(b"fedcba9876543210"), True) == (0xA, 4)
    assert tag.memory[64:80] == b"fedcba9876543210"


def test_a_phone_is_someone_else_each_time() -> None:
    phone = Phone()
    seen = set()
    for _ in range(5):
        phone.power_off()
        seen.add(phone.uid)
    assert len(seen) == 5
    assert {uid[0] for uid in seen} == {0x08}


@given(st.binary(max_size=40))
def test_a_frame_with_its_crc_has_remainder_zero(data: bytes) -> None:
    assert crc_a(data + crc_a(data).to_bytes(2, "little")) == 0
