"""The ARC's partition table: the bytes for the chip, and whether a board has it. Source: Espressif's "Partition Tables"."""

import hashlib
import struct
from collections.abc import Iterable

from attrs import frozen

from firmware.boards import arc_esp32s3

TABLE_AT = 0x8000
TABLE_BYTES = 0xC00
FLASH_BYTES = 4 * 1024 * 1024
"""The smallest flash an ESP32-S3 module has; what a bigger one has more stays unused."""

APP, DATA = 0, 1
FACTORY, PHY, NVS, UNDEFINED, FAT = 0x00, 0x01, 0x02, 0x06, 0x81

_ENTRY = "<HBBII16sI"
_ENTRY_MAGIC, _DIGEST_MAGIC = 0x50AA, b"\xeb\xeb" + b"\xff" * 14
_BEFORE_OURS = (
    ("nvs", DATA, NVS, 0x9000, 0x6000),
    ("phy_init", DATA, PHY, 0xF000, 0x1000),
    # MicroPython. So large that every build for this chip fits.
    ("factory", APP, FACTORY, 0x10000, 0x300000),
)


@frozen
class Partition:
    label: str
    type: int
    subtype: int
    offset: int
    size: int


def arc_partitions() -> tuple[Partition, ...]:
    """The layout: what MicroPython needs, our raw partitions, and the file system in the rest."""
    layout = [Partition(*entry) for entry in _BEFORE_OURS]
    offset = layout[-1].offset + layout[-1].size
    for label, size in arc_esp32s3.PARTITIONS:
        layout.append(Partition(label, DATA, UNDEFINED, offset, size))
        offset += size
    return (*layout, Partition("vfs", DATA, FAT, offset, FLASH_BYTES - offset))


def pack_table(partitions: Iterable[Partition]) -> bytes:
    """The table as it lies at `TABLE_AT`: 32 bytes an entry, then an MD5 over them, padded with 0xFF."""
    entries = b"".join(
        struct.pack(_ENTRY, _ENTRY_MAGIC, part.type, part.subtype, part.offset, part.size, part.label.encode(), 0)
        for part in partitions
    )
    # MD5 is what the boot loader checks; it guards against accidents, not against people.
    table = entries + _DIGEST_MAGIC + hashlib.md5(entries, usedforsecurity=False).digest()
    return table.ljust(TABLE_BYTES, b"\xff")


LIST_PARTITIONS = """\
from esp32 import Partition
print(repr([part.info()[:5] for kind in (Partition.TYPE_APP, Partition.TYPE_DATA) for part in Partition.find(kind)]))
"""
"""What a board's prompt runs to name its partitions: type, subtype, offset, size, label."""


def is_laid_out(infos: Iterable[tuple[int, int, int, int, str]]) -> bool:
    """Whether a board's partitions are big enough and all there. Others may lie elsewhere and be larger."""
    sizes = {label: size for _, _, _, size, label in infos}
    return all(sizes.get(label) == size for label, size in arc_esp32s3.PARTITIONS) and "vfs" in sizes
