"""A whole firmware image: packed and read in one piece, by those who have the room. The ARC reads it row by row. Pure."""

from protocol.message import ProtocolError
from protocol.update import (
    ENTRY_SIZE,
    HEAD_SIZE,
    LAST_FILE,
    MAX_IMAGE,
    MAX_MANIFEST,
    ImageHead,
    digest_of,
    is_safe_name,
    pack_entry,
    unpack_entry,
    unpack_head,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from protocol.update import Version

    Row = tuple[str, int, bytes]


class Image:
    """`manifest` and `files`, the bytes of all files behind each other; `rows`: name, size and SHA-256 of each."""

    def __init__(self, head: ImageHead, rows: "list[Row]", manifest: bytes, files: bytes) -> None:
        self.head = head
        self.rows = rows
        self.manifest = manifest
        self.files = files

    @property
    def data(self) -> bytes:
        """As it is sent."""
        return self.manifest + self.files


def pack_image(board: int, version: "Version", mpy: int, files: "Mapping[str, bytes]", last: bytes) -> Image:
    """The image of `files` by name, and of `last`, the folder's `manifest.json`. `ProtocolError` when it is too large."""
    contents = [(name, files[name]) for name in sorted(files)] + [(LAST_FILE, last)]
    rows = [(name, len(data), digest_of(data)) for name, data in contents]
    head = ImageHead(board, version, mpy, len(rows))
    manifest = head.pack() + b"".join([pack_entry(size, digest, name) for name, size, digest in rows])
    return unpack_image(manifest + b"".join([data for _, data in contents]))


def unpack_image(data: bytes) -> Image:
    """The image in `data`, every file checked against its SHA-256; `ProtocolError` says what is wrong."""
    if not data:
        raise ProtocolError("it is empty")
    if len(data) > MAX_IMAGE:
        raise ProtocolError("%d bytes are more than an image may have" % len(data))
    head, rows, at = _unpack_rows(data)
    image = Image(head, rows, data[:at], data[at:])
    end = at + sum([size for _, size, _ in rows])
    if end != len(data):
        raise ProtocolError("it has %d bytes instead of %d" % (len(data), end))
    for name, size, digest in rows:
        if digest_of(data[at : at + size]) != digest:
            raise ProtocolError("%s in it is damaged" % name)
        at += size
    return image


def unpack_manifest(data: bytes) -> "tuple[ImageHead, list[Row]]":
    """Head and rows of a manifest alone; `ProtocolError` when these bytes are none."""
    head, rows, at = _unpack_rows(data)
    if at != len(data):
        raise ProtocolError("%d bytes behind the last row of the manifest" % (len(data) - at))
    return head, rows


def _unpack_rows(data: bytes) -> "tuple[ImageHead, list[Row], int]":
    head, at, rows = unpack_head(data), HEAD_SIZE, []
    for _ in range(head.count):
        size, digest, length = unpack_entry(data[at : at + ENTRY_SIZE])
        at += ENTRY_SIZE + length
        if at > len(data):
            raise ProtocolError("it ends too early")
        try:
            name = bytes(data[at - length : at]).decode()
        except UnicodeError as error:
            raise ProtocolError("the name of a file in it is no text") from error
        if not is_safe_name(name):
            raise ProtocolError("%r is no name within a folder" % name)
        rows.append((name, size, digest))
    if not rows or rows[-1][0] != LAST_FILE or at > MAX_MANIFEST:
        raise ProtocolError("the last file of an image is %s" % LAST_FILE)
    return head, rows, at
