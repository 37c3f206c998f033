"""The serial port of an ARC that takes a session; tests say what it answers beyond that."""

from collections.abc import Callable
from itertools import count

from protocol import messages as m
from protocol.frame import FrameReader, encode_frame

TOKEN = bytes(range(16))
INFO = m.Info(*m.VERSION, b"arc-01", 0, 1, 0, 0, 1, 1, 0, bytes(8)).encode()


class ArcPort:
    """`heard` has every command that came; `say` puts a message unit on the wire."""

    in_waiting = 1

    def __init__(self) -> None:
        self._frames, self._out = FrameReader(), b""
        self.is_open = True
        self.heard: list[m.Message] = []

    def write(self, data: bytes) -> None:
        for body in self._frames.feed(data):
            command = m.decode_command(body)
            self.heard.append(command)
            answer = self.answer_to(command, body[1])
            if answer is not None:
                self.say(answer.encode())

    def answer_to(self, command: m.Message, request: int) -> m.Message | None:
        """None: silence."""
        if isinstance(command, m.Hello):
            return m.Ok(request, INFO)
        if isinstance(command, m.Pair):
            return m.Ok(request, TOKEN)
        if isinstance(command, m.Resume):
            return m.Ok(request, bytes(12))
        if isinstance(command, m.Mark):
            return m.Ok(request, bytes(4))
        return None

    def say(self, unit: bytes) -> None:
        self._out += encode_frame(unit)

    def read(self, _: int) -> bytes:
        out, self._out = self._out, b""
        return out

    def close(self) -> None:
        self.is_open = False


def time_that_passes() -> Callable[[], float]:
    ticks = count()
    return lambda: next(ticks) * 0.05
