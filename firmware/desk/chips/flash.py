"""NOR flash as boards see it: erase blocks of ones, programming only clears bits, and power may go in any operation.

Speaks MicroPython's extended block protocol, like `esp32.Partition`. Runs on CPython and MicroPython.
"""

READ_PAGE = 256
_BLOCK_COUNT, _BLOCK_SIZE, _ERASE = 4, 5, 6


class PowerCut(Exception):  # noqa: N818 (nothing went wrong: the power went)
    """The power went during this operation. The board is dead until `power_up`."""


class Flash:
    """`size` bytes in blocks of `block` bytes.

    With `cut_at = k` the k-th operation from then on (an erase, or one program of at most 256 bytes) is torn: a part
    of it, chosen by `chance(n) -> 0 … n-1`, reaches the cells, and `PowerCut` is raised there and by all that follows.
    """

    def __init__(self, size: int = 64 * 1024, block: int = 4096, chance: "object" = None) -> None:
        if size % block:
            raise ValueError("a flash has a whole number of erase blocks")
        self.cells = bytearray(b"\xff" * size)
        self.block = block
        self.chance = chance
        self.cut_at = 0
        self.is_dead = False
        self.erases = [0] * (size // block)
        self.dirty_programs = 0

    def power_up(self) -> None:
        """The board has power again; a cut that was planned is forgotten."""
        self.is_dead = False
        self.cut_at = 0

    def readblocks(self, number: int, buffer: "bytearray | memoryview", offset: int = 0) -> None:
        """Fill `buffer` from block `number` on."""
        self._check_power()
        at = self._address(number, offset, len(buffer))
        buffer[:] = memoryview(self.cells)[at : at + len(buffer)]

    def writeblocks(self, number: int, buffer: "bytes | bytearray | memoryview", offset: "int | None" = None) -> None:
        """With an offset: program only. Without: erase the blocks first, as the simple block protocol wants it."""
        at = self._address(number, offset or 0, len(buffer))
        if offset is None:
            for index in range((len(buffer) + self.block - 1) // self.block):
                self._erase(number + index)
        done = 0
        while done < len(buffer):
            room = READ_PAGE - (at + done) % READ_PAGE
            self._program(at + done, bytes(buffer[done : done + room]))
            done += room

    def ioctl(self, operation: int, argument: int = 0) -> "int | None":
        """Block count (4), block size (5), erase a block (6); others do nothing and answer 0."""
        if operation == _BLOCK_COUNT:
            return len(self.cells) // self.block
        if operation == _BLOCK_SIZE:
            return self.block
        if operation == _ERASE:
            self._erase(argument)
        return 0

    def _address(self, number: int, offset: int, length: int) -> int:
        at = number * self.block + offset
        if number < 0 or offset < 0 or at + length > len(self.cells):
            raise OSError(22)
        return at

    def _check_power(self) -> None:
        if self.is_dead:
            raise PowerCut()

    def _power_goes_now(self) -> bool:
        self._check_power()
        if self.cut_at:
            self.cut_at -= 1
            self.is_dead = self.cut_at == 0
        return self.is_dead

    def _erase(self, number: int) -> None:
        start = self._address(number, 0, self.block)
        if self._power_goes_now():
            self._changed(start, self._torn_erase(bytes(self.cells[start : start + self.block])))
            raise PowerCut()
        self.erases[number] += 1
        self._changed(start, b"\xff" * self.block)

    def _program(self, at: int, data: bytes) -> None:
        before = bytes(self.cells[at : at + len(data)])
        blank = before == b"\xff" * len(data)
        after = data if blank else _both(before, data)
        if self._power_goes_now():
            self._changed(at, self._torn_program(before, after))
            raise PowerCut()
        self.dirty_programs += after != data
        self._changed(at, after)

    def _torn_program(self, before: bytes, after: bytes) -> bytes:
        way = self._draw(4)
        if way == 0:
            return before
        if way == 1:
            return after
        count = self._draw(len(after)) if way == 2 else 0
        half = bytes([after[i] | (before[i] & self._draw(256)) for i in range(count, len(after))])
        if way == 2:
            return after[:count] + half[:1] + before[count + 1 :]
        return half

    def _torn_erase(self, before: bytes) -> bytes:
        way = self._draw(4)
        if way == 0:
            return before
        if way == 1:
            return b"\xff" * len(before)
        count = self._draw(len(before))
        if way == 2:
            return b"\xff" * count + before[count:]
        return bytes([b | self._draw(256) for b in before])

    def _draw(self, limit: int) -> int:
        return self.chance(limit) if self.chance else limit - 1  # type: ignore[operator]

    def _changed(self, at: int, data: bytes) -> None:
        self.cells[at : at + len(data)] = data


class FileFlash(Flash):
    """A flash whose cells are a file, so that they outlive the board's process. Every operation is in the file at once."""

    def __init__(self, path: str, size: int, block: int = 4096, chance: "object" = None, fresh: bool = False) -> None:
        super().__init__(size, block, chance)
        held = b"" if fresh else _contents(path)
        if len(held) == size:
            self.cells[:] = held
        else:
            with open(path, "wb") as file:
                file.write(self.cells)
        self._file = open(path, "r+b")  # noqa: SIM115 (held open for the life of the board)

    def close(self) -> None:
        """Let go of the file."""
        self._file.close()

    def _changed(self, at: int, data: bytes) -> None:
        super()._changed(at, data)
        self._file.seek(at)
        self._file.write(data)
        self._file.flush()


def _both(left: bytes, right: bytes) -> bytes:
    return bytes([left[i] & right[i] for i in range(len(left))])


def _contents(path: str) -> bytes:
    try:
        with open(path, "rb") as file:
            return file.read()
    except OSError:
        return b""
