"""A roof without a chip: the card watch fed with what a test says lies there. Sits the same exam as the real reader."""

from typing import TYPE_CHECKING

from firmware.arc.card_watch import CardWatch
from firmware.arc.reader import BOOT_POLLS
from firmware.boards import timings
from firmware.drivers.iso14443 import is_random
from protocol import events
from protocol.messages import STATISTICS_READER
from protocol.reasons import NO_TAG
from protocol.statistics import COUNTERS

if TYPE_CHECKING:
    from firmware.arc.card_watch import Sighting


class ScriptedReader:
    """The face of `firmware.arc.reader.RoofReader`. `lying` maps UIDs to codes; `lay_there` are those that lay
    there before the start; `now_ms` is the time."""

    def __init__(self) -> None:
        self.is_saving_power = False
        self.lying: dict[bytes, int] = {}
        self.lay_there: set[bytes] = set()
        self.now_ms = 0
        self._watch = CardWatch()
        self._counts = dict.fromkeys(COUNTERS[STATISTICS_READER], 0)

    def poll(self) -> list[events.Body]:
        """One poll: what lies there now."""
        self._counts["polls"] += 1
        self._counts["reads"] += len(self.lying)
        sightings: list[Sighting] = list(self.lying.items())
        if self._counts["polls"] <= BOOT_POLLS:
            for uid in self.lay_there.intersection(self.lying):
                self._watch.lies_since_before(self.now_ms, uid)
        bodies = self._watch.seen(self.now_ms, sightings)
        self._counts["unreadable"] += sum(isinstance(body, events.CardUnreadable) for body in bodies)
        return bodies

    def period_ms(self) -> int:
        return timings.POLL_BUSY_MS if self._watch.is_waiting() else timings.POLL_IDLE_MS

    def write_tag(self, code: int) -> int:
        if len(self.lying) != 1:
            return NO_TAG
        (uid,) = self.lying
        if is_random(uid):
            return NO_TAG
        self.lying[uid] = code
        self._watch.rewrite(uid, code)
        return 0

    def on_roof(self) -> list[tuple[int, bytes]]:
        return self._watch.on_roof()

    def statistics(self) -> dict[str, int]:
        return dict(self._counts)

    def is_dead(self) -> bool:
        return False
