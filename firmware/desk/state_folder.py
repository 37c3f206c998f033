"""The folder that keeps the boards' flash belongs to one desk at a time: two would write over each other."""

import asyncio
import fcntl
from pathlib import Path
from typing import BinaryIO

from firmware.desk.supervisor import DeskError

PATIENCE_S = 4.0
"""A desk whose app was killed needs a moment to end."""
RETRY_S = 0.05


async def claim(folder: Path) -> BinaryIO:
    """Hold the folder until the answer is closed, however this process ends. `DeskError` when another desk keeps it."""
    folder.parent.mkdir(parents=True, exist_ok=True)
    # beside the folder, because `--fresh` removes what is inside
    held = folder.with_name(f"{folder.name}.lock").open("ab")
    try:
        async with asyncio.timeout(PATIENCE_S):
            while not _lock(held):
                await asyncio.sleep(RETRY_S)
    except BaseException as error:
        held.close()
        if isinstance(error, TimeoutError):
            raise DeskError(
                f"another desk keeps its boards in {folder}: close it, or give this one a folder of its own with --state"
            ) from None
        raise
    return held


def _lock(held: BinaryIO) -> bool:
    try:
        fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True
