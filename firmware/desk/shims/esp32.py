"""The boards' `esp32` module: raw flash partitions, which outlive the board's process in the supervisor."""

import _flash
import _pins

WAKEUP_ALL_LOW, WAKEUP_ANY_HIGH = False, True


class Partition:
    """MicroPython's extended block protocol over one partition, found by its label."""

    BOOT, RUNNING = 0, 1
    TYPE_APP, TYPE_DATA = 0, 1

    def __init__(self, label):
        self._label = label
        self._device = _flash.Device(label)

    @classmethod
    def find(cls, type=1, subtype=0xFF, label=None, block_size=None):
        if label is None:
            return [cls(name) for name in _flash.labels()]
        return [cls(label)] if label in _flash.labels() else []

    def info(self):
        """Type, subtype, address, size, label, encrypted."""
        return (self.TYPE_DATA, 0x40, 0, self._device.size(), self._label, False)

    def readblocks(self, block_num, buf, offset=0):
        self._device.readblocks(block_num, buf, offset)

    def writeblocks(self, block_num, buf, offset=None):
        self._device.writeblocks(block_num, buf, offset)

    def ioctl(self, cmd, arg=0):
        return self._device.ioctl(cmd, arg)

    def mark_app_valid_cancel_rollback(self):
        pass


def wake_on_ext0(pin=None, level=None):
    _pins.tell("e", pin._id, 1 if level else 0)


def wake_on_ext1(pins=None, level=None):
    for pin in pins or ():
        _pins.tell("e", pin._id, 1 if level else 0)
