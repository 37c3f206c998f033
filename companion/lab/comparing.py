"""What a changed catalog does to whole games: the same seeds with and without it, side by side."""

from collections.abc import Callable
from statistics import mean

from attrs import frozen

from companion.lab.game_row import GameRow
from companion.lab.targets import Rows, share


@frozen
class Difference:
    """One figure of two runs over the same seeds."""

    text: str
    before: float
    after: float
    changed_games: int
    """Games whose figure differs."""


def compare(before: Rows, after: Rows) -> list[Difference]:
    """Rows are paired by id; both runs must have played the same plans."""
    pairs = _pair(before, after)
    figures: dict[str, Callable[[GameRow], float]] = {
        "success, %": lambda r: 100.0 * r.is_victory,
        "won, %": lambda r: 100.0 * r.is_won,
        "rounds": lambda r: float(r.rounds),
        "loans": lambda r: float(r.loans),
        "riots": lambda r: float(r.riots),
        "catastrophes": lambda r: float(r.catastrophes),
        "modules": lambda r: float(r.modules),
        "citizens": lambda r: float(r.citizens),
        "STOCK at the end": lambda r: float(r.stock),
    }
    return [
        Difference(
            text,
            mean(figure(a) for a, _ in pairs),
            mean(figure(b) for _, b in pairs),
            sum(figure(a) != figure(b) for a, b in pairs),
        )
        for text, figure in figures.items()
    ]


def _pair(before: Rows, after: Rows) -> list[tuple[GameRow, GameRow]]:
    others = {row.id: row for row in after}
    pairs = [(row, others[row.id]) for row in before if row.id in others]
    if not pairs or any((a.policy, a.planet, a.mode, a.seed) != (b.policy, b.planet, b.mode, b.seed) for a, b in pairs):
        raise ValueError("the two runs did not play the same games; use the same seed, policies, planets and modes")
    return pairs


def comparison_text(before: Rows, after: Rows) -> str:
    """A table; success also by policy."""
    lines = [f"{'':24}{'without':>12}{'with':>12}{'change':>12}{'games changed':>16}"]
    for each in compare(before, after):
        change = each.after - each.before
        lines.append(f"{each.text:24}{each.before:12.1f}{each.after:12.1f}{change:+12.1f}{each.changed_games:16,}")
    for policy in sorted({row.policy for row in before}):
        a, b = ([r for r in rows if r.policy == policy] for rows in (before, after))
        was, now = share(a, lambda r: r.is_victory), share(b, lambda r: r.is_victory)
        lines.append(f"{'success of ' + policy + ', %':24}{was:12.1f}{now:12.1f}{now - was:+12.1f}")
    return "\n".join(lines)
