"""The sources of a program as they are, but for their version or whatever else a test changes."""

import shutil
from pathlib import Path

from firmware.flash.program import VERSION_FILE
from firmware.flash.sources import source_files
from firmware.version import FIRMWARE_VERSION

Version = tuple[int, int, int]


def of_version(version: Version, entry: str, root: Path) -> Path:
    """Copies what `entry` needs to `root`."""
    for name, path in source_files(entry).items():
        target = root / name
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(path, target)
    change(root / VERSION_FILE, f"FIRMWARE_VERSION = {FIRMWARE_VERSION}", f"FIRMWARE_VERSION = {version}")
    return root


def change(path: Path, old: str, new: str) -> None:
    """Puts `new` in the place of the one `old` in a file."""
    text = path.read_text()
    assert text.count(old) == 1, (path, old)
    path.write_text(text.replace(old, new))
