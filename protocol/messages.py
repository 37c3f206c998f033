"""Every message between ARC and app, as a table of classes. The byte tables in README.md are its other half.

A message is `kind u8` and its fields, little-endian, packed without gaps. The last field may be `*`: the rest of
the bytes. Kinds 0x01–0x3F go to the ARC, 0x40–0x7F come from it, 0x80–0xFF are records of the event log (`events.py`).
"""

import struct

VERSION = (1, 0)
"""Protocol major and minor. Another major is refused; a minor adds messages that an older side may refuse."""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


class ProtocolError(ValueError):
    """Bytes that are not a message of this protocol."""


class UnknownKind(ProtocolError):
    """A well-formed message of a kind this side does not know: to be answered with `Refused(UNSUPPORTED)`."""

    def __init__(self, kind: int, request: int) -> None:
        super().__init__("unknown message kind 0x%02X" % kind)
        self.kind = kind
        self.request = request


class Message:
    """One message. Subclasses give KIND and LAYOUT: (field, struct code or `*`); positional arguments follow LAYOUT."""

    KIND = 0
    LAYOUT: "tuple[tuple[str, str], ...]" = ()

    def __init__(self, *values: "Any") -> None:
        if len(values) != len(self.LAYOUT):
            raise TypeError("%s takes %d fields" % (type(self).__name__, len(self.LAYOUT)))
        for (name, code), value in zip(self.LAYOUT, values):
            setattr(self, name, bytes(value) if code == "*" or code[-1] == "s" else value)

    def encode(self) -> bytes:
        """The bytes of this message; `ProtocolError` when a field does not fit."""
        out = bytes((self.KIND,))
        for name, code in self.LAYOUT:
            value = getattr(self, name)
            if code == "*":
                out += value
                continue
            if code[-1] == "s" and len(value) != int(code[:-1]):
                raise ProtocolError("%s.%s takes %s bytes" % (type(self).__name__, name, code[:-1]))
            try:
                packed = struct.pack("<" + code, value)
            except (struct.error, OverflowError) if hasattr(struct, "error") else (ValueError, OverflowError):
                raise ProtocolError("%s.%s does not fit: %s" % (type(self).__name__, name, value))
            if code[-1] != "s" and struct.unpack("<" + code, packed)[0] != value:
                raise ProtocolError("%s.%s does not fit: %s" % (type(self).__name__, name, value))
            out += packed
        return out

    @classmethod
    def decode(cls, data: bytes) -> "Message":
        """The message in `data` (kind byte included); `ProtocolError` when the length is wrong."""
        at, values = 1, []
        for name, code in cls.LAYOUT:
            if code == "*":
                values.append(bytes(data[at:]))
                at = len(data)
                continue
            size = struct.calcsize("<" + code)
            if at + size > len(data):
                raise ProtocolError("%s ends before its field %s" % (cls.__name__, name))
            values.append(struct.unpack_from("<" + code, data, at)[0])
            at += size
        if at != len(data):
            raise ProtocolError("%s has %d bytes too many" % (cls.__name__, len(data) - at))
        return cls(*values)

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and all(getattr(self, n) == getattr(other, n) for n, _ in self.LAYOUT)

    def __hash__(self) -> int:
        return hash(self.encode())

    def __repr__(self) -> str:
        return "%s(%s)" % (type(self).__name__, ", ".join(["%s=%r" % (n, getattr(self, n)) for n, _ in self.LAYOUT]))


# --- reasons and lights -----------------------------------------------------------------------------------------

UNSUPPORTED = 1  # unknown kind, page or statistics group
MALFORMED = 2  # right kind, wrong bytes
VERSION_MISMATCH = 3  # detail: the ARC's major, minor
NOT_AUTHORISED = 4  # a command before an accepted RESUME
WRONG_MAC = 5  # unknown tablet or wrong HMAC; read INFO again for a new nonce
LOCKED = 6  # five wrong answers; detail: seconds left u8
NOT_PAIRING = 7  # the pairing window is closed
IN_USE = 8  # another tablet holds the session
NO_TAG = 9  # nothing writable on the roof
WRITE_FAILED = 10  # read-back differs
UNKNOWN_MODULE = 11  # no such instance on the bus
BUSY = 12  # try again
LOW_BATTERY = 13
NO_SPACE = 14
TOO_MANY_TABLETS = 15  # detail: how many it remembers

REASON_TEXT = {
    UNSUPPORTED: "the ARC does not know this command",
    MALFORMED: "the ARC could not read this command",
    VERSION_MISMATCH: "the ARC speaks another version of the protocol",
    NOT_AUTHORISED: "this tablet has not resumed its session",
    WRONG_MAC: "the ARC does not know this tablet: pair it again",
    LOCKED: "too many wrong answers: wait half a minute",
    NOT_PAIRING: "press the ARC's button to open the pairing window",
    IN_USE: "another tablet is connected to this ARC",
    NO_TAG: "lay one writable tag on the roof",
    WRITE_FAILED: "the tag could not be written",
    UNKNOWN_MODULE: "that module is not connected",
    BUSY: "the ARC is busy: try again",
    LOW_BATTERY: "the ARC's battery is too low for this",
    NO_SPACE: "the ARC has no room for this",
    TOO_MANY_TABLETS: "the ARC remembers no more tablets: forget one first",
}

# A light is one byte: pattern << 4 | colour.
DARK, STEADY, FLASH, SLOW_FLASH, ATTENTION, BLINK_ONCE = 0, 1, 2, 3, 4, 5
NO_COLOUR, GREEN, BLUE, RED, WHITE, YELLOW = 0, 1, 2, 3, 4, 5


def light(pattern: int, colour: int = NO_COLOUR) -> int:
    """The light byte of a pattern (DARK … BLINK_ONCE) and a colour (NO_COLOUR … YELLOW)."""
    return pattern << 4 | colour


# --- to the ARC -------------------------------------------------------------------------------------------------


class Hello(Message):
    """Opens a connection; answered OK with `Info` bytes, or Refused(VERSION_MISMATCH)."""

    KIND = 0x01
    LAYOUT = (("request", "B"), ("major", "B"), ("minor", "B"))
    request: int
    major: int
    minor: int


class Pair(Message):
    """Asks for a token while the pairing window is open; answered OK with the 16 token bytes."""

    KIND = 0x02
    LAYOUT = (("request", "B"), ("tablet", "I"))
    request: int
    tablet: int


class Resume(Message):
    """Authorises and says what the app holds. Answered OK with `ResumeAnswer` bytes; then the events flow."""

    KIND = 0x03
    LAYOUT = (("request", "B"), ("tablet", "I"), ("epoch", "H"), ("sequence", "I"), ("mac", "8s"))
    request: int
    tablet: int
    epoch: int
    sequence: int
    mac: bytes


class Ack(Message):
    """Cumulative: every event up to `sequence` is in the app's journal. Also widens the window."""

    KIND = 0x04
    LAYOUT = (("request", "B"), ("epoch", "H"), ("sequence", "I"))
    request: int
    epoch: int
    sequence: int


class Mark(Message):
    """Where is the log now? Answered OK with the newest sequence u32: the boundary of a NEXT."""

    KIND = 0x05
    LAYOUT = (("request", "B"),)
    request: int


class LightModule(Message):
    KIND = 0x08
    LAYOUT = (("request", "B"), ("instance", "I"), ("light", "B"))
    request: int
    instance: int
    light: int


class LightAll(Message):
    """Every module now on the bus, and every later one until it gets its own."""

    KIND = 0x09
    LAYOUT = (("request", "B"), ("light", "B"))
    request: int
    light: int


class LightArc(Message):
    KIND = 0x0A
    LAYOUT = (("request", "B"), ("light", "B"))
    request: int
    light: int


class LightTable(Message):
    """Entries of 5 bytes, instance u32 and light u8, as many as fit: sent whole after each resume."""

    KIND = 0x0B
    LAYOUT = (("request", "B"), ("entries", "*"))
    request: int
    entries: bytes


class WriteTag(Message):
    """Writes the code to the one tag on the roof and reads it back before OK."""

    KIND = 0x0C
    LAYOUT = (("request", "B"), ("code", "H"))
    request: int
    code: int


class ReadStatistics(Message):
    """Answered OK with the group's counters, u32 each, in the order of README.md."""

    KIND = 0x0D
    LAYOUT = (("request", "B"), ("group", "B"))
    request: int
    group: int


class ReadPage(Message):
    """One chunk of a state page; answered with `Page`."""

    KIND = 0x0E
    LAYOUT = (("request", "B"), ("page", "B"), ("index", "B"))
    request: int
    page: int
    index: int


class ReadHash(Message):
    """Answered OK with sequence u32 and the CRC-32 over the state pages as they were at that event."""

    KIND = 0x0F
    LAYOUT = (("request", "B"),)
    request: int


class ForgetTablet(Message):
    KIND = 0x10
    LAYOUT = (("request", "B"), ("tablet", "I"))
    request: int
    tablet: int


# --- from the ARC -----------------------------------------------------------------------------------------------


class Ok(Message):
    KIND = 0x40
    LAYOUT = (("request", "B"), ("data", "*"))
    request: int
    data: bytes


class Refused(Message):
    KIND = 0x41
    LAYOUT = (("request", "B"), ("reason", "B"), ("detail", "*"))
    request: int
    reason: int
    detail: bytes


class Lost(Message):
    """The log no longer holds events first … last of this epoch: take a snapshot."""

    KIND = 0x42
    LAYOUT = (("epoch", "H"), ("first", "I"), ("last", "I"))
    epoch: int
    first: int
    last: int


class Page(Message):
    """A chunk of a state page. `generation` changes with the page: another one half-way means begin again."""

    KIND = 0x43
    LAYOUT = (("request", "B"), ("page", "B"), ("generation", "B"), ("index", "B"), ("count", "B"), ("chunk", "*"))
    request: int
    page: int
    generation: int
    index: int
    count: int
    chunk: bytes


class Info(Message):
    """What anyone may know: the INFO characteristic and the answer to HELLO. 32 bytes."""

    KIND = 0x44
    LAYOUT = (
        ("major", "B"),
        ("minor", "B"),
        ("device", "6s"),
        ("firmware_major", "B"),
        ("firmware_minor", "B"),
        ("firmware_patch", "B"),
        ("flags", "B"),
        ("epoch", "H"),
        ("oldest", "I"),
        ("newest", "I"),
        ("nonce", "8s"),
    )
    major: int
    minor: int
    device: bytes
    firmware_major: int
    firmware_minor: int
    firmware_patch: int
    flags: int
    epoch: int
    oldest: int
    newest: int
    nonce: bytes


INFO_PAIRING, INFO_IN_USE, INFO_LOCKED, INFO_SAFE_MODE = 1, 2, 4, 8
"""Bits of `Info.flags`."""

PAGE_MODULES, PAGE_EDGES, PAGE_TAGS = 1, 2, 3
"""State pages; the state hash is CRC-32 over the three, each preceded by its length u16."""

STATISTICS_READER, STATISTICS_BUS, STATISTICS_LINK, STATISTICS_LIFE = 1, 2, 3, 4

# Reserved for the boards' later messages; answered Refused(UNSUPPORTED) until they exist.
GAME_BEGIN, GAME_CHUNK, GAME_COMMIT, GAME_READ = 0x20, 0x21, 0x22, 0x23
LOG_READ, SELF_TEST, SETTINGS_READ, SETTINGS_WRITE = 0x28, 0x2C, 0x30, 0x31
UPDATE_BEGIN, UPDATE_CHUNK, UPDATE_COMMIT = 0x34, 0x35, 0x36

COMMANDS = {
    m.KIND: m
    for m in (
        Hello, Pair, Resume, Ack, Mark, LightModule, LightAll, LightArc, LightTable,
        WriteTag, ReadStatistics, ReadPage, ReadHash, ForgetTablet,
    )
}  # fmt: skip
ANSWERS = {m.KIND: m for m in (Ok, Refused, Lost, Page, Info)}


def decode_command(data: "bytes | bytearray | memoryview") -> Message:
    """The command in one BLE write or one serial frame. `UnknownKind` carries the request id to refuse."""
    data = bytes(data)
    if len(data) < 2:
        raise ProtocolError("a command has at least 2 bytes, not %d" % len(data))
    command = COMMANDS.get(data[0])
    if command is None:
        raise UnknownKind(data[0], data[1])
    return command.decode(data)


def session_mac(token: bytes, nonce: bytes, tablet: int, epoch: int, sequence: int) -> bytes:
    """The 8 bytes that authorise a RESUME: HMAC-SHA-256 over the ARC's nonce and the fields, cut to 8."""
    from protocol.mac import hmac_sha256

    return hmac_sha256(token, nonce + struct.pack("<IHI", tablet, epoch, sequence))[:8]
