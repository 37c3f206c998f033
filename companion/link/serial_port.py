"""The ARC over USB serial: frames on a byte stream. A thread reads, as that is the one way that works on every system."""

import asyncio
import contextlib
import threading

import serial

from companion.link.reasons import LinkError, Reason
from companion.link.transport import Closed, Received
from protocol.frame import FrameReader, encode_frame

try:
    import termios

    PORT_ERRORS: tuple[type[Exception], ...] = (OSError, termios.error)
except ImportError:  # on Windows
    PORT_ERRORS = (OSError,)
"""What pyserial raises, and on POSIX lets through, for a port that is not there or goes while it is opened."""
OPENING_ERRORS: tuple[type[Exception], ...] = (*PORT_ERRORS, ValueError)

BAUD = 115_200
IDLE_S = 0.2
"""A frame that has begun and gets no byte for so long is given up."""
WRITE_S = 2.0
JOIN_S = 2.0


class SerialPort:
    """See `transport.Transport`. `port` is a name such as /dev/ttyACM0 or COM5, or a URL that pyserial knows."""

    needs_keepalive = True

    def __init__(self, port: str) -> None:
        self._name = port
        self._port: serial.Serial | None = None
        self.reader: threading.Thread | None = None
        self._received: Received | None = None
        self._closed: Closed | None = None
        self.frames = FrameReader()

    async def open(self, received: Received, closed: Closed) -> None:
        try:
            port = await asyncio.to_thread(self._open_port)
        except OPENING_ERRORS as error:
            raise LinkError(Reason.NO_PORT, f"({self._name}: {error})") from error
        self._port, self._received, self._closed = port, received, closed
        self.frames = FrameReader()
        loop = asyncio.get_running_loop()
        self.reader = threading.Thread(target=self._read, args=(port, loop), name=f"serial {self._name}", daemon=True)
        self.reader.start()

    def _open_port(self) -> serial.Serial:
        # exclusive: two programs at one port would each get some of its bytes
        port: serial.Serial = serial.serial_for_url(
            self._name, baudrate=BAUD, timeout=IDLE_S, write_timeout=WRITE_S, exclusive=True
        )
        try:
            port.reset_input_buffer()
        except PORT_ERRORS:
            _shut(port)
            raise
        return port

    def _read(self, port: serial.Serial, loop: asyncio.AbstractEventLoop) -> None:
        """The thread: blocks in the port, hands every piece to the loop, ends with the port."""
        had_data = False
        while port is self._port:
            try:
                chunk = port.read(max(1, port.in_waiting))
            except (OSError, TypeError, ValueError):
                # TypeError and ValueError: pyserial's own, when the port is closed under a read
                _shut(port)
                self._call(loop, self._gone, port)
                return
            if chunk:
                self._call(loop, self._feed, port, chunk)
            elif had_data:
                self._call(loop, self._feed, port, b"")
            had_data = bool(chunk)

    @staticmethod
    def _call(loop: asyncio.AbstractEventLoop, *call: object) -> None:
        with contextlib.suppress(RuntimeError):  # the loop was closed: nobody is left to tell
            loop.call_soon_threadsafe(*call)  # type: ignore[arg-type]

    def _feed(self, port: serial.Serial, chunk: bytes) -> None:
        """An empty chunk: the line fell idle."""
        if port is not self._port:
            return
        for body in self.frames.feed(chunk) if chunk else self.frames.flush():
            if self._received:
                self._received(body)

    def _gone(self, port: serial.Serial) -> None:
        if port is not self._port:
            return
        closed = self._closed
        self._forget()
        if closed:
            closed()

    def _forget(self) -> None:
        self._port = self._received = self._closed = None

    async def send(self, data: bytes) -> None:
        port = self._port
        if port is None:
            raise LinkError(Reason.PORT_GONE, f"({self._name})")
        try:
            await asyncio.to_thread(port.write, encode_frame(data))
        except OSError as error:
            raise LinkError(Reason.PORT_GONE, f"({self._name}: {error})") from error

    async def read_info(self) -> bytes:
        raise LinkError(Reason.NOT_AN_ARC, "(its HELLO was answered without INFO)")

    async def close(self) -> None:
        port, thread = self._port, self.reader
        self._forget()
        self.reader = None
        if port:
            with contextlib.suppress(OSError, AttributeError, TypeError):
                port.cancel_read()
            if thread:
                await asyncio.to_thread(thread.join, JOIN_S)
            await asyncio.to_thread(_shut, port)


def _shut(port: serial.Serial) -> None:
    """Never on the loop's thread: Linux waits here, for up to half a minute, for bytes that an ARC that hangs does not take."""
    with contextlib.suppress(*PORT_ERRORS):
        port.close()
