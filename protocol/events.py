"""Records of the event log: what happened on the table, at most 20 bytes each.

kind u8 | epoch u16 | sequence u32 | time u32 ms since boot | payload, its length fixed by the kind
"""

import struct
from binascii import crc32

from protocol.message import Message, ProtocolError

HEADER_SIZE = 11
MAX_PAYLOAD = 9
HEADER = "<BHII"
RECORD_SIZE = HEADER_SIZE + MAX_PAYLOAD

# Boot causes, card and module reasons, fault codes.
POWER_ON, RESET_PIN, WATCHDOG, BROWN_OUT, SOFT_RESET, DEEP_SLEEP = 1, 2, 3, 4, 5, 6
UNREADABLE_DAMAGED, UNREADABLE_RANDOM_UID = 1, 2
DETACHED_ITSELF, DETACHED_WITH_PARENT = 1, 2
MODULE_REBOOTED, MODULE_DUPLICATE_ID, MODULE_UNPLACED, MODULE_FOREIGN_VERSION, MODULE_ALONE = 1, 2, 3, 4, 5
BATTERY_GOOD, BATTERY_LOW, BATTERY_VERY_LOW, BATTERY_EMPTY, BATTERY_USB = 0, 1, 2, 3, 4
PRESS_SHORT, PRESS_LONG = 1, 2
FAULT_READER_RESET, FAULT_READER_DEAD, FAULT_READER_UNSURE = 1, 2, 3
FAULT_BUS_NOISY, FAULT_BUS_STUCK, FAULT_BUS_FULL, FAULT_BUS_OPEN, FAULT_BUS_OVERCURRENT = 16, 17, 18, 19, 20
FAULT_LOG_DAMAGED, FAULT_TASK_RESTARTED, FAULT_CRASHED = 32, 33, 34


class Body(Message):
    """What happened, as the payload of one kind of event."""

    def payload(self) -> bytes:
        """The payload bytes, at most `MAX_PAYLOAD`."""
        return self.pack()

    def record_kind(self) -> int:
        """The kind byte: the class's own, except for cards, where it tells the length of the UID."""
        return self.KIND

    def record(self, epoch: int, sequence: int, time_ms: int) -> bytes:
        """The whole record of this body."""
        return encode_record(self.record_kind(), epoch, sequence, time_ms, self.payload())

    @classmethod
    def of_record(cls, kind: int, record: bytes) -> "Body":
        """The body of a whole record of this class, whose length has been checked."""
        return cls.unpack(record, HEADER_SIZE)


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


FOUR_BYTE_UID, SEVEN_BYTE_UID, TEN_BYTE_UID = 0, 1, 2
UID_LENGTHS = (FOUR_BYTE_UID, SEVEN_BYTE_UID, TEN_BYTE_UID)
"""Added to the kind of a card event: how long the UID on the tag is."""


class _Card(Body):
    """Code (0: none) and UID of 4, 7 or 10 bytes. A 10-byte UID is shortened to 7: 3 bytes and CRC-32 of all 10.

    The busiest bodies by far, so packing and unpacking are written out instead of read from the table.
    """

    LAYOUT = (("code", "H"), ("uid", "*"))
    code: int
    uid: bytes
    ten_byte: bool

    def __init__(self, code: int, uid: bytes, ten_byte: bool = False) -> None:
        self.code = code
        self.uid = uid
        self.ten_byte = ten_byte

    def record_kind(self) -> int:
        if self.ten_byte:
            return self.KIND + TEN_BYTE_UID
        return self.KIND + (SEVEN_BYTE_UID if len(self.uid) == 7 else FOUR_BYTE_UID)

    def pack(self) -> bytes:
        code, uid = self.code, self.uid
        if not 0 <= code <= 0xFFFF:
            raise ProtocolError("a tag code does not fit into H: %r" % code)
        if len(uid) != 7 and (len(uid) != 4 or self.ten_byte):
            raise ProtocolError("a UID has 4 or 7 bytes in an event, not %d" % len(uid))
        return bytes((code & 0xFF, code >> 8)) + uid

    @classmethod
    def of_record(cls, kind: int, record: bytes) -> "Body":
        code = record[HEADER_SIZE] | record[HEADER_SIZE + 1] << 8
        return cls(code, record[HEADER_SIZE + 2 :], kind == cls.KIND + TEN_BYTE_UID)

    def __eq__(self, other: object) -> bool:
        return super().__eq__(other) and self.ten_byte == getattr(other, "ten_byte", None)

    def __hash__(self) -> int:
        return super().__hash__()


class CardPresented(_Card):
    KIND = 0x90


class CardRemoved(_Card):
    KIND = 0x94


def card_body(cls: "type[_Card]", code: int, uid: bytes) -> "_Card":
    """CardPresented or CardRemoved for a UID of 4, 7 or 10 bytes as read from the tag."""
    if len(uid) not in (4, 7, 10):
        raise ProtocolError("a UID has 4, 7 or 10 bytes, not %d" % len(uid))
    return cls(code, short_uid(uid), len(uid) == 10)


def short_uid(uid: bytes) -> bytes:
    """The UID as it stands in events and in the catalog's list of learned tags."""
    if len(uid) != 10:
        return bytes(uid)
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


BODIES: "tuple[type[Body], ...]" = (
    Booted, ButtonPressed, BatteryMeasured, FaultFound, PairingWindow, CardsTogether, CardUnreadable,
    CardPresented, CardRemoved,
    ModuleAttached, ModuleDetached, ModuleMoved, ModuleNoticed, TopologyChanged,
)  # fmt: skip


class Event:
    """One record of the log: (epoch, sequence) names it for ever; `time_ms` is the ARC's clock since boot."""

    def __init__(self, epoch: int, sequence: int, time_ms: int, body: Body) -> None:
        self.epoch = epoch
        self.sequence = sequence
        self.time_ms = time_ms
        self.body = body

    def encode(self) -> bytes:
        """At most `RECORD_SIZE` bytes."""
        return self.body.record(self.epoch, self.sequence, self.time_ms)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Event) and self.encode() == other.encode()

    def __hash__(self) -> int:
        return hash(self.encode())

    def __repr__(self) -> str:
        return "Event(%d:%d at %d ms, %r)" % (self.epoch, self.sequence, self.time_ms, self.body)


def encode_record(kind: int, epoch: int, sequence: int, time_ms: int, payload: bytes) -> bytes:
    """The bytes of one record: what the outbox stores and the link carries. `time_ms` wraps at 32 bits."""
    if not (0 <= epoch <= 0xFFFF and 0 <= sequence <= 0xFFFFFFFF):
        raise ProtocolError("no record can be numbered %d:%d" % (epoch, sequence))
    return struct.pack(HEADER, kind, epoch, sequence, time_ms & 0xFFFFFFFF) + payload
