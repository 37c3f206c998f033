"""The colony's events in sentences for players: effects, acts, lines of the bank. Made only when somebody looks."""

from collections.abc import Callable, Mapping
from typing import Any

from companion.catalog import Catalog, effects as verbs
from companion.simulation.colony import SOLO_SEAT, Act

STATUS_NAMES = {"happiness": "Happiness", "security": "Security", "technical": "Technical", "all": "All statuses"}
RESOURCE_NAMES = {
    "power": "Power", "life_support": "Life Support", "gas": "Gas", "liquids": "Liquids", "all": "every resource",
}  # fmt: skip
GROUP_NAMES = {
    "colonists": "Colonists", "secforce": "SecForce", "scientists": "Scientists", "marines": "Marines",
    "prisoners": "Prisoners", "all": "Citizens",
}  # fmt: skip
_WHO = {"owner": "the card's owner", "others": "the other Managers", "all": "all Managers"}
LINES = {
    "taxes": "Taxes of the Colonists",
    "science": "Work of the Scientists",
    "modules": "Modules",
    "surplus": "Surplus sold",
    "agreements": "Lasting agreements",
    "exchange": "Prisoners exchanged",
    "prisoners": "Keeping the Prisoners",
    "upkeep": "Upkeep of the colony's systems",
    "interest": "Interest to Earth",
    "construction": "Construction",
    "imports": "Imported resources",
    "gifts": "One-time funds",
    "decrees": "Decrees and directives",
    "occurrence": "Occurrence",
    "scenario": "Scenario",
    "loan": "Loan from Earth",
}


def effect_text(effect: verbs.Effect) -> str:
    """What the effect does, as printed on a card: «+10 STOCK», «100 Colonists become SecForce»."""
    return _TEXT[type(effect)](effect)


def cost_text(cost: Mapping[str, int]) -> str:
    """«1 PA, 2 CR»; «free» when there is none."""
    return ", ".join(f"{amount} {currency}" for currency, amount in cost.items()) or "free"


def manager_name(manager: str | None, catalog: Catalog) -> str:
    if manager is None:
        return "nobody"
    if manager == SOLO_SEAT:
        return "you"
    known = catalog.managers.get(manager)
    return known.name if known else manager


def act_text(act: Act, catalog: Catalog) -> tuple[str, str]:
    """(line for the round's list, detail: fee or what to do)."""
    return _ACTS[act.kind](act, catalog)


def _signed(number: int) -> str:
    return f"+{number}" if number > 0 else f"−{-number}"


def _rounds(effect: Any) -> str:
    return "" if effect.rounds == 1 else f" for {effect.rounds} rounds"


def _arrows(effect: verbs.ChangeStatus) -> str:
    return f"{STATUS_NAMES[effect.of]} {('▲' if effect.steps > 0 else '▼') * abs(effect.steps)}"


def _percent(name: str) -> Callable[[Any], str]:
    return lambda effect: f"{name} {_signed(effect.percent)} %{_rounds(effect)}"


def _immigration(effect: verbs.ChangeImmigration) -> str:
    group = "" if effect.of == "all" else f" of {GROUP_NAMES[effect.of]}"
    return f"{'More' if effect.percent > 0 else 'Less'} immigration{group}{_rounds(effect)}"


def _people(effect: verbs.ChangePeople) -> str:
    return f"{abs(effect.by)} {GROUP_NAMES[effect.of]} {'arrive' if effect.by > 0 else 'are lost'}"


def _people_share(effect: verbs.ChangePeopleShare) -> str:
    return f"{abs(effect.percent)} % of the {GROUP_NAMES[effect.of]} {'join' if effect.percent > 0 else 'are lost'}"


def _resource(effect: verbs.ChangeResource) -> str:
    return f"{RESOURCE_NAMES[effect.of]} {'production' if effect.by > 0 else 'consumption'} +{abs(effect.by)}{_rounds(effect)}"


def _dependence(effect: verbs.ChangeDependence) -> str:
    return f"{_signed(effect.by)} Terran Dependence"


def _support(effect: verbs.ChangeSupport) -> str:
    return f"Citizens' support for {_WHO[effect.of]} rises"


def _approval(effect: verbs.ChangeApproval) -> str:
    direction = "gain" if effect.percent > 0 else "lose"
    return f"Coming decrees of {_WHO[effect.of]} {direction} approval{_rounds(effect)}"


def _construction(effect: verbs.AdvanceConstruction) -> str:
    return "Construction moves ahead" if effect.percent > 0 else "Construction falls behind"


_TEXT: dict[type[verbs.Effect], Callable[[Any], str]] = {
    verbs.ChangeStatus: _arrows,
    verbs.ChangeStock: lambda e: (
        f"{_signed(e.by)} STOCK" + ("" if e.rounds == 1 else f" a round, for {e.rounds} rounds")
    ),
    verbs.ChangeResource: _resource,
    verbs.FillAccumulator: lambda e: f"{_signed(e.by)} in the accumulator of {RESOURCE_NAMES[e.of]}",
    verbs.ChangeCapacity: lambda e: f"{_signed(e.by)} accumulator capacity of {RESOURCE_NAMES[e.of]}",
    verbs.ChangePeople: _people,
    verbs.ChangePeopleShare: _people_share,
    verbs.ConvertPeople: lambda e: f"{e.by} {GROUP_NAMES[e.source]} become {GROUP_NAMES[e.to]}",
    verbs.ChangeImmigration: _immigration,
    verbs.ChangeHousing: lambda e: f"{_signed(e.by)} beds",
    verbs.ChangeDependence: _dependence,
    verbs.BreakRiot: lambda e: "The RIOT is broken up; its counter starts anew",
    verbs.TakeGovernor: lambda e: "The card's owner becomes Governor in the next upkeep",
    verbs.BlockDecrees: lambda e: "Other Managers' decrees of this round do not count",
    verbs.ChangeSupport: _support,
    verbs.ChangeApproval: _approval,
    verbs.AdvanceConstruction: _construction,
    verbs.ChangeConstructionCost: lambda e: f"{_signed(e.by)} STOCK a module under construction{_rounds(e)}",
    verbs.ChangeUpkeep: lambda e: f"{_signed(e.by)} STOCK upkeep{_rounds(e)}",
    verbs.ChangeImportPrice: lambda e: f"{_signed(e.by)} STOCK an imported unit{_rounds(e)}",
    verbs.ChangeTax: _percent("Taxes"),
    verbs.StrikeCatastrophe: lambda e: "Catastrophe: a module is heavily damaged",
    verbs.ChangeCatastropheRisk: lambda e: f"{'More' if e.percent > 0 else 'Less'} risk of a catastrophe{_rounds(e)}",
    verbs.UpgradeModule: lambda e: "A module develops into its second tier",
    verbs.ChangeRounds: lambda e: (
        f"The game lasts {abs(e.by)} {'round' if abs(e.by) == 1 else 'rounds'} {'longer' if e.by > 0 else 'less'}"
    ),
    verbs.ChangeCounter: lambda e: f"Progress of the scenario {_signed(e.by)}",
}


def _module_name(act: Act, catalog: Catalog) -> str:
    kind = catalog.module_by_type(int(act.subject))
    return kind.name if kind else "Module"


def _card(act: Act, catalog: Catalog) -> tuple[str, str]:
    card = catalog.decrees[act.subject] if act.kind == "decree" else catalog.directives[act.subject]
    line = f"{act.kind.capitalize()} “{card.title}” by {manager_name(act.manager, catalog)}"
    return line, f"Fee: {cost_text(card.cost)}"


def _ambassador(act: Act, catalog: Catalog) -> tuple[str, str]:
    done = "1 Terran Dependence removed" if act.amount else "There was no Terran Dependence to remove"
    return f"Ambassador used by {manager_name(act.manager, catalog)}", done


def _assistant(act: Act, catalog: Catalog) -> tuple[str, str]:
    assistant = catalog.assistants.get(act.subject)
    return f"Assistant turned over: {assistant.name if assistant else act.subject}", ""


def _correction(act: Act, _: Catalog) -> tuple[str, str]:
    names = {**STATUS_NAMES, **RESOURCE_NAMES, **GROUP_NAMES, "stock": "STOCK", "round": "Round"}
    # known to whoever typed it, and still hidden from the others
    is_hidden = act.subject in STATUS_NAMES or act.subject in RESOURCE_NAMES
    shown = "" if is_hidden else f" to {act.amount}"
    return f"Put right by hand: {names[act.subject]}{shown}", ""


_ACTS: dict[str, Callable[[Act, Catalog], tuple[str, str]]] = {
    "decree": _card,
    "directive": _card,
    "module": lambda act, c: (f"{_module_name(act, c)} built by {manager_name(act.manager, c)}", ""),
    "campaign": lambda act, c: (f"Campaign by {manager_name(act.manager, c)}", "Campaign successful"),
    "ambassador": _ambassador,
    "governor": lambda act, c: (
        f"{manager_name(act.manager, c)} claims the Governor's role",
        "From the next upkeep on",
    ),
    "assistant": _assistant,
    "correction": _correction,
}
