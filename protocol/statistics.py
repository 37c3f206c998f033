"""What the ARC counts: the names behind the u32 numbers that answer READ_STATISTICS, in their order.

Counters stop at their greatest value. A later minor version may add names at the end of a group, never move one.
"""

import struct

from protocol.messages import (
    STATISTICS_BUS as STATISTICS_BUS,
    STATISTICS_LIFE as STATISTICS_LIFE,
    STATISTICS_LINK as STATISTICS_LINK,
    STATISTICS_READER as STATISTICS_READER,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

COUNTERS = {
    STATISTICS_READER: ("polls", "reads", "crc_errors", "collisions", "resets", "unreadable"),
    STATISTICS_BUS: ("frames", "crc_errors", "timeouts", "retries", "joins", "detaches", "trips", "current_ma", "late"),
    STATISTICS_LINK: (
        "connects",
        "resumes",
        "refused",
        "resends",
        "enomem",
        "bad_frames",
        "bad_commands",
        "unsent",
        "overruns",
        "turned_away",
    ),
    STATISTICS_LIFE: (
        "boots",
        "watchdog_resets",
        "task_restarts",
        "heap_free",
        "heap_min_free",
        "lost_writes",
        "torn_slots",
        "battery_mv",
    ),
}

_GREATEST = 0xFFFFFFFF


def pack_counters(group: int, counts: "Mapping[str, int]") -> bytes:
    """The answer's data for a group; a counter that is not in `counts` is 0. `KeyError` when there is no such group."""
    names = COUNTERS[group]
    return struct.pack("<%dI" % len(names), *[min(counts.get(name, 0), _GREATEST) for name in names])
