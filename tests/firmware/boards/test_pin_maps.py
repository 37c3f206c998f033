"""The pin maps hold together: no pin twice, none that the chip needs for itself, and no name that nobody reads."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

from firmware.boards import arc_esp32s3, module_rp2040zero, timings

FIRMWARE = Path(arc_esp32s3.__file__).parents[1]
NO_PINS = re.compile(
    r"SPI$|UART$|BAUD$|BUFFER$|HZ$|MV$|MA$|MS$|BLOCK$|DIVIDER$|CONNECTIONS$|HARDWARE$|REGISTER$|STATE$"
)
STRAPPING, USB, FLASH, CONSOLE = {0, 3, 45, 46}, {19, 20}, set(range(26, 38)), {43, 44}
ON_ADC1, IN_DEEP_SLEEP = range(1, 11), range(22)


def names_of(board: ModuleType) -> Iterator[tuple[str, object]]:
    yield from ((name, value) for name, value in vars(board).items() if name.isupper())


def pins_of(board: ModuleType) -> list[tuple[str, int]]:
    """Every pin with its net; a tuple of pins has one net each."""
    found = []
    for name, value in names_of(board):
        pins = value if isinstance(value, tuple) else (value,)
        if not NO_PINS.search(name):
            found += [(name, pin) for pin in pins if isinstance(pin, int)]
    return found


@pytest.mark.parametrize(("board", "nets"), [(arc_esp32s3, 23), (module_rp2040zero, 7)])
def test_no_pin_has_two_nets(board: ModuleType, nets: int) -> None:
    pins = [pin for _, pin in pins_of(board)]
    assert sorted(set(pins)) == sorted(pins)
    assert len(pins) == nets


def test_the_arc_leaves_the_chips_own_pins_alone() -> None:
    taken = STRAPPING | USB | FLASH | CONSOLE
    assert [(net, pin) for net, pin in pins_of(arc_esp32s3) if pin in taken or not 0 <= pin <= 48] == []


def test_what_is_measured_wakes_or_is_held_sits_on_pins_that_can() -> None:
    board = arc_esp32s3
    assert {board.BATTERY_ADC, board.VBUS_SENSE} <= set(ON_ADC1), "the other converter is the radio's"
    assert board.BUTTON in IN_DEEP_SLEEP, "it wakes"
    assert board.VBUS_EN in IN_DEEP_SLEEP, "it is held low"
    assert len(board.VBUS_PORT_EN) == len(board.BUS_SEL), "a switch for each port"


def names_read(path: Path, own: Path) -> Iterator[str]:
    """Attributes that a file reads and names that it imports; in the map itself plain names too."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Load):
            yield node.attr
        elif isinstance(node, ast.ImportFrom):
            yield from (alias.name for alias in node.names)
        elif path == own and isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
            yield node.id


@pytest.mark.parametrize("board", [arc_esp32s3, module_rp2040zero, timings])
def test_every_name_is_read_by_somebody(board: ModuleType) -> None:
    own = Path(str(board.__file__))
    read = {name for path in FIRMWARE.rglob("*.py") for name in names_read(path, own)}
    assert sorted({name for name, _ in names_of(board)} - read) == []
