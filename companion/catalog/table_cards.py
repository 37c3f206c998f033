"""Cards that only people use: artifacts, goals, abilities. The app shows them and judges the goals it can."""

from attrs import field, frozen

from companion.catalog.checks import between, has_text, one_of
from companion.catalog.conditions import Condition
from companion.catalog.targets import CURRENCIES, SOURCES


@frozen(kw_only=True)
class Artifact:
    """§4.10"""

    id: str
    title: str = field(validator=has_text)
    text: str = field(validator=has_text)
    vp: int = field(validator=between(0, 5))
    gains: dict[str, int] = field(factory=dict, validator=[one_of(CURRENCIES), between(1, 12)])
    commands: tuple[str, ...] = ()
    """What people do when it is completed, line by line."""
    keep: bool = False
    """Kept for one later use."""
    change_governor: bool = False
    source: str = field(default="ours", validator=one_of(SOURCES))


@frozen(kw_only=True)
class GoalLevel:
    """One result of a goal; the last level whose `when` holds counts."""

    text: str = field(validator=has_text)
    vp: int = field(validator=between(1, 30))
    when: Condition | None = None
    """None: people judge it."""


@frozen(kw_only=True)
class Goal:
    """§2.2; yellow ones have two levels (A2.2.1)."""

    id: str
    title: str = field(validator=has_text)
    kind: str = field(validator=one_of(("semi-coop", "private", "co-op")))
    manager: str | None = None
    """Of a private goal."""
    text: str = field(validator=has_text)
    failed_vp: int = field(validator=between(-15, 0))
    levels: tuple[GoalLevel, ...]
    look: str = ""
    """What to look at, for a goal the app cannot judge."""
    source: str = field(default="ours", validator=one_of(SOURCES))

    def __attrs_post_init__(self) -> None:
        if not self.levels:
            raise ValueError("levels is empty; a goal needs at least one result worth points")
        if not self.look and any(level.when is None for level in self.levels):
            raise ValueError("a level has no “when”, so people judge it; say in “look” what to look at")


@frozen(kw_only=True)
class Ability:
    """§4.11"""

    id: str
    name: str = field(validator=has_text)
    text: str = field(validator=has_text)
    passive: bool = False
    """Solo: does not depend on its row or column (A3.4)."""
    vp: int = field(default=0, validator=between(0, 10))
    source: str = field(default="ours", validator=one_of(SOURCES))
