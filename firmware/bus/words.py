"""Opcodes of LED bus v1 and the payloads that have fields; those that only the ARC writes or reads are in `payloads`.

Every request begins with the bus epoch u8.
"""

import struct
from binascii import crc32

MAJOR, MINOR = 1, 0
PROTOCOL = MAJOR << 4 | MINOR
"""As it stands in HELLO. The ARC refuses another major and says which."""

# Requests, from the ARC.
RESET = 0x01  # forget your address
PROBE = 0x02  # port u8: pull the select line of this port; whoever sees its own line fall answers
ASSIGN = 0x03  # instance u32, address u8, seat u8: accepted only by the node that has just answered
REFUSE = 0x04  # instance u32, reason u8, seat u8
POLL = 0x05
SET = 0x06  # generation u8, light u8
BULK = 0x07  # generation u8, light u8 for the addresses 1 … 31
TICK = 0x08  # time u32 ms, cap u8 in tenths of a milliampere, modules u8: keeps all patterns in phase
JOIN = 0x09  # slots u8: answer in a slot of your own choice
RESALT = 0x0A  # instance u32, salt u32: a new identity, told by the next HELLO
IDENTIFY = 0x0B  # what HELLO leaves out

# A new firmware. Each is answered PROGRESS, at once; what it asks of the flash is done after the answer.
UPDATE_IMAGE = 0x30  # digest 32 bytes of the manifest that follows: forgets what was under way in memory
UPDATE_BEGIN = 0x31  # manifest u16, size u32
UPDATE_DATA = 0x32  # offset u32, the next bytes of the image
UPDATE_COMMIT = 0x33  # all of it came: read some back, at last switch
UPDATE_WHERE = 0x34

# Replies, from a module.
HELLO, SEEN, ACK, STATUS, NAK, IDENTITY = 0x20, 0x21, 0x22, 0x23, 0x24, 0x25
PROGRESS = 0x37

UNSUPPORTED, MALFORMED, OTHER_MODULE = 1, 2, 3
"""Reasons in NAK."""
BUS_FULL, FOREIGN_VERSION = 1, 2
"""Reasons in REFUSE."""

NOT_BEGUN = 0xFF
"""Reason in PROGRESS beside those of `protocol.reasons`: this module knows of no update, as after a start."""
NOT_CHECKED = 0xFFFF
"""`unchecked` in PROGRESS before the first COMMIT."""

SEAT_JOINED = 0x40
"""Seat in HELLO: the own port that was selected, or this bit and the slot of a JOIN."""
SLOT_US = 3500
"""A slot of JOIN: a HELLO, the turnaround of a slow module and some air."""

HELLO_LAYOUT = "<IBBHB"
IDENTITY_LAYOUT = "<8sIBBBB"
STATUS_LAYOUT = "<BBBBHBB"
ASSIGN_LAYOUT = "<IBB"
TICK_LAYOUT = "<IBB"
RESALT_LAYOUT = "<II"
BEGIN_LAYOUT = "<HI"
PROGRESS_LAYOUT = "<BIH"
DIGEST_SIZE = 32
DATA_SIZE = 29
"""Bytes of an image in one UPDATE_DATA."""
HELLO_SIZE, STATUS_SIZE = struct.calcsize(HELLO_LAYOUT), struct.calcsize(STATUS_LAYOUT)


def instance_of(chip: bytes, salt: int) -> int:
    """The instance of a module: CRC-32 over chip id (8 bytes) and stored salt."""
    return crc32(bytes(chip) + struct.pack("<I", salt)) & 0xFFFFFFFF


class Hello:
    """Who a module is, how it speaks, whether it has restarted, and where it was found: no more, because time counts here."""

    def __init__(self, instance: int, type_id: int, protocol: int, boots: int, seat: int) -> None:
        self.instance = instance
        self.type_id = type_id
        self.protocol = protocol
        self.boots = boots
        self.seat = seat

    def encode(self) -> bytes:
        """The payload, `HELLO_SIZE` bytes."""
        return struct.pack(HELLO_LAYOUT, self.instance, self.type_id, self.protocol, self.boots, self.seat)


class Status:
    """What a module says at each poll. `generation` and `light` are those it shows; counters wrap at 256."""

    def __init__(
        self,
        state: int,
        light: int,
        generation: int,
        links: int,
        lowest_mv: int,
        reset_cause: int,
        errors: int,
    ) -> None:
        self.state = state
        self.light = light
        self.generation = generation
        self.links = links
        self.lowest_mv = lowest_mv
        self.reset_cause = reset_cause
        self.errors = errors

    def encode(self) -> bytes:
        """The payload, `STATUS_SIZE` bytes."""
        return struct.pack(
            STATUS_LAYOUT, self.state, self.light, self.generation, self.links, self.lowest_mv, self.reset_cause, self.errors
        )  # fmt: skip


def decode_assign(payload: bytes) -> "tuple[int, int, int] | None":
    """Instance, address or reason, seat from a whole payload; None when it is too short."""
    if len(payload) < 7:
        return None
    instance, value, seat = struct.unpack_from(ASSIGN_LAYOUT, payload, 1)
    return instance, value, seat


def decode_tick(payload: bytes) -> "tuple[int, int, int] | None":
    """Time in ms, cap in tenths of a milliampere, number of modules from a whole payload; None when it is too short."""
    if len(payload) < 7:
        return None
    time_ms, cap, modules = struct.unpack_from(TICK_LAYOUT, payload, 1)
    return time_ms, cap, modules


def encode_identity(chip: bytes, salt: int, hardware: int, firmware: "tuple[int, int, int]") -> bytes:
    """The payload of IDENTITY; `firmware`: major, minor, patch."""
    return struct.pack(IDENTITY_LAYOUT, chip, salt, hardware, *firmware)


def decode_resalt(payload: bytes) -> "tuple[int, int] | None":
    """Instance and new salt from a whole payload; None when it is too short."""
    if len(payload) < 9:
        return None
    instance, salt = struct.unpack_from(RESALT_LAYOUT, payload, 1)
    return instance, salt


def decode_begin(payload: bytes) -> "tuple[int, int] | None":
    """Bytes of the manifest and of the whole image from a whole payload; None when it is too short."""
    if len(payload) < 7:
        return None
    manifest, size = struct.unpack_from(BEGIN_LAYOUT, payload, 1)
    return manifest, size


def decode_data(payload: bytes) -> "tuple[int, bytes] | None":
    """Offset and data from a whole payload; None when there is no data in it."""
    if len(payload) < 6:
        return None
    return struct.unpack_from("<I", payload, 1)[0], payload[5:]


def encode_progress(reason: int, offset: int, unchecked: int) -> bytes:
    """The payload of PROGRESS."""
    return struct.pack(PROGRESS_LAYOUT, reason, offset, unchecked)
