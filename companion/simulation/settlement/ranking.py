"""The managers' support as players may see it: every six rounds, in steps beside the leader (§2.4, GAP-11, GAP-12)."""

from companion.simulation.draft import Draft


def rank_support(draft: Draft) -> tuple[tuple[str, int], ...]:
    """(manager, steps), strongest first; equal steps stand in seat order. Empty in other rounds and in solo."""
    rules = draft.rules.support
    if not draft.setup.managers or draft.round % rules.ranking_every:
        return ()
    most = max(draft.support)
    steps = [1 if not most else max(1, -(-rules.ranking_steps * points // most)) for points in draft.support]
    return tuple(sorted(zip(draft.setup.managers, steps, strict=True), key=lambda rank: -rank[1]))
