"""Frames over a port that gives bytes in any pieces, and the way to the prompt."""

import asyncio
import io
import time

from firmware.drivers.clock import Clock
from firmware.drivers.usb_serial import FRAME_GAP_MS, UsbSerial
from protocol.frame import encode_frame
from protocol.messages import Hello, Mark

_POLL, _READABLE, _WRITABLE = 3, 1, 4


class Port(io.IOBase):
    """Both ends of a serial port: `incoming` is what the host wrote, `written` what the board did."""

    def __init__(self):
        self.incoming = b""
        self.written = b""
        self.takes = True
        self.room = 100_000
        self.calls = 0
        self.slow_ms = 0

    def read(self, count):
        if count:
            time.sleep_ms(self.slow_ms)
            self.slow_ms = 0
        data, self.incoming = self.incoming[:count], self.incoming[count:]
        return data

    def write(self, data):
        taken = bytes(data)[: min(7, self.room)]
        self.written += taken
        self.room -= len(taken)
        self.calls += 1
        assert self.calls < 1000, "it never gives up"
        return len(taken)

    def ioctl(self, request, flags):
        if request != _POLL:
            return -1
        ready = _READABLE if self.incoming else 0
        return flags & (ready | (_WRITABLE if self.takes else 0))


class SlowClock(Clock):
    ahead_ms = 0

    def now_ms(self):
        return super().now_ms() + self.ahead_ms


class Bench:
    def __init__(self):
        self.port = Port()
        self.clock = SlowClock()
        self.usb = UsbSerial(self.port, self.port, self.clock)
        self.looks = 0
        self.reading = asyncio.create_task(self.usb.read_forever(self.look))

    def look(self):
        self.looks += 1

    async def come(self, data):
        self.port.incoming += data
        await self.until(lambda: not self.port.incoming)
        # what was read goes through a few tasks
        for _ in range(10):
            await asyncio.sleep_ms(0)

    async def until(self, holds):
        for _ in range(1000):
            if holds():
                return
            await asyncio.sleep_ms(2)
        raise AssertionError("it did not come")

    def end(self):
        self.reading.cancel()


HELLO = encode_frame(Hello(1, 1, 0).encode())
MARK = encode_frame(Mark(3).encode())


async def test_hello_opens_and_commands_follow_in_order():
    bench = Bench()
    await bench.come(HELLO + MARK)
    assert bench.usb.connected()
    assert (await bench.usb.accept()) is bench.usb
    assert [bench.usb.take(), bench.usb.take(), bench.usb.take()] == [Hello(1, 1, 0).encode(), Mark(3).encode(), None]
    bench.end()


async def test_it_looks_again_and_again_though_nothing_comes():
    bench = Bench()
    await bench.until(lambda: bench.looks > 2)
    bench.end()


async def test_anything_else_does_not_open():
    bench = Bench()
    await bench.come(MARK + b"mpremote was here\r\n")
    assert not bench.usb.connected()
    assert bench.usb.take() is None
    bench.end()


async def test_any_chunking_and_noise_between_frames():
    bench = Bench()
    for byte in b"boot text \xa5\xa5" + HELLO:
        await bench.come(bytes((byte,)))
    assert bench.usb.connected()
    bench.end()


async def test_a_byte_that_comes_as_the_pause_ends_is_not_lost():
    bench = Bench()
    await bench.come(HELLO)
    bench.usb.take()
    await asyncio.sleep_ms(FRAME_GAP_MS // 2)
    # the interpreter is held up between the byte and its turn, until the pause is over
    bench.port.slow_ms = FRAME_GAP_MS
    await bench.come(MARK)
    assert bench.usb.take() == Mark(3).encode()
    bench.end()


async def test_a_frame_is_not_given_up_for_a_pause_of_the_board():
    bench = Bench()
    await bench.come(HELLO)
    bench.usb.take()
    await bench.come(MARK[:3])
    bench.port.incoming += MARK[3:]
    time.sleep_ms(2 * FRAME_GAP_MS)
    await bench.come(b"")
    assert bench.usb.take() == Mark(3).encode()
    bench.end()


async def test_a_frame_begun_and_not_finished_is_given_up_after_a_pause():
    bench = Bench()
    await bench.come(b"\xa5\x10\x00\x01")
    await bench.until(lambda: bench.usb._frames.skipped_bytes == 4)
    await bench.come(HELLO)
    assert bench.usb.connected()
    bench.end()


async def test_control_c_and_0xff_inside_a_frame_are_just_bytes():
    bench = Bench()
    body = Mark(3).encode() + b"\x03\xff\x03"
    await bench.come(HELLO + encode_frame(body))
    bench.usb.take()
    assert bench.usb.take() == body
    assert not bench.reading.done()
    bench.end()


def test_control_c_between_connections_leads_to_the_prompt():
    port = Port()
    usb = UsbSerial(port, port, Clock())
    for typed in (b"\x03", b"\r\x03\x03"):
        try:
            usb._on_bytes(typed)
        except KeyboardInterrupt:
            continue
        raise AssertionError("no way to the prompt")


async def test_fifteen_silent_seconds_end_the_connection_and_hello_opens_the_next():
    bench = Bench()
    await bench.come(HELLO)
    bench.clock.ahead_ms = 14_000
    assert bench.usb.connected()
    await bench.come(MARK)
    bench.clock.ahead_ms = 28_000
    assert bench.usb.connected()
    bench.clock.ahead_ms = 44_000
    assert not bench.usb.connected()
    bench.usb.close()
    await bench.come(MARK)
    assert not bench.usb.connected()
    await bench.come(HELLO)
    assert bench.usb.connected()
    assert bench.usb.connects == 2
    bench.end()


async def test_a_frame_is_written_whole_in_as_many_pieces_as_the_port_wants():
    bench = Bench()
    assert bench.usb.send(bytes(range(100)))
    assert bench.port.written == encode_frame(bytes(range(100)))
    bench.end()


async def test_a_port_that_takes_nothing_is_backpressure():
    bench = Bench()
    bench.port.takes = False
    assert not bench.usb.send(b"x")
    bench.port.takes = True
    assert bench.usb.send(b"x")
    bench.end()


async def test_a_port_that_stops_in_the_middle_of_a_frame_ends_the_connection():
    """As when the cable is pulled: the port may go on saying that it can be written to."""
    bench = Bench()
    await bench.come(HELLO)
    bench.port.room = 10
    assert not bench.usb.send(bytes(20))
    assert not bench.usb.connected()
    bench.port.room = 1000
    await bench.come(HELLO)
    assert bench.usb.connected()
    assert bench.usb.send(bytes(20))
    bench.end()


async def test_a_flood_of_commands_is_cut_and_counted():
    bench = Bench()
    await bench.come(HELLO + MARK * 30)
    assert bench.usb.overruns == 15
    bench.end()
