"""What a module keeps: its type and the salt of its identity, as the flash tool wrote them. Two files, each with counter and CRC.

The files lie in the module's file system (the flash tool and the desk write them with the same functions). The older
copy is replaced, so one whole copy is there at any instant.
"""

import struct
from binascii import crc32

from firmware.bus.words import instance_of

VERSION = 1
NO_TYPE = 0
"""The type of a module that the flash tool has not written yet."""
FILES = ("settings.0", "settings.1")

_LAYOUT = "<HBHI"  # counter, version, type_id, salt; then CRC-32 over all before it
_SIZE = struct.calcsize(_LAYOUT)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable


class Settings:
    """`type_id`: 1 – 32 as in the catalog, 33 and up for makers, `NO_TYPE` when unknown. `salt`: u32."""

    def __init__(self, type_id: int, salt: int) -> None:
        self.type_id = type_id
        self.salt = salt


def read_settings(folder: str) -> "Settings | None":
    """The settings last written whole in `folder` (with its slash; empty: the root of the board); None when there are none."""
    newest = _newest(folder)
    return newest[1] if newest else None


def write_settings(folder: str, settings: Settings) -> None:
    """Replace the settings in `folder`; `OSError` when they cannot be read back."""
    newest = _newest(folder)
    counter, index = ((newest[0] + 1) & 0xFFFF, 1 - newest[2]) if newest else (1, 0)
    data = struct.pack(_LAYOUT, counter, VERSION, settings.type_id, settings.salt)
    with open(folder + FILES[index], "wb") as file:
        file.write(data + struct.pack("<I", crc32(data) & 0xFFFFFFFF))
    held = _copy(folder, index)
    if held is None or held[0] != counter:
        raise OSError(5)


def good_salt(chip: bytes, random32: "Callable[[], int]") -> int:
    """A salt drawn from `random32()` whose instance has not all of its low 24 bits 0: in events those name the ARC."""
    while True:
        salt = random32()
        if instance_of(chip, salt) & 0xFFFFFF:
            return salt


def _newest(folder: str) -> "tuple[int, Settings, int] | None":
    """Counter, settings and which file of the newest whole copy."""
    first, second = _copy(folder, 0), _copy(folder, 1)
    if first is None or second is None:
        return first or second
    return second if 0 < (second[0] - first[0]) & 0xFFFF < 0x8000 else first


def _copy(folder: str, index: int) -> "tuple[int, Settings, int] | None":
    try:
        with open(folder + FILES[index], "rb") as file:
            data = file.read(64)
    except OSError:
        return None
    if len(data) != _SIZE + 4 or struct.unpack("<I", data[_SIZE:])[0] != crc32(data[:_SIZE]) & 0xFFFFFFFF:
        return None
    counter, version, type_id, salt = struct.unpack(_LAYOUT, data[:_SIZE])
    return (counter, Settings(type_id, salt), index) if version == VERSION else None
