"""The «>» lines of a playthrough: one command each, in words."""

from companion.catalog import Catalog
from companion.simulation import commands
from companion.simulation.commands import Command, Setup
from companion.simulation.words import Group, Mode, Resource, Status

NOBODY = "nobody"


def read_setup(line: str) -> tuple[Setup, int]:
    """`game MODE planet=… seed=… managers=a,b assistants=… fleet=… governor=… scenario=…`"""
    _, mode, *pairs = line.split()
    given = dict(pair.split("=", 1) for pair in pairs)
    setup = Setup(
        Mode(mode),
        _names(given.get("managers", "")),
        given["planet"],
        given.get("fleet"),
        given.get("governor"),
        _names(given.get("assistants", "")),
        given.get("scenario"),
    )
    return setup, int(given["seed"])


def read_command(line: str, catalog: Catalog) -> Command:
    """`connect 101 solar`, `decree open-canteens bloch`, `wire 0-101 101-102`, `settle`, …"""
    verb, *words = line.split()
    match verb, words:
        case "connect", [instance, module]:
            return commands.ConnectModule(int(instance), catalog.modules[module].type_id)
        case "submit", [instance, manager]:
            return commands.SubmitModule(int(instance), None if manager == NOBODY else manager)
        case "withdraw", [instance]:
            return commands.WithdrawModule(int(instance))
        case "wire", pairs:
            return commands.SetConnections(tuple((int(a), int(b)) for a, b in (pair.split("-") for pair in pairs)))
        case "decree", [card, manager]:
            return commands.RegisterDecree(card, manager)
        case "directive", [card, manager]:
            return commands.RegisterDirective(card, manager)
        case "campaign", [manager]:
            return commands.Campaign(manager)
        case "ambassador", [manager]:
            return commands.UseAmbassador(manager)
        case "governor", [manager]:
            return commands.ChangeGovernor(manager)
        case "flip", [manager]:
            return commands.FlipAssistant(manager)
        case "correct", [name, value]:
            return _correction(name, int(value))
        case "points", [points, *manager]:
            return commands.EnterTablePoints(int(points), manager[0] if manager else None)
        case "settle", []:
            return commands.Settle()
    raise ValueError(f"not a line of a playthrough: {line}")


def _names(text: str) -> tuple[str, ...]:
    return tuple(text.split(",")) if text else ()


def _correction(name: str, value: int) -> Command:
    if name in {status.value for status in Status}:
        return commands.CorrectValue(value, status=Status(name))
    if name in {resource.value for resource in Resource}:
        return commands.CorrectValue(value, accumulator=Resource(name))
    if name in {group.value for group in Group}:
        return commands.CorrectValue(value, group=Group(name))
    return commands.CorrectValue(value, stock=name == "stock", round=name == "round")
