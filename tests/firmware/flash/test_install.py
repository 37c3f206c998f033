"""A program onto a board and a newer one over it, against the real interpreter."""

import hashlib
import json
from pathlib import Path

import pytest

from firmware.flash.errors import NotStartedError
from firmware.flash.install import install, plan
from firmware.flash.kinds import MODULE
from tests.firmware.flash.conftest import MakeProgram, Watch, tool, what_runs
from tests.firmware.flash.simulated_board import SimulatedBoard


def test_an_empty_board_gets_starter_program_and_manifest(
    tmp_path: Path, make_program: MakeProgram, watch: Watch
) -> None:
    program = make_program("A")
    with SimulatedBoard(tmp_path / "board") as sim:
        with tool(sim) as board:
            done = install(board, MODULE, program, watch)
        assert (done.folder, done.sent, done.kept) == ("a", 4, 0)
        assert done.sent_bytes == program.size == watch.shown
        assert what_runs(sim) == ("a", "A")
        with tool(sim) as board:
            board.enter()
            manifest = json.loads(board.read("a/manifest.json") or b"")
            assert manifest["files"] == {name: hashlib.sha256(data).hexdigest() for name, data in program.files.items()}
            assert {name: digest for name, digest in board.hashes("a").items() if name != "manifest.json"} == manifest[
                "files"
            ]
            assert board.read("running") == b"a"


def test_the_next_version_goes_beside_the_running_one(tmp_path: Path, make_program: MakeProgram, watch: Watch) -> None:
    with SimulatedBoard(tmp_path / "board") as sim:
        for name, folder in (("A", "a"), ("B", "b"), ("C", "a")):
            with tool(sim) as board:
                assert install(board, MODULE, make_program(name), watch).folder == folder
            assert what_runs(sim) == (folder, name)


def test_files_that_are_there_already_are_not_sent_again(
    tmp_path: Path, make_program: MakeProgram, watch: Watch
) -> None:
    """Two flashes leave both folders with the same package files: of the third program only its name differs."""
    with SimulatedBoard(tmp_path / "board") as sim:
        for name in "AB":
            with tool(sim) as board:
                install(board, MODULE, make_program(name), watch)
        with tool(sim) as board:
            done = install(board, MODULE, make_program("C"), watch)
    assert (done.sent, done.kept) == (1, 3)


def test_files_of_older_programs_go(tmp_path: Path, make_program: MakeProgram, watch: Watch) -> None:
    with SimulatedBoard(tmp_path / "board") as sim, tool(sim) as board:
        board.enter()
        board.make_folders(["a", "a/firmware"])
        board.write("a/firmware/relic.mpy", b"old")
        install(board, MODULE, make_program("A"), watch)
        board.enter()
        assert "firmware/relic.mpy" not in board.hashes("a")


def test_a_main_py_of_somebody_else_is_kept(tmp_path: Path, make_program: MakeProgram, watch: Watch) -> None:
    theirs = b"print('my own lamp')\n"
    with SimulatedBoard(tmp_path / "board") as sim, tool(sim) as board:
        board.enter()
        board.write("main.py", theirs)
        install(board, MODULE, make_program("A"), watch)
        board.enter()
        assert board.read("main.kept.py") == theirs
    assert "main.kept.py" in watch.text


def test_a_dry_run_changes_nothing(tmp_path: Path, make_program: MakeProgram, watch: Watch) -> None:
    with SimulatedBoard(tmp_path / "board") as sim:
        with tool(sim) as board:
            install(board, MODULE, make_program("A"), watch)
        with tool(sim) as board:
            board.enter()  # past the boot, so that no write is under way
            before = sim.disk.read_bytes()
            plan(board, MODULE, make_program("B"), watch)
        assert sim.disk.read_bytes() == before
        assert "would send 4 of 4 files" in watch.text
        assert what_runs(sim) == ("a", "A")


def test_a_program_that_fails_at_its_start_gives_way_to_the_old_one(
    tmp_path: Path, make_program: MakeProgram, watch: Watch
) -> None:
    with SimulatedBoard(tmp_path / "board") as sim:
        with tool(sim) as board:
            install(board, MODULE, make_program("A"), watch)
        with tool(sim) as board, pytest.raises(NotStartedError, match="ZeroDivisionError") as caught:
            install(board, MODULE, make_program("B", main="def run():\n    1 / 0\n"), watch)
        assert "old firmware runs again" in caught.value.do
        assert what_runs(sim) == ("a", "A")


def test_a_program_that_cannot_be_imported_is_never_switched_to(
    tmp_path: Path, make_program: MakeProgram, watch: Watch
) -> None:
    with SimulatedBoard(tmp_path / "board") as sim:
        with tool(sim) as board:
            install(board, MODULE, make_program("A"), watch)
        with tool(sim) as board, pytest.raises(NotStartedError, match="no module named 'gone'"):
            install(board, MODULE, make_program("B", main="import gone\n"), watch)
        sim.cut_power()
        sim.give_power()
        assert what_runs(sim) == ("a", "A")


def test_a_program_that_hangs_is_taken_back_by_the_next_boot(
    tmp_path: Path, make_program: MakeProgram, watch: Watch
) -> None:
    """Nobody there to confirm: after the switch the tool's computer dies, and the program has an endless fault."""
    from firmware.flash import slots

    with SimulatedBoard(tmp_path / "board") as sim:
        for name in "AB":
            with tool(sim) as board:
                install(board, MODULE, make_program(name), watch)
        with tool(sim) as board:
            board.enter()
            facts = board.facts()
            slots.switch(board, slots.read_slots(board, facts), "a")
        for expected in (("a", "A"), ("b", "B"), ("b", "B")):
            sim.cut_power()
            sim.give_power()
            assert what_runs(sim) == expected
