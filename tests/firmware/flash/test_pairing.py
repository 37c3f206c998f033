"""Pairing over the cable with somebody who takes their time."""

from pathlib import Path
from typing import Any

from firmware.flash.arc_session import ArcSession
from firmware.flash.tokens import TokenFile
from protocol import messages as m
from tests.firmware.flash.arc_port import TOKEN, ArcPort, time_that_passes
from tests.firmware.flash.conftest import Watch


class SlowPeople(ArcPort):
    """An ARC that drops a stranger without a word, and whose button is pressed only after that."""

    @property
    def hellos(self) -> int:
        return sum(isinstance(command, m.Hello) for command in self.heard)

    def answer_to(self, command: m.Message, request: int) -> m.Message | None:
        if isinstance(command, m.Pair) and self.hellos < 2:
            return None
        return super().answer_to(command, request)


def test_whoever_presses_the_button_late_still_pairs(tmp_path: Path, watch: Watch) -> None:
    arc: Any = SlowPeople()
    with ArcSession(arc, TokenFile(tmp_path / "pairing.json"), watch, time_that_passes()) as session:
        assert session.token == TOKEN
    assert arc.hellos > 2
    resumed = [command.sequence for command in arc.heard if isinstance(command, m.Resume)]
    assert resumed == [m.READS_ONLY], "the ARC's log is empty, and what waits there is not taken from a game"
