"""Frames: any chunking, noise, truncation and flipped bits, compared with a reader that sees the whole stream at once."""

import pytest
from hypothesis import assume, given, strategies as st

from protocol.crc import crc16
from protocol.frame import MAX_BODY, OVERHEAD, SYNC, FrameReader, encode_frame
from protocol.message import ProtocolError
from tests.protocol.strategies import cut_places, split

frame_bodies = st.binary(min_size=1, max_size=80)
# Noise that is likely to look like the beginning of a frame.
noise = st.lists(
    st.one_of(
        st.binary(max_size=6), st.just(b"\xa5"), st.binary(min_size=1, max_size=1).map(lambda b: b"\xa5" + b + b"\0")
    ),
    max_size=4,
).map(b"".join)


def frames_in(stream: bytes) -> list[bytes]:
    """The specification once more, in its simplest form: at each place a valid frame or one byte of noise."""
    bodies, at = [], 0
    while at < len(stream):
        end = at + int.from_bytes(stream[at + 1 : at + 3], "little") + OVERHEAD
        whole = stream[at:end]
        if whole[0] == SYNC and OVERHEAD < len(whole) == end - at <= MAX_BODY + OVERHEAD and has_valid_crc(whole):
            bodies.append(whole[3:-2])
            at = end
        else:
            at += 1
    return bodies


def has_valid_crc(frame: bytes) -> bool:
    return crc16(frame[1:-2]) == int.from_bytes(frame[-2:], "little")


def read(chunks: list[bytes]) -> tuple[list[bytes], FrameReader]:
    reader = FrameReader()
    bodies = [body for chunk in chunks for body in reader.feed(chunk)]
    return bodies + reader.flush(), reader


@given(st.lists(frame_bodies, max_size=5), cut_places)
def test_frames_survive_any_chunking(bodies: list[bytes], cuts: list[int]) -> None:
    found, reader = read(split(b"".join(map(encode_frame, bodies)), cuts))
    assert found == bodies
    assert (reader.skipped_bytes, reader.bad_frames) == (0, 0)


@given(st.lists(frame_bodies, min_size=1, max_size=3))
def test_frames_survive_single_bytes(bodies: list[bytes]) -> None:
    stream = b"".join(map(encode_frame, bodies))
    assert read([stream[at : at + 1] for at in range(len(stream))])[0] == bodies


@given(st.lists(st.tuples(noise, frame_bodies), max_size=4), noise, cut_places)
def test_any_stream_reads_as_specified(pieces: list[tuple[bytes, bytes]], tail: bytes, cuts: list[int]) -> None:
    stream = b"".join(before + encode_frame(body) for before, body in pieces) + tail
    found, reader = read(split(stream, cuts))
    assert found == frames_in(stream)
    assert reader.skipped_bytes == len(stream) - sum(len(body) + OVERHEAD for body in found)


@given(
    st.lists(st.tuples(noise.map(lambda n: n.replace(b"\xa5", b"")), frame_bodies), min_size=1, max_size=4), cut_places
)
def test_noise_without_sync_costs_no_frame(pieces: list[tuple[bytes, bytes]], cuts: list[int]) -> None:
    stream = b"".join(before + encode_frame(body) for before, body in pieces)
    found, reader = read(split(stream, cuts))
    assert found == [body for _, body in pieces]
    assert reader.skipped_bytes == sum(len(before) for before, _ in pieces)


@given(frame_bodies, frame_bodies, st.data())
def test_a_truncated_frame_costs_only_itself(lost: bytes, kept: bytes, data: st.DataObject) -> None:
    broken = encode_frame(lost)
    broken = broken[: data.draw(st.integers(0, len(broken) - 1))]
    found, _ = read([broken, encode_frame(kept)])
    assert found == frames_in(broken + encode_frame(kept))
    # once in 65,536 the checksum fits what the remainder and the next frame make together: then that is a frame
    assume(not found or kept in found)
    assert kept in found


@given(frame_bodies, st.integers(0, 10_000), st.integers(1, 0xFFFF))
def test_a_burst_of_16_bits_in_body_or_crc_is_always_found(body: bytes, place: int, burst: int) -> None:
    frame = encode_frame(body)
    bits = 8 * (len(frame) - 3)
    error = (burst << (place % bits)) & ((1 << bits) - 1)
    damaged = frame[:3] + (int.from_bytes(frame[3:], "big") ^ error).to_bytes(len(frame) - 3, "big")
    assert all(found != damaged[3:-2] for found in read([damaged])[0]) or error == 0


@given(frame_bodies, st.lists(st.integers(0, 10_000), min_size=1, max_size=8))
def test_flipped_bits_give_no_body_but_by_a_valid_crc(body: bytes, flips: list[int]) -> None:
    damaged = bytearray(encode_frame(body))
    for flip in flips:
        damaged[flip // 8 % len(damaged)] ^= 1 << flip % 8
    for found in read([bytes(damaged)])[0]:
        assert encode_frame(found) in damaged


@pytest.mark.parametrize("length", [0, MAX_BODY + 1])
def test_a_body_that_no_frame_carries_is_an_error(length: int) -> None:
    with pytest.raises(ProtocolError, match=f"not {length}"):
        encode_frame(bytes(length))


def test_an_idle_line_frees_the_frame_behind_a_false_start() -> None:
    reader = FrameReader()
    assert reader.feed(b"\xa5\x00\x02" + encode_frame(b"here")) == []
    assert reader.flush() == [b"here"]


def test_noise_does_not_pile_up() -> None:
    reader = FrameReader()
    for _ in range(200):
        reader.feed(b"\xa5\xff\x01" + bytes(100))
    assert len(reader._buffer) <= MAX_BODY + OVERHEAD
