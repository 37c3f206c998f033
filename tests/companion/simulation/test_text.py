"""Colonies and commands as text: they come back equal, and damaged texts are named as such."""

import json
from typing import get_args

import pytest
from attrs import evolve

from companion import simulation
from companion.simulation import commands
from companion.simulation.commands import CorrectValue, Setup
from companion.simulation.words import Group, Mode, Resource, Status
from tests.companion.simulation.games import finished, settle, shipped, start

EVERY = (
    commands.ConnectModule(7, 3),
    commands.SubmitModule(7, None),
    commands.WithdrawModule(7),
    commands.SetConnections(((0, 7), (7, 9))),
    commands.RegisterDecree("open-canteens", "bloch"),
    commands.RegisterDirective("long-haul", "bloch"),
    commands.Campaign("gore"),
    commands.UseAmbassador("gore"),
    commands.ChangeGovernor("gore"),
    commands.FlipAssistant("gore"),
    CorrectValue(3, stock=True),
    CorrectValue(3, status=Status.SECURITY),
    CorrectValue(3, accumulator=Resource.GAS),
    CorrectValue(3, group=Group.MARINES),
    commands.Settle(),
    commands.EnterTablePoints(12),
    commands.EnterTablePoints(12, "gore"),
)


def test_every_command_comes_back() -> None:
    assert {type(command) for command in EVERY} == set(get_args(commands.Command))
    for command in EVERY:
        text = simulation.command_to_text(command)
        assert "\n" not in text
        assert simulation.command_from_text(text) == command


def test_colony_comes_back_at_every_stage() -> None:
    colony = start(fleet="ark", assistants=("pilot",))
    for _ in range(8):
        text = simulation.to_text(colony)
        assert simulation.from_text(text) == colony
        assert simulation.to_text(simulation.from_text(text)) == text
        colony = settle(evolve(colony, modules=(finished("solar", 5),), stock=50))


def test_text_says_its_form_and_catalog() -> None:
    content = json.loads(simulation.to_text(start()))
    assert content["colony"] == 1
    assert content["state"]["catalog_version"] == shipped().version


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "not the text"),
        ("[]", "no JSON object"),
        ('{"colony": 9, "state": {}}', "form 9"),
        ('{"colony": 1, "state": {}}', "damaged"),
        ('{"colony": 1}', "damaged"),
    ],
)
def test_bad_texts_are_named(text: str, says: str) -> None:
    with pytest.raises(simulation.TextError, match=says):
        simulation.from_text(text)


@pytest.mark.parametrize("change", [{"stock": "30"}, {"round": 1.5}, {"moon": 1}, {"modules": [{}]}, {"setup": 3}])
def test_damaged_values_are_named(change: dict[str, object]) -> None:
    content = json.loads(simulation.to_text(start()))
    content["state"].update(change)
    with pytest.raises(simulation.TextError, match="damaged"):
        simulation.from_text(json.dumps(content))


@pytest.mark.parametrize("text", ["{", '{"do": "Explode"}', '{"do": "Campaign"}', '{"do": "Campaign", "manager": 3}'])
def test_bad_commands_are_named(text: str) -> None:
    with pytest.raises(simulation.TextError):
        simulation.command_from_text(text)


def test_game_of_another_catalog_says_what_is_missing() -> None:
    assert simulation.differences(start(), shipped()) == ()
    newer = evolve(start(), catalog_version="0000", spent=("from-elsewhere",))
    said = simulation.differences(newer, shipped())
    assert "0000" in said[0]
    assert "'from-elsewhere'" in said[1]
    assert "catalog folder" in said[-1]
    assert simulation.differences(evolve(start(), catalog_version="0000"), shipped()) == ()


def test_setup_stays_as_it_was() -> None:
    setup = Setup(Mode.CO_OP, ("xu", "gore"), "verdance", "ark", "xu")
    colony = simulation.new_game(setup, 2**63 + 5, shipped())
    assert simulation.from_text(simulation.to_text(colony)).setup == setup
