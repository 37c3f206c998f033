"""This round's occurrence: drawn by weight among those that fit the colony, and carried out (§5.6)."""

from bisect import bisect_right
from itertools import accumulate

from attrs import frozen

from companion.catalog.model import Occurrence
from companion.simulation.conditions import holds_for_game, holds_now
from companion.simulation.draft import Draft
from companion.simulation.effects import Cause, apply_effects

_TRIES = 60


@frozen
class _Deck:
    """What can happen in one game at all, with running sums of the weights."""

    cards: tuple[Occurrence, ...]
    sums: tuple[int, ...]


def draw_occurrence(draft: Draft) -> str:
    """The id of what happens now; empty when nothing fits.

    Cards are drawn by weight until one fits. That gives each fitting card its weight's share, and asks only a few of
    hundreds whether they fit.
    """
    deck = _deck(draft)
    if not deck.cards:
        return ""
    recent = dict(draft.recent)
    for _ in range(_TRIES):
        card = deck.cards[bisect_right(deck.sums, draft.chance.below(deck.sums[-1]))]
        if _fits(draft, card, recent):
            return card.id
    fitting = [card for card in deck.cards if _fits(draft, card, recent)]
    return fitting[draft.chance.pick([card.weight for card in fitting])].id if fitting else ""


def carry_out_occurrence(draft: Draft, occurrence: str) -> int:
    """Applies it and remembers that it was; returns the bits of the effects that were carried out."""
    if not occurrence:
        return 0
    card = draft.catalog.occurrences[occurrence]
    kept = [
        (name, when)
        for name, when in draft.recent
        if name != occurrence
        and (draft.round - when < draft.rules.occurrences.apart or draft.catalog.occurrences[name].once)
    ]
    draft.recent = (*kept, (occurrence, draft.round))
    return apply_effects(draft, card.effects, Cause("occurrence"))


def _fits(draft: Draft, card: Occurrence, recent: dict[str, int]) -> bool:
    last = recent.get(card.id)
    if last is not None and (card.once or draft.round - last < draft.rules.occurrences.apart):
        return False
    return holds_now(card.when, draft)


def _deck(draft: Draft) -> _Deck:
    setup = draft.setup
    key = ("deck", setup.planet, setup.managers, setup.mode)
    deck = draft.catalog.memory.get(key)
    if not isinstance(deck, _Deck):
        every = draft.catalog.occurrences.values()
        cards = tuple(card for card in every if card.weight and holds_for_game(card.when, draft))
        deck = _Deck(cards, tuple(accumulate(card.weight for card in cards)))
        draft.catalog.memory[key] = deck
    return deck
