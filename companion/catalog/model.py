"""The catalog's entries as values: what a module, a manager, a card, a planet is. Filled from TOML by `reading`."""

from attrs import field, frozen

from companion.catalog.checks import between, has_text, is_character, is_colour, one_of
from companion.catalog.conditions import ALWAYS, Condition
from companion.catalog.effects import Effect
from companion.catalog.targets import CURRENCIES, GROUPS, RESOURCES, SOURCES

_source = one_of(SOURCES)


@frozen(kw_only=True)
class Tier:
    """What a module gives (+) and takes (−) at each settlement while it works. Statuses in points, immigration in percent."""

    power: int = 0
    life_support: int = 0
    gas: int = 0
    liquids: int = 0
    stock: int = 0
    happiness: int = 0
    security: int = 0
    technical: int = 0
    immigration: int = 0
    attracts: dict[str, int] = field(factory=dict, validator=one_of(GROUPS))
    """Group → percent."""
    housing: int = 0
    capacity: dict[str, int] = field(factory=dict, validator=one_of(RESOURCES))
    """Resource → units of accumulator."""
    trains: dict[str, int] = field(factory=dict, validator=one_of(GROUPS))
    """Group → Colonists that become one of them, a settlement."""
    prisoners_to_stock: int = 0
    """Prisoners that are exchanged for 1 STOCK each 50, a settlement."""
    surplus_to_stock: int = 0
    """Units of overproduction, beyond full accumulators, sold for 1 STOCK each, a settlement."""
    socket: str = "none"
    """The action socket as the tile shows it; for people, the app gates nothing on it."""
    source: str = field(default="ours", validator=_source)
    """Of the magnitudes; the signs of tier 1 are the rulebook's (A5.3)."""


@frozen(kw_only=True)
class ModuleType:
    id: str
    type_id: int = field(validator=between(1, 255))
    name: str = field(validator=has_text)
    copies: int = field(default=1, validator=between(1, 9))
    base: bool = True
    """False: only with a manager who lists it."""
    endorsements: int = field(validator=between(0, 9))
    """Added to the base number for the players."""
    build: str = field(validator=one_of(("short", "medium", "longest")))
    rounds: int = field(validator=between(1, 6))
    """Settlements of work; hidden from players, who see the clock icon."""
    tier1: Tier
    tier2: Tier
    once_stock: int = 0
    once_dependence: int = 0
    casualties: tuple[str, ...] = field(default=("colonists",), validator=one_of((*GROUPS, "all")))
    """Whom a catastrophe here may hit."""
    text: str = field(validator=has_text)
    source: str = field(validator=_source)


@frozen(kw_only=True)
class Manager:
    id: str
    code: str
    name: str = field(validator=has_text)
    letter: str = field(validator=is_character)
    colour: str = field(validator=is_colour)
    """#RRGGBB"""
    order: int = field(validator=between(1, 9))
    """Order of Command; the highest present governs first."""
    order_vp: int = field(validator=between(1, 9))
    modules: tuple[str, ...]
    text: str = field(validator=has_text)
    source: str = field(validator=_source)


@frozen(kw_only=True)
class Token:
    """A token with a tag that is nobody's identity: the Governor's, the Ambassador's, and the one that opens pairing."""

    id: str = field(validator=one_of(("governor", "ambassador", "pairing")))
    """What it does is the app's, so there can be no others."""
    code: str
    name: str = field(validator=has_text)
    colour: str = field(validator=is_colour)
    text: str = field(validator=has_text)
    source: str = field(validator=_source)


@frozen(kw_only=True)
class Assistant:
    """One side of a manager's two-sided card."""

    id: str
    name: str = field(validator=has_text)
    manager: str
    side: str = field(validator=one_of(("a", "b")))
    price: dict[str, int] = field(factory=dict, validator=[one_of(CURRENCIES), between(1, 9)])
    text: str = field(validator=has_text)
    source: str = field(validator=_source)


@frozen(kw_only=True)
class Advisor:
    id: str
    name: str = field(validator=has_text)
    price: dict[str, int] = field(factory=dict, validator=[one_of(CURRENCIES), between(1, 9)])
    text: str = field(validator=has_text)
    source: str = field(validator=_source)


@frozen(kw_only=True)
class Law:
    """What decrees and directives have in common: a card with a fee that changes the colony once it is in force."""

    id: str
    code: str
    title: str = field(validator=has_text)
    cost: dict[str, int] = field(factory=dict, validator=[one_of(CURRENCIES), between(1, 9)])
    happiness: int = field(default=0, validator=between(-3, 3))
    security: int = field(default=0, validator=between(-3, 3))
    technical: int = field(default=0, validator=between(-3, 3))
    text: str = field(validator=has_text)
    effects: tuple[Effect, ...] = ()
    table: tuple[str, ...] = ()
    """What people do on the table once it is in force."""
    source: str = field(default="ours", validator=_source)


@frozen(kw_only=True)
class Decree(Law):
    colour: str = field(validator=one_of(("green", "red")))


@frozen(kw_only=True)
class Directive(Law):
    manager: str
    single_use: bool = True


@frozen(kw_only=True)
class Occurrence:
    id: str
    title: str = field(validator=has_text)
    text: str = field(validator=has_text)
    weight: int = field(default=10, validator=between(0, 100))
    """How often it comes up beside the others; 0: only when a scenario calls it."""
    when: Condition = ALWAYS
    effects: tuple[Effect, ...] = ()
    table: tuple[str, ...] = ()
    once: bool = False
    """At most once a game."""
    source: str = field(default="ours", validator=_source)


@frozen(kw_only=True)
class Planet:
    id: str
    name: str = field(validator=has_text)
    text: str = field(validator=has_text)
    difficulty: str = field(validator=one_of(("gentle", "standard", "hard", "extreme")))
    vp_modifier: int = field(validator=between(-150, 0))
    """Co-op and solo start from here (A2.2.4)."""
    environment: tuple[str, ...]
    """Tags that occurrences look at."""
    temperature_c: int
    gravity_percent: int
    """Of Earth's."""
    radiation: int = field(validator=between(0, 10))
    seismics: int = field(validator=between(0, 10))
    happiness: int = 0
    """Points on what the statuses tend to."""
    security: int = 0
    technical: int = 0
    decline: int = field(default=100, validator=between(0, 400))
    """How fast life gets harder, percent of the rules' figure."""
    immigration: int = field(default=0, validator=between(-80, 80))
    """Percent."""
    catastrophe: int = field(default=100, validator=between(0, 400))
    """Risk, percent of the rules' figure."""
    upkeep: int = field(default=0, validator=between(-5, 20))
    """STOCK more a round."""
    source: str = field(validator=_source)


@frozen(kw_only=True)
class Fleet:
    """An auxiliary fleet: one change of the start (§3.3)."""

    id: str
    name: str = field(validator=has_text)
    text: str = field(validator=has_text)
    effects: tuple[Effect, ...] = ()
    table: tuple[str, ...] = ()
    source: str = field(default="ours", validator=_source)


@frozen(kw_only=True)
class EndingText:
    id: str
    title: str = field(validator=has_text)
    text: str = field(validator=has_text)
    source: str = field(default="ours", validator=_source)


@frozen
class Tagged:
    """What a code on a tag means."""

    kind: str
    """decree | directive | manager | governor | ambassador"""
    id: str
    title: str
    colour: str
    """green, red or blue for cards; #RRGGBB for tokens."""
