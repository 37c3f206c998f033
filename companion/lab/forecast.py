"""What players can work out from what they see: resources once everything in the queue is finished, STOCK to come."""

from collections.abc import Mapping

from attrs import frozen

from companion.catalog import Catalog
from companion.catalog.model import Tier
from companion.simulation.player import PlayerView
from companion.simulation.words import Condition


@frozen
class Forecast:
    margins: tuple[int, int, int, int]
    """Production − consumption when all connected modules work."""
    housing: int
    building: int
    """Modules in the queue: 5 STOCK each and round."""
    connected: Mapping[str, int]
    """Module id → how many are connected."""
    income: int
    """STOCK a round from modules."""


def look_ahead(view: PlayerView, catalog: Catalog) -> Forecast:
    margins, housing, income, building = [r.production - r.consumption for r in view.resources], 0, 0, 0
    connected: dict[str, int] = {}
    for module in view.modules:
        kind = catalog.module_by_type(module.type_id)
        if kind is None:
            continue
        connected[kind.id] = connected.get(kind.id, 0) + 1
        tier = kind.tier2 if module.tier == 2 else kind.tier1
        income += tier.stock
        if module.condition is not Condition.WORKING:
            building += 1
            housing += tier.housing
            for index, units in enumerate(resources_of(tier)):
                margins[index] += units
    whole = view.population.housing + housing
    return Forecast((margins[0], margins[1], margins[2], margins[3]), whole, building, connected, income)


def resources_of(tier: Tier) -> tuple[int, int, int, int]:
    return (tier.power, tier.life_support, tier.gas, tier.liquids)
