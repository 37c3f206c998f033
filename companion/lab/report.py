"""The report of a run as text: aims, tables and small plots that people can read and a diff can show."""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from statistics import mean, pstdev

from companion.catalog import Catalog
from companion.lab.game_row import GameRow
from companion.lab.targets import Aim, Rows, check_aims, check_managers, share, standard_errors, win_shares

_BAR = 40
_CARDS_SHOWN = 12
_FEWEST_FOR_A_CARD = 30
_PREMISE = (
    "Policies see what players see; the table (endorsements, hands, fees, table points) is modelled as `table_model.py` and "
    "`table_points.py` say."
)


def write_report(rows: Rows, catalog: Catalog, title: str, manager_rows: Rows = ()) -> str:
    """Markdown. The same rows give the same text. `manager_rows` are the many games that comparing managers takes."""
    equals = list(manager_rows) or [row for row in rows if row.policy == "careful"]
    parts = [
        f"# {title}",
        f"Catalog {catalog.version}, {len(rows):,} games. {_PREMISE}",
        "## Aims",
        _table(
            ("aim", "measured", "wanted", ""),
            [_aim_cells(aim) for aim in (*check_aims(rows, catalog), *check_managers(equals))],
        ),
        "## By policy, mode and planet",
        _table(_HEAD, [_group_cells(key, group) for key, group in _groups(rows)]),
        "## Endings",
        _bars(Counter(ending for row in rows for ending in row.endings.split("|")), len(rows)),
        "## Length of games (rounds)",
        _bars(
            {f"{rounds:2}": count for rounds, count in sorted(Counter(row.rounds for row in rows).items())}, len(rows)
        ),
        "## Votes",
        _votes(rows),
        "## Support at the end (all seats)",
        _spread([int(points) for row in rows if "|" in row.support for points in row.support.split("|")]),
        "## Scores of the app, without table points",
        _spread([int(points) for row in rows if row.scores for points in row.scores.split("|")]),
        "## Managers",
        _managers(equals),
        "## Cards that decide games",
        _cards(rows),
    ]
    return "\n\n".join(parts) + "\n"


def _aim_cells(aim: Aim) -> tuple[str, ...]:
    return (aim.text, f"{aim.measured:.1f}", f"{aim.low:g} to {aim.high:g}", "met" if aim.is_met else "**not met**")


_HEAD = (
    "policy",
    "mode",
    "planet",
    "games",
    "survived %",
    "won %",
    "rounds",
    "loan %",
    "riot %",
    "catastrophe %",
    "modules",
    "citizens",
    "STOCK",
)


def _groups(rows: Rows) -> list[tuple[tuple[str, str, str], list[GameRow]]]:
    found: dict[tuple[str, str, str], list[GameRow]] = {}
    for row in rows:
        found.setdefault((row.policy, row.mode, row.planet), []).append(row)
    return list(found.items())


def _group_cells(key: tuple[str, str, str], rows: Rows) -> tuple[str, ...]:
    shares: list[Callable[[GameRow], bool]] = [
        lambda r: r.loans > 0,
        lambda r: r.riots > 0,
        lambda r: r.catastrophes > 0,
    ]
    return (
        *key,
        str(len(rows)),
        f"{share(rows, lambda r: r.is_victory):.0f}",
        f"{share(rows, lambda r: r.is_won):.0f}",
        f"{mean(row.rounds for row in rows):.1f}",
        *(f"{share(rows, question):.0f}" for question in shares),
        f"{mean(row.modules for row in rows):.1f}",
        f"{mean(row.citizens for row in rows):,.0f}",
        f"{mean(row.stock for row in rows):.0f}",
    )


def _votes(rows: Rows) -> str:
    green, red = sum(row.votes_green for row in rows), sum(row.votes_red for row in rows)
    lines = [
        ("green", f"{green:,}", f"{100 * sum(row.passed_green for row in rows) / max(1, green):.1f}"),
        ("red", f"{red:,}", f"{100 * sum(row.passed_red for row in rows) / max(1, red):.1f}"),
    ]
    return _table(("colour", "votes", "passed %"), lines)


def _managers(rows: Rows) -> str:
    plain, with_order, errors = win_shares(rows), win_shares(rows, "winners"), standard_errors(rows)
    lines = [(m, f"{plain[m]:+.1f}", f"{errors[m]:.1f}", f"{with_order.get(m, 0):+.1f}") for m in plain]
    head = ("manager", "win share − 1/n without Order of Command, points", "standard error", "with Order of Command")
    return (
        f"All seats play alike: {len(rows):,} games.\n\n" + _table(head, lines)
        if lines
        else "No semi-coop game was won."
    )


def card_effects(rows: Rows) -> dict[str, tuple[int, float]]:
    """Card → (games in which it passed, success there minus success of the same policy and planet overall, points)."""
    groups = {key: share(group, lambda r: r.is_victory) for key, group in _groups(rows)}
    games: Counter[str] = Counter()
    above: dict[str, float] = {}
    for row in rows:
        for card in set(row.passed.split("|")) - {""}:
            games[card] += 1
            above[card] = above.get(card, 0.0) + 100 * row.is_victory - groups[row.policy, row.mode, row.planet]
    return {card: (count, above[card] / count) for card, count in games.items() if count >= _FEWEST_FOR_A_CARD}


def _cards(rows: Rows) -> str:
    effects = sorted(card_effects(rows).items(), key=lambda item: (-item[1][1], item[0]))
    if not effects:
        return "Too few games."
    shown = effects if len(effects) <= 2 * _CARDS_SHOWN else effects[:_CARDS_SHOWN] + effects[-_CARDS_SHOWN:]
    note = "Success in games in which the card passed, beside all games of the same policy and planet. Long games pass more cards, so compare cards with each other."
    return note + "\n\n" + _table(("card", "games", "points"), [(c, f"{n:,}", f"{p:+.1f}") for c, (n, p) in shown])


def _spread(numbers: Sequence[int]) -> str:
    if not numbers:
        return "None."
    low, high = min(numbers), max(numbers)
    width = max(1, -(-(high - low + 1) // 12))
    counts = Counter((number - low) // width for number in numbers)
    bins = {
        f"{low + i * width:4} to {low + (i + 1) * width - 1:4}": counts.get(i, 0)
        for i in range((high - low) // width + 1)
    }
    return f"Mean {mean(numbers):.1f}, standard deviation {pstdev(numbers):.1f}.\n\n" + _bars(bins, len(numbers))


def _bars(counts: "Counter[str] | dict[str, int]", whole: int) -> str:
    most, wide = max(counts.values(), default=1), max((len(name) for name in counts), default=1)
    lines = [
        f"{name:<{wide}}  {'█' * round(_BAR * n / max(1, most)):<{_BAR}}  {100 * n / max(1, whole):5.1f} %"
        for name, n in counts.items()
    ]
    return "```\n" + "\n".join(line.rstrip() for line in lines) + "\n```"


def _table(head: Sequence[str], lines: Iterable[Sequence[str]]) -> str:
    rows = [head, ["---"] * len(head), *lines]
    return "\n".join("| " + " | ".join(cells) + " |" for cells in rows)
