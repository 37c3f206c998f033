"""Every number that balances the game, by subject. Values live in rules.toml, each section with its source.

Statuses run from 0 to 100,000 (thousandths of a point); percentages are whole; «permille» is in thousandths.
"""

from collections.abc import Mapping

from attrs import field, frozen

from companion.catalog.checks import between, one_of
from companion.catalog.curve import Curve
from companion.catalog.targets import SOURCES

_source = one_of(SOURCES)
_MOST = 1_000_000
_count, _divisor = between(0, _MOST), between(1, _MOST)
_status = between(0, 100_000)


@frozen(kw_only=True)
class Start:
    stock: int
    happiness: int = field(validator=_status)
    security: int = field(validator=_status)
    technical: int = field(validator=_status)
    colonists: int = field(validator=_count)
    secforce: int = field(validator=_count)
    scientists: int = field(validator=_count)
    marines: int = field(validator=_count)
    prisoners: int = field(validator=_count)
    housing: int = field(validator=_count)
    power: int
    life_support: int
    gas: int
    liquids: int
    accumulator: int = field(validator=_count)
    """Units in each at the start."""
    capacity: int = field(validator=_count)
    max_rounds: int = field(validator=between(1, 99))
    source: str = field(validator=_source)


@frozen(kw_only=True)
class Levels:
    good: int = field(validator=_status)
    poor: int = field(validator=_status)
    alarming: int = field(validator=_status)
    """Points from which the level holds; below alarming is critical."""
    source: str = field(validator=_source)


@frozen(kw_only=True)
class Moods:
    happiness: int
    security: int
    technical: int
    """What the statuses tend to by themselves, thousandths."""
    decline: Curve
    """Round → thousandths taken from all three."""
    pace: int = field(validator=between(1, 100))
    """Percent of the way to the target in a round."""
    noise: int = field(validator=_count)
    step: int
    """One arrow, thousandths."""
    card_arrows: Curve
    """Managers (solo 1) → percent of an arrow on a decree or directive: the fewer can introduce one, the more it weighs."""
    secforce: Curve
    """Permille of SecForce → security, thousandths."""
    colonists: Curve
    """Permille of Colonists → technical."""
    prisoners: Curve
    """Permille of Prisoners → happiness."""
    load: Curve
    """Connected modules → technical."""
    shortage: int
    shortage_security: int
    """A resource that had to be imported takes this from happiness and technical, and from security."""
    overcrowded: Curve
    """Permille of Citizens without a bed → all three."""
    source: str = field(validator=_source)


@frozen(kw_only=True)
class Vote:
    base: int
    green: int
    red: int
    support: Curve
    """Support points → thousandths of approval percent."""
    mood: Curve
    """Mean status, thousandths → thousandths of approval percent."""
    noise: int = field(validator=_count)
    low: int
    high: int
    source: str = field(validator=_source)


@frozen(kw_only=True)
class Support:
    campaign: int = field(validator=_count)
    module: int = field(validator=_count)
    green: int = field(validator=_count)
    ambassador: int = field(validator=_count)
    ranking_every: int = field(validator=_divisor)
    ranking_steps: int = field(validator=_divisor)
    source: str = field(validator=_source)


@frozen(kw_only=True)
class Construction:
    cost: int
    """STOCK a module and round [rulebook §4.9.2]."""
    slower_short: tuple[str, ...]
    slower_long: tuple[str, ...]
    """Technical levels at which a short, or any longer, construction takes a round more."""
    rebuild_percent: int = field(validator=_count)
    """Work of a reconstruction, percent of the construction's."""
    source: str = field(validator=_source)


@frozen(kw_only=True)
class Supply:
    citizens_per_life_support: int = field(validator=_divisor)
    import_price: int
    source: str = field(validator=_source)


@frozen(kw_only=True)
class Economy:
    colonists_per_stock: int = field(validator=_divisor)
    scientists_per_stock: int = field(validator=_divisor)
    prisoners_per_cost: int = field(validator=_divisor)
    upkeep: int
    modules_per_upkeep: int = field(validator=_divisor)
    upkeep_growth: Curve
    """Round → STOCK added to the upkeep."""
    managers: Curve
    """Managers (solo 1) → STOCK added to the upkeep: more hands do more."""
    prisoners_per_exchange: int = field(validator=_divisor)
    loan: int
    interest: int
    """STOCK a round for each active Terran Dependence."""
    source: str = field(validator=_source)


@frozen(kw_only=True)
class Population:
    base: int
    free_beds_permille: int
    mood: Curve
    """Mean status, thousandths → permille of the base immigration; negative is emigration."""
    emigration: Curve
    """Mean status, thousandths → permille of the Citizens who leave."""
    emigrants: int
    """At least so many leave while anybody does."""
    size: Curve
    """Citizens → permille of immigration left."""
    overcrowded_permille: int
    overcrowded_leave_permille: int
    """Of immigration left when overcrowded; of the excess that leaves."""
    colonists: int = field(validator=_count)
    secforce: int = field(validator=_count)
    scientists: int = field(validator=_count)
    marines: int = field(validator=_count)
    prisoners: int = field(validator=_count)
    """Weights of the arriving groups."""
    noise_percent: int = field(validator=_count)
    source: str = field(validator=_source)

    def __attrs_post_init__(self) -> None:
        if not any((self.colonists, self.secforce, self.scientists, self.marines, self.prisoners)):
            raise ValueError("all five groups have the weight 0; one of them must arrive")


@frozen(kw_only=True)
class Riot:
    warning_rounds: int
    stage1: Curve
    stage2: Curve
    """Permille of SecForce, of Marines → permille of success."""
    arrested_permille: int
    killed_permille: int
    source: str = field(validator=_source)


@frozen(kw_only=True)
class Catastrophe:
    good: int
    poor: int
    alarming: int
    critical: int
    """Permille a round, by technical level."""
    first_round: int
    """No catastrophe of its own before the settlement of this round."""
    spread_permille: int
    casualties_permille: int
    source: str = field(validator=_source)


@frozen(kw_only=True)
class Upgrade:
    rounds: int
    """Settlements without a catastrophe before tier 2."""
    levels: tuple[str, ...]
    """Technical levels at which modules develop."""
    most: int
    """Upgrades a settlement."""
    source: str = field(validator=_source)


@frozen(kw_only=True)
class Occurrences:
    apart: int
    """Settlements before the same one may come again."""
    first_round: int
    source: str = field(validator=_source)


@frozen(kw_only=True)
class Endings:
    modules: int
    citizens: int
    riot_stage: int
    dependence: int
    dependence_counts_loans: bool
    """False: active Terran Dependence loses the game; True: loans ever taken do."""
    source: str = field(validator=_source)


@frozen(kw_only=True)
class Scoring:
    presidency: int
    module: int
    green: int
    ambassador: int
    round: int
    loan: int
    riot_round: int
    """The last three in co-op and solo only (A2.2)."""
    planet_percent: Curve
    """Managers (solo 1) → percent of the planet's modifier: more managers collect more points."""
    source: str = field(validator=_source)


def laid_over(raw: Mapping[str, Mapping[str, object]], changes: Mapping[str, int]) -> dict[str, dict[str, object]]:
    """The rules as read, with a scenario's numbers («section.key» → value) in their places."""
    changed = {section: dict(values) for section, values in raw.items()}
    for name, value in changes.items():
        section, _, key = name.partition(".")
        changed[section][key] = value
    return changed


@frozen(kw_only=True)
class Rules:
    start: Start
    levels: Levels
    moods: Moods
    vote: Vote
    support: Support
    construction: Construction
    supply: Supply
    economy: Economy
    population: Population
    riot: Riot
    catastrophe: Catastrophe
    upgrade: Upgrade
    occurrences: Occurrences
    endings: Endings
    scoring: Scoring
