"""The simulated wire: wired-AND, noise, stuck lines, plugs, select lines, late bytes. No board needs to run."""

import pytest
from hypothesis import given, strategies as st

from firmware.bus import words
from firmware.bus.frame import ALL, BYTE_NS, REPLY, encode
from firmware.desk.wire import ANSWER, ECHO_NONE, ECHO_OK, ECHO_WRONG, SELECT, Answer, Delivery, Heard, Wire, WireError
from firmware.desk.wire_medium import Medium
from firmware.desk.wire_virtual import Table

POLL = encode(1, words.POLL, b"\x07")
STATUS = encode(1, REPLY | words.STATUS, b"fine")


def values(heard: list[tuple[int, int]]) -> bytes:
    return bytes(value for _, value in heard)


def ask(
    wire: Wire, request: bytes, answers: dict[str, Answer], select: int = -1, collect: bool = False
) -> tuple[Heard, list[str]]:
    """One exchange in which boards answer as told; who was asked, in order."""
    asked: list[str] = []
    talk = wire.exchange(request, 12_000, select, collect)
    try:
        deliveries: dict[str, Delivery] = next(talk)
        while True:
            asked += deliveries
            deliveries = talk.send(
                {name: answers.get(name, Answer(address=wire.boards[name].address)) for name in deliveries}
            )
    except StopIteration as done:
        return done.value, asked


def wire_with(*names: str) -> Wire:
    """Modules at the ports of the ARC, addresses 1, 2, …"""
    wire = Wire()
    for index, name in enumerate(names):
        wire.add(name)
        wire.plug("arc", index, name, 0)
        wire.listen(name, index + 1)
    return wire


@given(st.binary(min_size=1, max_size=40), st.integers(0, 10_000))
def test_one_sender_is_heard_as_it_sent(data: bytes, start: int) -> None:
    heard = Medium().carry([(start, data)])
    assert values(heard) == data
    assert heard[-1][0] - start == len(data) * BYTE_NS // 1000


@given(st.binary(min_size=1, max_size=10), st.binary(min_size=1, max_size=10))
def test_two_at_once_are_anded(one: bytes, other: bytes) -> None:
    heard = values(Medium().carry([(0, one), (0, other)]))
    both = min(len(one), len(other))
    longer = one if len(one) > len(other) else other
    assert heard == bytes(a & b for a, b in zip(one, other, strict=False)) + longer[both:]


def test_one_behind_the_other_is_no_collision() -> None:
    heard = Medium().carry([(0, b"ab"), (200, b"cd")])
    assert values(heard) == b"abcd"


@given(st.integers(1, 86), st.binary(min_size=2, max_size=6), st.binary(min_size=2, max_size=6))
def test_any_overlap_changes_what_is_heard_or_hides_it(shift: int, one: bytes, other: bytes) -> None:
    heard = Medium().carry([(0, one), (shift, other)])
    assert len(heard) < len(one) + len(other)
    assert [end for end, _ in heard] == sorted(end for end, _ in heard)


def test_noise_is_seeded_and_as_frequent_as_told() -> None:
    def wrong(seed: int) -> list[int]:
        medium = Medium(seed)
        medium.byte_error_rate = 0.01
        heard = values(medium.carry([(0, bytes(20_000))]))
        return [index for index, value in enumerate(heard) if value]

    assert wrong(1) == wrong(1) != wrong(2)
    assert 120 < len(wrong(1)) < 280


def test_stuck_lines() -> None:
    medium = Medium()
    medium.stuck_low = True
    assert set(values(medium.carry([(0, POLL)]))) == {0}
    medium.stuck_low, medium.stuck_high = False, True
    assert medium.carry([(0, POLL)]) == []


def test_only_the_addressed_board_is_asked() -> None:
    wire = wire_with("a", "b", "c")
    heard, asked = ask(wire, POLL, {"a": Answer(ANSWER, STATUS, 300, address=1)})
    assert asked == ["a"]
    assert (heard.data, heard.echo, heard.links) == (STATUS, ECHO_OK, 0b0111)
    assert ask(wire, encode(ALL, words.TICK, bytes(7)), {})[1] == ["a", "b", "c"]


def test_silence_lasts_to_the_time_out_and_an_answer_does_not() -> None:
    wire = wire_with("a")
    before = wire.now_us
    ask(wire, POLL, {})
    assert wire.now_us - before == 1000 + 608 + 12_000
    before = wire.now_us
    ask(wire, POLL, {"a": Answer(ANSWER, STATUS, 300, address=1)})
    assert wire.now_us - before == 1000 + 608 + 300 + 868


def test_two_answers_collide() -> None:
    wire = wire_with("a", "b")
    wire.listen("b", 1)
    other = encode(1, REPLY | words.STATUS, b"else")
    answers = {"a": Answer(ANSWER, STATUS, 300, address=1), "b": Answer(ANSWER, other, 300, address=1)}
    heard, _ = ask(wire, POLL, answers)
    assert heard.data == bytes(a & b for a, b in zip(STATUS, other, strict=True))


def test_a_probe_goes_to_whoever_sits_behind_the_select_line() -> None:
    wire = wire_with("a", "b")
    wire.add("c")
    wire.plug("b", 2, "c", 3)
    wire.listen("c")
    probe = encode(2, words.PROBE, b"\x07\x02")
    hello = encode(0x3E, REPLY | words.HELLO, bytes(8))
    answers = {"b": Answer(SELECT, port=2, address=2), "c": Answer(ANSWER, hello, 300)}
    heard, asked = ask(wire, probe, answers)
    assert asked == ["b", "c"]
    assert heard.data == hello
    _, asked = ask(wire, encode(0, words.PROBE, b"\x07\x00"), {}, select=0)
    assert asked == ["a", "c"], "who claimed before hears that it is over"


def test_a_disturbed_request_reaches_nobody_and_shows_in_the_echo() -> None:
    wire = wire_with("a")
    wire.medium.byte_error_rate = 1.0
    heard, asked = ask(wire, POLL, {})
    assert (heard.echo, asked) == (ECHO_WRONG, [])
    wire.medium.stuck_high = True
    assert ask(wire, POLL, {})[0].echo == ECHO_NONE


def test_what_comes_after_the_time_out_disturbs_the_next_request() -> None:
    wire = wire_with("a")
    heard, _ = ask(wire, POLL, {"a": Answer(ANSWER, STATUS, 12_900, address=1)})
    assert heard.data == b""
    heard, asked = ask(wire, POLL, {})
    assert (heard.echo, asked) == (ECHO_WRONG, [])


def test_what_comes_in_the_next_reply_slot_is_heard_there() -> None:
    wire = wire_with("a")
    ask(wire, POLL, {"a": Answer(ANSWER, STATUS, 16_000, address=1)})
    heard, _ = ask(wire, POLL, {})
    assert heard.data == STATUS


def test_a_board_without_data_hears_nothing_and_is_still_seen() -> None:
    wire = wire_with("a", "b")
    wire.cut_data("arc", 0)
    heard, asked = ask(wire, POLL, {})
    assert (asked, heard.links) == ([], 0b0011)
    wire.cut_data("arc", 0, is_open=False)
    assert ask(wire, POLL, {})[1] == ["a"]


def test_power_follows_the_plugs() -> None:
    wire = wire_with("a", "b")
    wire.add("c")
    wire.plug("a", 1, "c", 1)
    assert wire.powered() == {"arc", "a", "b", "c"}
    wire.plug("b", 1, "c", 2)
    wire.unplug("a")
    assert wire.powered() == {"arc", "b", "c"}
    wire.unplug_port("c", 2)
    assert wire.powered() == {"arc", "b"}
    wire.unplug_port("c", 2)
    assert wire.edges() == [(("arc", 1), ("b", 0))]


@pytest.mark.parametrize(
    ("plug", "message"),
    [
        (("a", 0, "b", 1), "port 0 of a is taken by arc"),
        (("a", 7, "b", 1), "a has ports 0 to 3, not 7"),
        (("x", 0, "b", 1), "there is no board x"),
        (("a", 1, "a", 2), "a cannot be plugged to itself"),
    ],
)
def test_what_cannot_be_plugged_says_why_and_changes_nothing(plug: tuple[str, int, str, int], message: str) -> None:
    wire = wire_with("a", "b")
    before = wire.edges()
    with pytest.raises(WireError, match=message):
        wire.plug(*plug)
    assert wire.edges() == before


def test_modules_boot_when_they_get_power() -> None:
    table = Table()
    table.add("a")
    table.plug("arc", 0, "a", 0, boot_ms=350)
    assert table.wire.links("arc") == 0
    table.wait_ms(349)
    assert table.wire.links("arc") == 0
    table.wait_ms(1)
    assert table.wire.links("arc") == 1
    table.unplug("a")
    assert not table.wire.boards["a"].is_listening
