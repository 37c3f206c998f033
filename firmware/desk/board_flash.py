"""The raw flash of one board: partitions as files that outlive its process, served to the `esp32` shim."""

import json
import struct
from collections.abc import Callable, Iterable
from pathlib import Path

from firmware.desk.chips.flash import FileFlash, PowerCut

_REQUEST = struct.Struct("<HBBII")


class BoardFlash:
    """Partitions `(label, bytes)` in files under `folder`. `on_power_cut` is called when a planned cut has come."""

    def __init__(
        self,
        folder: Path,
        partitions: Iterable[tuple[str, int]],
        block: int,
        chance: Callable[[int], int],
        on_power_cut: Callable[[], None],
    ) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self.parts = {
            label: FileFlash(str(folder / f"{label}.flash"), size, block, chance) for label, size in partitions
        }
        self._order = list(self.parts.values())
        self._block = block
        self._on_power_cut = on_power_cut

    def power_up(self) -> None:
        for part in self._order:
            part.power_up()

    def plan_cut(self, operations: int) -> None:
        """The power goes in the middle of that many operations from now (1: the next one), whatever partition it is in."""
        for part in self._order:
            part.cut_at = operations

    def close(self) -> None:
        for part in self._order:
            part.close()

    def answer(self, request: bytes) -> bytes:
        """One request of the shim (`shims/_flash.py`) as a frame; the answer as a frame. Nothing once the power is gone."""
        _, letter, index, block, offset = _REQUEST.unpack_from(request)
        data = request[_REQUEST.size :]
        try:
            body = self._do(chr(letter), index, block, offset, data)
        except PowerCut:
            self._on_power_cut()
            return b""
        return struct.pack("<H", len(body)) + body

    def _do(self, letter: str, index: int, block: int, offset: int, data: bytes) -> bytes:
        if letter == "l":
            rows = [(label, len(part.cells) // self._block, self._block) for label, part in self.parts.items()]
            return json.dumps(rows).encode()
        part = self._order[index]
        planned = part.cut_at
        if letter == "r":
            buffer = bytearray(struct.unpack("<H", data)[0])
            part.readblocks(block, buffer, offset)
            return bytes(buffer)
        if letter == "e":
            part.ioctl(6, block)
        elif letter == "p":
            part.writeblocks(block, data, offset)
        else:
            part.writeblocks(block + offset // self._block, data)
        # a cut planned for the board counts the operations of all its partitions
        if planned and part.cut_at != planned:
            for other in self._order:
                other.cut_at = part.cut_at
        return b""
