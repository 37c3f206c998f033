"""A radio with the echo board on it, and everything that was started ended again."""

from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
import pytest_asyncio
from attrs import define

from firmware.desk.board import Board, BoardKind
from firmware.desk.supervisor import Supervisor

ECHO = BoardKind(entry=str(Path(__file__).parent / "boards" / "echo.py"), heap="256k", has_radio=True)


@define
class EchoDesk:
    """A supervisor and its echo board."""

    supervisor: Supervisor
    board: Board

    @property
    def radio(self) -> str:
        return self.supervisor.radio_address


@asynccontextmanager
async def echo_desk(interval_ms: float) -> AsyncIterator[EchoDesk]:
    """The echo board, switched on."""
    supervisor = Supervisor(None, interval_ms, 1, lambda *_change: None)
    try:
        await supervisor.open()
        board = supervisor.add("echo", ECHO, bytes(range(8)))
        board.give_power()
        yield EchoDesk(supervisor, board)
    finally:
        # pytest shows it when the test failed
        print(supervisor.log_of("echo"), supervisor.log_of("radio"))
        await supervisor.close()


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def shared_echo() -> AsyncIterator[EchoDesk]:
    """One for all tests of a module: it comes back from whatever they do to it."""
    async with echo_desk(7.5) as echo:
        yield echo


@pytest.fixture
def echo(shared_echo: EchoDesk) -> Iterator[EchoDesk]:
    yield shared_echo
    print(shared_echo.supervisor.log_of("echo"), shared_echo.supervisor.log_of("radio"))


@pytest.fixture
def randomly_seed(request: pytest.FixtureRequest) -> int:
    """The seed in the header of this run; `--randomly-seed=N` repeats it."""
    return int(request.config.getoption("randomly_seed", default=0) or 0)
