"""All decrees measured on all cores, and the table of it."""

import os
from collections.abc import Iterable
from concurrent.futures import ProcessPoolExecutor
from functools import cache

from companion import catalog
from companion.lab.card_worth import CardWorth, Moment, collect_moments, measure_card
from companion.lab.plans import Batch

ROUNDS = (3, 8, 13, 17, 19)
"""Rounds at whose start moments are taken."""


@cache
def _moments(batch: Batch, folder: str | None) -> tuple[catalog.Catalog, list[Moment]]:
    shelf = catalog.load(folder)
    return shelf, collect_moments(batch.plans(shelf), shelf, ROUNDS)


def _measure(decree: str, batch: Batch, folder: str | None) -> CardWorth:
    shelf, moments = _moments(batch, folder)
    return measure_card(decree, moments, shelf)


def measure_cards(batch: Batch, folder: str | None, workers: int = 0) -> list[CardWorth]:
    """In the catalog's order; the number of workers changes nothing but the time."""
    decrees = list(catalog.load(folder).decrees)
    with ProcessPoolExecutor(workers or os.cpu_count()) as pool:
        return list(pool.map(_measure, decrees, [batch] * len(decrees), [folder] * len(decrees)))


def cards_text(cards: Iterable[CardWorth]) -> str:
    """Markdown: where each decree helps and harms, and those that break the aim."""
    lines = [
        "| decree | helps in | harms in | mean difference by situation (± standard error) |",
        "| --- | --- | --- | --- |",
    ]
    never, always = [], []
    for card in cards:
        means = ", ".join(f"{name} {gain:+.1f} ± {error:.1f}" for name, gain, error, _ in card.by_situation)
        lines.append(f"| {card.decree} | {', '.join(card.helps_in)} | {', '.join(card.harms_in)} | {means} |")
        if not any(gain > 0 for _, gain, _, _ in card.by_situation):
            never.append(card.decree)
        if card.by_situation and len(card.helps_in) == len(card.by_situation):
            always.append(card.decree)
    lines += [
        "",
        f"Never worth playing: {', '.join(never) or 'none'}.",
        f"Worth playing always: {', '.join(always) or 'none'}.",
    ]
    return "\n".join(lines)
