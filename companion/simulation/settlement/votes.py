"""Referendum on the round's decrees; directives pass by themselves and may block the others' decrees (§4.8)."""

from collections.abc import Sequence

from companion.catalog.effects import BlockDecrees, ChangeStatus, Effect
from companion.catalog.model import Decree, Directive, Law
from companion.catalog.targets import STATUSES
from companion.simulation.colony import Act, Vote
from companion.simulation.draft import Draft
from companion.simulation.effects import Cause, apply_effects

HALF = 50_000


def hold_votes(draft: Draft) -> tuple[Vote, ...]:
    """Counts all votes first, then carries out what passed, in the order of registration (GAP-59)."""
    acts = [act for act in draft.acts if act.kind in ("decree", "directive")]
    blockers = {
        act.manager for act in acts if act.kind == "directive" and blocks_decrees(draft.catalog.directives[act.subject])
    }
    votes = [_vote(draft, act, blockers) for act in acts]
    return tuple([_carry_out(draft, vote) for vote in votes])


def blocks_decrees(directive: Directive) -> bool:
    """No other manager's decree counts in the round of this directive (CON-14)."""
    return any(isinstance(effect, BlockDecrees) for effect in directive.effects)


def _vote(draft: Draft, act: Act, blockers: set[str | None]) -> Vote:
    manager = act.manager or ""
    if act.kind == "directive":
        return Vote(act.subject, manager, True, True, False, 0, 0)
    if blockers - {act.manager}:
        return Vote(act.subject, manager, False, False, True, 0, 0)
    approval = _approval(draft, draft.catalog.decrees[act.subject], draft.seat(act.manager))
    return Vote(act.subject, manager, False, approval > HALF, False, approval, 0)


def _approval(draft: Draft, decree: Decree, seat: int) -> int:
    """Thousandths of a percent: colour, the owner's support, the Citizens' mood, and chance (GAP-09)."""
    rules = draft.rules.vote
    colour = rules.green if decree.colour == "green" else rules.red
    trust = rules.support.at(draft.support[seat])
    mood = rules.mood.at(sum(draft.statuses) // 3)
    approval = rules.base + colour + trust + mood + 1000 * draft.last_of("approval", seat)
    return min(rules.high, max(rules.low, approval + draft.chance.spread(rules.noise)))


def _carry_out(draft: Draft, vote: Vote) -> Vote:
    if not vote.passed:
        return vote
    seat = draft.seat(vote.manager)
    card = draft.catalog.directives[vote.card] if vote.is_directive else draft.catalog.decrees[vote.card]
    if isinstance(card, Decree) and card.colour == "green":
        draft.greens[seat] += 1
        draft.support[seat] += draft.rules.support.green
    applied = apply_effects(draft, all_effects(card), Cause("decrees", seat))
    return Vote(vote.card, vote.manager, vote.is_directive, True, False, vote.approval, applied)


def all_effects(card: Law) -> Sequence[Effect]:
    """The status icons of the card first, then its text."""
    icons = (card.happiness, card.security, card.technical)
    arrows = [ChangeStatus(of=name, steps=steps) for name, steps in zip(STATUSES, icons, strict=True) if steps]
    return (*arrows, *card.effects)
