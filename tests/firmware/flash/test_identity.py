"""Type, salt and serial of a module: written by the tool, read by the module's own code, kept for life."""

from pathlib import Path

import pytest

from companion import catalog
from firmware.bus.words import instance_of
from firmware.flash.errors import FlashError
from firmware.flash.identity import Identity, label_line, read_identity, write_identity
from firmware.flash.ledger import Ledger
from firmware.flash.program import Program
from firmware.flash.row import AlreadyFlashedError, flash_module, flash_row, still_to_flash, wanted_modules
from firmware.module.settings import read_settings
from tests.firmware.flash.conftest import MakeProgram, Watch, tool, what_runs
from tests.firmware.flash.simulated_board import SimulatedBoard

CATALOG = catalog.load()


def test_the_module_reads_what_the_tool_wrote(tmp_path: Path) -> None:
    with SimulatedBoard(tmp_path / "board") as sim, tool(sim) as board:
        board.enter()
        given = write_identity(board, board.facts(), 3, lambda: 0x01020304)
        (tmp_path / "settings.0").write_bytes(board.read("settings.0") or b"")
        held = read_settings(str(tmp_path) + "/")
        assert held is not None
        assert (held.type_id, held.salt) == (3, 0x01020304)
        assert (
            given
            == read_identity(board, board.facts())
            == Identity(3, instance_of(bytes.fromhex(sim.chip), 0x01020304))
        )


def test_a_new_type_keeps_the_serial_and_touches_one_copy(tmp_path: Path) -> None:
    with SimulatedBoard(tmp_path / "board") as sim, tool(sim) as board:
        board.enter()
        first = write_identity(board, board.facts(), 3)
        before = board.read("settings.0")
        second = write_identity(board, board.facts(), 4)
        assert second.instance == first.instance
        assert (second.type_id, board.read("settings.0")) == (4, before)
        assert write_identity(board, board.facts(), None) == second


def test_a_label_line_says_name_type_and_serial() -> None:
    line = label_line(Identity(2, 0x0A0B0C0D), CATALOG.module_by_type(2))
    assert line == "Nuclear Power Plant · type 2 · serial 0A0B-0C0D"


def test_two_boards_with_the_same_chip_get_two_serials(tmp_path: Path) -> None:
    """RP2040 ids collide in the field: the salt makes the difference."""
    serials = []
    for name in "ab":
        with SimulatedBoard(tmp_path / name) as sim, tool(sim) as board:
            board.enter()
            serials.append(write_identity(board, board.facts(), 1).serial)
    assert len(set(serials)) == 2


def test_one_module_flashed_named_and_refused_another_type(
    tmp_path: Path, make_program: MakeProgram, watch: Watch
) -> None:
    solar, nuclear = wanted_modules(CATALOG, ["solar", "nuclear"])
    with SimulatedBoard(tmp_path / "board") as sim:
        with tool(sim) as board:
            done = flash_module(board, make_program("A"), solar, CATALOG, watch)
        assert done.line.startswith("Solar Power Plant · type 1 · serial ")
        assert what_runs(sim) == ("a", "A")
        with tool(sim) as board, pytest.raises(AlreadyFlashedError, match="Solar Power Plant"):
            flash_module(board, make_program("B"), nuclear, CATALOG, watch)
        with tool(sim) as board:
            again = flash_module(board, make_program("B"), nuclear, CATALOG, watch, anyway=True)
        assert again.identity == Identity(2, done.identity.instance)


def test_a_row_goes_on_after_a_failure_and_where_it_stopped(
    tmp_path: Path, make_program: MakeProgram, watch: Watch
) -> None:
    """Three wanted, the first in the ledger already; the second's first board has the wrong interpreter."""
    ledger = Ledger(tmp_path / "ledger")
    ledger.add(module="solar", serial="0000-0001")
    row = wanted_modules(CATALOG, ["solar", "nuclear", "lss"])
    program: Program = make_program("A")
    sims = [
        SimulatedBoard(tmp_path / name, version=version)
        for name, version in (("old", "1.20.0"), ("one", "1.29.0"), ("two", "1.29.0"))
    ]
    waiting = list(sims)
    asked: list[str] = []

    def next_board(module: object) -> object:
        asked.append(module.id)  # type: ignore[attr-defined]
        sim = waiting.pop(0)
        sim.give_power()
        return tool(sim)

    try:
        done = flash_row(row, next_board, program, CATALOG, ledger, watch)  # type: ignore[arg-type]
    finally:
        for sim in sims:
            sim.__exit__()
    assert asked == ["nuclear", "nuclear", "lss"]
    assert [flashed.identity.type_id for flashed in done] == [2, 3]
    assert "1 of 3 are done already" in watch.text
    assert "MicroPython 1.20.0" in watch.text
    assert sum(line.startswith("label: ") for line in watch.lines) == 2
    assert still_to_flash(row, ledger) == []


def test_the_whole_box_in_the_catalogs_order() -> None:
    row = wanted_modules(CATALOG, [])
    assert len(row) == sum(module.copies for module in CATALOG.modules.values())
    assert [module.id for module in row][:2] == ["solar", "solar"]
    with pytest.raises(FlashError, match="no module is called sloar"):
        wanted_modules(CATALOG, ["sloar"])


def test_a_ledger_survives_a_torn_line(tmp_path: Path) -> None:
    ledger = Ledger(tmp_path / "deep" / "ledger")
    ledger.add(module="solar", serial="1")
    with ledger.path.open("a") as file:
        file.write('{"module": "nucl')
    ledger.add(module="lss", serial="2")
    assert [entry["module"] for entry in ledger.entries()] == ["solar", "lss"]


def test_a_ledger_that_is_none_is_told_or_counts_as_empty(tmp_path: Path) -> None:
    with pytest.raises(FlashError, match="cannot be read"):
        Ledger(tmp_path).entries()
    Path(tmp_path, "photo").write_bytes(b"\xff\xfe\0\n\xff")
    assert Ledger(tmp_path / "photo").entries() == []
