"""Miniatures plugged in, submitted by their builder, or taken off again; and how they hang together (§4.5)."""

from attrs import evolve

from companion.catalog import Catalog
from companion.catalog.model import ModuleType
from companion.catalog.targets import LEVELS
from companion.simulation.colony import ARC, ROUND_OF_WORK, TECHNICAL, Act, Colony, Module
from companion.simulation.commands import ConnectModule, Refusal, SetConnections, SubmitModule, WithdrawModule
from companion.simulation.game_rules import rules_of
from companion.simulation.levels import level_of
from companion.simulation.registering import add_support, check_manager, seat_name, seat_of
from companion.simulation.words import Condition

_AWAITING = Condition.AWAITING_BUILDER


def connect_module(colony: Colony, command: ConnectModule, catalog: Catalog) -> Colony | Refusal:
    """Any known type is taken; whether it belongs to this game is asked before (`is_in_pool`)."""
    if command.instance == ARC:
        return Refusal("instance_reserved", "A module with number 0 cannot be told from the ARC; give it a new number.")
    if catalog.module_by_type(command.type_id) is None:
        return Refusal("unknown_module", f"Modules of type {command.type_id} are not in this catalog.")
    if _index(colony, command.instance) is not None:
        return Refusal("module_connected", "This module is part of the colony already.")
    return evolve(colony, modules=(*colony.modules, Module(command.instance, command.type_id, None, _AWAITING)))


def submit_module(colony: Colony, command: SubmitModule, catalog: Catalog) -> Colony | Refusal:
    """Construction begins. Its builder scores and gains support at once (CON-15)."""
    index = _index(colony, command.instance)
    if index is None:
        return Refusal("module_missing", "This module is not connected.")
    module = colony.modules[index]
    if module.condition is not _AWAITING:
        return Refusal("module_submitted", "This module has its builder already.")
    if command.manager is not None:
        refusal = check_manager(colony, command.manager, catalog)
        if refusal is not None:
            return refusal
    builder = None if command.manager is None else seat_name(colony, command.manager)
    kind = catalog.module_by_type(module.type_id)
    work = ROUND_OF_WORK * (_rounds(colony, kind, catalog) if kind else 1)
    begun = evolve(module, builder=builder, condition=Condition.UNDER_CONSTRUCTION, work=work)
    modules = (*colony.modules[:index], begun, *colony.modules[index + 1 :])
    act = Act("module", builder, str(module.type_id), module.instance)
    submitted = evolve(colony, modules=modules, acts=(*colony.acts, act))
    return submitted if command.manager is None else _credit(submitted, command.manager, catalog)


def withdraw_module(colony: Colony, command: WithdrawModule, _: Catalog) -> Colony | Refusal:
    index = _index(colony, command.instance)
    if index is None:
        return Refusal("module_missing", "This module is not connected.")
    if colony.modules[index].condition is not _AWAITING:
        return Refusal("module_stays", "Once submitted, a module stays connected until the end of the game.")
    modules = (*colony.modules[:index], *colony.modules[index + 1 :])
    pairs = tuple(pair for pair in colony.connections if command.instance not in pair)
    return evolve(colony, modules=modules, connections=pairs)


def set_connections(colony: Colony, command: SetConnections, _: Catalog) -> Colony | Refusal:
    """The whole graph, as plugged now. Pairs with unknown modules are left out: they have not been announced yet."""
    known = {ARC} | {module.instance for module in colony.modules}
    pairs = {(min(a, b), max(a, b)) for a, b in command.pairs if a != b and a in known and b in known}
    return evolve(colony, connections=tuple(sorted(pairs)))


def _index(colony: Colony, instance: int) -> int | None:
    return next((i for i, module in enumerate(colony.modules) if module.instance == instance), None)


def _rounds(colony: Colony, kind: ModuleType, catalog: Catalog) -> int:
    rules = rules_of(colony.setup, catalog)
    slower = rules.construction.slower_short if kind.build == "short" else rules.construction.slower_long
    level = LEVELS[level_of(colony.statuses[TECHNICAL], rules.levels)]
    return kind.rounds + (level in slower)


def _credit(colony: Colony, manager: str, catalog: Catalog) -> Colony:
    seat = seat_of(colony, manager)
    built = (*colony.built[:seat], colony.built[seat] + 1, *colony.built[seat + 1 :])
    return add_support(evolve(colony, built=built), manager, rules_of(colony.setup, catalog).support.module)
