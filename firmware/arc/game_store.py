"""The game that the app left on the board: two copies in raw flash, the newest whole one counts. No look inside.

A copy is one erase block for its head and sixteen for its bytes. The head is written last, after the bytes were read
back, so a copy is there whole or not at all; the other copy is not touched meanwhile.
"""

import struct
from binascii import crc32

from protocol.messages import MALFORMED, MAX_GAME, NO_SPACE, WRITE_FAILED, GameHead

_FORM = "<IIIIHI"  # magic, then the fields of a GAME_HEAD; the CRC-32 of all that follows
_FORM_SIZE = 22
_MAGIC = 0x31454D47
_PAGE = 256
_SIZE, _ERASE = 5, 6

TYPE_CHECKING = False
if TYPE_CHECKING:
    from firmware.drivers.flash_ring import BlockDevice


class GameStore:
    """`begin`, `add` in order, `commit`; each answers 0 or the reason why not. `read` gives the kept copy as on the link."""

    def __init__(self, device: "BlockDevice") -> None:
        self._device = device
        self._block_size = device.ioctl(_SIZE, 0) or 0
        self._blocks = 1 + (MAX_GAME + self._block_size - 1) // self._block_size
        self._page = bytearray(_PAGE)
        self._heads = [self._read_head(0), self._read_head(1)]
        self._coming: "GameHead | None" = None
        self._copy = 0
        self._written = 0

    def head(self) -> "GameHead | None":
        """The head of the kept copy, None when there is none."""
        first, second = self._heads
        if first is None or (second is not None and second.counter > first.counter):
            return second
        return first

    def begin(self, length: int, crc: int, epoch: int, sequence: int) -> int:
        """A new copy follows; what was begun before is dropped, unless this is refused."""
        if not 1 <= length <= MAX_GAME:
            return NO_SPACE
        self.drop()
        kept = self.head()
        self._copy = 0 if kept is None else 1 - self._heads.index(kept)
        self._heads[self._copy] = None
        self._device.ioctl(_ERASE, self._copy * self._blocks)
        counter = kept.counter + 1 if kept is not None else 1
        self._coming = GameHead(counter, length, crc, epoch, sequence)
        return 0

    def add(self, offset: int, data: bytes) -> int:
        """The next bytes. Flash is erased as they reach it, one block at a time, so that events never wait for more."""
        coming = self._coming
        if coming is None or offset != self._written or offset + len(data) > coming.length:
            return MALFORMED
        done = 0
        while done < len(data):
            block, at = divmod(self._written, self._block_size)
            number = self._copy * self._blocks + 1 + block
            if at == 0:
                self._device.ioctl(_ERASE, number)
            room = min(self._block_size - at, len(data) - done)
            self._device.writeblocks(number, data[done : done + room], at)
            done += room
            self._written += room
        return 0

    def commit(self) -> int:
        """Read everything back, then write the head."""
        coming = self._coming
        if coming is None or self._written != coming.length:
            return MALFORMED
        self._coming = None
        if self._crc_of(self._copy, coming.length) != coming.crc:
            return WRITE_FAILED
        fields = (_MAGIC, coming.counter, coming.length, coming.crc, coming.epoch, coming.sequence)
        record = struct.pack(_FORM, *fields)
        self._device.writeblocks(self._copy * self._blocks, record + struct.pack("<I", crc32(record)), 0)
        self._heads[self._copy] = self._read_head(self._copy)
        return 0 if self._heads[self._copy] is not None else WRITE_FAILED

    def drop(self) -> None:
        """Forget what was begun; the kept copy stays."""
        self._coming = None
        self._written = 0

    def read(self, offset: int, count: int) -> bytes:
        """At most `count` bytes of head and game from `offset` on; empty at the end, or when nothing is kept."""
        head = self.head()
        if head is None:
            return b""
        packed = head.pack()
        if offset < len(packed):
            return packed[offset : offset + count]
        offset -= len(packed)
        count = min(count, head.length - offset)
        if count <= 0:
            return b""
        block, at = divmod(offset, self._block_size)
        data = bytearray(min(count, self._block_size - at))
        self._device.readblocks(self._heads.index(head) * self._blocks + 1 + block, data, at)
        return bytes(data)

    def _crc_of(self, copy: int, length: int) -> int:
        crc, view = 0, memoryview(self._page)
        for at in range(0, length, _PAGE):
            block, offset = divmod(at, self._block_size)
            part = view[: min(_PAGE, length - at)]
            self._device.readblocks(copy * self._blocks + 1 + block, part, offset)
            crc = crc32(part, crc)
        return crc

    def _read_head(self, copy: int) -> "GameHead | None":
        """The head of a copy when it is whole, its bytes included."""
        record = bytearray(_FORM_SIZE + 4)
        self._device.readblocks(copy * self._blocks, record, 0)
        if struct.unpack_from("<I", record, _FORM_SIZE)[0] != crc32(memoryview(record)[:_FORM_SIZE]):
            return None
        magic, counter, length, crc, epoch, sequence = struct.unpack_from(_FORM, record, 0)
        if magic != _MAGIC or not 1 <= length <= MAX_GAME or self._crc_of(copy, length) != crc:
            return None
        return GameHead(counter, length, crc, epoch, sequence)
