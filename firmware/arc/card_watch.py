"""What lies on the roof, from what each poll saw: the one place that decides when a card came and when it went. Pure.

Rules, in the order in which they are applied:
1. A card has arrived after two reads of the same UID, its memory read or given up. One read alone is nothing.
2. It is gone 1,000 ms after its last good read, and not before five polls in a row missed it. Back earlier: the same presence.
   While more lies there than one poll reads (`MAX_TAGS`, then something unread), who is not among them has not gone.
3. Several new cards at once, or one with something unreadable: CardsTogether, none is taken. Once all but one are gone,
   the one left is presented.
4. A card laid onto one that was there already is an ordinary arrival.
5. Something that answers but cannot be read is told once, until the roof has been quiet for as long as a removal takes.
6. A random UID is nobody: told once as unreadable, never presented, never removed.
7. What by the log lay there before the board started, and lies there still, is no news until it has gone: that the log has to
   have, for the next start. Anything else that lies there at the start was just laid down, and is news.
"""

from firmware.boards import timings
from firmware.drivers.iso14443 import is_random
from protocol import events
from protocol.tag import NO_CODE

TYPE_CHECKING = False
if TYPE_CHECKING:
    Sighting = tuple[bytes | None, int | None]
"""A sighting is (UID, code); code None: the memory could not be read this time. (None, None): an answer without a UID."""

UNREAD = (None, None)
MAX_TAGS = 3
"""What one poll reads. Whatever else answers is one unread thing more."""

ARRIVAL_READS = 2
FORGET_MS = 300
"""A new card that is not seen for so long was no arrival; also how long an unreadable thing may pause."""
MEMORY_TRIES = 8
"""Polls after which a memory that cannot be read counts as one without a code."""
UNREADABLE_POLLS = 4
UNREADABLE_POLLS_IN_PASSING = 2

NEW, PRESENT, BARRED, IGNORED = 0, 1, 2, 3
_RANDOM = b"random"


def since(now_ms: int, then_ms: int) -> int:
    """Milliseconds from `then_ms` to `now_ms`; the clock may have wrapped at 2**30 in between (after 12 days)."""
    return (now_ms - then_ms) & 0x3FFFFFFF


class Card:
    """One UID on the roof: NEW (not sure yet), PRESENT, BARRED (came with others), or IGNORED (lay there before the start)."""

    def __init__(self, uid: bytes, state: int, now_ms: int) -> None:
        self.uid = uid
        self.code: "int | None" = NO_CODE if uid == _RANDOM else None
        self.state = state
        self.seen_ms = now_ms
        self.reads = 0
        self.misses = 0
        self.tries = 0

    def read(self, now_ms: int, code: "int | None") -> None:
        self.seen_ms = now_ms
        self.reads += 1
        self.misses = 0
        if self.code is None:
            self.tries += 1
            self.code = NO_CODE if code is None and self.tries >= MEMORY_TRIES else code

    def is_sure(self) -> bool:
        return self.reads >= ARRIVAL_READS and self.code is not None


class CardWatch:
    """Give `seen` every poll; it answers the event bodies."""

    def __init__(self) -> None:
        self._cards: "list[Card]" = []
        self._failures = 0
        self._failed_ms = 0
        self._is_failure_told = False

    def lies_since_before(self, now_ms: int, uid: bytes) -> None:
        """This one, seen at the start, had been told before the board started. To be called ahead of `seen`."""
        self._card(now_ms, uid, IGNORED)

    def seen(self, now_ms: int, sightings: "list[Sighting]") -> "list[events.Body]":
        """What one poll saw, `[]` for an empty roof. Gives the events to write down, removals first."""
        failed = False
        for card in self._cards:
            card.misses += 1
            if len(sightings) > MAX_TAGS and card.state != NEW:
                card.seen_ms = now_ms
        for uid, code in sightings:
            if uid is None:
                failed = True
            else:
                self._card(now_ms, uid, NEW).read(now_ms, code)
        bodies: "list[events.Body]" = []
        self._drop_absent(now_ms, bodies)
        failed = failed and self._count_failure(now_ms)
        self._admit(now_ms, failed, bodies)
        self._tell_unreadable(now_ms, bodies)
        return bodies

    def on_roof(self) -> "list[tuple[int, bytes]]":
        """Code and UID of every card presented and not removed, as the events told it."""
        return [
            (card.code or NO_CODE, card.uid) for card in self._cards if card.state == PRESENT and card.uid != _RANDOM
        ]

    def code_of(self, uid: bytes) -> "int | None":
        """The code of a card that is known to be there, None when it has to be read first."""
        for card in self._cards:
            if card.uid == uid:
                return card.code
        return None

    def rewrite(self, uid: bytes, code: int) -> None:
        """The ARC itself has written another code onto a card."""
        for card in self._cards:
            if card.uid == uid:
                card.code = code

    def is_waiting(self) -> bool:
        """Whether the next poll may decide something: then it should come soon."""
        return self._failures > 0 or self._has_new()

    def _card(self, now_ms: int, uid: bytes, state: int) -> Card:
        if is_random(uid):
            uid = _RANDOM
        for card in self._cards:
            if card.uid == uid:
                return card
        card = Card(bytes(uid), state, now_ms)
        self._cards.append(card)
        return card

    def _drop_absent(self, now_ms: int, bodies: "list[events.Body]") -> None:
        gone = [card for card in self._cards if self._is_gone(now_ms, card)]
        for card in gone:
            self._cards.remove(card)
            if card.state in (PRESENT, IGNORED) and card.uid != _RANDOM:
                bodies.append(events.card_body(events.CardRemoved, card.code or NO_CODE, card.uid))
            elif card.state == NEW:
                # read once and lost again: as much as an unreadable swipe
                self._failures = max(self._failures, UNREADABLE_POLLS_IN_PASSING)
                self._failed_ms = card.seen_ms

    def _is_gone(self, now_ms: int, card: Card) -> bool:
        absent_ms = since(now_ms, card.seen_ms)
        if card.state == NEW:
            return absent_ms >= FORGET_MS
        return absent_ms >= timings.CARD_REMOVED_MS and card.misses >= timings.CARD_REMOVED_POLLS

    def _count_failure(self, now_ms: int) -> bool:
        """An answer without a UID. While a known card is being missed, it is taken for that card's."""
        if any([card.misses for card in self._cards]):
            return False
        self._failures += 1
        self._failed_ms = now_ms
        return True

    def _admit(self, now_ms: int, failed: bool, bodies: "list[events.Body]") -> None:
        new = [card for card in self._cards if card.state == NEW]
        barred = [card for card in self._cards if card.state == BARRED]
        if new and not all([card.is_sure() for card in new]):
            return
        if new and barred:
            # one more onto a heap that was told already
            self._bar(new)
        elif len(new) > 1:
            self._bar(new)
            self._is_failure_told = self._is_failure_told or failed
            bodies.append(events.CardsTogether(len(new)))
        elif new and failed:
            # something unread came with it: wait which of the two it is, and after a while call it two
            if self._failures >= UNREADABLE_POLLS:
                self._bar(new)
                self._is_failure_told = True
                bodies.append(events.CardsTogether(len(new) + 1))
        elif new:
            self._present(new[0], bodies)
        elif len(barred) == 1 and since(now_ms, self._failed_ms) >= timings.CARD_REMOVED_MS:
            self._present(barred[0], bodies)

    def _bar(self, cards: "list[Card]") -> None:
        for card in cards:
            card.state = BARRED

    def _present(self, card: Card, bodies: "list[events.Body]") -> None:
        if card.misses:
            return  # only what this very poll has read
        card.state = PRESENT
        self._failures = 0
        if card.uid == _RANDOM:
            bodies.append(events.CardUnreadable(events.UNREADABLE_RANDOM_UID))
        else:
            bodies.append(events.card_body(events.CardPresented, card.code or NO_CODE, card.uid))

    def _tell_unreadable(self, now_ms: int, bodies: "list[events.Body]") -> None:
        quiet_ms = since(now_ms, self._failed_ms)
        if self._is_failure_told:
            self._failures = 0
            self._is_failure_told = quiet_ms < timings.CARD_REMOVED_MS
            return
        is_over = quiet_ms >= FORGET_MS
        in_passing = is_over and not self._cards and self._failures >= UNREADABLE_POLLS_IN_PASSING
        if in_passing or (self._failures >= UNREADABLE_POLLS and not self._has_new()):
            bodies.append(events.CardUnreadable(events.UNREADABLE_DAMAGED))
            self._is_failure_told = True
        if is_over or self._is_failure_told:
            self._failures = 0

    def _has_new(self) -> bool:
        return any([card.state == NEW for card in self._cards])
