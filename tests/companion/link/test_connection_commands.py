"""Commands of the session on their way: marks, lights, refusals, four at a time."""

import struct

from companion.link import news
from protocol import messages as m
from tests.companion.link.pair import Pair


def test_a_mark_is_answered_with_where_the_log_stands() -> None:
    pair = Pair().connect()
    assert pair.connection.send(m.Mark(0), pair.now_ms)
    pair.flush()
    assert pair.app.of(news.MarkAnswered) == [news.MarkAnswered(pair.board.outbox.newest)]


def test_a_big_light_table_goes_in_several_commands() -> None:
    pair = Pair().connect()
    entries = b"".join(struct.pack("<IB", n, 0x11) for n in range(100))
    pair.connection.send(m.LightTable(0, entries), pair.now_ms)
    pair.flush()
    tables = [light for light in pair.board.lights if isinstance(light, m.LightTable)]
    assert b"".join(table.entries for table in tables) == entries
    assert all(len(table.encode()) <= 244 for table in tables)


def test_commands_without_a_session_are_not_kept() -> None:
    pair = Pair()
    assert not pair.connection.send(m.Mark(0), 0)
    pair.connect()
    pair.drop()
    assert not pair.connection.send(m.Mark(0), 0)


def test_a_refused_command_is_told_in_words() -> None:
    pair = Pair().connect()
    pair.board.refuse[m.LightModule] = m.UNKNOWN_MODULE
    pair.connection.send(m.LightModule(0, 5, 0x11), pair.now_ms)
    pair.flush()
    (refused,) = pair.app.of(news.CommandRefused)
    assert isinstance(refused, news.CommandRefused)
    assert refused.text == "that module is not connected"


def test_at_most_four_commands_are_under_way() -> None:
    pair = Pair().connect()
    pair.hold = True
    pair.sent.clear()
    for number in range(10):
        pair.connection.send(m.LightModule(0, number, 0x11), pair.now_ms)
    pair.flush()
    assert len(pair.sent) == 4
    pair.release(*range(len(pair.units)))
    assert [light.instance for light in pair.board.lights if isinstance(light, m.LightModule)] == list(range(10))
