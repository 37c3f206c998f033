"""Pins of a board as messages, in any chunking."""

import struct

from hypothesis import given, strategies as st

from firmware.desk.pins import MESSAGE_SIZE, Pins, Pixel

News = list[tuple[str, int, int | Pixel]]


def message(letter: str, pin: int, value: int) -> bytes:
    return struct.pack("<BBi", ord(letter), pin, value)


def feed(pins: Pins, stream: bytes, cuts: list[int]) -> None:
    buffer = bytearray()
    for start, end in zip([0, *cuts], [*cuts, len(stream)], strict=True):
        buffer += stream[start:end]
        while length := Pins.message_length(buffer):
            assert pins.take(bytes(buffer[:length])) == b""
            del buffer[:length]
    assert not buffer


@given(st.lists(st.integers(0, 45), max_size=5).map(sorted))
def test_messages_are_taken_in_any_chunking(cuts: list[int]) -> None:
    news: News = []
    pins = Pins(lambda *change: news.append(change))
    stream = message("o", 9, 1) + message("k", 0, 3) + b"abc" + message("n", 48, 0x020103) + message("n", 48, 0x020103)
    stream += message("p", 6, 2700) + message("d", 6, 32768) + message("w", 0, 8000)
    feed(pins, stream, cuts)
    assert pins.kept == b"abc"
    assert pins.frequencies[6] == 2700
    assert news == [("level", 9, 1), ("pixel", 48, (1, 2, 3)), ("pwm", 6, 32768), ("watchdog", 0, 8000)]


def test_a_program_that_begins_to_look_is_told_what_is_there() -> None:
    pins = Pins(lambda *change: None)
    pins.set_input(7, 1)
    pins.set_microvolts(1, 1_866_666)
    pins.kept = b"crash"
    sent: list[bytes] = []
    pins.connect(sent.append)
    pins.set_input(7, 0)
    assert b"".join(sent) == (
        message("l", 7, 1)
        + message("a", 1, 1_866_666)
        + message("k", 0, 5)
        + b"crash"
        + message("z", 0, 0)
        + message("l", 7, 0)
    )
    pins.disconnect()
    pins.set_input(7, 1)
    assert len(b"".join(sent)) == 5 * MESSAGE_SIZE + 5


def test_without_power_nothing_shines_or_sounds() -> None:
    news: News = []
    pins = Pins(lambda *change: news.append(change))
    feed(pins, message("n", 48, 0xFF0000) + message("d", 6, 100), [])
    pins.power_off()
    pins.power_off()
    assert news[2:] == [("pixel", 48, (0, 0, 0)), ("pwm", 6, 0)]
