"""Which cards a deck has, which of them are written, and what a tag on the roof means while writing. No ARC, no clock."""

import enum
from collections.abc import Iterable

from attrs import frozen

from companion.catalog import Catalog, Tagged
from firmware.flash.errors import FlashError
from protocol.tag import NO_CODE, code_number, code_text

DECKS = {
    "managers": ("manager",),
    "decrees": ("decree",),
    "directives": ("directive",),
    "tokens": ("governor", "ambassador", "pairing"),
}
"""Decks by the kinds of tagged things in them."""

ALL = "all"


@frozen
class Card:
    number: int
    tagged: Tagged

    @property
    def text(self) -> str:
        return f"“{self.tagged.title}” ({self.tagged.kind}, {self.tagged.colour})"

    @property
    def uri(self) -> str:
        return f"arc:{code_text(self.number)}"


class Verdict(enum.Enum):
    """What to do with the tag on the roof."""

    WRITE = "write it"
    IS_WANTED = "it has this code already"
    IS_ANOTHER = "it is another card of this deck, written earlier"
    IS_FOREIGN = "it is something else"


def cards_of(catalog: Catalog, deck: str) -> list[Card]:
    """The deck's cards in the catalog's order. `FlashError` for a deck that is not known."""
    if deck != ALL and deck not in DECKS:
        raise FlashError(f"there is no deck {deck}", f"choose from: {', '.join(DECKS)}, {ALL}")
    kinds = [kind for name, kinds in DECKS.items() if deck in (name, ALL) for kind in kinds]
    return [Card(code_number(code), tagged) for code, tagged in catalog.tags().items() if tagged.kind in kinds]


@frozen
class Deck:
    """`done` are the code numbers written and verified."""

    cards: tuple[Card, ...]
    done: frozenset[int] = frozenset()

    @classmethod
    def of(cls, cards: Iterable[Card], done: Iterable[int]) -> "Deck":
        cards = tuple(cards)
        return cls(cards, frozenset(done) & {card.number for card in cards})

    @property
    def wanted(self) -> Card | None:
        """The next card to lay down; None: all are done."""
        return next((card for card in self.cards if card.number not in self.done), None)

    def card(self, number: int) -> Card | None:
        return next((card for card in self.cards if card.number == number), None)

    def with_done(self, number: int) -> "Deck":
        return Deck(self.cards, self.done | {number})

    def judge(self, number: int, *, overwrite: bool) -> Verdict:
        """A tag with this code number (0: blank) lies on the roof, while `wanted` is asked for."""
        if self.wanted and number == self.wanted.number:
            return Verdict.IS_WANTED
        if number == NO_CODE or overwrite:
            return Verdict.WRITE
        return Verdict.IS_ANOTHER if self.card(number) else Verdict.IS_FOREIGN
