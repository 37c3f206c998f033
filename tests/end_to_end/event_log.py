"""What the ARC has written into its event log, read from the desk's flash while the board runs: nobody asks the board."""

import asyncio

from firmware.arc.outbox import Outbox
from firmware.desk.chips.flash import Flash
from firmware.desk.desk import ARC, Desk
from firmware.drivers.flash_ring import FlashRing
from protocol.events import Body
from protocol.reading import decode_event

WITHIN_S = 15.0


def bodies(desk: Desk) -> list[Body]:
    """All events in the log, the oldest first."""
    cells = desk.supervisor.boards[ARC].flash.parts["events"].cells
    copy = Flash(len(cells))
    copy.cells[:] = cells
    return [decode_event(record).body for record in Outbox(FlashRing(copy), lambda: 1).after(0)]


async def written(desk: Desk, kind: type[Body], count: int) -> None:
    """Wait until the log has that many events of a kind."""
    async with asyncio.timeout(WITHIN_S):
        while sum(isinstance(body, kind) for body in bodies(desk)) < count:
            await asyncio.sleep(0.05)
