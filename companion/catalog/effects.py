"""What a card, an occurrence, a fleet or a scenario can do to the colony: a closed set of small values.

One class a verb; the attribute names are the keys an author writes after `do = "verb"`. `simulation.effects` applies
them, `simulation.wording` says them to players. README.md has each verb with an example.
"""

from attrs import field, frozen

from companion.catalog.checks import between, has_text, not_zero, one_of
from companion.catalog.conditions import Condition
from companion.catalog.targets import GROUP_INDEX, GROUPS, RESOURCE_INDEX, STATUS_INDEX

_rounds = between(1, 20)
_WHO = ("owner", "others", "all")


@frozen(kw_only=True)
class Effect:
    when: Condition | None = None


@frozen(kw_only=True)
class ChangeStatus(Effect):
    """status: arrows up or down, once."""

    of: str = field(validator=one_of(STATUS_INDEX))
    steps: int = field(validator=[not_zero, between(-3, 3)])


@frozen(kw_only=True)
class ChangeStock(Effect):
    """stock: at once, or at each of the next `rounds` settlements."""

    by: int = field(validator=[not_zero, between(-100, 100)])
    rounds: int = field(default=1, validator=_rounds)


@frozen(kw_only=True)
class ChangeResource(Effect):
    """resource: produced more (or less) at each of `rounds` settlements."""

    of: str = field(validator=one_of(RESOURCE_INDEX))
    by: int = field(validator=[not_zero, between(-30, 30)])
    rounds: int = field(default=1, validator=_rounds)


@frozen(kw_only=True)
class FillAccumulator(Effect):
    """accumulator: units put in or taken out at once, within what fits."""

    of: str = field(validator=one_of(RESOURCE_INDEX))
    by: int = field(validator=[not_zero, between(-50, 50)])


@frozen(kw_only=True)
class ChangeCapacity(Effect):
    """capacity: of an accumulator, for good."""

    of: str = field(validator=one_of(RESOURCE_INDEX))
    by: int = field(validator=[not_zero, between(-20, 20)])


@frozen(kw_only=True)
class ChangePeople(Effect):
    """people: a number of Citizens arrives or is lost; `all` is spread by the groups' sizes."""

    of: str = field(validator=one_of(GROUP_INDEX))
    by: int = field(validator=[not_zero, between(-5000, 5000)])


@frozen(kw_only=True)
class ChangePeopleShare(Effect):
    """people_share: a percentage of the group (or of everybody) arrives or is lost."""

    of: str = field(validator=one_of(GROUP_INDEX))
    percent: int = field(validator=[not_zero, between(-50, 50)])


@frozen(kw_only=True)
class ConvertPeople(Effect):
    """convert: as many as there are, up to `by`."""

    source: str = field(validator=one_of(GROUPS))
    to: str = field(validator=one_of(GROUPS))
    by: int = field(validator=between(1, 5000))

    def __attrs_post_init__(self) -> None:
        if self.source == self.to:
            raise ValueError("source and to are the same group; name two different groups")


@frozen(kw_only=True)
class ChangeImmigration(Effect):
    """immigration: percent more or less, overall or of one group, for `rounds` settlements."""

    of: str = field(validator=one_of(GROUP_INDEX))
    percent: int = field(validator=[not_zero, between(-100, 200)])
    rounds: int = field(default=1, validator=_rounds)


@frozen(kw_only=True)
class ChangeHousing(Effect):
    """housing: beds for good."""

    by: int = field(validator=[not_zero, between(-3000, 3000)])


@frozen(kw_only=True)
class ChangeDependence(Effect):
    """dependence: Terran Dependence taken away (−1) or laid on (+1) without a loan."""

    by: int = field(validator=[not_zero, between(-2, 1)])


@frozen(kw_only=True)
class BreakRiot(Effect):
    """break_riot: the counter starts anew (§5.5.1)."""


@frozen(kw_only=True)
class TakeGovernor(Effect):
    """governor: the card's owner becomes Governor at the next upkeep (§2.3). Decrees and directives only."""


@frozen(kw_only=True)
class BlockDecrees(Effect):
    """block_decrees: no other Manager's decree counts this round (§4.8.2). Directives only."""


@frozen(kw_only=True)
class ChangeSupport(Effect):
    """support: never below zero, never less (§2.4)."""

    of: str = field(validator=one_of(_WHO))
    points: int = field(validator=between(1, 10))


@frozen(kw_only=True)
class ChangeApproval(Effect):
    """approval: percentage points on the next votes, for `rounds` settlements."""

    of: str = field(validator=one_of(_WHO))
    percent: int = field(validator=[not_zero, between(-30, 30)])
    rounds: int = field(default=1, validator=_rounds)


@frozen(kw_only=True)
class AdvanceConstruction(Effect):
    """construction: percent of one round's work on everything in the building queue, at once."""

    percent: int = field(validator=[not_zero, between(-100, 300)])


@frozen(kw_only=True)
class ChangeConstructionCost(Effect):
    """construction_cost: STOCK a module and round, for `rounds` settlements."""

    by: int = field(validator=[not_zero, between(-5, 10)])
    rounds: int = field(default=1, validator=_rounds)


@frozen(kw_only=True)
class ChangeUpkeep(Effect):
    """upkeep: STOCK that the colony's systems cost more or less, for `rounds` settlements."""

    by: int = field(validator=[not_zero, between(-10, 20)])
    rounds: int = field(default=1, validator=_rounds)


@frozen(kw_only=True)
class ChangeImportPrice(Effect):
    """import_price: STOCK a missing unit, for `rounds` settlements."""

    by: int = field(validator=[not_zero, between(-3, 5)])
    rounds: int = field(default=1, validator=_rounds)


@frozen(kw_only=True)
class ChangeTax(Effect):
    """tax: percent more or less of the Colonists' taxes, for `rounds` settlements."""

    percent: int = field(validator=[not_zero, between(-100, 100)])
    rounds: int = field(default=1, validator=_rounds)


@frozen(kw_only=True)
class StrikeCatastrophe(Effect):
    """catastrophe: heavy damage to one fully built module, of these kinds if named; it may spread (§5.6.1)."""

    module: tuple[str, ...] = ()


@frozen(kw_only=True)
class ChangeCatastropheRisk(Effect):
    """catastrophe_risk: percent more or less, for `rounds` settlements."""

    percent: int = field(validator=[not_zero, between(-100, 200)])
    rounds: int = field(default=1, validator=_rounds)


@frozen(kw_only=True)
class UpgradeModule(Effect):
    """upgrade: the longest-working tier-1 module, of these kinds if named, becomes tier 2."""

    module: tuple[str, ...] = ()


@frozen(kw_only=True)
class ChangeRounds(Effect):
    """max_rounds: the game's last round comes later or sooner. Scenarios."""

    by: int = field(validator=[not_zero, between(-10, 20)])


@frozen(kw_only=True)
class ChangeCounter(Effect):
    """counter: a scenario's progress bar."""

    of: str = field(validator=has_text)
    by: int = field(validator=[not_zero, between(-1000, 1000)])


VERBS: dict[str, type[Effect]] = {
    "status": ChangeStatus,
    "stock": ChangeStock,
    "resource": ChangeResource,
    "accumulator": FillAccumulator,
    "capacity": ChangeCapacity,
    "people": ChangePeople,
    "people_share": ChangePeopleShare,
    "convert": ConvertPeople,
    "immigration": ChangeImmigration,
    "housing": ChangeHousing,
    "dependence": ChangeDependence,
    "break_riot": BreakRiot,
    "governor": TakeGovernor,
    "block_decrees": BlockDecrees,
    "support": ChangeSupport,
    "approval": ChangeApproval,
    "construction": AdvanceConstruction,
    "construction_cost": ChangeConstructionCost,
    "upkeep": ChangeUpkeep,
    "import_price": ChangeImportPrice,
    "tax": ChangeTax,
    "catastrophe": StrikeCatastrophe,
    "catastrophe_risk": ChangeCatastropheRisk,
    "upgrade": UpgradeModule,
    "max_rounds": ChangeRounds,
    "counter": ChangeCounter,
}
