"""Writes a deck's tags with an ARC: says which card to lay down, has the ARC write and read back, goes on where it stopped."""

import contextlib
from collections.abc import Callable
from typing import Protocol

from companion.catalog import Catalog
from firmware.flash.deck import Card, Deck, Verdict
from firmware.flash.errors import RefusedError
from firmware.flash.ledger import Ledger
from firmware.flash.show import Show
from protocol.events import CardPresented, CardsTogether, CardUnreadable, Event
from protocol.messages import BUSY, NO_TAG, WRITE_FAILED, Message, WriteTag
from protocol.tag import CODE_COUNT, TagError, code_number, code_text

REMIND_S = 60.0
WRITE_S = 6.0
_TRY_AGAIN = (BUSY, NO_TAG, WRITE_FAILED)


class Session(Protocol):
    """What of an `ArcSession` is needed."""

    def ask(self, command: Message, within_s: float) -> bytes: ...

    def next_event(self, within_s: float) -> Event | None: ...


class TagWriter:
    """One deck at one ARC. With `only_verify` nothing is written: each card is laid down and ticked off."""

    def __init__(
        self, session: Session, catalog: Catalog, ledger: Ledger, show: Show, *, overwrite: bool, only_verify: bool
    ) -> None:
        self._session, self._catalog, self._ledger, self._show = session, catalog, ledger, show
        self._overwrite, self._only_verify = overwrite, only_verify

    def run(self, deck: Deck, goes_on: Callable[[], bool] = lambda: True) -> Deck:
        """Until all cards are done, or `goes_on` says no. Gives what is done then."""
        if deck.done:
            self._show.say(f"{len(deck.done)} of {len(deck.cards)} are done already, says {self._ledger.path}")
        asked: Card | None = None
        while (card := deck.wanted) and goes_on():
            if card is not asked:
                self._show.say(f"[{len(deck.done) + 1}/{len(deck.cards)}] lay down {card.text}, {card.uri}")
                asked = card
            event = self._session.next_event(REMIND_S)
            if event is None:
                self._show.say(f"still waiting for {card.text}")
            elif isinstance(event.body, CardPresented):
                deck = self._take(deck, card, event.body)
            elif isinstance(event.body, CardsTogether):
                self._show.warn("several tags at once: one at a time, please")
            elif isinstance(event.body, CardUnreadable):
                self._show.warn("this tag cannot be read: take another one (NTAG213 works)")
        if not deck.wanted:
            self._show.say(f"all {len(deck.cards)} tags are {'verified' if self._only_verify else 'written'}")
        return deck

    def _take(self, deck: Deck, card: Card, presented: CardPresented) -> Deck:
        if self._only_verify:
            return self._tick(deck, presented)
        verdict = deck.judge(presented.code, overwrite=self._overwrite and not self._is_ours(presented))
        if verdict is Verdict.WRITE and not self._write(card):
            return deck
        if verdict is Verdict.IS_ANOTHER:
            other = deck.card(presented.code)
            assert other
            self._show.say(f"this one is {other.text} already; put it on its pile")
            return self._done(deck, other, presented)
        if verdict is Verdict.IS_FOREIGN:
            self._show.warn(f"this tag is {self._name(presented.code)}: lay down a blank one, or use --overwrite")
            return deck
        self._show.say(f"{'written' if verdict is Verdict.WRITE else 'it is'} {card.uri}: lift it off")
        return self._done(deck, card, presented)

    def _tick(self, deck: Deck, presented: CardPresented) -> Deck:
        found = deck.card(presented.code)
        if found is None:
            self._show.warn(f"this tag is {self._name(presented.code)}: not of this deck")
            return deck
        self._show.say(f"good: {found.text}")
        return self._done(deck, found, presented)

    def _write(self, card: Card) -> bool:
        try:
            self._session.ask(WriteTag(0, card.number), WRITE_S)
        except RefusedError as error:
            if error.reason not in _TRY_AGAIN:
                raise
            self._show.warn(f"{error.what}: lift the tag and lay it down again, flat; {error.do}")
            return False
        return True

    def _done(self, deck: Deck, card: Card, presented: CardPresented) -> Deck:
        if card.number not in deck.done:
            act = "verified" if self._only_verify else "written"
            self._ledger.add(code=code_text(card.number), id=card.tagged.id, uid=presented.uid.hex(), act=act)
        return deck.with_done(card.number)

    def _is_ours(self, presented: CardPresented) -> bool:
        """Written by this ledger's row of work: a card laid down once more is not made the next one."""
        if not 1 <= presented.code <= CODE_COUNT:
            return False
        entry = {"code": code_text(presented.code), "uid": presented.uid.hex()}
        return any(entry.items() <= known.items() for known in self._ledger.entries())

    def _name(self, number: int) -> str:
        if not number:
            return "blank"
        tagged = self._catalog.tag(code_text(number)) if number <= CODE_COUNT else None
        return f"“{tagged.title}” ({tagged.kind})" if tagged else f"number {number} of another catalog"


def done_numbers(ledger: Ledger, act: str) -> set[int]:
    """Code numbers that the ledger has with this act."""
    numbers = set()
    for entry in ledger.entries():
        if entry.get("act") == act:
            # a line that somebody edited is nothing that was done
            with contextlib.suppress(TagError):
                numbers.add(code_number(str(entry.get("code"))))
    return numbers
