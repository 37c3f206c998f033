"""Every message between ARC and app, as a table of classes. The byte tables in README.md are its other half.

A message is `kind u8` and its fields, little-endian, packed without gaps (`message.py`). Kinds 0x01–0x3F go to the
ARC, 0x40–0x7F come from it, 0x80–0xFF are records of the event log (`events.py`).
"""

import struct

from protocol.lights import (
    ATTENTION as ATTENTION,
    BLINK_ONCE as BLINK_ONCE,
    BLUE as BLUE,
    DARK as DARK,
    FLASH as FLASH,
    GREEN as GREEN,
    NO_COLOUR as NO_COLOUR,
    RED as RED,
    SLOW_FLASH as SLOW_FLASH,
    STEADY as STEADY,
    WHITE as WHITE,
    YELLOW as YELLOW,
    is_light as is_light,
    light as light,
)
from protocol.mac import hmac_sha256
from protocol.message import (
    Message as Message,
    ProtocolError as ProtocolError,
    UnknownKind as UnknownKind,
)
from protocol.reasons import (
    BUSY as BUSY,
    IN_USE as IN_USE,
    LOCKED as LOCKED,
    LOW_BATTERY as LOW_BATTERY,
    MALFORMED as MALFORMED,
    NO_SPACE as NO_SPACE,
    NO_TAG as NO_TAG,
    NOT_AUTHORISED as NOT_AUTHORISED,
    NOT_PAIRING as NOT_PAIRING,
    TOO_MANY_TABLETS as TOO_MANY_TABLETS,
    UNKNOWN_MODULE as UNKNOWN_MODULE,
    UNSUPPORTED as UNSUPPORTED,
    VERSION_MISMATCH as VERSION_MISMATCH,
    WRITE_FAILED as WRITE_FAILED,
    WRONG_MAC as WRONG_MAC,
)

# What several messages have in common: written once, it takes less of a board's flash.
_REQUEST = ("request", "B")
_FIRMWARE = (("firmware_major", "B"), ("firmware_minor", "B"), ("firmware_patch", "B"))
_IMAGE = (("manifest", "H"), ("size", "I"), ("digest", "32s"), ("mac", "32s"))

VERSION = (1, 0)
"""Protocol major and minor. Another major is refused; a minor adds messages that an older side may refuse."""


class Hello(Message):
    """Opens a connection, or begins it anew; answered OK with an encoded `Info`, or Refused(VERSION_MISMATCH)."""

    KIND = 0x01
    LAYOUT = (_REQUEST, ("major", "B"), ("minor", "B"))
    request: int
    major: int
    minor: int


class Pair(Message):
    """Asks for a token while the pairing window is open; answered OK with the 16 token bytes."""

    KIND = 0x02
    LAYOUT = (_REQUEST, ("tablet", "I"))
    request: int
    tablet: int


READS_ONLY = 0x80000000
"""In RESUME's sequence: for whoever resumes no event counts as taken, so what waits for the game goes on waiting."""


class Resume(Message):
    """Authorises and says what the app holds. Answered OK with a packed `ResumeAnswer`; then the events flow."""

    KIND = 0x03
    LAYOUT = (_REQUEST, ("tablet", "I"), ("epoch", "H"), ("sequence", "I"), ("mac", "8s"))
    request: int
    tablet: int
    epoch: int
    sequence: int
    mac: bytes


class Ack(Message):
    """Cumulative: every event up to `sequence` is in the app's journal. Also widens the window.

    Answered only when it is refused; an OK to it is to be ignored.
    """

    KIND = 0x04
    LAYOUT = (_REQUEST, ("epoch", "H"), ("sequence", "I"))
    request: int
    epoch: int
    sequence: int


class Mark(Message):
    """Where is the log now? Answered OK with the newest sequence u32: the boundary of a NEXT."""

    KIND = 0x05
    LAYOUT = (_REQUEST,)
    request: int


class LightModule(Message):
    """The light of one module; refused with UNKNOWN_MODULE when it is not on the bus."""

    KIND = 0x08
    LAYOUT = (_REQUEST, ("instance", "I"), ("light", "B"))
    request: int
    instance: int
    light: int


class LightAll(Message):
    """Every module now on the bus, and every later one until it gets its own."""

    KIND = 0x09
    LAYOUT = (_REQUEST, ("light", "B"))
    request: int
    light: int


class LightArc(Message):
    """The ARC's own light."""

    KIND = 0x0A
    LAYOUT = (_REQUEST, ("light", "B"))
    request: int
    light: int


class LightTable(Message):
    """Entries of 5 bytes, instance u32 and light u8, as many as fit: sent whole after each resume."""

    KIND = 0x0B
    LAYOUT = (_REQUEST, ("entries", "*"))
    request: int
    entries: bytes


class WriteTag(Message):
    """Writes the code to the one tag on the roof and reads it back before OK."""

    KIND = 0x0C
    LAYOUT = (_REQUEST, ("code", "H"))
    request: int
    code: int


class ReadStatistics(Message):
    """Answered OK with the group's counters, u32 each, in the order of `statistics.py`."""

    KIND = 0x0D
    LAYOUT = (_REQUEST, ("group", "B"))
    request: int
    group: int


class ReadPage(Message):
    """One chunk of a state page; answered with `Page`."""

    KIND = 0x0E
    LAYOUT = (_REQUEST, ("page", "B"), ("index", "B"))
    request: int
    page: int
    index: int


class ReadHash(Message):
    """Answered OK with a packed `HashAnswer`."""

    KIND = 0x0F
    LAYOUT = (_REQUEST,)
    request: int


class ReadModule(Message):
    """What a module says of itself; answered OK with a packed `ModuleStatus`, or BUSY until it has been asked once."""

    KIND = 0x11
    LAYOUT = (_REQUEST, ("instance", "I"))
    request: int
    instance: int


class ResaltModule(Message):
    """Of the modules that share this instance, the one plugged into `port` of `neighbour` (0: the ARC) gets another.

    Answered OK with the new instance u32, or BUSY until the module has it: ask again.
    """

    KIND = 0x12
    LAYOUT = (_REQUEST, ("instance", "I"), ("neighbour", "I"), ("port", "B"))
    request: int
    instance: int
    neighbour: int
    port: int


class ForgetTablet(Message):
    """Removes a pairing. The tablet that sends it may name itself: its session ends with the OK."""

    KIND = 0x10
    LAYOUT = (_REQUEST, ("tablet", "I"))
    request: int
    tablet: int


class GameBegin(Message):
    """A copy of the game follows: its length and CRC-32, and the cursor up to which its journal holds this ARC's events."""

    KIND = 0x20
    LAYOUT = (_REQUEST, ("length", "I"), ("crc", "I"), ("epoch", "H"), ("sequence", "I"))
    request: int
    length: int
    crc: int
    epoch: int
    sequence: int


class GameChunk(Message):
    """The next bytes of the game; `offset` is how many came before."""

    KIND = 0x21
    LAYOUT = (_REQUEST, ("offset", "I"), ("data", "*"))
    request: int
    offset: int
    data: bytes


class GameCommit(Message):
    """All of it came: from now on this is the game that the ARC keeps."""

    KIND = 0x22
    LAYOUT = (_REQUEST,)
    request: int


class GameRead(Message):
    """Answered OK with the kept copy from `offset` on, as much as fits: a packed `GameHead`, then the game."""

    KIND = 0x23
    LAYOUT = (_REQUEST, ("offset", "I"))
    request: int
    offset: int


class LogRead(Message):
    """Answered OK with the board's own log from `offset` on, as much as fits: text, the last crash first."""

    KIND = 0x28
    LAYOUT = (_REQUEST, ("offset", "I"))
    request: int
    offset: int


class SelfTest(Message):
    """Answered OK with a part u8 and a verdict u8 for everything that was tested."""

    KIND = 0x2C
    LAYOUT = (_REQUEST,)
    request: int


class CheckReader(Message):
    """Answered OK with a packed `ReaderCheck`. `polls` reads are tried at each gain, at most MAX_POLLS; 0: no sweep."""

    KIND = 0x2D
    LAYOUT = (_REQUEST, ("polls", "B"))
    request: int
    polls: int


class SettingsRead(Message):
    """Answered OK with a version u8 and the settings of that version, a byte each."""

    KIND = 0x30
    LAYOUT = (_REQUEST,)
    request: int


class SettingsWrite(Message):
    """`values`: the settings of that version in order; those left out at the end stay as they are."""

    KIND = 0x31
    LAYOUT = (_REQUEST, ("version", "B"), ("values", "*"))
    request: int
    version: int
    values: bytes


class UpdateBegin(Message):
    """A firmware image follows; `digest` is the SHA-256 of its manifest, `mac` the tablet's signature (`update.py`).

    Answered OK with the offset u32 to go on from: not 0 when an earlier attempt with this image was cut off.
    """

    KIND = 0x34
    LAYOUT = (_REQUEST,) + _IMAGE
    request: int
    manifest: int
    size: int
    digest: bytes
    mac: bytes


class UpdateChunk(Message):
    """The next bytes of the image; `offset` is how many came before."""

    KIND = 0x35
    LAYOUT = (_REQUEST, ("offset", "I"), ("data", "*"))
    request: int
    offset: int
    data: bytes


class UpdateCommit(Message):
    """All of it came: read back and switch. Answered OK with the files u16 still to be read back: ask again until 0."""

    KIND = 0x36
    LAYOUT = (_REQUEST,)
    request: int


class ModuleUpdateBegin(Message):
    """As UPDATE_BEGIN, for the module of this instance: the chunks and commits that follow are passed on to it.

    Refused with BUSY until the module has answered: ask again. So are the chunks and commits.
    """

    KIND = 0x37
    LAYOUT = (_REQUEST, ("instance", "I")) + _IMAGE
    request: int
    instance: int
    manifest: int
    size: int
    digest: bytes
    mac: bytes


class Ok(Message):
    """The command with this request id was carried out; `data` is its answer."""

    KIND = 0x40
    LAYOUT = (_REQUEST, ("data", "*"))
    request: int
    data: bytes


class Refused(Message):
    """The command with this request id changed nothing; `reason` is from `reasons.py`."""

    KIND = 0x41
    LAYOUT = (_REQUEST, ("reason", "B"), ("detail", "*"))
    request: int
    reason: int
    detail: bytes


class Lost(Message):
    """The log no longer holds events first … last of this epoch: take a snapshot. The next record is last + 1."""

    KIND = 0x42
    LAYOUT = (("epoch", "H"), ("first", "I"), ("last", "I"))
    epoch: int
    first: int
    last: int


class Page(Message):
    """A chunk of a state page. `generation` changes with the page: another one half-way means begin again."""

    KIND = 0x43
    LAYOUT = (_REQUEST, ("page", "B"), ("generation", "B"), ("index", "B"), ("count", "B"), ("chunk", "*"))
    request: int
    page: int
    generation: int
    index: int
    count: int
    chunk: bytes


class Info(Message):
    """What anyone may know: the INFO characteristic and the answer to HELLO. 31 bytes."""

    KIND = 0x44
    MAY_GROW = True
    LAYOUT = (
        (("major", "B"), ("minor", "B"), ("device", "6s"))
        + _FIRMWARE
        + (("flags", "B"), ("epoch", "H"), ("oldest", "I"), ("newest", "I"), ("nonce", "8s"))
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


class ResumeAnswer(Message):
    """Inside the OK to RESUME, packed without a kind byte: what comes next.

    `first` is the sequence of the first event to be sent, newest + 1 when there is none. Nothing is missing when the
    epoch is the one asked for and `first` the one after the sequence asked for; else the app takes a snapshot.
    """

    MAY_GROW = True
    LAYOUT = (("epoch", "H"), ("first", "I"), ("newest", "I"))
    epoch: int
    first: int
    newest: int


class HashAnswer(Message):
    """Inside the OK to READ_HASH, packed without a kind byte: the state hash as it was right after event `sequence`."""

    MAY_GROW = True
    LAYOUT = (("sequence", "I"), ("hash", "I"))
    sequence: int
    hash: int


class ModuleStatus(Message):
    """Inside the OK to READ_MODULE, packed without a kind byte. `errors` wraps; `sharers`: modules that have this instance."""

    MAY_GROW = True
    LAYOUT = _FIRMWARE + (
        ("hardware", "B"),
        ("bus", "B"),
        ("reset_cause", "B"),
        ("boots", "H"),
        ("lowest_mv", "H"),
        ("errors", "B"),
        ("links", "B"),
        ("missed", "B"),
        ("light", "B"),
        ("sharers", "B"),
    )
    firmware_major: int
    firmware_minor: int
    firmware_patch: int
    hardware: int
    bus: int
    reset_cause: int
    boots: int
    lowest_mv: int
    errors: int
    links: int
    missed: int
    light: int
    sharers: int


class ReaderCheck(Message):
    """Inside the OK to CHECK_READER, packed without a kind byte. `gains`: dB u8 and good reads u8, as often as there are gains.

    `version` 0x00 or 0xFF: no chip answers, the rest is 0.
    """

    LAYOUT = (("version", "B"), ("broken", "B"), ("spi_hz", "I"), ("gains", "*"))
    version: int
    broken: int
    spi_hz: int
    gains: bytes


class GameHead(Message):
    """In front of the game in the answers to GAME_READ. `counter` grows by one with each copy this ARC has kept."""

    LAYOUT = (("counter", "I"), ("length", "I"), ("crc", "I"), ("epoch", "H"), ("sequence", "I"))
    counter: int
    length: int
    crc: int
    epoch: int
    sequence: int


MAX_GAME = 64 * 1024
"""Bytes of a game copy at most."""

MAX_POLLS = 50
"""Polls at each gain in one CHECK_READER at most: up to five seconds in which events wait (chip model, an estimate)."""

TEST_FLASH, TEST_READER, TEST_BUS, TEST_LIGHT, TEST_BUZZER, TEST_RADIO, TEST_BATTERY = 1, 2, 3, 4, 5, 6, 7
"""Parts of the self-test."""

TEST_GOOD, TEST_BAD, TEST_LOOK, TEST_ABSENT = 0, 1, 2, 3
"""Its verdicts. LOOK: it shone or sounded, people have to say whether they noticed."""

INFO_PAIRING, INFO_IN_USE, INFO_LOCKED, INFO_SAFE_MODE = 1, 2, 4, 8
"""Bits of `Info.flags`."""

PAGE_MODULES, PAGE_EDGES, PAGE_TAGS = 1, 2, 3
"""State pages, laid out in `pages.py`."""

STATISTICS_READER, STATISTICS_BUS, STATISTICS_LINK, STATISTICS_LIFE = 1, 2, 3, 4
"""Groups of counters, listed in `statistics.py`."""

COMMANDS = {
    m.KIND: m
    for m in (
        Hello, Pair, Resume, Ack, Mark, LightModule, LightAll, LightArc, LightTable,
        WriteTag, ReadStatistics, ReadPage, ReadHash, ForgetTablet, ReadModule, ResaltModule,
        GameBegin, GameChunk, GameCommit, GameRead, LogRead, SelfTest, CheckReader, SettingsRead, SettingsWrite,
        UpdateBegin, UpdateChunk, UpdateCommit, ModuleUpdateBegin,
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
    return hmac_sha256(token, nonce + struct.pack("<IHI", tablet, epoch, sequence))[:8]
