"""The USB serial port of a board as a pseudo-terminal, which stays when the board restarts.

A board that nobody listens to is not held up: what the terminal cannot take is dropped, as a USB port does.
"""

import asyncio
import contextlib
import os
import pty
import socket
import tty

_TAIL = 4096


class UsbPty:
    """`path` is what the app opens. `plug_in()` gives the socket that is the next board process's stdin and stdout.

    `dropped` counts what an app said to no board, or to one that did not read.
    """

    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._master, self._slave = pty.openpty()
        # kept open so that the terminal outlives each user of it
        tty.setraw(self._slave)
        os.set_blocking(self._master, False)
        self.path = os.ttyname(self._slave)
        self._board: socket.socket | None = None
        self._tail = bytearray()
        self.dropped = 0
        self._loop.add_reader(self._master, self._from_app)

    def plug_in(self) -> socket.socket:
        """The board's end; the caller closes it once the process has it."""
        self.pull_out()
        ours, theirs = socket.socketpair()
        ours.setblocking(False)
        self._board = ours
        self._loop.add_reader(ours.fileno(), self._from_board)
        return theirs

    def pull_out(self) -> None:
        """The board is gone."""
        board, self._board = self._board, None
        if board is not None:
            self._loop.remove_reader(board.fileno())
            board.close()

    def text(self) -> str:
        """What the board printed lately between its frames."""
        return "".join(chr(byte) for byte in self._tail if byte in b"\n\t" or 32 <= byte < 127)

    def close(self) -> None:
        self.pull_out()
        self._loop.remove_reader(self._master)
        os.close(self._master)
        os.close(self._slave)

    def _from_app(self) -> None:
        try:
            data = os.read(self._master, 4096)
        except OSError:
            return
        taken = 0
        if self._board is not None:
            with contextlib.suppress(OSError):
                taken = self._board.send(data)
        self.dropped += len(data) - taken

    def _from_board(self) -> None:
        assert self._board is not None
        try:
            data = self._board.recv(4096)
        except BlockingIOError:
            return
        except OSError:
            data = b""
        if not data:
            self.pull_out()
            return
        self._tail = (self._tail + data)[-_TAIL:]
        try:
            os.write(self._master, data)
        except BlockingIOError:
            return
