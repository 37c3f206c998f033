"""Pairing over the cable with somebody who takes their time."""

from collections.abc import Callable
from itertools import count
from pathlib import Path
from typing import Any

from firmware.flash.arc_session import ArcSession
from firmware.flash.tokens import TokenFile
from protocol import messages as m
from protocol.frame import FrameReader, encode_frame
from tests.firmware.flash.conftest import Watch

TOKEN = bytes(range(16))
INFO = m.Info(*m.VERSION, b"arc-01", 0, 1, 0, 0, 1, 1, 0, bytes(8)).encode()


class SlowPeople:
    """The port of an ARC that drops a stranger without a word, and whose button is pressed only after that."""

    in_waiting = 1

    def __init__(self) -> None:
        self._frames, self._out = FrameReader(), b""
        self.hellos = self.sequence = 0

    def write(self, data: bytes) -> None:
        for command in self._frames.feed(data):
            kind, request = command[0], command[1]
            if kind == m.Hello.KIND:
                self.hellos += 1
                self._answer(m.Ok(request, INFO))
            elif kind == m.Pair.KIND and self.hellos > 1:
                self._answer(m.Ok(request, TOKEN))
            elif kind == m.Resume.KIND:
                self.sequence = m.Resume.decode(command).sequence
                self._answer(m.Ok(request, bytes(12)))

    def _answer(self, ok: m.Ok) -> None:
        self._out += encode_frame(ok.encode())

    def read(self, _: int) -> bytes:
        out, self._out = self._out, b""
        return out

    def close(self) -> None:
        pass


def time_that_passes() -> Callable[[], float]:
    ticks = count()
    return lambda: next(ticks) * 0.05


def test_whoever_presses_the_button_late_still_pairs(tmp_path: Path, watch: Watch) -> None:
    arc: Any = SlowPeople()
    with ArcSession(arc, TokenFile(tmp_path / "pairing.json"), watch, time_that_passes()) as session:
        assert session.token == TOKEN
    assert arc.hellos > 2
    assert arc.sequence == m.READS_ONLY, "the ARC's log is empty, and what waits there is not taken from a game"
