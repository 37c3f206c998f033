# Imported by the interpreter that stands for a board's: makes it look like one.
# Settings come in the environment: SIM_DISK, SIM_CONTROL, SIM_ANSWERS, SIM_PLATFORM, SIM_MPY, SIM_VERSION, SIM_SHIMS, SIM_ROOT.
import os
import sys as _sys

import vfs

_control = open(os.getenv("SIM_CONTROL"), "w")


_answers = open(os.getenv("SIM_ANSWERS"))


def _tell(text):
    _control.write(text + "\n")


def _operation():
    """Told and answered, so that the world outside can stop at exactly this one."""
    _tell("op")
    _answers.read(1)


class Disk:
    """Blocks in a file; every operation is told to the control pipe before it is done, and may be refused power there."""

    def __init__(self, path):
        self._file = open(path, "r+b")
        self._count = os.stat(path)[6] // 4096

    def readblocks(self, block, into, offset=0):
        self._file.seek(block * 4096 + offset)
        self._file.readinto(into)

    def writeblocks(self, block, data, offset=0):
        self._file.seek(block * 4096 + offset)
        self._file.write(data)
        _operation()

    def ioctl(self, operation, argument):
        if operation == 4:
            return self._count
        if operation == 5:
            return 4096
        if operation == 6:
            self._file.seek(argument * 4096)
            self._file.write(b"\xff" * 4096)
            _operation()
            return 0
        return 0


def _number(text):
    return tuple(int(part) for part in text.split("."))


class Implementation:
    name = "micropython"
    version = _number(os.getenv("SIM_VERSION"))
    _machine = os.getenv("SIM_MACHINE")
    _mpy = int(os.getenv("SIM_MPY")) or _sys.implementation._mpy


class Sys:
    platform = os.getenv("SIM_PLATFORM")
    implementation = Implementation

    def __getattr__(self, name):
        return getattr(_sys, name)


def _become_a_board():
    _sys.path[:] = [os.getenv("SIM_SHIMS"), os.getenv("SIM_ROOT"), ".frozen"]
    import machine

    for name in ("bluetooth", "esp32", "neopixel"):
        __import__(name)

    def reset():
        _tell("reset")
        while True:
            try:
                while True:
                    pass
            except KeyboardInterrupt:
                pass  # nothing stops a reset

    class WDT:
        def __init__(self, timeout=5000):
            _tell("watchdog {}".format(timeout))

        def feed(self):
            _tell("fed")

    machine.reset, machine.WDT = reset, WDT
    # what the desk's shims need of the project is theirs, not the board's
    for name in list(_sys.modules):
        if name.split(".")[0] in ("firmware", "protocol"):
            del _sys.modules[name]
    disk = Disk(os.getenv("SIM_DISK"))
    vfs.umount("/")
    try:
        mounted = vfs.VfsLfs2(disk)
    except OSError:
        vfs.VfsLfs2.mkfs(disk)
        mounted = vfs.VfsLfs2(disk)
    vfs.mount(mounted, "/")
    os.chdir("/")
    _sys.path[:] = ["", ".frozen"]
    _sys.modules["sys"] = Sys()


_become_a_board()
_tell("up")
