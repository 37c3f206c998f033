"""The firmware image of an update: its manifest byte by byte, and the signature over it. Pure.

image = manifest · the files' bytes in the manifest's order
manifest = head 12 bytes · for each file: size u32 · SHA-256 32 bytes · length of the name u8 · name
head = `ARCU` · format u8 · board u8 · major u8 · minor u8 · patch u8 · mpy u8 · count of files u16
"""

import hashlib
import struct

from protocol.mac import hmac_sha256
from protocol.message import ProtocolError

FORMAT = 1
BOARD_ARC, BOARD_MODULE = 1, 2
LAST_FILE = "manifest.json"
"""The last file of an image; where it lies in a folder, all the others do."""

MAX_MANIFEST = 16 * 1024
MAX_IMAGE = 512 * 1024
HEAD_SIZE = 12
ENTRY_SIZE = 37
_MAGIC = b"ARCU"
_HEAD = "<4sBBBBBBH"
_ENTRY = "<I32sB"
_PURPOSE = b"update"

TYPE_CHECKING = False
if TYPE_CHECKING:
    Version = tuple[int, int, int]


class ImageHead:
    """What an image is: for which board, which version, compiled for which .mpy version, and how many files."""

    def __init__(self, board: int, version: "Version", mpy: int, count: int) -> None:
        self.board = board
        self.version = version
        self.mpy = mpy
        self.count = count

    def pack(self) -> bytes:
        """Its 12 bytes."""
        return struct.pack(_HEAD, _MAGIC, FORMAT, self.board, *self.version, self.mpy, self.count)


def unpack_head(data: bytes) -> ImageHead:
    """The head at the beginning of `data`; `ProtocolError` when it is none of this format."""
    if len(data) < HEAD_SIZE:
        raise ProtocolError("it ends too early")
    magic, form, board, major, minor, patch, mpy, count = struct.unpack_from(_HEAD, data, 0)
    if magic != _MAGIC or form != FORMAT:
        raise ProtocolError("it does not begin as an image of format %d" % FORMAT)
    return ImageHead(board, (major, minor, patch), mpy, count)


def pack_entry(size: int, digest: bytes, name: str) -> bytes:
    """The manifest's row of one file."""
    return struct.pack(_ENTRY, size, digest, len(name)) + name.encode()


def unpack_entry(data: bytes) -> "tuple[int, bytes, int]":
    """Size, SHA-256 and length of the name that follows; `ProtocolError` when the row is cut."""
    if len(data) < ENTRY_SIZE:
        raise ProtocolError("it ends too early")
    size, digest, length = struct.unpack_from(_ENTRY, data, 0)
    return size, digest, length


def is_safe_name(name: str) -> bool:
    """Whether a file of this name stays within its folder."""
    return bool(name) and name[0] != "/" and not [part for part in name.split("/") if part in ("", ".", "..")]


def update_mac(token: bytes, manifest_digest: bytes) -> bytes:
    """The signature: HMAC-SHA-256 under the pairing token over `update` and the SHA-256 of the manifest."""
    return hmac_sha256(token, _PURPOSE + manifest_digest)


def digest_of(data: bytes) -> bytes:
    """SHA-256."""
    return hashlib.sha256(data).digest()
