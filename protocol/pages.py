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

    ModuleEntry = tuple[int, int, int]
    EdgeEntry = tuple[int, int, int, int]
    TagEntry = tuple[int, bytes]

FLAG_UNPLACED, FLAG_DUPLICATE_ID, FLAG_FOREIGN_VERSION = 1, 2, 4
"""Bits of a module's flags; the others are 0."""

MODULE_FORM, EDGE_FORM, TAG_FORM = "<IBB", "<IBIB", "<HB"


def encode_modules(modules: "Iterable[ModuleEntry]") -> bytes:
    """PAGE_MODULES for (instance, type, flags) in any order; each instance once."""
    page, before = b"", -1
    for instance, type_id, flags in sorted(modules):
        if instance == before:
            raise ProtocolError("module %08X is in the page twice" % instance)
        page += pack_exactly(MODULE_FORM, instance, type_id, flags)
        before = instance
    return page


def encode_edges(edges: "Iterable[EdgeEntry]") -> bytes:
    """PAGE_EDGES for (instance, port, instance, port) in any order and with either end first."""
    page = b""
    for edge in sorted({_ordered(edge) for edge in edges}):
        page += pack_exactly(EDGE_FORM, *edge)
    return page


def encode_tags(tags: "Iterable[TagEntry]") -> bytes:
    """PAGE_TAGS for (code, UID) in any order; a 10-byte UID is shortened as in card events."""
    page = b""
    for uid, code in sorted([(short_uid(uid), code) for code, uid in tags]):
        page += pack_exactly(TAG_FORM, code, len(uid)) + uid
    return page


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
