"""Small programs for boards, and somebody who watches what the tool says."""

import contextlib
import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from attrs import define, field

from firmware.flash.board import Board, Patience
from firmware.flash.kinds import MODULE
from firmware.flash.program import Program, compile_files, pack_program
from tests.firmware.flash.simulated_board import SimulatedBoard, wait_until

QUICK = Patience(prompt_s=8.0, try_s=0.5, pause_s=0.02, settle_s=0.15, slow_s=10.0)
ENTRY = "firmware.module.main"

RUNS_ON = """
import os, time
from firmware.module.name import NAME
def run():
    print("program", NAME)
    while not os.getenv("SIM_ONCE"):
        time.sleep_ms(20)
    raise SystemExit
"""


@define
class Watch:
    """A `Show` that remembers."""

    lines: list[str] = field(factory=list)
    shown: int = 0

    def say(self, text: str) -> None:
        self.lines.append(text)

    def warn(self, text: str) -> None:
        self.lines.append(text)

    @contextlib.contextmanager
    def bar(self, title: str, total: int) -> Iterator[Callable[[int], None]]:
        def advance(count: int) -> None:
            self.shown += count

        yield advance

    @property
    def text(self) -> str:
        return "\n".join(self.lines)


MakeProgram = Callable[..., Program]


@pytest.fixture
def make_program(tmp_path: Path) -> MakeProgram:
    """A program of a few files: `make_program("A")` says its name and runs on; `main=` is another main module."""

    def make(name: str, main: str = RUNS_ON, padding: int = 0) -> Program:
        texts = {
            "firmware/__init__.py": "",
            "firmware/module/__init__.py": "",
            "firmware/module/main.py": main,
            "firmware/module/name.py": f"NAME = {name!r}\nPADDING = {'x' * padding!r}\n",
        }
        files = {}
        for path, text in texts.items():
            files[path] = tmp_path / "sources" / path
            files[path].parent.mkdir(parents=True, exist_ok=True)
            files[path].write_text(text)
        return pack_program(ENTRY, compile_files(files), "1")

    return make


@pytest.fixture
def watch() -> Watch:
    return Watch()


class PatientBoard(Board):
    """Knows from the simulation when a reset has been taken, so that nothing is said to the life before it."""

    def __init__(self, sim: SimulatedBoard, patience: Patience) -> None:
        # by its own name, mpremote knows the terminal for one and need not sleep between bytes
        super().__init__(lambda: os.path.realpath(sim.port), MODULE, patience)
        self._sim = sim

    def reset(self) -> None:
        resets = self._sim.resets
        super().reset()
        assert wait_until(lambda: self._sim.resets > resets or not self._sim.has_power)


def tool(sim: SimulatedBoard, patience: Patience = QUICK) -> Board:
    return PatientBoard(sim, patience)


def what_runs(sim: SimulatedBoard) -> tuple[str, str]:
    """Folder and program that run on a board with power, once it says so. Leaves it at its prompt."""
    assert wait_until(lambda: b"program " in sim.output), sim.output
    with tool(sim) as board:
        board.enter()
        return board.facts().started, board.run("import sys; print(sys.modules['firmware.module.name'].NAME)").strip()
