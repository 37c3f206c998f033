"""The board's own file system, as little of it as an update needs. Closing a file and renaming one are atomic on littlefs."""

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

_FOLDER = 0x4000
"""In a file's mode."""


class BoardFiles:
    """Names are paths from the root. `OSError` where the file system does not do it."""

    def open(self, name: str, mode: str) -> "Any":
        """A binary file; what was written is there once it has been closed."""
        return open(name, mode)

    def read(self, name: str) -> bytes:
        """A whole small file; empty when there is none."""
        try:
            with self.open(name, "rb") as file:
                data: bytes = file.read()
                return data
        except OSError:
            return b""

    def size(self, name: str) -> int:
        """Bytes of a file; -1 when there is none."""
        try:
            return os.stat(name)[6]
        except OSError:
            return -1

    def append(self, name: str, data: bytes) -> None:
        with self.open(name, "ab") as file:
            file.write(data)

    def replace(self, name: str, data: bytes) -> None:
        """At any instant the file is the old one or the new one."""
        with self.open(name + ".new", "wb") as file:
            file.write(data)
        self.rename(name + ".new", name)

    def rename(self, old: str, new: str) -> None:
        os.rename(old, new)

    def remove(self, name: str) -> None:
        """Nothing happens when there is none."""
        try:
            os.remove(name)
        except OSError:
            pass

    def make_folders(self, name: str) -> None:
        """Every folder on the way to this file."""
        at = name.find("/")
        while at > 0:
            try:
                os.mkdir(name[:at])
            except OSError:
                pass  # it is there
            at = name.find("/", at + 1)

    def remove_folder(self, name: str) -> None:
        """Nothing happens while something is in it."""
        try:
            os.rmdir(name)
        except OSError:
            pass

    def keep_only(self, folder: str, is_kept: "Callable[[str], bool]") -> None:
        """Remove what else is in `folder` and in those within, and folders that are empty then."""
        for name in os.listdir(folder):
            path = folder + "/" + name
            if os.stat(path)[0] & _FOLDER:
                self.keep_only(path, is_kept)
                self.remove_folder(path)
            elif not is_kept(path):
                self.remove(path)

    def blocks(self) -> "tuple[int, int]":
        """Bytes in a block, and how many there are. How many are free littlefs cannot say: it counts folders twice."""
        found = os.statvfs(".")
        return found[0], found[2]
