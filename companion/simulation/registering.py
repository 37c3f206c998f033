"""Cards and tokens laid on the ARC during a round: decrees, directives, campaigns, ambassador, Governor, assistants."""

from attrs import evolve

from companion.catalog import Catalog
from companion.simulation.colony import Act, Colony
from companion.simulation.commands import (
    Campaign,
    ChangeGovernor,
    FlipAssistant,
    Refusal,
    RegisterDecree,
    RegisterDirective,
    UseAmbassador,
)
from companion.simulation.game_rules import rules_of
from companion.simulation.settlement.votes import blocks_decrees
from companion.simulation.words import Mode


def register_decree(colony: Colony, command: RegisterDecree, catalog: Catalog) -> Colony | Refusal:
    decree = catalog.decrees.get(command.decree)
    if decree is None:
        return Refusal("unknown_decree", f"This catalog has no decree {command.decree!r}.")
    refusal = _check_card(colony, command.manager, catalog)
    if refusal is not None:
        return refusal
    for act in colony.acts:
        if act.kind == "decree" and act.subject == decree.id:
            return Refusal(
                "decree_twice", f"“{decree.title}” is registered already this round: there is one such card."
            )
        if (
            act.kind == "directive"
            and act.manager != command.manager
            and blocks_decrees(catalog.directives[act.subject])
        ):
            return Refusal(
                "decrees_blocked", f"“{catalog.directives[act.subject].title}” stops all other decrees of this round."
            )
    return _add(colony, Act("decree", seat_name(colony, command.manager), decree.id))


def register_directive(colony: Colony, command: RegisterDirective, catalog: Catalog) -> Colony | Refusal:
    directive = catalog.directives.get(command.directive)
    if directive is None:
        return Refusal("unknown_directive", f"This catalog has no directive {command.directive!r}.")
    if colony.setup.mode is Mode.SOLO:
        return Refusal("solo_directive", "Directives stay in the box in solo games.")
    refusal = _check_card(colony, command.manager, catalog)
    if refusal is not None:
        return refusal
    if directive.manager != command.manager:
        owner = catalog.managers[directive.manager].name
        return Refusal("not_owner", f"Only {owner} may introduce “{directive.title}”.")
    if directive.id in colony.spent:
        return Refusal("directive_spent", f"“{directive.title}” has been used: it is out of the game.")
    return _add(colony, Act("directive", command.manager, directive.id))


def campaign(colony: Colony, command: Campaign, catalog: Catalog) -> Colony | Refusal:
    refusal = check_manager(colony, command.manager, catalog)
    if refusal is not None:
        return refusal
    raised = add_support(colony, command.manager, rules_of(colony.setup, catalog).support.campaign)
    return _add(raised, Act("campaign", seat_name(colony, command.manager)))


def use_ambassador(colony: Colony, command: UseAmbassador, catalog: Catalog) -> Colony | Refusal:
    """Allowed without Terran Dependence too: it pays for every usage (GAP-19)."""
    refusal = check_manager(colony, command.manager, catalog)
    if refusal is not None:
        return refusal
    raised = add_support(colony, command.manager, rules_of(colony.setup, catalog).support.ambassador)
    ambassadors = _more(colony.ambassadors, seat_of(colony, command.manager), 1)
    removed = min(1, colony.dependence)
    used = evolve(raised, ambassadors=ambassadors, dependence=colony.dependence - removed)
    return _add(used, Act("ambassador", seat_name(colony, command.manager), amount=removed))


def change_governor(colony: Colony, command: ChangeGovernor, catalog: Catalog) -> Colony | Refusal:
    if colony.setup.mode is Mode.SOLO:
        return Refusal("solo_governor", "There is no Governor in solo games; the token only takes back.")
    refusal = check_manager(colony, command.manager, catalog)
    if refusal is not None:
        return refusal
    return _add(evolve(colony, next_governor=command.manager), Act("governor", command.manager))


def flip_assistant(colony: Colony, command: FlipAssistant, catalog: Catalog) -> Colony | Refusal:
    """The card of this manager; in solo any card that takes part."""
    sides = [a for a in catalog.assistants.values() if a.manager == command.manager]
    up = next((a for a in sides if a.id in colony.assistants), None)
    down = next((a for a in sides if a.id not in colony.assistants), None)
    if up is None or down is None:
        return Refusal("no_assistant", "This manager's assistant card is not in the game, or its sides are not known.")
    flipped = tuple(down.id if name == up.id else name for name in colony.assistants)
    return _add(evolve(colony, assistants=flipped), Act("assistant", command.manager, down.id))


def check_manager(colony: Colony, manager: str, catalog: Catalog) -> Refusal | None:
    """A seated manager; in solo any token of the nine."""
    if colony.setup.mode is Mode.SOLO and (manager in catalog.managers or manager in colony.seats):
        return None
    if manager in colony.seats:
        return None
    known = catalog.managers.get(manager)
    return Refusal("not_seated", f"{known.name if known else 'This manager'} does not take part in this game.")


def seat_of(colony: Colony, manager: str) -> int:
    return 0 if colony.setup.mode is Mode.SOLO else colony.seats.index(manager)


def seat_name(colony: Colony, manager: str) -> str:
    """Whose act it is; in solo every token is the player's."""
    return colony.seats[seat_of(colony, manager)]


def add_support(colony: Colony, manager: str, points: int) -> Colony:
    """Support only grows (§2.4)."""
    return evolve(colony, support=_more(colony.support, seat_of(colony, manager), points))


def _check_card(colony: Colony, manager: str, catalog: Catalog) -> Refusal | None:
    refusal = check_manager(colony, manager, catalog)
    if refusal is not None:
        return refusal
    if colony.round >= colony.max_rounds:
        return Refusal("last_round", "In the last round no decrees and no directives are introduced.")
    name = seat_name(colony, manager)
    if any(act.kind in ("decree", "directive") and act.manager == name for act in colony.acts):
        return Refusal("one_card", "One decree or directive a round: this one is registered already.")
    return None


def _more(numbers: tuple[int, ...], seat: int, by: int) -> tuple[int, ...]:
    return (*numbers[:seat], numbers[seat] + by, *numbers[seat + 1 :])


def _add(colony: Colony, act: Act) -> Colony:
    return evolve(colony, acts=(*colony.acts, act))
