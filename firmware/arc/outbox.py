"""The event log: gives every event its place (epoch, sequence) and has it in flash before anybody is told.

The epoch is random when the log is first written; the sequence never restarts within it; a boot is an ordinary event.
Acknowledged events stay until the ring comes round: a tablet that takes the game over can still have them.
"""

import struct

from protocol.events import HEADER_SIZE, RECORD_SIZE, CardPresented, CardRemoved, Event, encode_record, short_uid

CARD_KINDS = 0xF8
"""These bits of the kind tell card events from all others."""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Callable

    from firmware.drivers.flash_ring import FlashRing
    from protocol.events import Body


class Outbox:
    """All events still held, `oldest` to `newest`; while the log is empty `newest` is 0 and `oldest` 1.

    `random_epoch()` gives 16 random bits; it is asked only when the log is empty.
    """

    def __init__(self, ring: "FlashRing", random_epoch: "Callable[[], int]") -> None:
        self._ring = ring
        self._record = bytearray(RECORD_SIZE)
        self.epoch = self._stored_epoch() or random_epoch() & 0xFFFF or 1
        self.acknowledged = 0

    @property
    def oldest(self) -> int:
        return self._ring.oldest

    @property
    def newest(self) -> int:
        return self._ring.newest

    @property
    def is_damaged(self) -> bool:
        """Whether records were found at boot that failed cells have cut off from the newest ones."""
        return self._ring.has_gap

    def append(self, body: "Body", now_ms: int) -> Event:
        """Write the event down. It is durable when this returns; `OSError` when the flash does not take it."""
        event = Event(self.epoch, self.newest + 1, now_ms & 0xFFFFFFFF, body)
        record = encode_record(body.record_kind(), event.epoch, event.sequence, event.time_ms, body.payload())
        self._ring.append(event.sequence, record)
        return event

    def read_into(self, sequence: int, into: "bytearray | memoryview", at: int = 0) -> int:
        """Copy the record of `sequence` into `into` and return its length; 0 when it is no longer held."""
        return self._ring.read(sequence, into, at)

    def after(self, sequence: int) -> "Iterator[bytes]":
        """The records held after `sequence`, in order."""
        number = max(sequence + 1, self.oldest)
        while number <= self.newest:
            length = self._ring.read(number, self._record)
            if length:
                yield bytes(self._record[:length])
            number += 1

    def lies_on_roof(self, uid: bytes) -> bool:
        """Was the last that this log has of the card with this UID that it was presented?"""
        told = short_uid(uid)
        for sequence in range(self.newest, self.oldest - 1, -1):
            length = self._read_card(sequence)
            if length and self._record[HEADER_SIZE + 2 : length] == told:
                return self._record[0] < CardRemoved.KIND
        return False

    def newest_waiting_card(self) -> int:
        """The sequence of the newest CARD_PRESENTED that no app has acknowledged; 0 when there is none. At worst reads all of the log."""
        for sequence in range(self.newest, max(self.acknowledged, self.oldest - 1), -1):
            if self._read_card(sequence) and self._record[0] < CardRemoved.KIND:
                return sequence
        return 0

    def acknowledge(self, sequence: int) -> None:
        """An app has journalled everything up to `sequence`. Nothing is deleted; it only counts what still waits."""
        if self.acknowledged < sequence <= self.newest:
            self.acknowledged = sequence

    def make_room(self) -> bool:
        """For quiet moments: erase ahead, so that the next events are written at once. True when it did."""
        return self._ring.prepare_next()

    def _stored_epoch(self) -> int:
        if not self.newest or not self._ring.read(self.newest, self._record):
            return 0
        epoch: int = struct.unpack_from("<BH", self._record, 0)[1]
        return epoch

    def _read_card(self, sequence: int) -> int:
        """The length of this record, now in `_record`, if it tells of a card; else 0."""
        length = self._ring.read(sequence, self._record)
        return length if self._record[0] & CARD_KINDS == CardPresented.KIND else 0
