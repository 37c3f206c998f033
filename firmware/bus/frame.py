"""Frames of LED bus v1 as bytes, and the reader that finds them on the wire. Knows no opcode's meaning.

A5 | length of the payload u8 | address u8 | control u8 | payload 0 … 34 | CRC-16 u16 over length … payload
"""

from protocol.crc import crc16

SYNC = 0xA5
OVERHEAD = 6
MAX_PAYLOAD = 34
MAX_FRAME = OVERHEAD + MAX_PAYLOAD

# Addresses. In a reply the address is the sender's, so that a late one is never taken for another module's.
ARC, MAX_ADDRESS, UNADDRESSED, ALL = 0, 31, 0x3E, 0x3F

# Control byte: reply bit, toggle bit, opcode.
REPLY, TOGGLE, OPCODE = 0x80, 0x40, 0x3F

BYTE_NS = 86806
"""One byte at 115200 baud 8N1."""
IDLE_US = 1000
"""The ARC keeps the wire idle this long before a SYNC; a reader that met garbage starts anew after it."""
GAP_US = 2000
"""A longer gap inside a frame aborts it."""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

_ALMOST_IDLE_US = IDLE_US - 100
_TICKS_HALF = 1 << 29


class BusFrameError(ValueError):
    """A payload that no frame can carry."""


def encode(address: int, control: int, payload: "bytes | bytearray" = b"") -> bytes:
    """One frame: at most `MAX_FRAME` bytes; `BusFrameError` for a payload beyond `MAX_PAYLOAD`."""
    length = len(payload)
    if length > MAX_PAYLOAD:
        raise BusFrameError("a bus frame carries at most %d bytes, not %d" % (MAX_PAYLOAD, length))
    frame = bytearray(OVERHEAD + length)
    frame[0] = SYNC
    frame[1] = length
    frame[2] = address
    frame[3] = control
    frame[4 : 4 + length] = payload
    crc = crc16(memoryview(frame)[1 : 4 + length])
    frame[4 + length] = crc & 0xFF
    frame[5 + length] = crc >> 8
    return bytes(frame)


def is_whole(frame: "bytes | bytearray | memoryview") -> bool:
    """Is this exactly one frame with a good CRC?"""
    if len(frame) < OVERHEAD or frame[0] != SYNC or frame[1] != len(frame) - OVERHEAD:
        return False
    end = len(frame) - 2
    return crc16(memoryview(frame)[1:end]) == frame[end] | frame[end + 1] << 8


def duration_us(count: int) -> int:
    """How long `count` bytes take on the wire, rounded up."""
    return (count * BYTE_NS + 999) // 1000


class FrameReader:
    """Finds frames in bytes that come with their time. Foreign frames are skipped by length, without a look at their CRC.

    `accepts(address, control)` says which frames are ours; asked once a frame, when its header is complete.
    """

    def __init__(self, accepts: "Callable[[int, int], bool]") -> None:
        self._accepts = accepts
        self._buffer = bytearray(MAX_FRAME)
        self._count = 0
        self._skip = 0
        self._is_deaf = False
        self._last_us = 0
        self.crc_errors = 0
        self.aborted = 0
        self.noise_bytes = 0
        self.foreign = 0

    def feed(self, data: "bytes | bytearray | memoryview", now_us: int) -> "list[bytes]":
        """The frames of ours completed by `data`, whose bytes came without a gap and end at `now_us`.

        Bytes where a SYNC was due make the reader deaf until the wire was idle for a millisecond.
        """
        self._pause(now_us, len(data))
        found = []
        at, end = 0, len(data)
        while at < end:
            if self._skip:
                step = min(self._skip, end - at)
                self._skip -= step
                at += step
            elif self._is_deaf:
                self.noise_bytes += end - at
                break
            else:
                frame = self._take(data[at])
                if frame is not None:
                    found.append(frame)
                at += 1
        return found

    def was_away(self, now_us: int, count: int) -> None:
        """Nobody looked for a while, until `now_us`: when the `count` bytes that wait came is not known, nor any gap before."""
        self._last_us = now_us - duration_us(count)

    def is_amid(self) -> bool:
        """Has a frame begun that is not complete?"""
        return self._count > 0 or self._skip > 0

    def reset(self) -> None:
        """Forgets what was begun."""
        self._count = self._skip = 0
        self._is_deaf = False

    def _pause(self, now_us: int, count: int) -> None:
        gap = _ticks_diff(now_us, self._last_us) - duration_us(count)
        self._last_us = now_us
        if gap > GAP_US and self.is_amid():
            self.aborted += 1
            self.reset()
        elif gap >= _ALMOST_IDLE_US:
            self._is_deaf = False

    def _take(self, byte: int) -> "bytes | None":
        buffer, count = self._buffer, self._count
        buffer[count] = byte
        self._count = count = count + 1
        if count == 1:
            if byte != SYNC:
                self._drop()
        elif count == 2:
            if byte > MAX_PAYLOAD:
                self._drop()
        elif count == 4:
            if not self._accepts(buffer[2], byte):
                self.foreign += 1
                self._count = 0
                self._skip = buffer[1] + 2
        elif count == buffer[1] + OVERHEAD:
            self._count = 0
            frame = bytes(memoryview(buffer)[:count])
            if is_whole(frame):
                return frame
            self.crc_errors += 1
        return None

    def _drop(self) -> None:
        self.noise_bytes += self._count
        self._count = 0
        self._is_deaf = True


def _ticks_diff(later: int, earlier: int) -> int:
    """Difference of two counters that wrap at 2**30, as the board's `ticks_us` does."""
    return ((later - earlier + _TICKS_HALF) & 0x3FFFFFFF) - _TICKS_HALF
