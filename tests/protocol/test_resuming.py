"""The app's half of the resume vectors: where its cursor goes on, and when it takes a snapshot."""

from binascii import unhexlify
from pathlib import Path
from typing import Any

import pytest

from companion.link import news
from companion.link.connection import Connection
from companion.link.delivery import Delivery
from protocol import messages as m
from protocol.events import Event
from tests.protocol import replay
from tests.protocol.resuming import DEVICE, TABLET

CASES = replay.load(str(Path(__file__).parents[2] / "protocol" / "vectors"), "resuming")


class Host:
    """An app with a cursor; it keeps what was delivered."""

    def __init__(self, cursor: tuple[int, int]) -> None:
        self.cursor = cursor
        self.delivered: list[news.News] = []

    def resume_point(self, info: m.Info) -> tuple[int, int]:
        return self.cursor

    def token(self, device: bytes) -> bytes:
        return bytes(16)

    def keep_token(self, device: bytes, token: bytes) -> None:
        raise AssertionError("it has one")

    def deliver(self, message: news.News) -> None:
        self.delivered.append(message)
        if isinstance(message, Event | news.Skipped):
            self.cursor = (message.epoch, message.sequence)


def request_id(connection: Connection, kind: type[m.Message]) -> int:
    """The request id of the one command that it sends now."""
    (data,) = connection.outgoing()
    assert isinstance(m.decode_command(data), kind)
    return data[1]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["name"].replace(" ", "-"))
def test_the_app_goes_on_as_specified(case: dict[str, Any]) -> None:
    log, cursor = case["log"], (case["cursor"]["epoch"], case["cursor"]["sequence"])
    host = Host(cursor)
    connection = Connection(Delivery(host), TABLET, reads_only=case.get("reads_only", False))
    connection.opened(0)
    hello = request_id(connection, m.Hello)
    info = m.Info(*m.VERSION, DEVICE, 0, 1, 0, 0, log["epoch"], log["oldest"], log["newest"], bytes(8))
    connection.received(m.Ok(hello, info.encode()).encode(), 0)
    resume = request_id(connection, m.Resume)
    connection.received(m.Ok(resume, unhexlify(case["answer"])).encode(), 0)
    assert host.cursor == (case["goes_on"]["epoch"], case["goes_on"]["sequence"])
    assert any(isinstance(message, news.Skipped) for message in host.delivered) == (host.cursor != cursor)
    for unit in case["sent"]:
        connection.received(unhexlify(unit), 0)
    assert host.cursor == (log["epoch"], log["newest"])
    events = [message.sequence for message in host.delivered if isinstance(message, Event)]
    assert events == list(range(case["goes_on"]["sequence"] + 1, log["newest"] + 1))
    assert connection.restarts == 0


def test_every_row_of_the_specification_has_a_case() -> None:
    def row(case: dict[str, Any]) -> str:
        log, cursor = case["log"], case["cursor"]
        if cursor["epoch"] != log["epoch"]:
            return "formatted"
        if cursor["sequence"] > log["newest"]:
            return "ahead"
        return "overrun" if cursor["sequence"] < log["oldest"] - 1 else "same"

    assert {row(case) for case in CASES} == {"formatted", "ahead", "overrun", "same"}
