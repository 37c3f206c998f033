"""What players may know after a settlement: `PlayerReport`, one section a screen, in the rulebook's order (§4.1)."""

from attrs import frozen

from companion.simulation.player import StatusView
from companion.simulation.words import Colour, Group, Level, Resource


@frozen
class ColonyStatusSection:
    """RS-1. `notices` are (level, title, text); several may hold at once; calm rounds have one that says so."""

    notices: tuple[tuple[Level, str, str], ...]
    statuses: tuple[StatusView, ...]
    damaged: tuple[str, ...]
    """Names of modules hit by a catastrophe: do not remove them or their tiles."""


@frozen
class OccurrenceSection:
    """RS-2"""

    title: str
    text: str
    colony_effects: tuple[str, ...]
    table_instructions: tuple[str, ...]


@frozen
class EconomySection:
    """RS-3. Lines are (label, signed STOCK)."""

    income: tuple[tuple[str, int], ...]
    expenses: tuple[tuple[str, int], ...]
    stock_before: int
    stock_after: int
    resources: tuple[tuple[Resource, int, int, int], ...]
    """(resource, produced, consumed, imported)"""
    population: tuple[tuple[Group, int, int], ...]
    """(group, before, after)"""


@frozen
class DecreeResult:
    title: str
    colour: Colour
    manager: str
    passed: bool
    blocked: bool
    approval_tenths: int | None
    """Approval in tenths of a percent, never exactly 500; None for directives and blocked decrees."""
    colony_effects: tuple[str, ...]
    table_instructions: tuple[str, ...]


@frozen
class DecreeSection:
    """RS-4, in last round's turn order beginning with the previous Governor."""

    results: tuple[DecreeResult, ...]


@frozen
class RankingSection:
    """RS-5, every six rounds: (manager, steps 1 … 5 relative to the leader), strongest first; equal steps are ties."""

    ranks: tuple[tuple[str, int], ...]


@frozen
class AchievementSection:
    """RS-6: (text, reached, needed)"""

    lines: tuple[tuple[str, int, int], ...]


@frozen
class UpgradeSection:
    """RS-7: flip the tiles of these modules."""

    modules: tuple[tuple[int, str], ...]


@frozen
class UpkeepSection:
    """RS-8: the reminder before the round begins."""

    governor: str
    governor_changed: bool
    lines: tuple[str, ...]


Section = (
    ColonyStatusSection
    | OccurrenceSection
    | EconomySection
    | DecreeSection
    | RankingSection
    | AchievementSection
    | UpgradeSection
    | UpkeepSection
)


@frozen
class PlayerReport:
    """The settlement that closed round `closed_round`, as the screens between two rounds."""

    closed_round: int
    sections: tuple[Section, ...]
