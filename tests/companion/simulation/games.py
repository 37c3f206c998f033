"""Colonies for tests: start one, put a finished module in, play commands, settle."""

from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any

from attrs import evolve

from companion import catalog, simulation
from companion.simulation.colony import Colony, Module
from companion.simulation.commands import Command, Refusal, Settle, Setup
from companion.simulation.words import Condition, Mode

THREE = ("bloch", "gore", "chen")
CALM = 70_000


@cache
def shipped() -> catalog.Catalog:
    """The shipped cards and modules under fixed rules: tuning the game does not change what its rules mean."""
    return catalog.load(Path(__file__).parent / "fixed")


def start(
    managers: tuple[str, ...] = THREE, planet: str = "rustfall", mode: Mode = Mode.SEMI_COOP, seed: int = 1, **more: Any
) -> Colony:
    return simulation.new_game(Setup(mode, managers, planet, **more), seed, shipped())


def start_solo(planet: str = "rustfall", seed: int = 1) -> Colony:
    return start((), planet, Mode.SOLO, seed)


def play(colony: Colony, *commands: Command) -> Colony:
    """The colony after these commands, none of which may be refused."""
    for command in commands:
        stepped = simulation.step(colony, command, shipped())
        assert not isinstance(stepped, Refusal), f"{command}: {stepped.reason}"
        colony = stepped.colony
    return colony


def settle(colony: Colony, times: int = 1) -> Colony:
    return play(colony, *[Settle()] * times)


def refuse(colony: Colony, command: Command) -> Refusal:
    """The refusal of this command, which must have changed nothing and say something."""
    before = simulation.to_text(colony)
    answer = simulation.step(colony, command, shipped())
    assert isinstance(answer, Refusal), f"{command} was not refused"
    assert answer.code
    assert answer.reason.endswith((".", "?"))
    assert answer.reason[0].isupper() or answer.reason[0] == "“"
    assert simulation.to_text(colony) == before
    return answer


def type_of(module: str) -> int:
    return shipped().modules[module].type_id


def finished(module: str, instance: int, builder: str | None = None, tier: int = 1, since: int = 1) -> Module:
    work = 1000 * shipped().modules[module].rounds
    return Module(instance, type_of(module), builder, Condition.WORKING, tier, work, work, since, True)


def with_modules(colony: Colony, *modules: str) -> Colony:
    """Fully built modules in a row from the ARC, instances from 101."""
    built = tuple(finished(module, 101 + i) for i, module in enumerate(modules))
    chain = [0, *(module.instance for module in built)]
    return evolve(colony, modules=built, connections=tuple(pairwise(chain)))


def moods(colony: Colony, happiness: int = CALM, security: int = CALM, technical: int = CALM) -> Colony:
    return evolve(colony, statuses=(happiness, security, technical))


def only_occurrence(occurrence_free: Colony) -> Colony:
    """A colony to which nothing happens by chance for a while: every occurrence counts as recent."""
    recent = tuple((name, occurrence_free.round) for name in shipped().occurrences)
    return evolve(occurrence_free, recent=recent)
