"""Runs in a board's interpreter on the desk: mounts the program that the launcher has mapped, and starts it.

    rom_boot.py MODULE          or /FOLDER/MODULE, a program that is not in the image; it has a `run()`
    rom_boot.py main            the starter in the board's own files, which finds its program there

ARC_ROM is `address:length` of the image in this process.
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
    if module == "main":
        run_starter()
        return
    if module.startswith("/"):
        folder, _, module = module.rpartition("/")
        sys.path.append(folder)
    __import__(module)
    sys.modules[module].run()


def run_starter():
    """Of the image only the shims stay within reach. They import what they need of it before."""
    import machine  # noqa: F401

    for name in list(sys.modules):
        if name.split(".")[0] in ("firmware", "protocol"):
            del sys.modules[name]
    sys.path.remove("/rom")
    with open("main.py") as file:
        starter = file.read()
    exec(starter, {"__name__": "__main__"})


main(sys.argv[1])
