"""Payloads as the ARC writes and reads them: apart from `words`, since a module has no heap to spare for it."""

import struct

from firmware.bus import words

IDENTITY_SIZE = struct.calcsize(words.IDENTITY_LAYOUT)


def encode_assign(instance: int, value: int, seat: int) -> bytes:
    """The payload of ASSIGN (`value`: the address) and of REFUSE (`value`: the reason), behind the epoch."""
    return struct.pack(words.ASSIGN_LAYOUT, instance, value, seat)


def encode_tick(time_ms: int, cap: int, modules: int) -> bytes:
    """The payload of TICK behind the epoch."""
    return struct.pack(words.TICK_LAYOUT, time_ms & 0xFFFFFFFF, cap, modules)


def encode_resalt(instance: int, salt: int) -> bytes:
    """The payload of RESALT behind the epoch."""
    return struct.pack(words.RESALT_LAYOUT, instance, salt)


def encode_begin(manifest: int, size: int) -> bytes:
    """The payload of UPDATE_BEGIN behind the epoch."""
    return struct.pack(words.BEGIN_LAYOUT, manifest, size)


def encode_data(offset: int, data: "bytes | bytearray") -> bytes:
    """The payload of UPDATE_DATA behind the epoch, at most `DATA_SIZE` bytes of data."""
    return struct.pack("<I", offset) + data


def decode_hello(payload: bytes) -> "words.Hello | None":
    """The fields of a HELLO, or None for a wrong length. A newer minor may append fields, which are passed over."""
    if len(payload) < words.HELLO_SIZE:
        return None
    return words.Hello(*struct.unpack_from(words.HELLO_LAYOUT, payload, 0))


def decode_status(payload: bytes) -> "words.Status | None":
    """The fields of a STATUS, or None for a wrong length. Appended fields are passed over."""
    if len(payload) < words.STATUS_SIZE:
        return None
    return words.Status(*struct.unpack_from(words.STATUS_LAYOUT, payload, 0))


def light_and_links(status: bytes) -> "tuple[int, int]":
    """The two fields of a STATUS payload that every poll looks at."""
    return status[1], status[3]


def decode_identity(payload: bytes) -> "tuple[bytes, int, bytes] | None":
    """Chip id, salt, and four bytes: hardware and the three of the firmware's version; None when it is too short."""
    if len(payload) < IDENTITY_SIZE:
        return None
    chip, salt = struct.unpack_from(words.IDENTITY_LAYOUT, payload, 0)[:2]
    return chip, salt, payload[IDENTITY_SIZE - 4 : IDENTITY_SIZE]


def decode_progress(payload: bytes) -> "tuple[int, int, int] | None":
    """Reason, offset and files not yet read back; None when it is too short."""
    if len(payload) < struct.calcsize(words.PROGRESS_LAYOUT):
        return None
    reason, offset, unchecked = struct.unpack_from(words.PROGRESS_LAYOUT, payload, 0)
    return reason, offset, unchecked
