"""Messages and events: round trips, wrong lengths, values out of range, garbage."""

import pytest
from hypothesis import given, strategies as st

from protocol import events, messages, reading, reason_texts, reasons
from protocol.events import CardPresented, Event, card_body
from protocol.message import Message, ProtocolError, UnknownKind, shape_of
from protocol.reading import decode_event, decode_notification
from tests.protocol.strategies import ANSWERS, COMMANDS, answers, bodies, commands, log_events, uids

FIXED_COMMANDS = [cls for cls in COMMANDS if cls.LAYOUT[-1][1] != "*"]


@given(commands)
def test_commands_come_back(command: Message) -> None:
    assert messages.decode_command(command.encode()) == command


@given(log_events)
def test_events_come_back_in_at_most_20_bytes(event: Event) -> None:
    data = event.encode()
    assert len(data) == reading.record_length(data[0]) <= 20
    assert decode_event(data) == event


@given(st.lists(log_events, max_size=12), st.one_of(st.none(), answers))
def test_units_come_back(records: list[Event], answer: Message | None) -> None:
    parts: list[Event | Message] = [*records, *([answer] if answer else [])]
    assert decode_notification(b"".join(part.encode() for part in parts)) == parts


@given(st.lists(log_events, min_size=1, max_size=4), st.data())
def test_a_cut_unit_is_refused_whole_or_cut_between_records(records: list[Event], data: st.DataObject) -> None:
    encoded = [record.encode() for record in records]
    unit = b"".join(encoded)
    cut = data.draw(st.integers(0, len(unit)))
    boundaries = {sum(map(len, encoded[:count])): count for count in range(len(encoded) + 1)}
    if cut in boundaries:
        assert decode_notification(unit[:cut]) == records[: boundaries[cut]]
    else:
        with pytest.raises(ProtocolError):
            decode_notification(unit[:cut])


@given(st.sampled_from(FIXED_COMMANDS), st.binary(max_size=40))
def test_a_command_of_another_length_is_malformed(cls: type[Message], rest: bytes) -> None:
    data = bytes((cls.KIND,)) + rest
    if len(data) == 1 + shape_of(cls).size:
        assert messages.decode_command(data).encode() == data
        return
    with pytest.raises(ProtocolError) as caught:
        messages.decode_command(data)
    assert not isinstance(caught.value, UnknownKind)


@given(st.binary(max_size=60))
def test_any_bytes_are_a_command_or_a_protocol_error(data: bytes) -> None:
    try:
        command = messages.decode_command(data)
    except ProtocolError:
        return
    assert command.encode() == data


@given(
    st.integers(0, 255).filter(lambda kind: kind not in messages.COMMANDS), st.integers(0, 255), st.binary(max_size=9)
)
def test_an_unknown_kind_tells_what_to_refuse(kind: int, request_id: int, rest: bytes) -> None:
    with pytest.raises(UnknownKind) as caught:
        messages.decode_command(bytes((kind, request_id)) + rest)
    assert (caught.value.kind, caught.value.request) == (kind, request_id)


@given(st.binary(max_size=80))
def test_any_bytes_are_a_unit_or_a_protocol_error(data: bytes) -> None:
    try:
        parts = decode_notification(data)
    except ProtocolError:
        return
    encoded = b"".join(part.encode() for part in parts)
    # Only INFO may grow: a later minor version's fields behind it are passed over.
    assert data.startswith(encoded)
    assert data == encoded or isinstance(parts[-1], messages.Info)


@given(st.sampled_from([*COMMANDS, *ANSWERS]), st.data())
def test_a_value_out_of_range_is_named(cls: type[Message], data: st.DataObject) -> None:
    numbers = [at for at, (_, code) in enumerate(cls.LAYOUT) if code in "BHI"]
    wrong = data.draw(st.sampled_from(numbers))
    name, code = cls.LAYOUT[wrong]
    too_much = {"B": 1 << 8, "H": 1 << 16, "I": 1 << 32}[code]
    value = data.draw(st.sampled_from([-1, too_much, 1 << 80, 0.5, "x", None]))
    values: list[object] = [
        b"" if code == "*" else bytes(int(code[:-1])) if "s" in code else 0 for _, code in cls.LAYOUT
    ]
    values[wrong] = value
    with pytest.raises(ProtocolError, match=rf"{cls.__name__}\.{name} "):
        cls(*values).encode()


@pytest.mark.parametrize("length", [0, 7, 9])
def test_bytes_of_another_length_are_named(length: int) -> None:
    with pytest.raises(ProtocolError, match="mac"):
        messages.Resume(1, 2, 3, 4, bytes(length)).encode()


def test_messages_differ_by_class_and_by_every_field() -> None:
    resume = messages.Resume(1, 2, 3, 4, bytes(8))
    fields = [(2, 2, 3, 4, bytes(8)), (1, 3, 3, 4, bytes(8)), (1, 2, 3, 4, bytes(7) + b"x")]
    assert all(resume != messages.Resume(*values) for values in fields)
    assert messages.Mark(1) != messages.ReadHash(1)
    assert {messages.Mark(1), messages.Mark(1), messages.Mark(2)} == {messages.Mark(2), messages.Mark(1)}


def test_a_message_takes_exactly_its_fields() -> None:
    with pytest.raises(TypeError, match="Hello takes 3 fields"):
        messages.Hello(1, 2)


def test_bytes_of_one_message_are_not_another() -> None:
    with pytest.raises(ProtocolError, match="no Pair"):
        messages.Pair.decode(messages.Resume(1, 2, 3, 4, bytes(8)).encode())


@pytest.mark.parametrize("cls", [messages.ResumeAnswer, messages.HashAnswer])
def test_a_newer_minor_may_make_answers_longer(cls: type[Message]) -> None:
    answer = cls(*range(1, len(cls.LAYOUT) + 1))
    assert cls.unpack(answer.pack() + b"new", 0) == answer


@pytest.mark.parametrize(("epoch", "sequence"), [(-1, 1), (0x10000, 1), (1, -1), (1, 1 << 32)])
def test_no_record_is_numbered_out_of_range(epoch: int, sequence: int) -> None:
    for body in (events.ButtonPressed(1), card_body(CardPresented, 1, b"1234")):
        with pytest.raises(ProtocolError, match="numbered"):
            Event(epoch, sequence, 0, body).encode()


@given(bodies)
def test_time_wraps_at_32_bits(body: events.Body) -> None:
    assert Event(1, 1, (1 << 32) + 5, body).encode() == Event(1, 1, 5, body).encode()


@given(uids, st.integers(0, 0xFFFF))
def test_cards_keep_what_tells_them_apart(uid: bytes, code: int) -> None:
    body = decode_event(Event(1, 1, 0, card_body(CardPresented, code, uid)).encode()).body
    assert isinstance(body, CardPresented)
    assert (body.code, body.uid, body.ten_byte) == (code, events.short_uid(uid), len(uid) == 10)


@given(st.binary(min_size=10, max_size=10), st.binary(min_size=10, max_size=10))
def test_ten_byte_uids_stay_different(left: bytes, right: bytes) -> None:
    # Equal only by a collision of CRC-32 with equal beginnings, which is impossible for a difference of up to 32 bits.
    if left[:3] == right[:3] and left[7:] == right[7:] and left != right:
        assert events.short_uid(left) != events.short_uid(right)


def test_a_shortened_uid_is_not_a_seven_byte_uid() -> None:
    ten = card_body(CardPresented, 1, b"0123456789")
    seven = card_body(CardPresented, 1, ten.uid)
    assert ten != seven
    assert Event(1, 1, 0, ten).encode() != Event(1, 1, 0, seven).encode()


@pytest.mark.parametrize("length", [0, 3, 5, 8, 11])
def test_other_lengths_of_uid_are_refused(length: int) -> None:
    with pytest.raises(ProtocolError, match=f"not {length}"):
        card_body(CardPresented, 1, bytes(length))


def test_what_people_read_about_a_refusal_exists_for_every_reason() -> None:
    values = {value for name, value in vars(reasons).items() if name.isupper()}
    assert set(reason_texts.REASON_TEXT) == values == set(range(1, 16))
