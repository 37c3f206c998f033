"""Start-up without the garbage collector: what is loaded stays, and walking through all of it again and again takes time."""

import contextlib
import gc
from collections.abc import Iterator


@contextlib.contextmanager
def uncollected() -> Iterator[None]:
    """For imports and for reading the catalog; nothing is collected until the end of the block."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()
