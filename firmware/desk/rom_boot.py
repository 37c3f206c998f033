"""Runs in a board's interpreter on the desk: mounts the program that the launcher has mapped, and starts it.

    rom_boot.py MODULE          or /FOLDER/MODULE, a program that is not in the image

ARC_ROM is `address:length` of the image in this process. The module has a `run()`.
"""

import os
import sys

import uctypes
import vfs


def main(module):
    address, length = os.getenv("ARC_ROM").split(":")
    vfs.mount(vfs.VfsRom(uctypes.bytearray_at(int(address), int(length))), "/rom")
    sys.path.clear()
    sys.path.extend(("/rom/shims", "/rom", ".frozen"))
    if module.startswith("/"):
        folder, _, module = module.rpartition("/")
        sys.path.append(folder)
    __import__(module)
    sys.modules[module].run()


main(sys.argv[1])
