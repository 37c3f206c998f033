"""The state pages: what is on the table now, in one canonical order, so that both sides can compare a hash.

PAGE_MODULES   instance u32 | type u8 | flags u8                    by instance
PAGE_EDGES     instance u32 | port u8 | instance u32 | port u8      smaller instance first, 0 is the ARC; sorted
PAGE_TAGS      code u16 | UID length u8 | UID as in card events     by UID, then code
"""

import struct
from binascii import crc32

from protocol.events import short_uid
from protocol.message import ProtocolError, pack_exactly

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any, TypeVar

    Entries = TypeVar("Entries", bound="list[Any]")
    ModuleEntry = tuple[int, int, int]
    EdgeEntry = tuple[int, int, int, int]
    TagEntry = tuple[int, bytes]

FLAG_UNPLACED, FLAG_DUPLICATE_ID, FLAG_FOREIGN_VERSION = 1, 2, 4
"""Bits of a module's flags; the others are 0."""

_MODULE, _EDGE, _TAG = "<IBB", "<IBIB", "<HB"


def encode_modules(modules: "Iterable[ModuleEntry]") -> bytes:
    """PAGE_MODULES for (instance, type, flags) in any order; each instance once."""
    page, before = b"", -1
    for instance, type_id, flags in sorted(modules):
        if instance == before:
            raise ProtocolError("module %08X is in the page twice" % instance)
        page += pack_exactly(_MODULE, instance, type_id, flags)
        before = instance
    return page


def encode_edges(edges: "Iterable[EdgeEntry]") -> bytes:
    """PAGE_EDGES for (instance, port, instance, port) in any order and with either end first."""
    page = b""
    for edge in sorted({_ordered(edge) for edge in edges}):
        page += pack_exactly(_EDGE, *edge)
    return page


def encode_tags(tags: "Iterable[TagEntry]") -> bytes:
    """PAGE_TAGS for (code, UID) in any order; a 10-byte UID is shortened as in card events."""
    page = b""
    for uid, code in sorted([(short_uid(uid), code) for code, uid in tags]):
        page += pack_exactly(_TAG, code, len(uid)) + uid
    return page


def decode_modules(page: bytes) -> "list[ModuleEntry]":
    """What `encode_modules` was given, in the page's order; `ProtocolError` for anything that is no such page."""
    entries: "list[ModuleEntry]" = [struct.unpack_from(_MODULE, page, at) for at in _offsets(page, _MODULE)]
    return _checked(entries, encode_modules(entries), page)


def decode_edges(page: bytes) -> "list[EdgeEntry]":
    """What `encode_edges` was given, in the page's order; `ProtocolError` for anything that is no such page."""
    entries: "list[EdgeEntry]" = [struct.unpack_from(_EDGE, page, at) for at in _offsets(page, _EDGE)]
    return _checked(entries, encode_edges(entries), page)


def decode_tags(page: bytes) -> "list[TagEntry]":
    """What `encode_tags` was given, UIDs shortened, in the page's order; `ProtocolError` for anything else."""
    entries: "list[TagEntry]" = []
    at, head = 0, struct.calcsize(_TAG)
    while at < len(page):
        if at + head > len(page):
            raise ProtocolError("the page of tags ends within an entry")
        code, length = struct.unpack_from(_TAG, page, at)
        uid = page[at + head : at + head + length]
        if length not in (4, 7) or len(uid) != length:
            raise ProtocolError("the page of tags has a UID of %d bytes" % length)
        entries.append((code, uid))
        at += head + length
    return _checked(entries, encode_tags(entries), page)


def state_hash(modules: bytes, edges: bytes, tags: bytes) -> int:
    """CRC-32 over the three pages in this order, each preceded by its length u16."""
    crc = 0
    for page in (modules, edges, tags):
        crc = crc32(page, crc32(struct.pack("<H", len(page)), crc))
    return crc


def page_chunk(page: bytes, index: int, size: int) -> "tuple[int, bytes]":
    """How many chunks of `size` bytes the page has (an empty page has one), and the chunk `index`, b"" beyond the last."""
    return max(1, -(-len(page) // size)), page[index * size : (index + 1) * size]


def _ordered(edge: "EdgeEntry") -> "EdgeEntry":
    instance, port, other, other_port = edge
    return edge if (instance, port) <= (other, other_port) else (other, other_port, instance, port)


def _offsets(page: bytes, form: str) -> range:
    size = struct.calcsize(form)
    if len(page) % size:
        raise ProtocolError("a page of %d-byte entries has %d bytes" % (size, len(page)))
    return range(0, len(page), size)


def _checked(entries: "Entries", canonical: bytes, page: bytes) -> "Entries":
    if canonical != page:
        raise ProtocolError("the entries of a page are not in order")
    return entries
