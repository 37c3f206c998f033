"""The power fails at any operation of the flash, or the tool dies at any byte: the old firmware runs, or the new one."""

import itertools
import subprocess
from pathlib import Path

import pytest
from attrs import evolve

from firmware.flash.errors import FlashError
from firmware.flash.install import install
from firmware.flash.kinds import MODULE
from tests.firmware.flash.conftest import QUICK, MakeProgram, Watch, tool, what_runs
from tests.firmware.flash.simulated_board import BOOT, INTERPRETER, POWER_ON, SimulatedBoard

FOREIGN = b"import os\nprint('program foreign')\nif os.getenv('SIM_ONCE'):\n    raise SystemExit\n"

TORN = pytest.mark.parametrize("torn_step", [5, pytest.param(1, marks=pytest.mark.soak)])


def boot(sim: SimulatedBoard, image: bytes) -> str:
    """Which program a board with this flash starts when its power comes on."""
    disk = sim.folder / "cut"
    disk.write_bytes(image)
    done = subprocess.run(
        [INTERPRETER, "-X", "heapsize=1m", str(BOOT)],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        env=sim.environment(POWER_ON, "/dev/null", "/dev/zero") | {"SIM_DISK": str(disk), "SIM_ONCE": "1"},
        timeout=20,
        check=False,
    )
    said = [line for line in done.stdout.decode().splitlines() if line.startswith("program ")]
    return said[0].removeprefix("program ") if said else f"nothing: {done.stdout!r} {done.stderr!r}"


def torn(before: bytes, after: bytes) -> bytes:
    """The flash when power failed in the middle of the operation between: the first half of what it changes is there."""
    changed = [at for at in range(len(before)) if before[at] != after[at]]
    if not changed:
        return after
    middle = (changed[0] + changed[-1]) // 2
    return after[: middle + 1] + before[middle + 1 :]


def record(sim: SimulatedBoard, program: object, watch: Watch) -> list[bytes]:
    sim.images = [sim.disk.read_bytes()]
    with tool(sim) as board:
        install(board, MODULE, program, watch)  # type: ignore[arg-type]
        board.enter()
    images, sim.images = sim.images, None
    return images


def check_every_cut(sim: SimulatedBoard, images: list[bytes], old: str, new: str, torn_step: int) -> None:
    """Old or new after each operation, and in the middle of each `torn_step`-th."""
    ran = [boot(sim, image) for image in images]
    assert set(ran) == {old, new}, sorted(set(ran))
    assert ran[0] == old
    assert ran[-1] == new
    halves = [torn(before, after) for before, after in itertools.pairwise(images)][::torn_step]
    assert {boot(sim, image) for image in halves} <= {old, new}


@TORN
def test_an_update_cut_at_every_operation_of_the_flash(
    tmp_path: Path, make_program: MakeProgram, watch: Watch, torn_step: int
) -> None:
    with SimulatedBoard(tmp_path / "board", blocks=48) as sim:
        with tool(sim) as board:
            install(board, MODULE, make_program("A"), watch)
        images = record(sim, make_program("B", padding=600), watch)
        assert len(images) > 40
        check_every_cut(sim, images, "A", "B", torn_step)


@TORN
def test_the_first_flash_cut_at_every_operation(
    tmp_path: Path, make_program: MakeProgram, watch: Watch, torn_step: int
) -> None:
    """The board had somebody else's program: it runs until ours does."""
    with SimulatedBoard(tmp_path / "board", blocks=48) as sim:
        with tool(sim) as board:
            board.enter()
            board.write("main.py", FOREIGN)
        check_every_cut(sim, record(sim, make_program("A"), watch), "foreign", "A", torn_step)


@pytest.mark.parametrize("operations", [3, 17, 31, 44, 58])
def test_after_a_cut_the_same_command_completes_the_flash(
    tmp_path: Path, make_program: MakeProgram, watch: Watch, operations: int
) -> None:
    with SimulatedBoard(tmp_path / "board") as sim:
        with tool(sim) as board:
            install(board, MODULE, make_program("A"), watch)
            board.enter()
        sim.cut_at = sim.operations + operations
        with tool(sim, evolve(QUICK, prompt_s=0.5)) as board, pytest.raises(FlashError) as caught:
            install(board, MODULE, make_program("B", padding=3_000), watch)
        assert "plug" in caught.value.do
        sim.cut_at = 0
        sim.give_power()
        assert what_runs(sim) in {("a", "A"), ("b", "B")}
        with tool(sim) as board:
            install(board, MODULE, make_program("B", padding=3_000), watch)
        assert what_runs(sim)[1] == "B"
