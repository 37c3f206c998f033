"""Updates on the interpreter we ship and on its littlefs, in a partition as small as the ARC's: two programs must fit."""

import gc
import os
import sys
import time

import vfs

from firmware.drivers.board_files import BoardFiles
from firmware.update.trial import RUNNING, Trial
from firmware.update.writing import Update
from protocol.update import digest_of, update_mac
from protocol.update_image import pack_image
from protocol.update_sending import update_steps

HEAP = "4m"
BLOCK = 4096
VFS_BLOCKS = 180
TOKEN = bytes(range(16))
MPY = sys.implementation._mpy & 0xFF
SIZES = [26] * 8 + [5_900, 3_800, 3_600, 3_300, 3_200] + [1_130] * 59
"""As many files as the ARC's program has, and as large together."""


class Disk:
    """A block device in a file of the computer."""

    def __init__(self, path, blocks):
        self._blocks = blocks
        self._file = open(path, "w+b")  # noqa: SIM115 - closed by `close`
        for _ in range(blocks):
            self._file.write(b"\xff" * BLOCK)

    def readblocks(self, number, buffer, offset=0):
        self._file.seek(number * BLOCK + offset)
        self._file.readinto(buffer)

    def writeblocks(self, number, data, offset=0):
        self._file.seek(number * BLOCK + offset)
        self._file.write(data)

    def ioctl(self, operation, argument):
        return {4: self._blocks, 5: BLOCK}.get(operation, 0)

    def close(self):
        self._file.close()


class OnDisk:
    """The current folder is the root of a fresh littlefs."""

    def __enter__(self):
        self._before = os.getcwd()
        self._path = self._before + "/arc.disk"
        self._disk = Disk(self._path, VFS_BLOCKS)
        vfs.VfsLfs2.mkfs(self._disk)
        vfs.mount(vfs.VfsLfs2(self._disk), "/board")
        os.chdir("/board")

    def __exit__(self, *_):
        os.chdir(self._before)
        vfs.umount("/board")
        self._disk.close()
        os.remove(self._path)


def image_of(number):
    files = {}
    for index, size in enumerate(SIZES):
        text = b"%d %d " % (number, index)
        files["firmware/part%d/file%d.mpy" % (index % 5, index)] = text + bytes(size - len(text))
    return pack_image(1, (0, number, 0), MPY, files, b"{}" + bytes(7_000))


def update_of(files, folder, boots):
    return Update(files, folder, lambda digest, mac: mac == update_mac(TOKEN, digest), MPY, boots)


def carry(update, image):
    """As a tablet and `commands` do; gives the longest time of one command in milliseconds."""
    steps = update_steps(image, TOKEN)
    command, longest_ms = next(steps), 0
    while True:
        begun_ms = time.ticks_ms()
        if command.KIND == 0x34:
            answer = update.begin(command.manifest, command.size, command.digest, command.mac)
        elif command.KIND == 0x35:
            answer = update.add(command.offset, command.data) or b""
        else:
            answer = update.commit()
        longest_ms = max(longest_ms, time.ticks_diff(time.ticks_ms(), begun_ms))
        assert isinstance(answer, bytes), answer
        try:
            command = steps.send(answer)
        except StopIteration:
            return longest_ms


def test_two_whole_programs_fit_and_take_turns():
    with OnDisk():
        files = BoardFiles()
        folder = "a"
        files.replace(RUNNING, b"a")
        for number in range(1, 4):
            image = image_of(number)
            stale = "b/firmware/stale/file.mpy" if folder == "a" else "a/firmware/stale/file.mpy"
            files.make_folders(stale)
            files.replace(stale, b"of an earlier firmware")
            longest_ms = carry(update_of(files, folder, number), image)
            assert "stale" not in os.listdir(stale.rsplit("/", 2)[0])
            old, folder = folder, "b" if folder == "a" else "a"
            print("%d bytes, longest command %d ms" % (len(image.data), longest_ms))
            assert files.read(RUNNING) == ("%s %s" % (folder, old)).encode()
            for name, _, digest in image.rows:
                assert digest_of(files.read(folder + "/" + name)) == digest, name
            files.replace(RUNNING, old.encode())  # as the starter does
            trial = Trial(files, folder, number + 1)
            assert trial.is_open()
            trial.passed()
            assert files.read(RUNNING) == folder.encode()


def test_the_heap_stays_flat_while_chunks_come():
    with OnDisk():
        files = BoardFiles()
        image = image_of(1)
        update = update_of(files, "a", 1)
        digest = digest_of(image.manifest)
        update.begin(len(image.manifest), len(image.data), digest, update_mac(TOKEN, digest))
        data, levels = image.data, []
        for at in range(0, len(data), 238):
            assert update.add(at, data[at : at + 238]) == 0
            if at // 238 % 100 == 99:
                gc.collect()
                levels.append(gc.mem_alloc())
        assert len(levels) >= 3
        assert max(levels[1:]) - min(levels[1:]) < 2_048, levels
