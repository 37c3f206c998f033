"""A Unix socket out of the interpreter, to the supervisor or to the radio; when it closes, this board is dead.

Not a module of any board: the shims alone use it.
"""

import asyncio
import os
import select
import socket
import struct
import time

_AF_UNIX = 1
_CHUNK = 256
_TRIES, _BETWEEN_TRIES_MS = 200, 20


def device(name):
    """A connection of this board's device `name` to the supervisor."""
    return Line(os.getenv("ARC_SUPERVISOR"), ("%s %s\n" % (os.getenv("ARC_BOARD"), name)).encode())


class Line:
    """One connection, blocking by default; frames are `length u16 | that many bytes`."""

    def __init__(self, path, greeting=b""):
        self._buffer = b""
        self._chunk = bytearray(_CHUNK)
        self._connect(struct.pack("<H108s", _AF_UNIX, path.encode()))
        self._poll = select.poll()
        self._poll.register(self._socket, select.POLLIN)
        if greeting:
            self.write(greeting)

    def _connect(self, address):
        """A radio that was restarted just now needs a moment."""
        for _ in range(_TRIES):
            self._socket = socket.socket(_AF_UNIX, socket.SOCK_STREAM)
            try:
                self._socket.connect(address)
                return
            except OSError:
                self._socket.close()
                time.sleep_ms(_BETWEEN_TRIES_MS)
        die()

    def write(self, data):
        """All of `data`."""
        self._socket.setblocking(True)
        try:
            sent = self._socket.write(data)
            while sent < len(data):
                sent += self._socket.write(data[sent:])
        except OSError:
            die()

    def read_into(self, view):
        """Fill `view`, waiting as long as it takes."""
        self._socket.setblocking(True)
        at, size = 0, len(view)
        while at < size:
            try:
                count = self._socket.readinto(view[at:] if at else view)
            except OSError:
                count = 0
            if not count:
                die()
            at += count

    def read_frame(self):
        """The next frame's bytes."""
        while True:
            frame = self._cut()
            if frame is not None:
                return frame
            self._receive(True)

    def read_exactly(self, size):
        """The next `size` bytes."""
        while True:
            data = self.poll_exactly(size, True)
            if data is not None:
                return data

    def poll_exactly(self, size, block=False):
        """The next `size` bytes, or None when they are not all there yet."""
        if len(self._buffer) < size:
            self._receive(block)
        if len(self._buffer) < size:
            return None
        data = self._buffer[:size]
        self._buffer = self._buffer[size:]
        return data

    def poll_frame(self):
        """The next frame's bytes, or None when none is there yet."""
        frame = self._cut()
        if frame is None and self._receive(False):
            frame = self._cut()
        return frame

    async def readable(self):
        """Wait until something has come."""
        yield asyncio.core._io_queue.queue_read(self._socket)

    def close(self):
        self._socket.close()

    def _cut(self):
        buffer = self._buffer
        if len(buffer) < 2:
            return None
        end = 2 + (buffer[0] | buffer[1] << 8)
        if len(buffer) < end:
            return None
        self._buffer = buffer[end:]
        return buffer[2:end]

    def _receive(self, block):
        """Take what has come, waiting for it if told to; answers whether something had."""
        if block:
            self._poll.poll()  # a blocking `readinto` would wait until the whole chunk is full
        self._socket.setblocking(False)
        try:
            count = self._socket.readinto(self._chunk)
        except OSError:
            count = 0
        if count is None:
            return False
        if not count:
            die()
        self._buffer += self._chunk[:count]
        return True


def die():
    """The other end is gone: power fails. Nothing of this board may run on."""
    raise SystemExit(2)
