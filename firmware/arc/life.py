"""What outlives a boot besides the events: how often the board booted, whether the last boots went well, what apps have taken."""

import struct

from firmware.boards import timings
from protocol.events import RESET_PIN, WATCHDOG

_FORM = "<IIIHI"
_SIZE = struct.calcsize(_FORM)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from firmware.arc.pairing import Store


class Life:
    """Counted since the board was flashed. After several resets in a row that did not last a minute: safe mode.

    `acknowledged`: the last event of `epoch` that an app has taken. A flash that takes none of this stops nothing: then
    it is forgotten at the next boot.
    """

    def __init__(self, store: "Store", cause: int) -> None:
        self._store = store
        # an older firmware kept the first three numbers alone
        held = store.read()[:_SIZE]
        boots, watchdog_resets, bad_boots, self.epoch, self.acknowledged = struct.unpack(
            _FORM, held + bytes(_SIZE - len(held))
        )
        self.boots = boots + 1
        self.watchdog_resets = watchdog_resets + (cause == WATCHDOG)
        self.is_safe_mode = bad_boots >= timings.SAFE_MODE_AFTER_BOOTS
        # Neither people who switch the board off and on or press its button, nor an empty battery, have crashed it.
        self.bad_boots = bad_boots + (cause in (RESET_PIN, WATCHDOG))
        self._keep()

    def has_lasted(self) -> None:
        """This boot has gone well for a minute."""
        if self.bad_boots:
            self.bad_boots = 0
            self._keep()

    def note_acknowledged(self, epoch: int, sequence: int) -> None:
        """An app has taken the events of this epoch up to `sequence`. Erases flash: for quiet moments."""
        if (epoch, sequence) != (self.epoch, self.acknowledged):
            self.epoch, self.acknowledged = epoch, sequence
            self._keep()

    def _keep(self) -> None:
        form = self.boots, self.watchdog_resets, self.bad_boots, self.epoch, self.acknowledged
        try:
            self._store.write(struct.pack(_FORM, *form))
        except OSError:
            # Counters are worth no second fault.
            return
