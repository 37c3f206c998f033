"""Records of the event log: what happened on the table, at most 20 bytes each.

kind u8 | epoch u16 | sequence u32 | time u32 ms since boot | payload, its length fixed by the kind
"""

import struct

from protocol.messages import ANSWERS, Message, ProtocolError, UnknownKind

HEADER_SIZE = 11
MAX_PAYLOAD = 9
RECORD_SIZE = HEADER_SIZE + MAX_PAYLOAD

# Boot causes, card and module reasons, fault codes.
POWER_ON, RESET_PIN, WATCHDOG, BROWN_OUT, SOFT_RESET, DEEP_SLEEP = 1, 2, 3, 4, 5, 6
UNREADABLE_DAMAGED, UNREADABLE_RANDOM_UID = 1, 2
DETACHED_ITSELF, DETACHED_WITH_PARENT = 1, 2
MODULE_REBOOTED, MODULE_DUPLICATE_ID, MODULE_UNPLACED, MODULE_FOREIGN_VERSION = 1, 2, 3, 4
BATTERY_GOOD, BATTERY_LOW, BATTERY_VERY_LOW, BATTERY_EMPTY, BATTERY_USB = 0, 1, 2, 3, 4
PRESS_SHORT, PRESS_LONG = 1, 2
FAULT_READER_RESET, FAULT_READER_DEAD, FAULT_READER_UNSURE = 1, 2, 3
FAULT_BUS_NOISY, FAULT_BUS_STUCK, FAULT_BUS_FULL, FAULT_BUS_OPEN, FAULT_BUS_OVERCURRENT = 16, 17, 18, 19, 20
FAULT_LOG_DAMAGED, FAULT_TASK_RESTARTED, FAULT_CRASHED = 32, 33, 34


class Body(Message):
    """The payload of one kind of event. `encode` and `decode` work on the payload alone, without the kind byte."""

    def payload(self) -> bytes:
        """The payload bytes, at most `MAX_PAYLOAD`."""
        return self.encode()[1:]

    def record_kind(self) -> int:
        """The kind byte: the class's own, except for cards, where it tells the length of the UID."""
        return self.KIND


class Booted(Body):
    KIND = 0x81
    LAYOUT = (("cause", "B"), ("firmware_major", "B"), ("firmware_minor", "B"), ("safe_mode", "B"))
    cause: int
    firmware_major: int
    firmware_minor: int
    safe_mode: int


class ButtonPressed(Body):
    KIND = 0x82
    LAYOUT = (("press", "B"),)
    press: int


class BatteryMeasured(Body):
    KIND = 0x83
    LAYOUT = (("level_mv", "H"), ("percent", "B"), ("state", "B"))
    level_mv: int
    percent: int
    state: int


class FaultFound(Body):
    KIND = 0x84
    LAYOUT = (("code", "B"), ("detail", "I"))
    code: int
    detail: int


class PairingWindow(Body):
    KIND = 0x85
    LAYOUT = (("is_open", "B"),)
    is_open: int


class CardsTogether(Body):
    """Several tags arrived within one poll: none of them was taken."""

    KIND = 0x86
    LAYOUT = (("count", "B"),)
    count: int


class CardUnreadable(Body):
    """Something lies on the roof whose UID cannot be had, or must not be used."""

    KIND = 0x87
    LAYOUT = (("reason", "B"),)
    reason: int


class _Card(Body):
    """Code (0: none) and UID of 4, 7 or 10 bytes. A 10-byte UID is shortened to 7: 3 bytes and CRC-32 of all 10."""

    LAYOUT = (("code", "H"), ("uid", "*"))
    code: int
    uid: bytes
    ten_byte = False

    def record_kind(self) -> int:
        if self.ten_byte:
            return self.KIND + 2
        return self.KIND + (1 if len(self.uid) == 7 else 0)


class CardPresented(_Card):
    KIND = 0x90


class CardRemoved(_Card):
    KIND = 0x94


def card_body(cls: "type[_Card]", code: int, uid: bytes) -> "_Card":
    """CardPresented or CardRemoved for a UID of 4, 7 or 10 bytes as read from the tag."""
    if len(uid) not in (4, 7, 10):
        raise ProtocolError("a UID has 4, 7 or 10 bytes, not %d" % len(uid))
    card = cls(code, short_uid(uid))
    card.ten_byte = len(uid) == 10
    return card


def short_uid(uid: bytes) -> bytes:
    """The UID as it stands in events and in the catalog's list of learned tags."""
    if len(uid) != 10:
        return bytes(uid)
    from binascii import crc32

    return bytes(uid[:3]) + struct.pack("<I", crc32(bytes(uid)))


class ModuleAttached(Body):
    """`parent`: the low 24 bits of the parent's instance, 0 for the ARC. `ports`: parent's port << 4 | own port."""

    KIND = 0xA0
    LAYOUT = (("type_id", "B"), ("instance", "I"), ("parent", "3s"), ("ports", "B"))
    type_id: int
    instance: int
    parent: bytes
    ports: int


class ModuleDetached(Body):
    KIND = 0xA1
    LAYOUT = (("instance", "I"), ("cause", "B"))
    instance: int
    cause: int


class ModuleMoved(Body):
    """The same module at another place. Fields as ModuleAttached."""

    KIND = 0xA2
    LAYOUT = ModuleAttached.LAYOUT
    type_id: int
    instance: int
    parent: bytes
    ports: int


class ModuleNoticed(Body):
    """A diagnosis that is no game event: MODULE_REBOOTED, MODULE_DUPLICATE_ID, …"""

    KIND = 0xA3
    LAYOUT = (("instance", "I"), ("code", "B"))
    instance: int
    code: int


class TopologyChanged(Body):
    """Edges beyond parents changed (a loop was closed or opened): read PAGE_EDGES."""

    KIND = 0xA4
    LAYOUT = (("edges", "B"),)
    edges: int


_BODIES: "dict[int, tuple[type[Body], int]]" = {}
for _body in (
    Booted, ButtonPressed, BatteryMeasured, FaultFound, PairingWindow, CardsTogether, CardUnreadable,
    ModuleAttached, ModuleDetached, ModuleMoved, ModuleNoticed, TopologyChanged,
):  # fmt: skip
    _BODIES[_body.KIND] = (_body, sum(struct.calcsize("<" + code) for _, code in _body.LAYOUT))
for _card in (CardPresented, CardRemoved):
    _BODIES[_card.KIND] = (_card, 6)
    _BODIES[_card.KIND + 1] = (_card, 9)
    _BODIES[_card.KIND + 2] = (_card, 9)


class Event:
    """One record of the log: (epoch, sequence) names it for ever; `time_ms` is the ARC's clock since boot."""

    def __init__(self, epoch: int, sequence: int, time_ms: int, body: Body) -> None:
        self.epoch = epoch
        self.sequence = sequence
        self.time_ms = time_ms
        self.body = body

    def encode(self) -> bytes:
        """At most `RECORD_SIZE` bytes."""
        return encode_record(self.body.record_kind(), self.epoch, self.sequence, self.time_ms, self.body.payload())

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Event) and self.encode() == other.encode()

    def __hash__(self) -> int:
        return hash(self.encode())

    def __repr__(self) -> str:
        return "Event(%d:%d at %d ms, %r)" % (self.epoch, self.sequence, self.time_ms, self.body)


def encode_record(kind: int, epoch: int, sequence: int, time_ms: int, payload: bytes) -> bytes:
    """The bytes of one record: what the outbox stores and the link carries."""
    return struct.pack("<BHII", kind, epoch, sequence, time_ms & 0xFFFFFFFF) + payload


def record_length(kind: int) -> int:
    """The length of a record of this kind, header included; `UnknownKind` when it is none."""
    entry = _BODIES.get(kind)
    if entry is None:
        raise UnknownKind(kind, 0)
    return HEADER_SIZE + entry[1]


def decode_event(data: bytes) -> Event:
    """The event in exactly these bytes."""
    if not data:
        raise ProtocolError("an empty record")
    if record_length(data[0]) != len(data):
        raise ProtocolError(
            "a record of kind 0x%02X has %d bytes, not %d" % (data[0], record_length(data[0]), len(data))
        )
    kind, epoch, sequence, time_ms = struct.unpack_from("<BHII", data, 0)
    body = _BODIES[kind][0].decode(bytes(data[HEADER_SIZE - 1 :]))
    if isinstance(body, _Card):
        body.ten_byte = kind == body.KIND + 2
    assert isinstance(body, Body)
    return Event(epoch, sequence, time_ms, body)


def decode_notification(data: "bytes | bytearray | memoryview") -> "list[Event | Message]":
    """Everything in one notification or one serial frame from the ARC: whole records, and at the end at most one answer.

    Raises `ProtocolError` for anything else; nothing of such a notification is to be used.
    """
    data = bytes(data)
    found: "list[Event | Message]" = []
    at = 0
    while at < len(data):
        answer = ANSWERS.get(data[at])
        if answer is not None:
            end = len(data) if answer.LAYOUT[-1][1] == "*" else at + 1 + _fixed_size(answer)
            found.append(answer.decode(data[at:end]))
        else:
            end = at + record_length(data[at])
            found.append(decode_event(data[at:end]))
        at = end
    return found


def _fixed_size(message: "type[Message]") -> int:
    return sum(struct.calcsize("<" + code) for _, code in message.LAYOUT)
