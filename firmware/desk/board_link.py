"""Accepts the connections of the boards' shim devices and hands each to the model that serves it.

A shim device connects to the supervisor's Unix socket and begins with one line, `BOARD DEVICE\\n`. What follows is
that device's own exchange. The socket is not blocking; whoever takes it owns it.
"""

import asyncio
import contextlib
import socket
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

_GREETING_LIMIT = 80

Attach = Callable[[str, socket.socket], None]
"""Takes a board's name and the connection of one of its devices."""


class BoardLink:
    """The supervisor's socket. `serve` says who takes the connections of a kind of device."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._servers: dict[str, Attach] = {}
        self._listening = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self._tasks: set[asyncio.Task[None]] = set()

    def serve(self, device: str, attach: Attach) -> None:
        """From now on connections `BOARD device` go to `attach`."""
        self._servers[device] = attach

    async def open(self) -> None:
        """Listen."""
        self.path.unlink(missing_ok=True)
        self._listening.setblocking(False)
        self._listening.bind(str(self.path))
        self._listening.listen(256)
        self._spawn(self._accept())

    async def close(self) -> None:
        """Stop listening; connections handed out stay with their owners."""
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        self._listening.close()
        self.path.unlink(missing_ok=True)

    def _spawn(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.ensure_future(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _accept(self) -> None:
        loop = asyncio.get_running_loop()
        while True:
            connection, _ = await loop.sock_accept(self._listening)
            connection.setblocking(False)
            self._spawn(self._greet(connection))

    async def _greet(self, connection: socket.socket) -> None:
        loop = asyncio.get_running_loop()
        line = b""
        with contextlib.suppress(OSError):
            # byte by byte: what follows the line belongs to the device
            while not line.endswith(b"\n") and len(line) < _GREETING_LIMIT:
                byte = await loop.sock_recv(connection, 1)
                if not byte:
                    break
                line += byte
        board, _, device = line.decode("ascii", "replace").strip().partition(" ")
        attach = self._servers.get(device)
        if attach is None or not line.endswith(b"\n"):
            connection.close()
            return
        attach(board, connection)


class Exchange:
    """A device's connection, in whole messages. What `answer` gives for one is sent at once, nothing when it is empty.

    `cut(buffer)` gives the length of the first whole message in it, 0 when there is none yet. `closed()` is called once.
    """

    def __init__(
        self,
        connection: socket.socket,
        cut: Callable[[bytearray], int],
        answer: Callable[[bytes], bytes],
        closed: Callable[[], None] = lambda: None,
    ) -> None:
        self._connection = connection
        self._cut = cut
        self._answer = answer
        self._closed = closed
        self._buffer = bytearray()
        self._loop = asyncio.get_running_loop()
        self._is_open = True
        self._loop.add_reader(connection.fileno(), self._on_readable)

    def send(self, data: bytes) -> None:
        """Something the board has not asked for. A board that takes nothing any more is cut off."""
        if not self._is_open:
            return
        try:
            if self._connection.send(data) != len(data):
                self.close()
        except OSError:
            self.close()

    def close(self) -> None:
        """Cut the connection; the board takes that for the end of its power."""
        if self._is_open:
            self._is_open = False
            self._loop.remove_reader(self._connection.fileno())
            self._connection.close()
            self._closed()

    def _on_readable(self) -> None:
        try:
            data = self._connection.recv(65536)
        except BlockingIOError:
            return
        except OSError:
            data = b""
        if not data:
            self.close()
            return
        self._buffer += data
        while self._is_open and (length := self._cut(self._buffer)):
            message = bytes(self._buffer[:length])
            del self._buffer[:length]
            if answer := self._answer(message):
                self.send(answer)


def frame_length(buffer: bytearray) -> int:
    """`cut` for frames of `length u16` and that many bytes."""
    if len(buffer) < 2:
        return 0
    length = 2 + (buffer[0] | buffer[1] << 8)
    return length if len(buffer) >= length else 0
