"""What outlives a boot besides the events: how often the board booted, and whether the last boots went well."""

import struct

from firmware.boards import timings
from protocol.events import POWER_ON, WATCHDOG

_FORM = "<III"

TYPE_CHECKING = False
if TYPE_CHECKING:
    from firmware.arc.pairing import Store


class Life:
    """Counted since the board was flashed. After several resets in a row that did not last a minute: safe mode."""

    def __init__(self, store: "Store", cause: int) -> None:
        self._store = store
        held = store.read()
        counts = struct.unpack(_FORM, held) if len(held) == struct.calcsize(_FORM) else (0, 0, 0)
        self.boots = counts[0] + 1
        self.watchdog_resets = counts[1] + (cause == WATCHDOG)
        self.bad_boots = counts[2]
        self.is_safe_mode = self.bad_boots >= timings.SAFE_MODE_AFTER_BOOTS
        # people who switch the board off and on have not crashed it
        self.bad_boots += cause != POWER_ON
        self._keep()

    def has_lasted(self) -> None:
        """This boot has gone well for a minute."""
        if self.bad_boots:
            self.bad_boots = 0
            self._keep()

    def _keep(self) -> None:
        self._store.write(struct.pack(_FORM, self.boots, self.watchdog_resets, self.bad_boots))
