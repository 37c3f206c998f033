"""What players may know at any time: `PlayerView`. Screens get this and `player_report`, and nothing else.

No number that must stay hidden is in here, nor anything that grows with one (length, order, colour step): statuses
are levels, accumulators are icons, construction is quarters, support is a ranking in steps every six rounds.
"""

from attrs import frozen

from companion.simulation.words import Balance, Condition, Ending, Fill, Group, Level, Mode, Resource, Status


@frozen
class StatusView:
    status: Status
    level: Level
    previous: Level | None
    """Level a round ago; None in round 1."""
    history: tuple[Level, ...]
    """Levels at the end of each past round, oldest first."""


@frozen
class ResourceView:
    resource: Resource
    production: int
    consumption: int
    balance: Balance
    accumulator: Fill


@frozen
class PopulationView:
    groups: tuple[tuple[Group, int], ...]
    """Size of each of the five groups at the end of the previous round (§5.3.3)."""
    housing: int
    trend: tuple[Group, ...]
    """At most three arriving groups, strongest first, without amounts (§5.3.1). Empty: nobody is coming."""
    is_leaving: bool
    """True when Citizens leave instead of arriving."""
    history: tuple[int, ...]
    """Total population at the end of each past round."""


@frozen
class ConstructionView:
    instance: int
    name: str
    quarters: int
    """0 … 4 quarters done. Never the number of rounds (§4.9.2)."""
    is_rebuilding: bool


@frozen
class EconomyView:
    stock: int
    queue: tuple[ConstructionView, ...]
    history: tuple[int, ...]
    """STOCK at the end of each past round."""
    construction_cost: int = 0
    """STOCK that each module under construction takes at the end of a round (§4.9.2), unless an effect changes it."""


@frozen
class SpecialView:
    riot_stage: int
    riot_warning: bool
    terran_dependence: int
    is_overcrowded: bool
    damaged: tuple[int, ...]
    """Instances of the modules hit by the last catastrophe and not yet normal again."""
    loan: int = 0
    """STOCK that Earth sends when there is none left (§5.5.2)."""


@frozen
class ModuleView:
    instance: int
    type_id: int
    name: str
    condition: Condition
    tier: int
    builder: str | None
    """Manager id."""


@frozen
class ManagerView:
    id: str
    name: str
    letter: str
    colour: str
    """#RRGGBB, one hue a manager."""
    is_governor: bool
    becomes_governor: bool


@frozen
class AssistantView:
    """A manager's assistant card that takes part (§3.1.3); in solo of managers who do not."""

    manager: str
    """Catalog id: whose card it is."""
    manager_name: str
    letter: str
    colour: str
    up: str
    """The side that lies face up."""
    down: str


@frozen
class RegisteredAct:
    """One line of the round's list of registered acts."""

    kind: str
    """decree | directive | module | campaign | ambassador | governor | correction | assistant"""
    manager: str | None
    text: str
    detail: str
    """Fee or table part; may be empty."""


@frozen
class ScoreLine:
    label: str
    points: int


@frozen
class ManagerScore:
    manager: str | None
    """None: the common score of co-op and solo."""
    lines: tuple[ScoreLine, ...]
    total: int
    is_president: bool
    is_winner: bool
    on_table: int | None = None
    """What was entered of goals, artifacts and abilities; None: nothing yet."""


@frozen
class GoalResult:
    """How one goal stands for one manager at the end."""

    manager: str | None
    """None: the group."""
    points: int | None
    """None: people judge it."""
    text: str
    """The level reached, or what to look at."""


@frozen
class GoalView:
    """A goal card that somebody may have on the table: shown at the end only (§2.2)."""

    id: str
    title: str
    text: str
    results: tuple[GoalResult, ...]


@frozen
class EndingView:
    endings: tuple[Ending, ...]
    is_victory: bool
    """In co-op and solo: the colony survived; whether it is won follows from the score."""
    title: str
    text: str
    president: str | None
    scores: tuple[ManagerScore, ...]
    """Empty after a negative ending (§6.1)."""
    points_missing: tuple[str | None, ...]
    """Managers (None: the group) whose table points have not been entered."""
    figures: tuple[tuple[str, str], ...] = ()
    """What goals ask for, as (label, value): inhabitants by group, modules, STOCK."""
    presidency: int = 0
    """VP of the President."""
    goals: tuple[GoalView, ...] = ()
    """The goal cards of this mode, judged where the app can; empty after a negative ending."""


@frozen
class PlayerView:
    colony_name: str
    planet_name: str
    mode: Mode
    round: int
    max_rounds: int
    managers: tuple[ManagerView, ...]
    """In turn order of this round: the Governor first, then clockwise."""
    statuses: tuple[StatusView, ...]
    resources: tuple[ResourceView, ...]
    population: PopulationView
    economy: EconomyView
    special: SpecialView
    modules: tuple[ModuleView, ...]
    registered: tuple[RegisteredAct, ...]
    is_last_round: bool
    ending: EndingView | None
    achievements: tuple[tuple[str, int, int], ...] = ()
    """Scenario progress: (text, reached, needed)."""
    scenario_name: str = ""
    scenario_text: str = ""
    """The introduction, read before anything else."""
    scenario_rules: tuple[str, ...] = ()
    """Changed rules for people; they take precedence."""
    hint: str = ""
    """A tutorial's sentence for this round."""
    table_setup: tuple[str, ...] = ()
    """What people lay out before they begin; in round 1 only."""
    assistants: tuple[AssistantView, ...] = ()
