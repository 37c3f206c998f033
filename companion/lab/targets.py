"""What a well-tuned game looks like: each aim with the share that was measured and whether it lies within."""

from collections.abc import Callable, Sequence
from itertools import pairwise
from math import sqrt

from attrs import frozen

from companion.catalog import Catalog
from companion.lab.game_row import GameRow
from companion.simulation.words import Ending, Mode

Rows = Sequence[GameRow]
_DIFFICULTIES = ("gentle", "standard", "hard", "extreme")


@frozen
class Aim:
    text: str
    measured: float
    """Percent."""
    low: float
    high: float

    @property
    def is_met(self) -> bool:
        return self.low <= round(self.measured, 1) <= self.high


def share(rows: Rows, question: Callable[[GameRow], bool]) -> float:
    """Percent of the rows; 0 of none."""
    return 100 * sum(map(question, rows)) / len(rows) if rows else 0.0


def check_aims(rows: Rows, catalog: Catalog) -> list[Aim]:
    """Every aim that these rows can speak about."""
    semi = [row for row in rows if row.mode == Mode.SEMI_COOP.value]
    careful = [row for row in semi if row.policy == "careful"]
    return [*_idle(semi), *_careful(careful, catalog), *_endings(rows), *_common(rows), *_approval(rows)]


def by_planet(rows: Rows) -> dict[str, list[GameRow]]:
    found: dict[str, list[GameRow]] = {}
    for row in rows:
        found.setdefault(row.planet, []).append(row)
    return found


def _idle(semi: Rows) -> list[Aim]:
    idle = by_planet([row for row in semi if row.policy == "idle"])
    return [
        Aim(f"idle is lost on {planet}", share(rows, lambda r: not r.is_victory), 95, 100)
        for planet, rows in idle.items()
    ]


def _careful(careful: Rows, catalog: Catalog) -> list[Aim]:
    if not careful:
        return []
    planets = by_planet(careful)
    ordered = sorted(
        planets, key=lambda p: (_DIFFICULTIES.index(catalog.planets[p].difficulty), -catalog.planets[p].vp_modifier)
    )
    wins = {planet: share(planets[planet], lambda r: r.is_victory) for planet in ordered}
    aims = [Aim(f"careful succeeds on {ordered[0]} (gentlest)", wins[ordered[0]], 80, 92)]
    if "rustfall" in wins:
        aims.append(Aim("careful succeeds on rustfall (standard)", wins["rustfall"], 55, 75))
    if len(ordered) > 2:
        aims.append(Aim(f"careful succeeds on {ordered[-1]} (hardest)", wins[ordered[-1]], 25, 45))
        steps = sum(wins[a] < wins[b] for a, b in pairwise(ordered))
        aims.append(Aim("planets out of the order of their difficulty (count)", steps, 0, 0))
    return [
        *aims,
        Aim("careful games with a RIOT", share(careful, lambda r: r.riots > 0), 20, 50),
        Aim("careful games with a loan", share(careful, lambda r: r.loans > 0), 40, 80),
        Aim("careful games with a catastrophe", share(careful, lambda r: r.catastrophes > 0), 50, 90),
        Aim("careful games decided before round 8", share(careful, lambda r: r.rounds < 8), 0, 5),
    ]


def _endings(rows: Rows) -> list[Aim]:
    plain = [ending.value for ending in Ending if not ending.value.startswith("scenario")]
    reached = [row.endings.split("|") for row in rows]
    return [
        Aim(f"games that end with {e}", 100 * sum(e in each for each in reached) / max(1, len(rows)), 2, 100)
        for e in plain
    ]


def _common(rows: Rows) -> list[Aim]:
    aims = []
    for mode in (Mode.CO_OP, Mode.SOLO):
        played = [r for r in rows if r.mode == mode.value and r.policy == "careful" and r.planet == "rustfall"]
        if played:
            aims.append(Aim(f"{mode.value} is won by careful on rustfall", share(played, lambda r: r.is_won), 45, 65))
    return aims


def _approval(rows: Rows) -> list[Aim]:
    voted = [row for row in rows if row.approval_high]
    if not voted:
        return []
    return [
        Aim("lowest approval seen, percent", min(row.approval_low for row in voted) / 1000, 15, 95),
        Aim("highest approval seen, percent", max(row.approval_high for row in voted) / 1000, 15, 95),
    ]


def win_shares(rows: Rows, column: str = "winners_without_order") -> dict[str, float]:
    """Manager → percentage points above or below the fair share 1/n; shared victories count in parts."""
    won: dict[str, float] = {}
    fair: dict[str, float] = {}
    games: dict[str, int] = {}
    for row in rows:
        winners = getattr(row, column).split("|") if getattr(row, column) else []
        managers = row.managers.split("|")
        for manager in managers if winners else ():
            games[manager] = games.get(manager, 0) + 1
            fair[manager] = fair.get(manager, 0.0) + 1 / len(managers)
            if manager in winners:
                won[manager] = won.get(manager, 0.0) + 1 / len(winners)
    return {manager: 100 * (won.get(manager, 0.0) - fair[manager]) / games[manager] for manager in sorted(games)}


def standard_errors(rows: Rows) -> dict[str, float]:
    """Of the win shares, percentage points."""
    games: dict[str, list[float]] = {}
    for row in rows:
        managers = row.managers.split("|") if row.winners_without_order else []
        for manager in managers:
            games.setdefault(manager, []).append(1 / len(managers))
    return {manager: 100 * sqrt(sum(p * (1 - p) for p in fair)) / len(fair) for manager, fair in games.items()}


def check_managers(rows: Rows) -> list[Aim]:
    """Of games in which all seats are played alike."""
    shares = win_shares([row for row in rows if row.mode == Mode.SEMI_COOP.value])
    if not shares:
        return []
    return [Aim("widest gap of a manager's win share from 1/n, points", max(abs(n) for n in shares.values()), 0, 4)]
