"""A Unix socket out of the interpreter, to the supervisor or to the radio; when it closes, this board is dead.

Not a module of any board: the shims alone use it.
"""

import asyncio
import os
import socket
import struct

_AF_UNIX = 1
_EAGAIN = 11


def device(name):
    """A connection of this board's device `name` to the supervisor."""
    return Line(os.getenv("ARC_SUPERVISOR"), ("%s %s\n" % (os.getenv("ARC_BOARD"), name)).encode())


class Line:
    """One connection, blocking by default; frames are `length u16 | that many bytes`."""

    def __init__(self, path, greeting=b""):
        self._socket = socket.socket(_AF_UNIX, socket.SOCK_STREAM)
        self._socket.connect(struct.pack("<H108s", _AF_UNIX, path.encode()))
        self._buffer = b""
        if greeting:
            self.write(greeting)

    def write(self, data):
        """All of `data`."""
        self._socket.setblocking(True)
        sent = self._socket.write(data)
        while sent < len(data):
            sent += self._socket.write(data[sent:])

    def read_into(self, view):
        """Fill `view`, waiting as long as it takes."""
        self._socket.setblocking(True)
        at, size = 0, len(view)
        while at < size:
            count = self._socket.readinto(view[at:] if at else view)
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
        self._socket.setblocking(block)
        try:
            data = self._socket.recv(4096)
        except OSError as error:
            if error.errno == _EAGAIN:
                return False
            die()
        if not data:
            die()
        self._buffer += data
        return True


def die():
    """The other end is gone: power fails. Nothing of this board may run on."""
    raise SystemExit(2)
