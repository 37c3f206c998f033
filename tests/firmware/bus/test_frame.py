"""Frames of the LED bus and the reader that finds them among whatever the wire carries."""

import pytest
from hypothesis import given, strategies as st

from firmware.bus.frame import (
    ALL,
    GAP_US,
    IDLE_US,
    MAX_FRAME,
    MAX_PAYLOAD,
    SYNC,
    BusFrameError,
    FrameReader,
    duration_us,
    encode,
    is_whole,
)

PAYLOADS = st.binary(max_size=MAX_PAYLOAD)
ADDRESSES = st.integers(0, ALL)
CONTROLS = st.integers(0, 255)


def everything(address: int, control: int) -> bool:
    return True


def feed(reader: FrameReader, data: bytes, start_us: int, chunk: int = 1) -> list[bytes]:
    """Bytes without a gap, in chunks."""
    found: list[bytes] = []
    for at in range(0, len(data), chunk):
        piece = data[at : at + chunk]
        found += reader.feed(piece, start_us + duration_us(at + len(piece)))
    return found


def test_frame_is_the_documented_bytes() -> None:
    frame = encode(5, 0x45, b"\x07\x02")
    assert frame[:6] == bytes((0xA5, 2, 5, 0x45, 7, 2))
    assert is_whole(frame)
    assert len(encode(0x3F, 0, bytes(MAX_PAYLOAD))) == MAX_FRAME == 40


def test_payload_beyond_the_limit_is_refused() -> None:
    with pytest.raises(BusFrameError, match="at most 34 bytes, not 35"):
        encode(1, 1, bytes(35))


@given(ADDRESSES, CONTROLS, PAYLOADS, st.integers(1, MAX_FRAME))
def test_every_chunking_gives_the_frame(address: int, control: int, payload: bytes, chunk: int) -> None:
    frame = encode(address, control, payload)
    assert feed(FrameReader(everything), frame, 5000, chunk) == [frame]


@given(st.lists(PAYLOADS, min_size=1, max_size=6))
def test_forty_bytes_back_to_back_lose_nothing(payloads: list[bytes]) -> None:
    # field report 61: bytes lost in a burst while garbage is collected; here all that waited comes in one piece
    frames = [encode(3, 5, payload) for payload in payloads]
    stream = b"".join(frames)
    assert FrameReader(everything).feed(stream, 100_000) == frames


def test_bytes_that_consoles_swallow_stay_in_the_payload() -> None:
    # field report 67
    payload = bytes((0x03, 0xFF, 0x04, 0x1A, 0xA5, 0x00, 0x03))
    frame = encode(3, 6, payload)
    assert feed(FrameReader(everything), frame, 5000)[0][4:-2] == payload


@given(CONTROLS, PAYLOADS, st.integers(1, MAX_FRAME))
def test_foreign_frames_are_skipped_by_length_alone(control: int, payload: bytes, chunk: int) -> None:
    reader = FrameReader(lambda address, control: address == 9)
    foreign = bytearray(encode(8, control, payload))
    foreign[-1] ^= 0xFF  # nobody looks at its CRC
    ours = encode(9, control, payload)
    assert feed(reader, bytes(foreign) + ours, 5000, chunk) == [ours]
    assert (reader.foreign, reader.crc_errors) == (1, 0)


@given(PAYLOADS, st.integers(1, 5 + MAX_PAYLOAD), st.integers(1, 255))
def test_a_damaged_frame_is_never_delivered(payload: bytes, at: int, damage: int) -> None:
    frame = bytearray(encode(9, 1, payload))
    frame[at % len(frame)] ^= damage
    reader = FrameReader(everything)
    assert feed(reader, bytes(frame), 5000) == []
    later = 5000 + 40 * 87 + GAP_US + IDLE_US
    assert feed(reader, encode(9, 2, b"after"), later) == [encode(9, 2, b"after")]


def test_a_gap_of_two_milliseconds_aborts_and_nothing_of_it_is_used_again() -> None:
    frame = encode(9, 1, b"four")
    reader = FrameReader(everything)
    assert feed(reader, frame[:5], 5000) == []
    assert feed(reader, frame[5:], 5000 + duration_us(5) + GAP_US + 100) == []
    assert reader.aborted == 1
    assert feed(reader, frame, 30_000) == [frame]


def test_a_gap_of_one_millisecond_within_a_frame_is_borne() -> None:
    frame = encode(9, 1, b"four")
    reader = FrameReader(everything)
    feed(reader, frame[:5], 5000)
    assert feed(reader, frame[5:], 5000 + duration_us(5) + 1000) == [frame]


def test_silence_while_nobody_looked_is_no_gap() -> None:
    frame = encode(9, 1, b"four")
    reader = FrameReader(everything)
    feed(reader, frame[:5], 5000)
    reader.was_away(25_000, len(frame) - 5)
    assert reader.feed(frame[5:], 25_000) == [frame]
    reader.feed(frame[:5], 30_000)
    assert reader.feed(frame[5:], 33_000) == [], "what was seen to be a gap is one"


@given(st.binary(min_size=1, max_size=80).filter(lambda noise: noise[0] != SYNC))
def test_after_garbage_the_reader_waits_for_the_idle_millisecond(noise: bytes) -> None:
    frame = encode(9, 1, b"x")
    reader = FrameReader(everything)
    at = 5000 + duration_us(len(noise))
    assert feed(reader, noise, 5000) == []
    assert feed(reader, frame, at) == [], "deaf until the wire was idle"
    assert feed(reader, frame, at + duration_us(len(frame)) + IDLE_US) == [frame]
    assert reader.noise_bytes == len(noise) + len(frame)


@given(st.lists(st.tuples(st.binary(max_size=60), st.integers(0, 5000)), max_size=30))
def test_no_bytes_at_no_time_bring_the_reader_down(pieces: list[tuple[bytes, int]]) -> None:
    reader, now = FrameReader(everything), 0
    for data, pause in pieces:
        now += duration_us(len(data)) + pause
        assert all(is_whole(frame) for frame in reader.feed(data, now & 0x3FFFFFFF))
    frame = encode(1, 1, b"end")
    assert feed(reader, frame, (now + 3000) & 0x3FFFFFFF) == [frame]


def test_ticks_may_wrap_within_a_frame() -> None:
    frame = encode(9, 1, b"wrap around")
    reader, found = FrameReader(everything), []
    for index, byte in enumerate(frame):
        found += reader.feed(bytes((byte,)), (0x3FFFFFFF - 400 + 87 * index) & 0x3FFFFFFF)
    assert found == [frame]
