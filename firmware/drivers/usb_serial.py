"""The protocol's frames over the USB serial port: standard input and output of the interpreter.

HELLO opens a connection, fifteen silent seconds end it. Control-C between connections still leads to the prompt.
"""

import asyncio
import select
import sys

from protocol.frame import MAX_BODY, SYNC, FrameReader, encode_frame
from protocol.messages import Hello

SILENCE_MS = 15_000
FRAME_GAP_MS = 200
_CONTROL_C = b"\x03"
_CHUNK = 128
_QUEUE = 16

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Callable

    from firmware.drivers.clock import Clock


class UsbSerial:
    """One connection that comes and goes, with the face of a BLE connection. Run `read_forever` as a task.

    `source` and `sink` are binary streams that `select.poll` knows, `sys.stdin.buffer` and `sys.stdout.buffer` on a board.
    """

    def __init__(self, source: "Any", sink: "Any", clock: "Clock") -> None:
        self._source = source
        self._sink = sink
        self._clock = clock
        self._frames = FrameReader()
        self._commands: "list[bytes]" = []
        self._is_up = False
        self._heard_ms = 0
        self._readable = select.poll()
        self._readable.register(source, select.POLLIN)
        self._writable = select.poll()
        self._writable.register(sink, select.POLLOUT)
        self.wake = asyncio.ThreadSafeFlag()
        self.max_size = MAX_BODY
        self.connects = 0
        self.overruns = 0

    @property
    def bad_frames(self) -> int:
        """False frames found in the stream."""
        return self._frames.bad_frames

    def connected(self) -> bool:
        if self._is_up and self._clock.now_ms() - self._heard_ms >= SILENCE_MS:
            self._is_up = False
        return self._is_up

    async def accept(self) -> "UsbSerial":
        """Wait for the HELLO that opens a connection."""
        while not self._is_up:
            await self.wake.wait()
        return self

    def take(self) -> "bytes | None":
        """The oldest command that has come, or None."""
        return self._commands.pop(0) if self._commands else None

    def send(self, data: "bytes | memoryview") -> bool:
        """Write one frame. False: the port does not take it now, try again a little later. One that stops in the middle of a frame
        has nobody at its other end: the connection is over."""
        if not self._writable.poll(0):
            return False
        frame = encode_frame(data)
        done = 0
        while done < len(frame):
            count = self._sink.write(frame[done:] if done else frame)
            if not count:
                self.close()
                return False
            done += count
        return True

    def close(self) -> None:
        """Nobody can hang up a cable: what comes next has to be a HELLO."""
        self._is_up = False
        self._commands.clear()

    async def read_forever(self, tick: "Callable[[], None]") -> None:
        """Read the port until it ends; `tick()` at each look. `KeyboardInterrupt` for a Control-C that is no part of a connection."""
        reader = asyncio.StreamReader(self._source)
        while True:
            tick()
            try:
                # takes no byte: one that came as the time ran out would be lost with the answer
                await asyncio.wait_for_ms(reader.read(0), FRAME_GAP_MS)
            except asyncio.TimeoutError:
                if not self._readable.poll(0):
                    self._take_bodies(self._frames.flush())
                    continue
            chunk = self._come()
            if chunk:
                self._on_bytes(chunk)
            elif self._readable.poll(0):
                return

    def _come(self) -> bytes:
        """What has come already. Byte by byte: a longer read would wait for all of it on some ports."""
        rest = bytearray()
        while len(rest) < _CHUNK and self._readable.poll(0):
            byte = self._source.read(1)
            if not byte:
                break
            rest += byte
        return bytes(rest)

    def _on_bytes(self, chunk: bytes) -> None:
        skipped = self._frames.skipped_bytes
        bodies = self._frames.feed(chunk)
        all_skipped = self._frames.skipped_bytes - skipped == len(chunk) and SYNC not in chunk
        if all_skipped and _CONTROL_C in chunk and not self.connected():
            raise KeyboardInterrupt
        self._take_bodies(bodies)

    def _take_bodies(self, bodies: "list[bytes]") -> None:
        for body in bodies:
            self._heard_ms = self._clock.now_ms()
            if not self._is_up:
                if body[0] != Hello.KIND:
                    continue
                self._is_up = True
                self.connects += 1
            if len(self._commands) >= _QUEUE:
                self.overruns += 1
            else:
                self._commands.append(body)
            self.wake.set()


def open_usb_serial(clock: "Clock") -> UsbSerial:
    """The board's own port, with Control-C taken away from the interpreter: it may be a byte of a frame."""
    import micropython

    micropython.kbd_intr(-1)
    return UsbSerial(sys.stdin.buffer, sys.stdout.buffer, clock)
