"""The reader in the roof: polls the chip, keeps it alive, and gives what it saw to the card watch."""

from firmware.arc.card_watch import MAX_TAGS, UNREAD, since
from firmware.boards import timings
from firmware.drivers.card_memory import CardMemory
from firmware.drivers.iso14443 import REQA, WUPA, TypeA, is_random
from firmware.drivers.mfrc522 import KNOWN_VERSIONS, NO_CHIP, STUCK
from firmware.drivers.reader_check import BROKEN_CRC, BROKEN_FRAMES, find_broken, measure_spi_hz, sweep_gain
from protocol import events
from protocol.messages import ReaderCheck
from protocol.reasons import NO_TAG, WRITE_FAILED
from protocol.tag import NO_CODE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from firmware.arc.card_watch import CardWatch, Sighting
    from firmware.drivers.mfrc522 import Mfrc522

BOOT_POLLS = 3
"""Polls at the start in which a tag may be one that lay there before it."""
WRITE_LOOKS = 3
"""One answer that was missed does not mean that nothing lies there."""

HEALTH_MS = 5_000
DEAD_AFTER_RESETS = 3
DEAD_WITHIN_MS = 60_000

TAGS_FORGET_MS = 5  # without a field (ISO 14443-3, 5.2.4)

SLOWEST_MS = 200
"""Five polls a second at least, or a pause of the board could pass for a removal."""

DUTY_PERCENT = 15
DUTY_CREDIT_US = 300_000
"""The field may be on for 15 % of the time; so much more is lent to a burst of fast polls."""


class RoofReader:
    """Call `poll` every `period_ms`. The chip is started by the first poll and may be absent: then that is a fault event.

    `lay_there(uid)`: was this card on the roof when the board was last on, as far as it was told?
    """

    def __init__(self, chip: "Mfrc522", watch: "CardWatch", clock: "Any", lay_there: "Callable[[bytes], bool]") -> None:
        self.is_saving_power = False
        self._chip = chip
        self._watch = watch
        self._clock = clock
        self._lay_there = lay_there
        self._tags = TypeA(chip)
        self._memory = CardMemory(chip, self._tags)
        self._polls = 0
        self._reads = 0
        self._unreadable = 0
        self._resets = 0
        self._boot_polls = BOOT_POLLS
        self._reset_times: "list[int]" = []
        self._is_dead = False
        self._is_blind = False
        self._is_up = False
        self._doubt = 0
        self._health_ms = 0
        self._stirred_ms = 0
        self._has_stirred = False
        self._duty_us = 0
        self._polled_us = 0
        self._radio_us = 0
        self._last_radio_us = 0

    def poll(self) -> "list[events.Body]":
        """Look at the roof once (field on for about 6 ms, 13 with a card; estimates) and give the events, if any."""
        now_ms = self._clock.ticks_ms()
        if not self._polls:
            self._polled_us = self._clock.ticks_us()
            faults = self._start(now_ms)
        else:
            faults = []
        self._polls += 1
        if not self._is_up and since(now_ms, self._health_ms) < HEALTH_MS:
            return faults
        sightings = self._look(now_ms, faults)
        self._account()
        if sightings is None:
            # blind is not empty: nobody is taken for gone
            return faults
        self._is_blind = False
        if self._boot_polls:
            # one that others hide is found when they have gone
            self._boot_polls -= len(sightings) <= MAX_TAGS
            for uid, _ in sightings:
                if uid is not None and self._watch.code_of(uid) is None and self._lay_there(uid):
                    self._watch.lies_since_before(now_ms, uid)
        bodies = self._watch.seen(now_ms, sightings)
        if bodies:
            self._stirred_ms, self._has_stirred = now_ms, True
            self._unreadable += len([body for body in bodies if isinstance(body, events.CardUnreadable)])
        return faults + bodies

    def period_ms(self) -> int:
        """How long to wait from the beginning of one poll to the next."""
        if self._has_stirred and since(self._clock.ticks_ms(), self._stirred_ms) >= timings.POLL_BUSY_FOR_MS:
            self._has_stirred = False
        if self._watch.is_waiting():
            return timings.POLL_BUSY_MS
        if self.is_saving_power:
            return timings.POLL_LOW_BATTERY_MS
        if self._duty_us > 0:
            # the last poll's field time may fill no more than its share of the period
            fair_ms = self._last_radio_us // (DUTY_PERCENT * 10) + 1
            return min(SLOWEST_MS, max(timings.POLL_IDLE_MS, fair_ms))
        return timings.POLL_BUSY_MS if self._has_stirred else timings.POLL_IDLE_MS

    def wait_ms(self, spent_ms: int) -> int:
        """How long to wait for the next poll when the last one began `spent_ms` ago.

        Long enough for tags to forget: of several that were sent to sleep and live on, the next poll would wake one."""
        return max(TAGS_FORGET_MS, self.period_ms() - spent_ms)

    def write_tag(self, code: int) -> int:
        """Write `code` to the one tag on the roof and read it back. 0, or NO_TAG (none, several, or not a kind we
        can write) or WRITE_FAILED."""
        if not self._is_up or not self._chip.radio_on():
            return NO_TAG
        try:
            return self._write_only_tag(code)
        finally:
            self._chip.radio_off()

    def on_roof(self) -> "list[tuple[int, bytes]]":
        """Code and UID of every card that was presented and not removed."""
        return self._watch.on_roof()

    def statistics(self) -> "dict[str, int]":
        """Counters since boot by the names of `protocol.statistics`."""
        return {
            "polls": self._polls,
            "reads": self._reads,
            "crc_errors": self._tags.damaged,
            "collisions": self._tags.collisions,
            "resets": self._resets,
            "unreadable": self._unreadable,
        }

    def is_dead(self) -> bool:
        """Whether the reader was told dead and has not looked at the roof since."""
        return self._is_dead and self._is_blind

    @property
    def version(self) -> int:
        """VersionReg as the chip told it at its last start: 0x00 or 0xFF when none answered."""
        return self._chip.version

    def check(self, polls: int) -> ReaderCheck:
        """For self-test and makers: as in the protocol; the gains are tried when there are `polls`.

        Takes 50 ms, and 7 to 16 ms for each poll at each gain (chip model, 50 µs for each register access)."""
        chip = self._chip
        if not chip.start() and chip.version in NO_CHIP:
            return ReaderCheck(chip.version, 0, 0, b"")
        broken = find_broken(chip, self._clock)
        spi_hz = measure_spi_hz(chip, self._clock)
        broken |= self._check_frames()
        gains = sweep_gain(chip, self._tags, polls) if polls else []
        return ReaderCheck(chip.version, broken, spi_hz, b"".join([bytes(gain) for gain in gains]))

    def _check_frames(self) -> int:
        """Field on and one frame: whatever lies there or not, the chip has to come to an end of it."""
        is_on = self._chip.radio_on()
        self._tags.last = 0
        if is_on:
            self._tags.wake(WUPA)
        self._chip.radio_off()
        return 0 if is_on and self._tags.last != STUCK else BROKEN_FRAMES

    # One poll.

    def _look(self, now_ms: int, faults: "list[events.Body]") -> "list[Sighting] | None":
        sightings: "list[Sighting]" = []
        is_well = self._is_up and self._chip.radio_on()
        if is_well:
            self._find(sightings)
            is_well = self._tags.last != STUCK
            if is_well and since(now_ms, self._health_ms) >= HEALTH_MS:
                self._health_ms = now_ms
                is_well = self._chip.is_healthy()
        self._chip.radio_off()
        if not is_well:
            self._recover(now_ms, faults)
            return None
        return sightings

    def _find(self, sightings: "list[Sighting]") -> None:
        """Every tag in the field, one after the other: wake, tell apart, read what is new, halt."""
        self._tags.last = 0
        command = WUPA
        while self._tags.wake(command):
            uid = self._tags.identify()
            if uid is None:
                if self._tags.is_certain:
                    sightings.append(UNREAD)
                return
            for known, _ in sightings:
                if known == uid:
                    return
            if len(sightings) == MAX_TAGS:
                sightings.append(UNREAD)
                return
            self._reads += 1
            code = self._code_of(uid)
            sightings.append(UNREAD if code is None and self._memory.saw_two else (uid, code))
            self._tags.halt()
            self._memory.end_session(self._tags.sak)
            command = REQA

    def _code_of(self, uid: bytes) -> "int | None":
        if is_random(uid):
            return NO_CODE
        code = self._watch.code_of(uid)
        return self._memory.read_code(uid, self._tags.sak) if code is None else code

    def _write_only_tag(self, code: int) -> int:
        uid = self._only_tag()
        if uid is None or is_random(uid):
            return NO_TAG
        if not self._memory.is_writable(self._tags.sak):
            return NO_TAG
        done = self._memory.write_code(uid, self._tags.sak, code)
        self._memory.end_session(self._tags.sak)
        if not done:
            return WRITE_FAILED
        self._watch.rewrite(uid, code)
        return 0

    def _only_tag(self) -> "bytes | None":
        """The UID of the one tag there is, selected. Two are two, however often one of them is missed later."""
        for _ in range(WRITE_LOOKS):
            found: "list[Sighting]" = []
            self._find(found)
            if len(found) > 1:
                return None
            uid = found[0][0] if found else None
            if uid is not None and self._tags.reselect(uid):
                return uid
        return None

    def _account(self) -> None:
        now_us = self._clock.ticks_us()
        passed_us = (now_us - self._polled_us) & 0x3FFFFFFF
        radio_us = (self._chip.radio_us - self._radio_us) & 0x3FFFFFFF
        self._polled_us = now_us
        self._radio_us = self._chip.radio_us
        self._last_radio_us = radio_us
        self._duty_us = max(-DUTY_CREDIT_US, self._duty_us + radio_us - passed_us * DUTY_PERCENT // 100)

    # Health.

    def _start(self, now_ms: int) -> "list[events.Body]":
        self._health_ms = now_ms
        faults: "list[events.Body]" = []
        self._reset(faults)
        if not self._is_up:
            self._recover(now_ms, faults)
        return faults

    def _reset(self, faults: "list[events.Body]") -> None:
        """A version that no data sheet names is judged by what the chip can do, at each reset: the CRC unit we do without."""
        self._is_up = self._chip.start()
        version = self._chip.version
        if version in KNOWN_VERSIONS or version in NO_CHIP:
            return
        broken = find_broken(self._chip, self._clock)
        if broken & ~BROKEN_CRC:
            self._is_up = False
        doubt = version << 8 | broken
        if doubt != self._doubt and not self._is_dead:
            self._doubt = doubt
            faults.append(events.FaultFound(events.FAULT_READER_UNSURE, doubt))

    def _recover(self, now_ms: int, faults: "list[events.Body]") -> None:
        """Reset the chip. The third time within a minute it is told dead; trying goes on, telling does not."""
        self._health_ms = now_ms
        self._is_blind = True
        self._resets += 1
        self._reset_times = [then for then in self._reset_times if since(now_ms, then) < DEAD_WITHIN_MS]
        self._reset_times.append(now_ms)
        if len(self._reset_times) < DEAD_AFTER_RESETS:
            self._is_dead = False
        self._reset(faults)
        if self._is_dead:
            return
        faults.append(events.FaultFound(events.FAULT_READER_RESET, self._resets))
        if len(self._reset_times) >= DEAD_AFTER_RESETS:
            self._is_dead = True
            faults.append(events.FaultFound(events.FAULT_READER_DEAD, self._resets))
