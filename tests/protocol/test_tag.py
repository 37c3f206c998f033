"""Tag codes and the walk through a tag's memory."""

import itertools

import pytest
from hypothesis import example, given, strategies as st

from protocol.tag import ALPHABET, CODE_COUNT, NO_CODE, TagError, code_number, code_text, find_code, memory_for

numbers = st.integers(1, CODE_COUNT)


def is_code(text: str) -> bool:
    try:
        code_number(text)
    except TagError:
        return False
    return True


def tlv(kind: int, value: bytes) -> bytes:
    head = bytes((len(value),)) if len(value) < 0xFF else b"\xff" + len(value).to_bytes(2, "big")
    return bytes((kind,)) + head + value


def record(header: int, kind: bytes, payload: bytes, identifier: bytes = b"") -> bytes:
    """One NDEF record; `header` gives MB, ME and the type name, the other bits follow from the rest."""
    short = len(payload) < 256
    header |= (0x10 if short else 0) | (0x08 if identifier else 0)
    length = bytes((len(payload),)) if short else len(payload).to_bytes(4, "big")
    id_length = bytes((len(identifier),)) if identifier else b""
    return bytes((header, len(kind))) + length + id_length + kind + identifier + payload


def test_every_number_has_its_own_code() -> None:
    texts = {code_text(number) for number in range(1, CODE_COUNT + 1)}
    assert len(texts) == CODE_COUNT
    assert all(code_number(code_text(number)) == number for number in range(1, CODE_COUNT + 1))


@given(numbers, st.integers(0, 3), st.sampled_from(ALPHABET))
def test_one_wrong_character_is_found(number: int, place: int, character: str) -> None:
    text = code_text(number)
    wrong = text[:place] + character + text[place + 1 :]
    assert wrong == text or not is_code(wrong)


@given(numbers, st.integers(0, 2))
def test_swapped_neighbours_are_found(number: int, place: int) -> None:
    text = code_text(number)
    swapped = text[:place] + text[place + 1] + text[place] + text[place + 2 :]
    assert swapped == text or not is_code(swapped)


@pytest.mark.soak
def test_every_wrong_character_and_swap_of_every_code_is_found() -> None:
    for text in map(code_text, range(1, CODE_COUNT + 1)):
        changes = (text[:p] + c + text[p + 1 :] for p, c in itertools.product(range(4), ALPHABET))
        swaps = (text[:p] + text[p + 1] + text[p] + text[p + 2 :] for p in range(3))
        assert not any(is_code(wrong) for wrong in itertools.chain(changes, swaps) if wrong != text)


@pytest.mark.parametrize("number", [0, -1, CODE_COUNT + 1])
def test_numbers_outside_have_no_code(number: int) -> None:
    with pytest.raises(TagError, match="outside"):
        code_text(number)


@pytest.mark.parametrize(
    ("text", "message"), [("6DM", "4 characters"), ("6DMO", "O is not used"), ("6DMK", "check character")]
)
def test_what_is_wrong_with_a_code_is_said(text: str, message: str) -> None:
    with pytest.raises(TagError, match=message):
        code_number(text)


@given(numbers)
def test_what_is_written_is_found(number: int) -> None:
    memory = memory_for(number)
    assert len(memory) == 16, "whole pages, nothing padded"
    assert find_code(memory + bytes(128)) == number


@given(
    numbers,
    st.lists(st.tuples(st.sampled_from([0x00, 0x01, 0x02, 0x03, 0xFD]), st.binary(max_size=300)), max_size=3),
    st.lists(st.binary(max_size=300), max_size=2),
    st.booleans(),
)
def test_other_blocks_and_records_do_no_harm(
    number: int, blocks: list[tuple[int, bytes]], texts: list[bytes], with_identifier: bool
) -> None:
    before = b"".join(b"\0" if kind == 0 else tlv(kind, b"" if kind == 3 else value) for kind, value in blocks)
    payloads = [(b"T", text) for text in texts] + [(b"U", b"\0arc:" + code_text(number).encode())]
    message = b""
    for at, (kind, payload) in enumerate(payloads):
        begin, end = 0x80 * (at == 0), 0x40 * (at == len(payloads) - 1)
        message += record(0x01 | begin | end, kind, payload, b"id" if with_identifier else b"")
    assert find_code(before + tlv(0x03, message) + b"\xfe") == number


@given(st.binary(max_size=200))
@example(b"\x03")
@example(b"\x03\xff\x00")
@example(b"\x03\x04\xd9\x01\x09")
def test_any_memory_is_read_without_an_exception(memory: bytes) -> None:
    assert NO_CODE <= find_code(memory) <= CODE_COUNT


@given(numbers, st.lists(st.tuples(st.integers(0, 127), st.integers(0, 7)), min_size=1, max_size=4))
def test_flipped_bits_never_make_a_code_with_a_wrong_check(number: int, flips: list[tuple[int, int]]) -> None:
    memory = bytearray(memory_for(number))
    for place, bit in flips:
        memory[place % len(memory)] ^= 1 << bit
    found = find_code(memory)
    assert found == NO_CODE or b"arc:" + code_text(found).encode() in memory


@given(numbers, st.integers(0, 15))
def test_a_memory_read_in_part_gives_the_code_or_none(number: int, length: int) -> None:
    assert find_code(memory_for(number)[:length]) == (number if length >= 15 else NO_CODE)
