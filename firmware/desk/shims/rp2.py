"""The boards' `rp2` module, as far as a module's firmware needs it: the flash behind the program."""

import _flash

_LABEL = "flash"


class Flash:
    """MicroPython's extended block protocol over `len` bytes from `start`; without them over the file system's part."""

    def __init__(self, *, start=-1, len=-1):
        self._device = _flash.Device(_LABEL)
        self._first = 0 if start < 0 else start // self._device.block_size

    def readblocks(self, block_num, buf, offset=0):
        self._device.readblocks(self._first + block_num, buf, offset)

    def writeblocks(self, block_num, buf, offset=None):
        self._device.writeblocks(self._first + block_num, buf, offset)

    def ioctl(self, cmd, arg=0):
        if cmd == 6:
            return self._device.ioctl(cmd, self._first + arg)
        return self._device.ioctl(cmd, arg)
