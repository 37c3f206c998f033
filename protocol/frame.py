"""Frames for a byte stream (USB serial): SYNC, length, body, CRC-16. BLE needs none of this.

A5 | length u16 | body, 1 … MAX_BODY bytes | CRC-16 u16 over length and body      little-endian
"""

from protocol.crc import crc16
from protocol.message import ProtocolError

SYNC = 0xA5
MAX_BODY = 512
OVERHEAD = 5


def encode_frame(body: "bytes | bytearray | memoryview") -> bytes:
    """One frame around `body`; `ProtocolError` when none can carry it."""
    length = len(body)
    if not 1 <= length <= MAX_BODY:
        raise ProtocolError("a frame carries 1 to %d bytes, not %d" % (MAX_BODY, length))
    head = bytes((length & 0xFF, length >> 8))
    crc = crc16(body, crc16(head))
    return bytes((SYNC,)) + head + bytes(body) + bytes((crc & 0xFF, crc >> 8))


class FrameReader:
    """Finds frames in any chunking of a stream. Noise between frames is skipped, counted, and costs no valid frame.

    After a bad length or CRC the search goes on one byte behind the false SYNC, not behind the false frame.
    """

    def __init__(self) -> None:
        self._buffer = bytearray()
        self.skipped_bytes = 0
        self.bad_frames = 0

    def feed(self, chunk: "bytes | bytearray | memoryview") -> "list[bytes]":
        """The bodies completed by `chunk`, in order."""
        self._buffer += chunk
        bodies: "list[bytes]" = []
        while True:
            body = self._next()
            if body is None:
                return bodies
            bodies.append(body)

    def flush(self) -> "list[bytes]":
        """The line went idle: give up on a frame begun and not finished, and search what lies behind its SYNC."""
        bodies: "list[bytes]" = []
        while self._buffer:
            self._drop(1)
            bodies += self.feed(b"")
        return bodies

    def _next(self) -> "bytes | None":
        while True:
            buffer = self._buffer
            start = buffer.find(b"\xa5")
            if start < 0:
                self._drop(len(buffer))
                return None
            self._drop(start)
            buffer = self._buffer
            if len(buffer) < 3:
                return None
            length = buffer[1] | buffer[2] << 8
            if not 1 <= length <= MAX_BODY:
                self._reject()
                continue
            if len(buffer) < length + OVERHEAD:
                return None
            crc = buffer[3 + length] | buffer[4 + length] << 8
            if crc16(memoryview(buffer)[1 : 3 + length]) != crc:
                self._reject()
                continue
            body = bytes(buffer[3 : 3 + length])
            self._buffer = buffer[length + OVERHEAD :]
            return body

    def _reject(self) -> None:
        self.bad_frames += 1
        self._drop(1)

    def _drop(self, count: int) -> None:
        if count:
            self.skipped_bytes += count
            self._buffer = self._buffer[count:]
