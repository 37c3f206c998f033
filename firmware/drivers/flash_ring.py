"""A ring of records in raw flash. What `append` has returned from survives a power cut at any later flash operation.

Erase blocks hold 32-byte slots, written once each. Rules:
- a slot is blank (all ones), valid (its CRC fits), or torn; torn slots are skipped and never written again;
- only the block behind the head is ever erased, right before it is written or in `prepare_next`;
- nothing is written at boot: heads are found by reading, so a cut during recovery changes nothing;
- what is held is the run of consecutive sequences that ends at the newest record; older leftovers of a torn erase are not;
- a block that takes no bits, or cannot be erased, is stepped over: it costs room, and no record.
"""

import struct
from binascii import crc32

SLOT = 32
MAX_RECORD = 20
_HEAD = "<IB"
_RECORD_AT = 5
_CRC_AT = 28
_BLANK = b"\xff" * SLOT
_CHUNK = 512
_WRITE_TRIES = 3
_COUNT, _SIZE, _ERASE = 4, 5, 6

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Protocol

    class BlockDevice(Protocol):
        """MicroPython's extended block protocol, as `esp32.Partition` speaks it."""

        def readblocks(self, __number: int, __buffer: "bytearray | memoryview", __offset: int) -> object: ...

        def writeblocks(self, __number: int, __data: "bytes | bytearray | memoryview", __offset: int) -> object: ...

        def ioctl(self, __operation: int, __argument: int) -> "int | None": ...


class FlashRing:
    """Records of 1 to 20 bytes under consecutive sequence numbers; the oldest block goes when the ring is full.

    `oldest` and `newest` are the sequences held; `newest` is 0 while the ring is empty. `torn_slots` counts what power
    cuts and bad cells have spoilt since the blocks were last erased. `has_gap`: at the start there were records that
    are no longer held although nothing was ever written over them: cells have failed.
    """

    def __init__(self, device: "BlockDevice") -> None:
        self._device = device
        self.blocks = device.ioctl(_COUNT, 0) or 0
        self.slots_per_block = (device.ioctl(_SIZE, 0) or 0) // SLOT
        if self.blocks < 2 or not self.slots_per_block:
            raise ValueError("a ring needs at least two erase blocks")
        self._slot = bytearray(SLOT)
        self._check = bytearray(SLOT)
        # Of each block: the first sequence of its last consecutive run, that one's slot, and the last sequence; 0: none.
        self._first = [0] * self.blocks
        self._first_slot = [0] * self.blocks
        self._last = [0] * self.blocks
        self._head = self.blocks - 1
        self._next_slot = self.slots_per_block
        self._prepared = -1
        self._has_failed = False
        self.oldest = 1
        self.newest = 0
        self.torn_slots = 0
        self.has_gap = False
        self._scan()

    @property
    def capacity(self) -> int:
        """How many records are held at least once the ring has come round."""
        return (self.blocks - 1) * self.slots_per_block

    def append(self, sequence: int, record: "bytes | bytearray | memoryview") -> None:
        """Write one record; it is in the flash, read back and compared, when this returns.

        `sequence` is `newest + 1`, or anything above 0 while the ring is empty. `OSError` when the flash does not take it.
        """
        if not sequence or (self.newest and sequence != self.newest + 1):
            raise ValueError("sequence %d does not follow %d" % (sequence, self.newest))
        if not 1 <= len(record) <= MAX_RECORD:
            raise ValueError("a record has 1 to %d bytes, not %d" % (MAX_RECORD, len(record)))
        self._fill_slot(sequence, record)
        had_failed = self._has_failed
        # one other block is tried, not all: a flash that fails as a whole would be emptied by it
        if not self._try_block(sequence) and (had_failed or not self._try_block(sequence)):
            raise OSError(5)

    def _try_block(self, sequence: int) -> bool:
        """Write what was filled in. After a failure the next try is for another block, once until something has been written."""
        try:
            for _ in range(_WRITE_TRIES):
                if self._next_slot >= self.slots_per_block:
                    self._advance()
                slot = self._next_slot
                self._next_slot += 1
                if self._write(slot):
                    self._note(self._head, slot, sequence)
                    if not self.newest:
                        self.oldest = sequence
                    self.newest = sequence
                    self._has_failed = False
                    return True
                self.torn_slots += 1
        except OSError:
            pass
        if not self._has_failed:
            self._has_failed = True
            self._next_slot = self.slots_per_block
        return False

    def read(self, sequence: int, into: "bytearray | memoryview", at: int = 0) -> int:
        """Copy a record into `into` from `at` on and return its length; 0 when it is not held or no longer readable."""
        if not self.oldest <= sequence <= self.newest:
            return 0
        for block in range(self.blocks):
            if self._first[block] and self._first[block] <= sequence <= self._last[block]:
                return self._read_in(block, sequence, into, at)
        return 0

    def prepare_next(self) -> bool:
        """Erase the block behind the head early, so that no append has to wait for it. True when there was one to erase.

        For quiet moments: an erase takes some 45 ms (datasheet of common flash) in which the board does nothing else. A flash
        that does not do it is told by the append that needs the block: nobody waits for anything yet.
        """
        behind = (self._head + 1) % self.blocks
        if self._prepared == behind or self._next_slot < self.slots_per_block // 2:
            return False
        try:
            self._erase(behind)
        except OSError:
            return False
        self._prepared = behind
        return True

    def _fill_slot(self, sequence: int, record: "bytes | bytearray | memoryview") -> None:
        slot = self._slot
        slot[:] = _BLANK
        struct.pack_into(_HEAD, slot, 0, sequence, len(record))
        slot[_RECORD_AT : _RECORD_AT + len(record)] = record
        struct.pack_into("<I", slot, _CRC_AT, crc32(memoryview(slot)[:_CRC_AT]))

    def _write(self, slot: int) -> bool:
        self._device.writeblocks(self._head, self._slot, slot * SLOT)
        self._device.readblocks(self._head, self._check, slot * SLOT)
        return self._check == self._slot

    def _advance(self) -> None:
        self._head = behind = (self._head + 1) % self.blocks
        if self._prepared != behind:
            self._erase(behind)  # when it fails, the next try is for the block behind
        self._prepared = -1
        self._next_slot = 0

    def _erase(self, block: int) -> None:
        if self._last[block] and self.oldest <= self._last[block]:
            self.oldest = self._last[block] + 1
        self._first[block] = self._last[block] = 0
        self._device.ioctl(_ERASE, block)

    def _note(self, block: int, slot: int, sequence: int) -> None:
        """A valid record was found or written: it goes on with the block's run or begins a new one."""
        if sequence == self._last[block] and sequence:
            return
        if not self._last[block] or sequence != self._last[block] + 1:
            self._first[block] = sequence
            self._first_slot[block] = slot
        self._last[block] = sequence

    def _read_in(self, block: int, sequence: int, into: "bytearray | memoryview", at: int) -> int:
        slot = self._first_slot[block] + sequence - self._first[block]
        buffer = self._check
        while slot < self.slots_per_block:
            self._device.readblocks(block, buffer, slot * SLOT)
            found = _sequence_in(buffer)
            if found == sequence:
                length = buffer[_RECORD_AT - 1]
                into[at : at + length] = buffer[_RECORD_AT : _RECORD_AT + length]
                return length
            if found > sequence:
                break
            slot += 1
        return 0

    def _scan(self) -> None:
        chunk = bytearray(min(_CHUNK, self.slots_per_block * SLOT))
        broken = [False] * self.blocks
        used = [0] * self.blocks
        for block in range(self.blocks):
            broken[block], used[block] = self._scan_block(block, chunk)
        newest = max(self._last) if self._last else 0
        if not newest:
            return
        self._head = self._last.index(newest)
        self._next_slot = used[self._head]
        self.newest = newest
        self._find_oldest(broken)

    def _scan_block(self, block: int, chunk: bytearray) -> "tuple[bool, int]":
        """Note the valid records of a block. Answers whether they have a gap, and the slots used."""
        view = memoryview(chunk)
        blank = b"\xff" * len(chunk)
        per_chunk = len(chunk) // SLOT
        has_gap, used = False, 0
        for first in range(0, self.slots_per_block, per_chunk):
            self._device.readblocks(block, chunk, first * SLOT)
            if chunk == blank:
                continue
            for index in range(per_chunk):
                slot = view[index * SLOT : index * SLOT + SLOT]
                if slot == _BLANK:
                    continue
                used = first + index + 1
                sequence = _sequence_in(slot)
                if not sequence:
                    self.torn_slots += 1
                    continue
                if self._last[block] and sequence not in (self._last[block], self._last[block] + 1):
                    has_gap = True
                self._note(block, first + index, sequence)
        return has_gap, used

    def _find_oldest(self, broken: "list[bool]") -> None:
        """Walk back from the head to every block whose last record comes before the first so far; others were stepped over."""
        block = before = self._head
        self.oldest = self._first[block]
        while not broken[block]:
            before = (before - 1) % self.blocks
            if before == self._head:
                break
            if self._last[before] and self._last[before] + 1 == self.oldest:
                block = before
                self.oldest = self._first[block]
        # A torn erase leaves rests in the block behind the head, and nowhere else.
        behind = (self._head + 1) % self.blocks
        if block != behind:
            between = (block - behind - 1) % self.blocks
            rests = [self._last[(behind + 1 + i) % self.blocks] for i in range(between)]
            self.has_gap = broken[block] or any(rests)


def _sequence_in(slot: "bytearray | memoryview") -> int:
    """The sequence of a valid slot; 0 for a torn or blank one."""
    sequence: int = struct.unpack_from(_HEAD, slot, 0)[0]
    length = slot[_RECORD_AT - 1]
    if not 1 <= length <= MAX_RECORD:
        return 0
    if struct.unpack_from("<I", slot, _CRC_AT)[0] != crc32(memoryview(slot)[:_CRC_AT]):
        return 0
    return sequence
