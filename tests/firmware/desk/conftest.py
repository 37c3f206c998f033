"""A radio with the echo board on it, and everything that was started ended again."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from attrs import define

from firmware.desk.board import Board, BoardKind
from firmware.desk.pins import Pixel
from firmware.desk.supervisor import Supervisor

ECHO = BoardKind(entry=str(Path(__file__).parent / "boards" / "echo.py"), heap="256k", has_radio=True)


@define
class EchoDesk:
    """A supervisor, its echo board and the changes it told of."""

    supervisor: Supervisor
    board: Board
    changes: list[tuple[str, str]]

    @property
    def radio(self) -> str:
        return self.supervisor.radio_address


@pytest.fixture
def interval_ms() -> float:
    """The connection interval; tests that measure it parametrize it."""
    return 7.5


@pytest.fixture
async def echo(interval_ms: float) -> AsyncIterator[EchoDesk]:
    """The echo board, switched on."""
    changes: list[tuple[str, str]] = []

    def note(board: Board, kind: str, pin: int, value: int | Pixel) -> None:
        changes.append((board.name, kind))

    supervisor = Supervisor(None, interval_ms, 1, note)
    try:
        await supervisor.open()
        board = supervisor.add("echo", ECHO, bytes(range(8)))
        board.give_power()
        yield EchoDesk(supervisor, board, changes)
    finally:
        # pytest shows it when the test failed
        print(supervisor.log_of("echo"), supervisor.log_of("radio"))
        await supervisor.close()


@pytest.fixture
def randomly_seed(request: pytest.FixtureRequest) -> int:
    """The seed in the header of this run; `--randomly-seed=N` repeats it."""
    return int(request.config.getoption("randomly_seed", default=0) or 0)
