"""How much an effect or a module is worth to a player who looks after the colony, in points that only compare."""

from collections.abc import Callable
from typing import Any

from companion.catalog import effects as verbs
from companion.catalog.model import Law, ModuleType
from companion.catalog.targets import RESOURCES, STATUSES
from companion.lab.forecast import Forecast, resources_of
from companion.simulation.player import PlayerView
from companion.simulation.words import Fill, Level, Mode

_NEED = {Level.GOOD: 1, Level.POOR: 3, Level.ALARMING: 8, Level.CRITICAL: 12}
_COMFORT = 45
"""STOCK at which money stops being a worry."""


def need_of(view: PlayerView, status: str) -> int:
    return _NEED[view.statuses[STATUSES.index(status)].level]


def stock_need(view: PlayerView) -> int:
    """Worth of one STOCK, tenths."""
    if view.economy.stock < 10:
        return 14
    return 8 if view.economy.stock < _COMFORT else 3


def card_worth(card: Law, view: PlayerView) -> int:
    """Of what it does to the colony, if it passes."""
    arrows = sum(
        4 * steps * need_of(view, name)
        for name, steps in zip(STATUSES, (card.happiness, card.security, card.technical), strict=True)
    )
    return arrows + sum(effect_worth(effect, view) for effect in card.effects)


def effect_worth(effect: verbs.Effect, view: PlayerView) -> int:
    if effect.when is not None and not _may_hold(effect, view):
        return 0
    judge = _WORTH.get(type(effect))
    return judge(effect, view) if judge else 0


def _may_hold(effect: verbs.Effect, view: PlayerView) -> bool:
    """The conditions a player can check at a glance; the others are taken for granted."""
    when = effect.when
    assert when is not None
    special = view.special
    if when.dependence_min > special.terran_dependence:
        return False
    if when.riot is not None and when.riot is not (special.riot_stage > 0):
        return False
    if not when.stock_min <= view.economy.stock <= when.stock_max:
        return False
    levels = {status.status.value: status.level.value for status in view.statuses}
    return all(not getattr(when, name) or levels[name] in getattr(when, name) for name in STATUSES)


def _status(effect: verbs.ChangeStatus, view: PlayerView) -> int:
    names = STATUSES if effect.of == "all" else (effect.of,)
    return sum(4 * effect.steps * need_of(view, name) for name in names)


def _stock(effect: verbs.ChangeStock, view: PlayerView) -> int:
    return effect.by * effect.rounds * stock_need(view) // 10


def _resource(effect: verbs.ChangeResource, view: PlayerView) -> int:
    names = RESOURCES if effect.of == "all" else (effect.of,)
    short = sum(view.resources[RESOURCES.index(name)].accumulator is not Fill.FULL for name in names)
    return effect.by * effect.rounds * (1 + 2 * short) // 3


def _dependence(effect: verbs.ChangeDependence, view: PlayerView) -> int:
    return -30 * effect.by * max(1, view.special.terran_dependence)


def _riot(_: verbs.BreakRiot, view: PlayerView) -> int:
    return 45 * view.special.riot_stage


def _people(effect: verbs.ChangePeople, view: PlayerView) -> int:
    crowded = view.special.is_overcrowded
    sign = -1 if crowded or effect.of == "prisoners" else 1
    return sign * effect.by // 30


def _convert(effect: verbs.ConvertPeople, view: PlayerView) -> int:
    value = {"prisoners": -2, "colonists": 0, "scientists": 2, "secforce": 1, "marines": 1}
    worth = (value[effect.to] - value[effect.source]) * effect.by // 25
    if effect.to == "secforce":
        worth += need_of(view, "security") * effect.by // 40
    return worth


def _immigration(effect: verbs.ChangeImmigration, view: PlayerView) -> int:
    room = view.population.housing - sum(count for _, count in view.population.groups)
    sign = 1 if room > 300 else -1
    return sign * effect.percent * effect.rounds // 25


_WORTH: dict[type[verbs.Effect], Callable[[Any, PlayerView], int]] = {
    verbs.ChangeStatus: _status,
    verbs.ChangeStock: _stock,
    verbs.ChangeResource: _resource,
    verbs.ChangeDependence: _dependence,
    verbs.BreakRiot: _riot,
    verbs.ChangePeople: _people,
    verbs.ConvertPeople: _convert,
    verbs.ChangeImmigration: _immigration,
    verbs.FillAccumulator: lambda e, v: e.by,
    verbs.ChangeCapacity: lambda e, v: e.by,
    verbs.ChangeHousing: lambda e, v: e.by // 60,
    verbs.ChangeSupport: lambda e, v: 2 if e.of == "owner" else 0,
    verbs.AdvanceConstruction: lambda e, v: len(v.economy.queue) * e.percent // 12,
    verbs.ChangeConstructionCost: lambda e, v: -e.by * e.rounds * (1 + len(v.economy.queue)),
    verbs.ChangeUpkeep: lambda e, v: -e.by * e.rounds * stock_need(v) // 10,
    verbs.ChangeImportPrice: lambda e, v: -e.by * e.rounds * 2,
    verbs.ChangeTax: lambda e, v: e.percent * e.rounds // 10,
    verbs.StrikeCatastrophe: lambda e, v: -25,
    verbs.ChangeCatastropheRisk: lambda e, v: -e.percent * e.rounds * need_of(v, "technical") // 60,
    verbs.UpgradeModule: lambda e, v: 12,
    verbs.ChangePeopleShare: lambda e, v: e.percent * (-1 if v.special.is_overcrowded or e.of == "prisoners" else 2),
}


def module_worth(kind: ModuleType, view: PlayerView, ahead: Forecast) -> int:
    """Of connecting it now, in hundredths."""
    tier, left = kind.tier1, view.max_rounds - view.round
    worth = 100 * tier.stock * max(0, left - kind.rounds) * stock_need(view) // 80
    for margin, units in zip(ahead.margins, resources_of(tier), strict=True):
        worth += 100 * (_supply_worth(margin + units) - _supply_worth(margin))
    for name in STATUSES:
        worth += 55 * getattr(tier, name) * need_of(view, name)
    citizens = sum(count for _, count in view.population.groups)
    if tier.housing:
        free = ahead.housing - citizens
        worth += tier.housing * (60 if free < 600 else 40 if free < 1500 else 15) // 50
    worth += 50 * tier.immigration if ahead.housing - citizens > 400 else 10 * tier.immigration
    worth += 10 * tier.trains.get("scientists", 0) + 4 * tier.trains.get("secforce", 0)
    worth += 60 * sum(tier.capacity.values()) + 40 * kind.once_stock * stock_need(view) // 10
    worth -= 3000 * kind.once_dependence * view.special.terran_dependence
    if view.mode is Mode.SEMI_COOP:
        worth += 300
    return worth - 45 * kind.rounds * stock_need(view)


def _supply_worth(margin: int) -> int:
    """Shortages hurt more with every unit; beyond a small reserve more is no use."""
    return -7 * -margin if margin < 0 else min(4, margin) * 2
