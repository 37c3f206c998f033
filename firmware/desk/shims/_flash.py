"""Raw flash in the supervisor, over one connection: what is written is there when the call returns, torn or whole.

Requests are frames: letter, partition u8, block u32, offset u32, then the data to program, or the count to read u16.
Letters: l labels (answers JSON), r read, p program, x erase first and program (the simple block protocol), e erase.
Answers are frames: the data read, or empty.
"""

import json
import struct

import _line

_CHUNK = 4096
_COUNT, _SIZE, _ERASE = 4, 5, 6

_connection = None
_partitions = None


def labels():
    """The names of this board's partitions."""
    return [row[0] for row in _table()]


def _table():
    global _connection, _partitions
    if _partitions is None:
        _connection = _line.device("flash")
        _partitions = json.loads(_ask("l", 0, 0, 0))
    return _partitions


def _ask(letter, partition, block, offset, data=b""):
    body = struct.pack("<BBII", ord(letter), partition, block, offset)
    _connection.write(struct.pack("<H", len(body) + len(data)) + body + bytes(data))
    return _connection.read_frame()


class Device:
    """One partition; `ValueError` when the board has none of this name."""

    def __init__(self, label):
        names = labels()
        if label not in names:
            raise ValueError("no partition %s" % label)
        self._index = names.index(label)
        self.block_count, self.block_size = _table()[self._index][1:]

    def size(self):
        return self.block_count * self.block_size

    def readblocks(self, block, buffer, offset):
        view = memoryview(buffer)
        for at in range(0, len(view), _CHUNK):
            part = view[at : at + _CHUNK]
            part[:] = _ask("r", self._index, block, offset + at, struct.pack("<H", len(part)))

    def writeblocks(self, block, buffer, offset):
        letter = "x" if offset is None else "p"
        view = memoryview(buffer)
        for at in range(0, len(view), _CHUNK):
            _ask(letter, self._index, block, (offset or 0) + at, view[at : at + _CHUNK])

    def ioctl(self, operation, argument):
        if operation == _COUNT:
            return self.block_count
        if operation == _SIZE:
            return self.block_size
        if operation == _ERASE:
            _ask("e", self._index, argument, 0)
        return 0
