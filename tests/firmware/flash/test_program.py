"""What goes onto a board: the files an entry needs, compiled, with a manifest."""

import json
from pathlib import Path

import pytest
from attrs import evolve

from firmware.flash.errors import FlashError
from firmware.flash.install import install
from firmware.flash.kinds import KINDS, MODULE, BoardKind
from firmware.flash.program import VERSION_FILE, build_program, compile_files
from firmware.flash.sources import source_files
from tests.firmware.flash.conftest import Watch, tool
from tests.firmware.flash.simulated_board import SimulatedBoard
from tests.firmware.update.sources import of_version


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.name)
def test_a_program_is_what_its_entry_imports(kind: BoardKind) -> None:
    files = source_files(kind.entry)
    assert kind.entry.replace(".", "/") + ".py" in files
    assert {"firmware/__init__.py", "protocol/__init__.py"} <= set(files)
    assert not [name for name in files if name.startswith(("firmware/desk", "firmware/flash", "companion"))]


def test_a_module_carries_nothing_of_the_arc() -> None:
    program = build_program(MODULE.entry)
    assert not [name for name in program.files if name.startswith("firmware/arc")]
    assert program.size <= 40 * 1024


def test_the_same_sources_give_the_same_program() -> None:
    first, second = build_program(MODULE.entry), build_program(MODULE.entry)
    assert first == second
    manifest = json.loads(first.manifest())
    assert manifest["entry"] == MODULE.entry
    assert manifest["files"] == first.hashes()


def test_the_manifest_names_the_version_that_the_program_tells(tmp_path: Path) -> None:
    program = build_program(MODULE.entry, of_version((3, 4, 5), MODULE.entry, tmp_path))
    assert json.loads(program.manifest())["version"].startswith("3.4.5+")
    assert VERSION_FILE.replace(".py", ".mpy") in program.files
    (tmp_path / VERSION_FILE).write_text("")
    with pytest.raises(FlashError, match="names no FIRMWARE_VERSION"):
        build_program(MODULE.entry, tmp_path)


def test_a_type_checking_import_is_no_import(tmp_path: Path) -> None:
    package = tmp_path / "firmware"
    package.mkdir()
    (package / "__init__.py").write_text("")
    (package / "one.py").write_text(
        "TYPE_CHECKING = False\nif TYPE_CHECKING:\n    from firmware import two\nelse:\n    import firmware.three\n"
        "def run():\n    from firmware import four\n"
    )
    for name in ("two", "three", "four"):
        (package / f"{name}.py").write_text("")
    names = {Path(name).stem for name in source_files("firmware.one", tmp_path)}
    assert names == {"__init__", "one", "three", "four"}


def test_a_file_that_does_not_compile_is_named(tmp_path: Path) -> None:
    broken = tmp_path / "broken.py"
    broken.write_text("match x:\n  case 1: pass\n")
    with pytest.raises(FlashError, match=r"firmware/broken\.py does not compile"):
        compile_files({"firmware/broken.py": broken})


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.name)
def test_the_real_firmware_loads_on_the_board_it_is_for(kind: BoardKind, tmp_path: Path, watch: Watch) -> None:
    """As far as a board without hardware goes: everything sent, verified, imported and switched to; then it is started, and
    gives way, because nothing answers behind its pins."""
    from firmware.flash.board import Board
    from firmware.flash.errors import NotStartedError
    from tests.firmware.flash.conftest import QUICK, PatientBoard

    with SimulatedBoard(tmp_path / "board", kind.name, blocks=256) as sim:
        # a busy computer needs longer than QUICK's settle_s to load all of it and fail
        board: Board = PatientBoard(sim, evolve(QUICK, settle_s=2.0))
        program = build_program(kind.entry)
        with board, pytest.raises(NotStartedError, match="the new firmware does not start"):
            install(board, kind, program, watch)
        with tool(sim) as board:
            board.enter()
            whole = board.hashes("a")
            assert {name: whole[name] for name in program.files} == program.hashes()
            assert "Traceback" in (board.read("failed.txt") or b"").decode()


def test_the_starter_compiles_for_boards() -> None:
    from firmware.flash.slots import STARTER

    assert compile_files({"main.py": STARTER})["main.mpy"][:1] == b"M"
