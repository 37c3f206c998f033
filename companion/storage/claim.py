"""A store belongs to one app at a time: two would journal into each other's game and take the one link from each other."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

try:
    import fcntl
except ImportError:  # Windows, where two at a time are not noticed
    fcntl = None  # type: ignore[assignment]

from companion.storage.records import StoreError

IN_USE = (
    "{path} is open in the app already. Close it there first, or name another file with --store. "
    "An update needs no second app: it is in the menu of the first, page Firmware"
)


@contextmanager
def claimed(path: Path) -> Iterator[None]:
    """The store at `path`, there already or not, is this process's until the end, however it ends; to be claimed before it is
    opened, which may change it. `StoreError` when another one has it."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        held = lock_of(path).open("ab")
    except OSError as error:
        raise StoreError(f"cannot write beside {path}: {error.strerror}. Choose another file with --store") from error
    with held:
        if fcntl:
            try:
                fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                raise StoreError(IN_USE.format(path=path)) from None
            except OSError:  # a file system without locks: as on Windows
                pass
        yield


def lock_of(path: Path) -> Path:
    """Never taken away: a new one in its place would not be the one that is held."""
    return path.with_name(f"{path.name}.lock")
