"""Values put right by hand: exactly one, within reason, logged (issue 3)."""

import pytest

from companion import simulation
from companion.simulation.commands import CorrectValue
from companion.simulation.words import Fill, Group, Level, Resource, Status
from tests.companion.simulation.games import play, refuse, shipped, start


def put(numbers: tuple[int, ...], index: int, value: int) -> tuple[int, ...]:
    return (*numbers[:index], value, *numbers[index + 1 :])


@pytest.mark.parametrize(
    ("command", "attribute", "expected"),
    [
        (CorrectValue(44, stock=True), "stock", 44),
        (CorrectValue(-4, stock=True), "stock", -4),
        (CorrectValue(5, round=True), "round", 5),
        (CorrectValue(33, status=Status.SECURITY), "statuses", put(start().statuses, 1, 33_000)),
        (CorrectValue(0, status=Status.HAPPINESS), "statuses", put(start().statuses, 0, 0)),
        (CorrectValue(2, accumulator=Resource.GAS), "accumulators", put(start().accumulators, 2, 2)),
        (CorrectValue(9, group=Group.MARINES), "groups", put(start().groups, 3, 9)),
    ],
)
def test_each_target(command: CorrectValue, attribute: str, expected: object) -> None:
    assert getattr(play(start(), command), attribute) == expected


@pytest.mark.parametrize(
    "command",
    [
        CorrectValue(5),
        CorrectValue(5, stock=True, round=True),
        CorrectValue(5, stock=True, group=Group.MARINES),
    ],
)
def test_exactly_one_target(command: CorrectValue) -> None:
    assert refuse(start(), command).code == "one_target"


@pytest.mark.parametrize(
    "command",
    [
        CorrectValue(5000, stock=True),
        CorrectValue(0, round=True),
        CorrectValue(21, round=True),
        CorrectValue(101, status=Status.SECURITY),
        CorrectValue(-1, status=Status.SECURITY),
        CorrectValue(8, accumulator=Resource.GAS),
        CorrectValue(-1, group=Group.MARINES),
    ],
)
def test_within_reason(command: CorrectValue) -> None:
    assert refuse(start(), command).code == "out_of_range"


def test_logged_without_telling_hidden_numbers() -> None:
    colony = play(
        start(),
        CorrectValue(44, stock=True),
        CorrectValue(33, status=Status.SECURITY),
        CorrectValue(2, accumulator=Resource.GAS),
    )
    texts = [line.text for line in simulation.view(colony, shipped()).registered]
    assert texts == ["Put right by hand: STOCK to 44", "Put right by hand: Security", "Put right by hand: Gas"]


@pytest.mark.parametrize("level", list(Level))
def test_a_status_by_its_word_gets_the_middle_of_the_level(level: Level) -> None:
    colony = play(start(), CorrectValue(0, status=Status.SECURITY, level=level))
    assert simulation.view(colony, shipped()).statuses[1].level is level
    assert simulation.problems(colony, shipped()) == ()


def test_an_accumulator_by_its_word_needs_room_for_it() -> None:
    for resource in Resource:
        for fill in Fill:
            command = CorrectValue(0, accumulator=resource, fill=fill)
            stepped = simulation.step(start(), command, shipped())
            if isinstance(stepped, simulation.Refusal):
                assert stepped.code == "no_such_fill"
            else:
                views = {view.resource: view for view in simulation.view(stepped.colony, shipped()).resources}
                assert views[resource].accumulator is fill
