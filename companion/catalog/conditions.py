"""When an effect, an occurrence or a scenario's turn holds. All keys given must hold; within a list one is enough."""

from typing import Any

from attrs import Attribute, Factory, field, fields, frozen

from companion.catalog.checks import between, one_of
from companion.catalog.targets import GROUPS, LEVELS, RESOURCES

_MODES = ("semi-coop", "co-op", "solo")
_BIG = 1_000_000


@frozen
class Condition:
    """`when = { … }` in the catalog; see README.md for every key. Evaluated by `simulation.conditions`."""

    planet: tuple[str, ...] = ()
    environment: tuple[str, ...] = ()
    manager: tuple[str, ...] = ()
    mode: tuple[str, ...] = field(default=(), validator=one_of(_MODES))
    players_min: int = field(default=0, validator=between(0, 5))
    players_max: int = field(default=5, validator=between(1, 5))

    assistant: tuple[str, ...] = ()
    module: tuple[str, ...] = ()
    """One of these is fully built."""
    without_module: tuple[str, ...] = ()
    """None of these is connected."""
    happiness: tuple[str, ...] = field(default=(), validator=one_of(LEVELS))
    security: tuple[str, ...] = field(default=(), validator=one_of(LEVELS))
    technical: tuple[str, ...] = field(default=(), validator=one_of(LEVELS))
    stock_min: int = field(default=-_BIG, validator=between(-_BIG, _BIG))
    stock_max: int = field(default=_BIG, validator=between(-_BIG, _BIG))
    round_min: int = field(default=0, validator=between(0, 99))
    round_max: int = field(default=99, validator=between(1, 99))
    citizens_min: int = field(default=0, validator=between(0, _BIG))
    citizens_max: int = field(default=_BIG, validator=between(0, _BIG))
    share_min: dict[str, int] = field(factory=dict, validator=[one_of(GROUPS), between(0, 100)])
    """Group → at least this percentage of all Citizens."""
    share_max: dict[str, int] = field(factory=dict, validator=[one_of(GROUPS), between(0, 100)])
    modules_min: int = field(default=0, validator=between(0, 99))
    """Fully built modules."""
    modules_max: int = field(default=99, validator=between(0, 99))
    building: bool | None = None
    """Something is (not) under construction."""
    riot: bool | None = None
    overcrowded: bool | None = None
    dependence_min: int = field(default=0, validator=between(0, 2))
    shortage: tuple[str, ...] = field(default=(), validator=one_of(RESOURCES))
    """One of these was imported in the last settlement."""
    accumulator_empty: tuple[str, ...] = field(default=(), validator=one_of(RESOURCES))
    accumulator_full: tuple[str, ...] = field(default=(), validator=one_of(RESOURCES))
    counter_min: dict[str, int] = field(factory=dict, validator=between(0, _BIG))
    """Scenario counter → at least."""
    own_modules_min: int = field(default=0, validator=between(0, 99))
    own_greens_min: int = field(default=0, validator=between(0, 99))
    is_governor: bool | None = None
    is_president: bool | None = None
    """The last four look at the card's owner: `OWNER_KEYS`."""

    given: tuple[tuple[str, Any], ...] = field(init=False, eq=False, repr=False)
    """The keys that ask for something, so that the rest costs nothing at each settlement."""

    def __attrs_post_init__(self) -> None:
        asked = [(a.name, getattr(self, a.name), a) for a in fields(Condition) if a.init]
        given = tuple((name, value) for name, value, a in asked if value != _default(a))
        object.__setattr__(self, "given", given)


def _default(attribute: "Attribute[Any]") -> Any:
    return {} if isinstance(attribute.default, Factory) else attribute.default  # type: ignore[arg-type]  # attrs types `Factory` as a function


ALWAYS = Condition()
OWNER_KEYS = ("own_modules_min", "own_greens_min", "is_governor", "is_president")
"""Of decrees, directives and a manager's goals; others are nobody's."""
STATIC_KEYS = ("planet", "environment", "manager", "mode", "players_min", "players_max")
"""These do not change during a game, so they are looked at once."""
