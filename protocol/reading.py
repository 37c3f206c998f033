"""What an app needs and a board does not: from the ARC's bytes back to events, answers and what lies on the table."""

import struct

from protocol.events import (
    BODIES,
    FOUR_BYTE_UID,
    HEADER,
    HEADER_SIZE,
    SEVEN_BYTE_UID,
    TEN_BYTE_UID,
    Body,
    CardPresented,
    CardRemoved,
    Event,
)
from protocol.message import Message, ProtocolError, UnknownKind, shape_of
from protocol.messages import ANSWERS
from protocol.pages import EDGE_FORM, MODULE_FORM, TAG_FORM, encode_edges, encode_modules, encode_tags
from protocol.statistics import COUNTERS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, TypeVar

    from protocol.pages import EdgeEntry, ModuleEntry, TagEntry

    Entries = TypeVar("Entries", bound="list[Any]")

# Kind byte of a record: the class of its body and the length of the whole.
_BY_KIND: "dict[int, tuple[type[Body], int]]" = {}
for _body in BODIES:
    _BY_KIND[_body.KIND] = (_body, HEADER_SIZE + shape_of(_body).size)
for _card in (CardPresented, CardRemoved):
    for _offset, _uid_length in ((FOUR_BYTE_UID, 4), (SEVEN_BYTE_UID, 7), (TEN_BYTE_UID, 7)):
        _BY_KIND[_card.KIND + _offset] = (_card, HEADER_SIZE + 2 + _uid_length)


def record_length(kind: int) -> int:
    """The length of a record of this kind, header included; `UnknownKind` when it is none."""
    return _entry(kind)[1]


def decode_event(data: bytes) -> Event:
    """The event in exactly these bytes."""
    if not data:
        raise ProtocolError("an empty record")
    cls, length = _entry(data[0])
    if length != len(data):
        raise ProtocolError("a record of kind 0x%02X has %d bytes, not %d" % (data[0], length, len(data)))
    kind, epoch, sequence, time_ms = struct.unpack_from(HEADER, data, 0)
    return Event(epoch, sequence, time_ms, cls.of_record(kind, data))


def _entry(kind: int) -> "tuple[type[Body], int]":
    entry = _BY_KIND.get(kind)
    if entry is None:
        raise UnknownKind(kind, 0)
    return entry


def decode_notification(data: "bytes | bytearray | memoryview") -> "list[Event | Message]":
    """Everything in one notification or one serial frame from the ARC, in order: whole records, LOST, or an answer.

    An answer whose length is open (all but LOST) takes the rest. Raises `ProtocolError` for anything else;
    nothing of such a notification is to be used.
    """
    data = bytes(data)
    found: "list[Event | Message]" = []
    at = 0
    while at < len(data):
        kind = data[at]
        answer = ANSWERS.get(kind)
        if answer is None:
            end = at + record_length(kind)
            found.append(decode_event(data[at:end]))
        else:
            shape = shape_of(answer)
            end = len(data) if shape.rest or answer.MAY_GROW else at + 1 + shape.size
            found.append(answer.decode(data[at:end]))
        at = end
    return found


def unknown_event(data: bytes) -> "tuple[int, int, int] | None":
    """(kind, epoch, sequence) of the first record of a kind that is not known; None: what is wrong with this unit is something else."""
    at = 0
    while at + HEADER_SIZE <= len(data):
        kind, epoch, sequence = struct.unpack_from("<BHI", data, at)
        if kind not in _BY_KIND:
            return (kind, epoch, sequence) if kind & 0x80 else None
        at += record_length(kind)
    return None


def decode_modules(page: bytes) -> "list[ModuleEntry]":
    """What `encode_modules` was given, in the page's order; `ProtocolError` for anything that is no such page."""
    entries: "list[ModuleEntry]" = [struct.unpack_from(MODULE_FORM, page, at) for at in _offsets(page, MODULE_FORM)]
    return _checked(entries, encode_modules(entries), page)


def decode_edges(page: bytes) -> "list[EdgeEntry]":
    """What `encode_edges` was given, in the page's order; `ProtocolError` for anything that is no such page."""
    entries: "list[EdgeEntry]" = [struct.unpack_from(EDGE_FORM, page, at) for at in _offsets(page, EDGE_FORM)]
    return _checked(entries, encode_edges(entries), page)


def decode_tags(page: bytes) -> "list[TagEntry]":
    """What `encode_tags` was given, UIDs shortened, in the page's order; `ProtocolError` for anything else."""
    entries: "list[TagEntry]" = []
    at, head = 0, struct.calcsize(TAG_FORM)
    while at < len(page):
        if at + head > len(page):
            raise ProtocolError("the page of tags ends within an entry")
        code, length = struct.unpack_from(TAG_FORM, page, at)
        uid = page[at + head : at + head + length]
        if length not in (4, 7) or len(uid) != length:
            raise ProtocolError("the page of tags has a UID of %d bytes" % length)
        entries.append((code, uid))
        at += head + length
    return _checked(entries, encode_tags(entries), page)


def unpack_counters(group: int, data: bytes) -> "dict[str, int]":
    """The counters by name. An older ARC sends fewer, a newer one more, which have no name here and are left out."""
    count = len(data) // 4
    return dict(zip(COUNTERS[group], struct.unpack_from("<%dI" % count, data, 0)))


def _offsets(page: bytes, form: str) -> range:
    size = struct.calcsize(form)
    if len(page) % size:
        raise ProtocolError("a page of %d-byte entries has %d bytes" % (size, len(page)))
    return range(0, len(page), size)


def _checked(entries: "Entries", canonical: bytes, page: bytes) -> "Entries":
    if canonical != page:
        raise ProtocolError("the entries of a page are not in order")
    return entries
