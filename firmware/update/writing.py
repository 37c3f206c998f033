"""A new firmware over the link: into the folder that does not run, read back, switched to in one step. Resumable.

| file | content |
|---|---|
| `update.begun` | which image is coming, and into which folder |
| `update.manifest` | its manifest, whole once it has its SHA-256 |
| `update.done` | a byte for each file that is whole |
| `a/…`, `b/…` | the files; `manifest.new` becomes `manifest.json`, which says that the folder is whole, right before the switch |

Until `running` names the other folder nothing of this matters to the one that runs (`flash/board_files/main.py`).
"""

import hashlib
import struct
from binascii import crc32

from firmware.update.trial import FOLDERS, NO_SPACE_ERROR, TRIAL, begin_trial
from protocol.message import ProtocolError
from protocol.reasons import MALFORMED, NO_SPACE, UNSUPPORTED, WRITE_FAILED, WRONG_MAC
from protocol.update import (
    BOARD_ARC,
    ENTRY_SIZE,
    HEAD_SIZE,
    LAST_FILE,
    MAX_IMAGE,
    MAX_MANIFEST,
    is_safe_name,
    unpack_entry,
    unpack_head,
)

BEGUN, MANIFEST, DONE = "update.begun", "update.manifest", "update.done"
STAGED = "manifest.new"
CHECKED_AT_ONCE = 4096
"""A commit stops after so many bytes, for events not to wait."""
SPARE_BLOCKS = 12
"""Of each half of the file system: for folders, and for what littlefs needs to change anything; small files take none of their own."""
_READ = 256

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Callable, Iterator

    from firmware.drivers.board_files import BoardFiles


class Update:
    """`begin`, `add` in order, `commit` until it answers 0 files; each answers bytes for the OK or a reason to refuse.

    `folder` is the one that runs, "" when it is none of ours; `is_signed(digest, mac)` asks about the tablet that holds
    the session; `mpy` is the .mpy version of this interpreter; `boots` counts them; `board` says for which the image must be.
    """

    def __init__(
        self,
        files: "BoardFiles",
        folder: str,
        is_signed: "Callable[[bytes, bytes], bool]",
        mpy: int,
        boots: int,
        board: int = BOARD_ARC,
    ) -> None:
        self._files = files
        self._running = folder
        self._target = FOLDERS[folder == FOLDERS[0]] + "/"
        self._is_signed = is_signed
        self._mpy = mpy
        self._boots = boots
        self._board = board
        self._file: "Any" = None
        self._buffer = bytearray(_READ)
        self.is_switched = False
        self.drop()

    def drop(self) -> None:
        """Forget what is under way in memory; whole files stay for the next `begin`."""
        file, self._file = self._file, None
        if file is not None:
            try:
                file.close()
            except OSError:
                pass  # a full disk: what of it was written is not counted
        self._rows: "Iterator[tuple[str, int, bytes]] | None" = None
        self._checking: "Any" = None
        self._is_begun = False
        self._at = 0
        self._left = 0
        self._unchecked = 0

    def begin(self, manifest: int, size: int, digest: bytes, mac: bytes) -> "bytes | int":
        """The offset to go on from, packed as u32. Refused for what is asked, it ends nothing that was under way."""
        if not self._running or self.is_switched:
            return UNSUPPORTED
        if not self._is_signed(digest, mac):
            return WRONG_MAC
        if size > MAX_IMAGE or not HEAD_SIZE < manifest <= min(size, MAX_MANIFEST):
            return NO_SPACE
        self.drop()
        self._manifest_size, self._size, self._digest, self._mac = manifest, size, digest, mac
        try:
            # with the folder: the flash tool may have changed which one runs since
            self._take_up(struct.pack("<HI", manifest, size) + digest + self._target.encode())
        except OSError as error:
            return self._failed(error)
        self._is_begun = True
        return struct.pack("<I", self._at)

    def add(self, offset: int, data: bytes) -> int:
        """The next bytes of the image."""
        if not self._is_begun or offset != self._at or offset + len(data) > self._size:
            return MALFORMED
        try:
            done = 0
            while done < len(data):
                file = self._file or self._open_next()
                part = data[done : done + self._left]
                file.write(part)
                done += len(part)
                self._at += len(part)
                self._left -= len(part)
                reason = 0 if self._left else self._close()
                if reason:
                    return self._refuse(reason)
        except OSError as error:
            return self._failed(error)
        return 0

    def commit(self) -> "bytes | int":
        """How many files are still to be read back, packed as u16; with 0 the board has switched and is to restart."""
        if not self._is_begun or self._at != self._size:
            return MALFORMED
        try:
            if self._checking is None:
                self._checking, self._unchecked = self._read_rows(), self._count()
            if not self._check_some():
                return self._refuse(WRITE_FAILED)
            if not self._unchecked:
                if self._digest_of(MANIFEST) != self._digest or not self._is_signed(self._digest, self._mac):
                    return self._refuse(WRONG_MAC)
                self._switch()
        except OSError as error:
            # a file that is not there any more, say: gone on with, it would be missed again
            return self._refuse(self._failed(error))
        return struct.pack("<H", self._unchecked)

    # beginning, and going on

    def _take_up(self, record: bytes) -> None:
        """Where an earlier attempt with this very image stopped, else from nothing."""
        files = self._files
        if files.read(BEGUN) != record:
            self._clear()
            files.remove(self._target + LAST_FILE)
            files.replace(BEGUN, record)
        if files.size(MANIFEST) != self._manifest_size or self._check_manifest():
            files.remove(DONE)
            return
        self._at = self._manifest_size
        self._rows = self._read_rows()
        done = min(max(files.size(DONE), 0), self._count())
        if done == self._count() and files.size(self._target + STAGED) < 0:
            # the power went between the last rename and the switch
            files.replace(DONE, bytes(done - 1))
            done -= 1
        for _ in range(done):
            self._at += next(self._rows)[1]

    def _clear(self) -> None:
        for name in (BEGUN, DONE, MANIFEST):
            self._files.remove(name)

    def _check_manifest(self) -> int:
        """0 when it is whole, for this board, and two of its size fit; else the reason."""
        if self._digest_of(MANIFEST) != self._digest:
            return MALFORMED
        try:
            with self._files.open(MANIFEST, "rb") as file:
                head = unpack_head(file.read(HEAD_SIZE))
            if head.board != self._board or head.mpy != self._mpy:
                return UNSUPPORTED
            block, blocks = self._files.blocks()
            left = blocks // 2 - SPARE_BLOCKS
            total, name = self._manifest_size, ""
            for name, size, _ in self._read_rows():
                if not is_safe_name(name):
                    return MALFORMED
                total += size
                left -= (size + block - 1) // block
        except ValueError:  # a ProtocolError, or a name that is no text
            return MALFORMED
        if total != self._size or name != LAST_FILE:
            return MALFORMED
        return NO_SPACE if left < 0 else 0

    def _read_rows(self) -> "Iterator[tuple[str, int, bytes]]":
        """Name, size and SHA-256 of each file."""
        with self._files.open(MANIFEST, "rb") as file:
            for _ in range(unpack_head(file.read(HEAD_SIZE)).count):
                size, digest, length = unpack_entry(file.read(ENTRY_SIZE))
                name = file.read(length)
                if len(name) != length:
                    raise ProtocolError("cut")
                yield name.decode(), size, digest

    def _count(self) -> int:
        with self._files.open(MANIFEST, "rb") as file:
            return unpack_head(file.read(HEAD_SIZE)).count

    # files

    def _place(self, name: str) -> str:
        return self._target + (STAGED if name == LAST_FILE else name)

    def _open_next(self) -> "Any":
        if self._rows is None:
            place, self._left = MANIFEST, self._manifest_size
        else:
            name, self._left, _ = next(self._rows)
            place = self._place(name)
            self._files.make_folders(place)
        self._file = self._files.open(place, "wb")
        return self._file

    def _close(self) -> int:
        """A file is whole. 0, or what is wrong with the manifest."""
        self._file.close()
        self._file = None
        if self._rows is not None:
            self._files.append(DONE, b".")
            return 0
        reason = self._check_manifest()
        if not reason:
            self._rows = self._read_rows()
        return reason

    def _check_some(self) -> bool:
        """Read a few files back. False when one differs."""
        left = CHECKED_AT_ONCE
        while self._unchecked and left > 0:
            name, size, digest = next(self._checking)
            if self._digest_of(self._place(name)) != digest:
                return False
            self._unchecked -= 1
            left -= size
        return True

    def _digest_of(self, name: str) -> bytes:
        digest, view = hashlib.sha256(), memoryview(self._buffer)
        with self._files.open(name, "rb") as file:
            while True:
                count = file.readinto(self._buffer)
                if not count:
                    return digest.digest()
                digest.update(view[:count])

    def _switch(self) -> None:
        # what only an earlier firmware had would take room for ever, and a folder of its would hide a file of that name
        kept = {crc32(self._place(name).encode()) for name, _, _ in self._read_rows()}
        self._files.keep_only(self._target[:-1], lambda path: crc32(path.encode()) in kept)
        self._files.rename(self._target + STAGED, self._target + LAST_FILE)
        begin_trial(self._files, self._target[:-1], self._running, self._boots)
        self.is_switched = True
        self._clear()

    # what goes wrong

    def _refuse(self, reason: int) -> int:
        """This image leads nowhere: the next begins from nothing."""
        self.drop()
        self._clear()
        return reason

    def _failed(self, error: OSError) -> int:
        self.drop()
        if error.args[0] != NO_SPACE_ERROR:
            return WRITE_FAILED
        self._give_back()
        return NO_SPACE

    def _give_back(self) -> None:
        """A full file system could not even confirm a trial: what was written goes, and what said that it is whole."""
        self._files.remove(TRIAL)
        self._files.remove(self._target + LAST_FILE)
        try:
            for name, _, _ in self._read_rows():
                self._files.remove(self._place(name))
        except (OSError, ValueError):
            pass  # it ended within the manifest
        self._clear()
