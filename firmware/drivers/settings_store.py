"""A small value in raw flash that survives a power cut while it is changed: two copies, each with counter and CRC.

The older copy is erased and written anew, so one whole copy is there at any instant.
"""

import struct
from binascii import crc32

_HEAD = "<HHI"  # magic, length, counter; then the value and the CRC-32 over all before it
_HEAD_SIZE = 8
_MAGIC = 0x5AC0
_CHUNK = 256
_SIZE, _ERASE = 5, 6

TYPE_CHECKING = False
if TYPE_CHECKING:
    from firmware.drivers.flash_ring import BlockDevice


class SettingsStore:
    """The value kept in blocks `first_block` and the one after it of `device`."""

    def __init__(self, device: "BlockDevice", first_block: int) -> None:
        self._device = device
        self._first_block = first_block
        self.max_length = (device.ioctl(_SIZE, 0) or 0) - _HEAD_SIZE - 4

    def read(self) -> bytes:
        """The value last written whole; empty when there is none."""
        newest = self._newest()
        return newest[1] if newest else b""

    def write(self, value: bytes) -> None:
        """Replace the value; it is in the flash, read back, when this returns. `OSError` when the flash does not take it."""
        if len(value) > self.max_length:
            raise ValueError("a setting has at most %d bytes, not %d" % (self.max_length, len(value)))
        newest = self._newest()
        counter, block = (newest[0] + 1, 1 - newest[2]) if newest else (1, 0)
        data = struct.pack(_HEAD, _MAGIC, len(value), counter) + value
        data += struct.pack("<I", crc32(data))
        number = self._first_block + block
        self._device.ioctl(_ERASE, number)
        for at in range(0, len(data), _CHUNK):
            self._device.writeblocks(number, data[at : at + _CHUNK], at)
        held = self._copy(block)
        if held is None or held[1] != value:
            raise OSError(5)

    def _newest(self) -> "tuple[int, bytes, int] | None":
        """Counter, value and copy (0 or 1) of the newest whole copy."""
        copies = [copy for copy in (self._copy(0), self._copy(1)) if copy is not None]
        if len(copies) == 2 and copies[1][0] > copies[0][0]:
            return copies[1]
        return copies[0] if copies else None

    def _copy(self, block: int) -> "tuple[int, bytes, int] | None":
        head = bytearray(_HEAD_SIZE)
        self._device.readblocks(self._first_block + block, head, 0)
        magic, length, counter = struct.unpack(_HEAD, head)
        if magic != _MAGIC or length > self.max_length:
            return None
        rest = bytearray(length + 4)
        self._device.readblocks(self._first_block + block, rest, _HEAD_SIZE)
        value = bytes(rest[:length])
        if struct.unpack_from("<I", rest, length)[0] != crc32(bytes(head) + value):
            return None
        return counter, value, block
