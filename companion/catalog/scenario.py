"""Scenarios and tutorials as data: a story, changed rules, progress bars, timed events, own endings (A4.1)."""

from attrs import field, frozen
from attrs.validators import optional

from companion.catalog.checks import between, has_text, one_of
from companion.catalog.conditions import ALWAYS, Condition
from companion.catalog.effects import Effect
from companion.catalog.targets import SOURCES

CORE_ENDINGS = ("last_round", "fifteen_modules", "fifteen_thousand", "riot", "terran_dependence")


@frozen(kw_only=True)
class Progress:
    """A bar that the players see (RS-6). `start` + every `counter` effect; or counts by itself what `counts` names."""

    id: str
    text: str = field(validator=has_text)
    needed: int = field(validator=between(1, 100_000))
    start: int = field(default=0, validator=between(0, 100_000))
    counts: str = field(
        default="effects", validator=one_of(("effects", "modules", "citizens", "rounds", "green_decrees", "tier2"))
    )


@frozen(kw_only=True)
class TimedEvent:
    """In the settlement that closes a round: an occurrence instead of the drawn one, effects, a message."""

    rounds: tuple[int, ...] = ()
    """Rounds whose settlement fires it; empty: every settlement in which `when` holds."""
    when: Condition = ALWAYS
    occurrence: str | None = None
    effects: tuple[Effect, ...] = ()
    title: str = ""
    text: str = ""
    """Shown on RS-1; empty: silent."""
    once: bool = False


@frozen(kw_only=True)
class ScenarioEnding:
    """Ends the game when `when` holds after a settlement."""

    won: bool
    when: Condition
    title: str = field(validator=has_text)
    text: str = field(validator=has_text)


@frozen(kw_only=True)
class Hint:
    """A tutorial's sentence for a round: what to do now and why."""

    round: int = field(validator=between(1, 40))
    text: str = field(validator=has_text)


@frozen(kw_only=True)
class Scenario:
    id: str
    name: str = field(validator=has_text)
    text: str = field(validator=has_text)
    """The introduction, read before anything else."""
    rules_text: tuple[str, ...] = ()
    """Changed rules for people; they take precedence over the rulebook."""
    tutorial: bool = False
    mode: str = field(default="co-op", validator=one_of(("semi-coop", "co-op", "solo")))
    difficulty: str = field(validator=one_of(("gentle", "standard", "hard", "extreme")))
    planet: str | None = None
    """Fixed planet; none: the players choose."""
    max_rounds: int | None = field(default=None, validator=optional(between(1, 99)))
    rules: dict[str, int] = field(factory=dict)
    """«section.key» → whole number, over catalog/rules.toml."""
    start: tuple[Effect, ...] = ()
    progress: tuple[Progress, ...] = ()
    events: tuple[TimedEvent, ...] = ()
    endings: tuple[ScenarioEnding, ...] = ()
    without: tuple[str, ...] = field(default=(), validator=one_of(CORE_ENDINGS))
    """Core endings switched off."""
    hints: tuple[Hint, ...] = ()
    source: str = field(default="ours", validator=one_of(SOURCES))
