"""The settlement from first to last, in the one order everybody relies on (README.md says why)."""

from collections.abc import Iterator
from itertools import count

from companion.simulation.chance import Chance
from companion.simulation.colony import Lasting, Past, Settlement, Vote
from companion.simulation.draft import Draft
from companion.simulation.levels import level_of
from companion.simulation.settlement.catastrophe import check_catastrophe
from companion.simulation.settlement.construction import build
from companion.simulation.settlement.economy import settle_economy, take_loan
from companion.simulation.settlement.endings import check_endings
from companion.simulation.settlement.moods import move_moods
from companion.simulation.settlement.occurrences import carry_out_occurrence, draw_occurrence
from companion.simulation.settlement.population import is_overcrowded, move_people
from companion.simulation.settlement.ranking import rank_support
from companion.simulation.settlement.riot import settle_riot
from companion.simulation.settlement.scenario_turn import count_progress, fire_events
from companion.simulation.settlement.supply import supply
from companion.simulation.settlement.upgrades import upgrade_modules
from companion.simulation.settlement.votes import hold_votes

_APART = 0xD1B54A32D192ED03


def settle(draft: Draft) -> None:
    """Closes the round: the draft becomes the colony of the next round, or of the end."""
    stock_before, groups_before = draft.stock, tuple(draft.groups)
    levels_before, governor_before = _levels(draft), draft.governor
    kept = draft.chance
    streams = _streams(kept.draw())
    draft.chance = next(streams)
    votes = hold_votes(draft)
    build(draft)
    supplied = supply(draft)
    settle_economy(draft, supplied.surplus)
    draft.economy_is_done = True
    draft.chance = next(streams)
    occurrence = fire_events(draft) or _draw(draft)
    draft.chance = next(streams)
    applied = carry_out_occurrence(draft, occurrence)
    draft.chance = next(streams)
    move_moods(draft)
    draft.chance = next(streams)
    check_catastrophe(draft)
    draft.chance = next(streams)
    move_people(draft)
    draft.is_overcrowded = is_overcrowded(draft)
    draft.chance = next(streams)
    riot = settle_riot(draft)
    draft.chance = kept
    loan = take_loan(draft)
    upgrade_modules(draft)
    count_progress(draft)
    draft.endings = check_endings(draft)
    ranks = rank_support(draft)
    _change_governor(draft)
    draft.settlement = Settlement(
        round=draft.round,
        votes=votes,
        ledger=_summed(draft.ledger),
        stock_before=stock_before,
        stock_after=draft.stock,
        produced=supplied.produced,
        consumed=supplied.consumed,
        imported=supplied.imported,
        groups_before=groups_before,
        groups_after=tuple(draft.groups),
        occurrence=occurrence,
        applied=applied,
        levels_before=levels_before,
        levels=_levels(draft),
        hit=tuple(draft.hit),
        casualties=draft.lost,
        completed=tuple(draft.completed),
        upgraded=tuple(draft.upgraded),
        riot=riot,
        riot_stage=draft.riot_stage,
        loan=loan,
        dependence=draft.dependence,
        is_overcrowded=draft.is_overcrowded,
        governor_before=governor_before,
        governor=draft.governor,
        ranks=ranks,
        messages=tuple(draft.messages),
        counters=tuple(draft.counters.items()),
        has_ended=bool(draft.endings),
    )
    _open_next_round(draft, votes)


def _streams(root: int) -> Iterator[Chance]:
    """Each subject draws from a stream of its own, so that one more vote does not change the weather: what a card does
    can then be seen by playing the same game with and without it."""
    return (Chance(root + number * _APART) for number in count())


def _draw(draft: Draft) -> str:
    return draw_occurrence(draft) if draft.round >= draft.rules.occurrences.first_round else ""


def _levels(draft: Draft) -> tuple[int, ...]:
    levels = draft.rules.levels
    return tuple([level_of(status, levels) for status in draft.statuses])


def _summed(ledger: list[tuple[str, int]]) -> tuple[tuple[str, int], ...]:
    """One sum a line and sign, so that a gift and a fine on one line stay two."""
    sums: dict[tuple[str, bool], int] = {}
    for line, amount in ledger:
        key = (line, amount > 0)
        sums[key] = sums.get(key, 0) + amount
    return tuple([(line, amount) for (line, _), amount in sums.items()])


def _change_governor(draft: Draft) -> None:
    if draft.next_governor is not None:
        draft.governor = draft.next_governor
        draft.next_governor = None


def _open_next_round(draft: Draft, votes: tuple[Vote, ...]) -> None:
    used = [vote.card for vote in votes if vote.is_directive and draft.catalog.directives[vote.card].single_use]
    draft.spent = (*draft.spent, *used)
    draft.past = (*draft.past, Past(_levels(draft), sum(draft.groups), draft.stock))
    draft.acts = ()
    if not draft.endings:
        draft.round += 1
    draft.lasting = [each for each in draft.lasting if _still_counts(each, draft.round)]


def _still_counts(each: Lasting, now: int) -> bool:
    return each.last >= now
