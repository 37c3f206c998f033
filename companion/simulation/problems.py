"""`problems`: what is inconsistent in a colony. Empty after every step; a saved game is asked before it is played on."""

from collections.abc import Iterator, Mapping
from typing import Any

from attrs import frozen

from companion.catalog import Catalog
from companion.simulation.colony import ARC, STATUS_TOP, Colony, Module
from companion.simulation.draft import Draft
from companion.simulation.words import Condition


@frozen
class Problem:
    code: str
    text: str


def problems(colony: Colony, catalog: Catalog) -> tuple[Problem, ...]:
    """Everything found; the same colony always gives the same answer."""
    unknown = tuple(_unknown_names(colony, catalog))
    return unknown or (
        *_numbers(colony, catalog),
        *_modules(colony),
        *_graph(colony),
        *_people(colony),
        *_state(colony),
    )


def _unknown_names(colony: Colony, catalog: Catalog) -> Iterator[Problem]:
    setup = colony.setup
    named: list[tuple[str, str, Mapping[str, Any]]] = [("planet", setup.planet, catalog.planets)]
    named += [("manager", name, catalog.managers) for name in setup.managers]
    named += [("assistant", name, catalog.assistants) for name in colony.assistants]
    named += [("directive", name, catalog.directives) for name in colony.spent]
    named += [("occurrence", name, catalog.occurrences) for name, _ in colony.recent]
    for act in colony.acts:
        if act.kind in ("decree", "directive"):
            named.append((act.kind, act.subject, catalog.decrees if act.kind == "decree" else catalog.directives))
    if setup.scenario is not None:
        named.append(("scenario", setup.scenario, catalog.scenarios))
    for kind, name, known in named:
        if name not in known:
            yield Problem("unknown_name", f"the catalog has no {kind} {name!r}")
    for module in colony.modules:
        if catalog.module_by_type(module.type_id) is None:
            yield Problem("unknown_name", f"the catalog has no module of type {module.type_id}")


def _numbers(colony: Colony, catalog: Catalog) -> Iterator[Problem]:
    for status in colony.statuses:
        if not 0 <= status <= STATUS_TOP:
            yield Problem("status_range", f"a status is {status}")
    for group in colony.groups:
        if group < 0:
            yield Problem("group_range", f"a group has {group} people")
    draft = Draft(colony, catalog)
    for resource, units in enumerate(colony.accumulators):
        if units < 0:
            yield Problem("accumulator_range", f"accumulator {resource} holds {units}")
    if draft.housing() < 0 or colony.dependence < 0 or colony.loans < 0 or colony.riot_rounds < 0:
        yield Problem("below_zero", "housing, dependence, loans or riot rounds are below zero")
    if not 1 <= colony.round <= colony.max_rounds:
        yield Problem("round_range", f"round {colony.round} of {colony.max_rounds}")


def _modules(colony: Colony) -> Iterator[Problem]:
    instances = [module.instance for module in colony.modules]
    if len(set(instances)) != len(instances):
        yield Problem("instance_twice", "two modules have one instance")
    for module in colony.modules:
        if not _is_consistent(module):
            yield Problem(
                "module_state", f"module {module.instance} is {module.condition.value} with {module.progress}"
            )
        if module.builder is not None and module.builder not in colony.seats:
            yield Problem("builder_seat", f"module {module.instance} was built by {module.builder}")


def _is_consistent(module: Module) -> bool:
    if module.condition is Condition.AWAITING_BUILDER:
        return module.builder is None and module.progress == 0
    if module.condition is Condition.WORKING:
        return module.progress == module.work > 0 and module.was_finished and not module.is_hit
    if module.condition is Condition.DAMAGED:
        return module.progress == 0 and module.is_hit
    if module.condition is Condition.UNDER_RECONSTRUCTION and not module.was_finished:
        return False
    return 0 <= module.progress <= module.work and module.tier in (1, 2)


def _graph(colony: Colony) -> Iterator[Problem]:
    known = {ARC} | {module.instance for module in colony.modules}
    for a, b in colony.connections:
        if a >= b or a not in known or b not in known:
            yield Problem("connection", f"the connection {a}–{b} leads nowhere")


def _people(colony: Colony) -> Iterator[Problem]:
    if colony.governor not in colony.seats:
        yield Problem("governor_seat", f"{colony.governor} governs and is not seated")
    for name, numbers in (
        ("support", colony.support),
        ("built", colony.built),
        ("greens", colony.greens),
        ("ambassadors", colony.ambassadors),
    ):
        if len(numbers) != len(colony.seats) or min(numbers) < 0:
            yield Problem("seat_numbers", f"{name} does not fit the seats")
    cards = [act.manager for act in colony.acts if act.kind in ("decree", "directive")]
    if len(set(cards)) != len(cards):
        yield Problem("two_cards", "a manager has two cards in one round")


def _state(colony: Colony) -> Iterator[Problem]:
    if not colony.past:
        yield Problem("no_past", "the start is not recorded")
    if colony.has_ended and colony.acts:
        yield Problem("acts_after_end", "the game is over and acts are registered")
    if not colony.has_ended and (colony.riot_stage > 2 or colony.table_points):
        yield Problem("should_have_ended", "the state is that of an ended game")
