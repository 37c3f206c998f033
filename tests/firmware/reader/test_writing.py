"""Writing tags on the roof: read back, refused where it cannot be sure, never torn."""

import pytest

from firmware.desk.chips.tag_kinds import ACK, Classic1K, InfineonClassic1K, Ntag213, Phone, Ultralight
from firmware.desk.chips.tags import Tag
from protocol.reasons import NO_TAG, WRITE_FAILED
from protocol.tag import find_code, memory_for
from tests.firmware.reader.rig import settled_rig
from tests.firmware.reader.told import UID4, UID7, presented, removed


@pytest.mark.parametrize(
    "tag",
    [
        Ntag213(UID7),
        Ntag213(UID7, memory_for(7)),
        Ultralight(UID7),
        Classic1K(UID4),
        Classic1K(UID4, key_a=bytes.fromhex("D3F7D3F7D3F7")),
        InfineonClassic1K(UID4),
    ],
    ids=["blank", "written before", "ultralight", "classic", "classic with NDEF key", "classic of Infineon"],
)
def test_a_tag_is_written_and_read_back(tag: Tag) -> None:
    rig = settled_rig()
    rig.lay(tag)
    rig.run(1_000)
    assert rig.reader.write_tag(4_711) == 0
    assert rig.reader.on_roof() == [(4_711, tag.uid)]
    rig.take(tag)
    assert rig.run(1_500) == [removed(tag.uid, 4_711)]
    rig.lay(tag)
    assert rig.run(700) == [presented(tag.uid, 4_711)]


class ForgetfulTag(Ntag213):
    """Says yes to every write and keeps none."""

    def answer(self, data: bytes) -> tuple[int, int] | None:
        return ACK if data[0] == 0xA2 else super().answer(data)


def test_a_tag_that_only_says_yes_is_found_out() -> None:
    rig = settled_rig()
    rig.lay(ForgetfulTag(UID7))
    assert rig.reader.write_tag(5) == WRITE_FAILED


class DrowsyTag(Ntag213):
    """Misses the first calls that it hears."""

    missed = 0

    def receive(self, value: int, bits: int, encrypted: bool) -> tuple[int, int] | None:
        if self.missed:
            self.missed -= 1
            return None
        return super().receive(value, bits, encrypted)


@pytest.mark.parametrize("missed", [1, 2])
def test_a_missed_answer_does_not_mean_that_nothing_lies_there(missed: int) -> None:
    rig = settled_rig()
    tag = DrowsyTag(UID7)
    rig.lay(tag)
    rig.run(1_000)
    tag.missed = missed
    assert rig.reader.write_tag(4_711) == 0
    assert find_code(tag.memory[16:]) == 4_711


def test_what_cannot_be_written_is_refused() -> None:
    rig = settled_rig()
    assert rig.reader.write_tag(5) == NO_TAG
    phone = Phone()
    rig.lay(phone)
    assert rig.reader.write_tag(5) == NO_TAG
    rig.take(phone)
    rig.run(100)
    first, second = Ntag213(UID7), Ntag213(UID7[:6] + b"\1")
    rig.lay(first)
    rig.lay(second)
    assert rig.reader.write_tag(5) == NO_TAG, "which of the two?"
    assert find_code(first.memory[16:]) == find_code(second.memory[16:]) == 0
    rig.take(second)
    rig.run(100)
    first.lock_pages(4, 7)
    assert rig.reader.write_tag(5) == WRITE_FAILED


def test_a_tag_that_leaves_while_it_is_written_holds_no_code_but_the_old_or_the_new() -> None:
    for leave_ms in range(40):
        rig = settled_rig()
        tag = Ntag213(UID7, memory_for(100))
        rig.lay(tag)
        rig.run(500)
        rig.field.take(tag, rig.clock.now_us + leave_ms * 1000)
        outcome = rig.reader.write_tag(12_000)
        code = find_code(tag.memory[16:])
        assert code in (0, 100, 12_000)
        assert code or tag.memory[16:18] == b"\x03\x00", "an empty message, not a torn one"
        assert outcome != 0 or code == 12_000
