"""Bytes that nobody meant to send: on the board no exception but `ProtocolError` escapes, and the heap stays flat."""

import gc
import random

from protocol import events, frame, messages, reading, tag
from protocol.message import ProtocolError

TIMEOUT_S = 600
_SAMPLES = [
    messages.Hello(1, 1, 0).encode(),
    messages.Resume(7, 1, 2, 3, bytes(8)).encode(),
    messages.LightTable(3, bytes(10)).encode(),
    messages.Page(3, 1, 1, 0, 1, bytes(12)).encode(),
    events.Event(1, 2, 3, events.card_body(events.CardPresented, 5, b"1234567")).encode(),
    events.Event(1, 3, 4, events.ButtonPressed(1)).encode(),
]


def _mutated(sample: bytes) -> bytearray:
    data = bytearray(sample)
    for _ in range(random.randrange(1, 4)):
        act = random.randrange(3)
        if act == 0 and data:
            data[random.randrange(len(data))] = random.getrandbits(8)
        elif act == 1 and data:
            data = data[: random.randrange(len(data))]
        else:
            data += bytes([random.getrandbits(8)])
    return data


def _try_all(data: "bytes | bytearray") -> None:
    for decode in (messages.decode_command, reading.decode_notification, reading.decode_modules, reading.decode_tags):
        try:
            decode(bytes(data))
        except ProtocolError:
            pass
    assert 0 <= tag.find_code(data) <= tag.CODE_COUNT


def _heap_in_use() -> int:
    gc.collect()
    return gc.mem_alloc()


def _feed(reader: "frame.FrameReader", count: int) -> None:
    for round_ in range(count):
        data = _mutated(_SAMPLES[round_ % len(_SAMPLES)])
        _try_all(data)
        reader.feed(data)
        reader.feed(frame.encode_frame(data or b"\0"))
    reader.flush()


def _fuzz(count: int, warm_up: int) -> None:
    random.seed(20)
    _feed(frame.FrameReader(), warm_up)  # until everything that is made once has been made
    before = _heap_in_use()
    # a reader that may still hold the largest frame's buffer is gone when the heap is looked at
    _feed(frame.FrameReader(), count)
    assert _heap_in_use() - before < 512, _heap_in_use() - before


def test_mutated_messages_do_no_harm() -> None:
    _fuzz(2000, 4000)


def test_soak_mutated_messages_do_no_harm() -> None:
    _fuzz(1000000, 20000)


def test_values_that_do_not_fit_are_refused_as_on_the_host() -> None:
    for value in (-1, 256, 1 << 40, "x", None, 0.5):
        said = ""
        try:
            messages.Hello(value, 1, 0).encode()
        except ProtocolError as error:
            said = str(error)
        assert "Hello.request" in said, value
