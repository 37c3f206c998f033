"""A session over the cable: what the ARC sends twice counts once, and a page that changes under way is read anew."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from firmware.flash.arc_session import ArcSession
from firmware.flash.errors import FlashError, RefusedError
from firmware.flash.tokens import TokenFile
from protocol import messages as m
from protocol.events import ButtonPressed, Event
from tests.firmware.flash.arc_port import ArcPort, time_that_passes
from tests.firmware.flash.conftest import Watch


class Port(ArcPort):
    """`pages` are the answers to READ_PAGE, in order: a reason, or generation, count and chunk."""

    def __init__(self) -> None:
        super().__init__()
        self.pages: list[int | tuple[int, int, bytes]] = []

    def answer_to(self, command: m.Message, request: int) -> m.Message | None:
        if not isinstance(command, m.ReadPage):
            return super().answer_to(command, request)
        page = self.pages.pop(0)
        if isinstance(page, int):
            return m.Refused(request, page, b"")
        generation, number, chunk = page
        return m.Page(request, command.page, generation, command.index, number, chunk)


@pytest.fixture
def port() -> Port:
    return Port()


@pytest.fixture
def session(port: Port, tmp_path: Path, watch: Watch) -> Iterator[ArcSession]:
    stream: Any = port
    with ArcSession(stream, TokenFile(tmp_path / "pairing.json"), watch, time_that_passes()) as opened:
        yield opened


def test_a_port_where_nobody_answers_is_closed_again(tmp_path: Path, watch: Watch) -> None:
    port: Any = Port()
    port.answer_to = lambda command, request: None
    session = ArcSession(port, TokenFile(tmp_path / "pairing.json"), watch, time_that_passes())
    with pytest.raises(FlashError, match="no ARC answers"), session:
        pass
    assert not port.is_open


def test_a_flash_that_does_not_take_a_pairing_is_no_matter_of_tags(tmp_path: Path, watch: Watch) -> None:
    port: Any = Port()
    answered = port.answer_to
    port.answer_to = lambda command, request: (
        m.Refused(request, m.WRITE_FAILED, b"") if isinstance(command, m.Pair) else answered(command, request)
    )
    session = ArcSession(port, TokenFile(tmp_path / "pairing.json"), watch, time_that_passes())
    with pytest.raises(RefusedError, match="the ARC's flash did not take it") as caught, session:
        pass
    assert "tag" not in caught.value.do


def press(sequence: int) -> Event:
    return Event(1, sequence, 1_000, ButtonPressed(1))


def test_events_that_come_again_because_nobody_was_there_to_acknowledge_them_count_once(
    port: Port, session: ArcSession
) -> None:
    for sequence in (1, 2, 1, 2, 3):
        port.say(press(sequence).encode())
    heard = [session.next_event(1.0) for _ in range(4)]
    assert heard == [press(1), press(2), press(3), None]
    assert [command.sequence for command in port.heard if isinstance(command, m.Ack)][-1] == 3


def test_an_event_behind_a_gap_waits_for_those_before_it(port: Port, session: ArcSession) -> None:
    for sequence in (2, 1, 2):
        port.say(press(sequence).encode())
    assert [session.next_event(1.0) for _ in range(3)] == [press(1), press(2), None]
    port.say(m.Lost(1, 3, 8).encode())
    port.say(press(9).encode())
    assert session.next_event(1.0) == press(9)


def test_a_hole_that_is_told_again_or_too_early_changes_nothing(port: Port, session: ArcSession) -> None:
    """What lies behind it would count twice, what lies before it not at all."""
    for unit in (m.Lost(1, 2, 2), press(1), m.Lost(1, 2, 2), press(3), m.Lost(1, 2, 2), press(3)):
        port.say(unit.encode())
    assert [session.next_event(1.0) for _ in range(3)] == [press(1), press(3), None]


def test_what_a_later_firmware_says_is_passed_over(port: Port, session: ArcSession) -> None:
    for unit in (b"\x9f\x01\x00\x02\x00\x00\x00", b"\x7d", press(1).encode()):
        port.say(unit)
    assert session.next_event(1.0) == press(1)


def test_a_page_that_changes_under_way_is_read_anew(port: Port, session: ArcSession) -> None:
    port.pages = [(1, 2, b"ab"), (2, 2, b"yz"), (2, 2, b"wx"), (2, 2, b"yz")]
    assert session.read_page(m.PAGE_MODULES) == b"wxyz"


def test_a_page_that_became_shorter_under_way_is_read_anew(port: Port, session: ArcSession) -> None:
    port.pages = [(1, 2, b"ab"), m.UNSUPPORTED, (2, 1, b"wx")]
    assert session.read_page(m.PAGE_MODULES) == b"wx"


def test_a_page_that_there_is_not_is_refused(port: Port, session: ArcSession) -> None:
    port.pages = [m.UNSUPPORTED]
    with pytest.raises(RefusedError):
        session.read_page(9)
