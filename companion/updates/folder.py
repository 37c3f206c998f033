"""The folder of firmware images that the app was given: what lies in it for the ARC and for modules, or what is wrong with it.

`make firmware` fills it; the app never makes an image itself.
"""

import os
import stat
from pathlib import Path

from attrs import frozen

from companion.link.updating import Version, read_image
from protocol.update import BOARD_ARC, BOARD_MODULE, MAX_IMAGE
from protocol.update_image import Image

ARC_FILE, MODULE_FILE = "arc.image", "module.image"
BUILT = Path(__file__).parents[2] / "build" / "firmware"
"""Where `make firmware` leaves them in a source checkout."""
MISSING = "There is no {file} in {folder}. Put one there, or make it with `make firmware`."
UNREADABLE = "{path} cannot be read: {why}. Copy it again."
DAMAGED = "{path} is no firmware that can be sent: {why}. Copy it again, or make it anew with `make firmware`."


NO_FILE = "it is no file"
TOO_LARGE = "it has {size:,} bytes, and no firmware has more than {most:,}"


@frozen
class OnHand:
    """An image that was checked whole, or why there is none."""

    image: Image | None = None
    trouble: str = ""

    @property
    def version(self) -> Version | None:
        return self.image.head.version if self.image else None


@frozen
class AtHand:
    arc: OnHand = OnHand()
    modules: OnHand = OnHand()


def default_folder(store: Path) -> Path:
    """`firmware` beside the app's store; in a source checkout without one, what was built there."""
    beside = store.parent / "firmware"
    return BUILT if BUILT.is_dir() and not beside.is_dir() else beside


def look_into(folder: Path) -> AtHand:
    """Reads both files; whatever is wrong with one is told, and the other is still of use."""
    return AtHand(_read(folder, ARC_FILE, BOARD_ARC), _read(folder, MODULE_FILE, BOARD_MODULE))


def _read(folder: Path, file: str, board: int) -> OnHand:
    path = folder / file
    try:
        return OnHand(read_image(_bytes_of(path), board))
    except FileNotFoundError:
        return OnHand(trouble=MISSING.format(file=file, folder=folder))
    except OSError as error:
        return OnHand(trouble=UNREADABLE.format(path=path, why=error.strerror))
    except ValueError as error:
        return OnHand(trouble=DAMAGED.format(path=path, why=error))


def _bytes_of(path: Path) -> bytes:
    """Looked at before it is read: a game runs beside this, and must not wait for a pipe or have its memory filled by a film."""
    with open(path, "rb", opener=_without_waiting) as opened:
        kept = os.fstat(opened.fileno())
        if not stat.S_ISREG(kept.st_mode):
            raise ValueError(NO_FILE)
        if kept.st_size > MAX_IMAGE:
            raise ValueError(TOO_LARGE.format(size=kept.st_size, most=MAX_IMAGE))
        return opened.read(MAX_IMAGE + 1)


def _without_waiting(path: str, flags: int) -> int:
    """A pipe that nobody writes into would not even let itself be opened. Windows has neither that nor the flag."""
    return os.open(path, flags | getattr(os, "O_NONBLOCK", 0))
