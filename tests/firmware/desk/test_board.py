"""One board's life on the desk: pins, lights, watchdog, resets, deep sleep, power, on a real interpreter."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from firmware.desk.board import DEEP_SLEEP, HARD_RESET, POWER_ON, WATCHDOG, Board, BoardKind
from firmware.desk.pins import Pixel
from firmware.desk.supervisor import Supervisor

pytestmark = pytest.mark.desk

LIFE = BoardKind(entry=str(Path(__file__).parent / "boards" / "life.py"), heap="256k")
WITHIN_S = 10.0


class LifeDesk:
    """The life board, and what it did to its pins."""

    def __init__(self) -> None:
        self.news: asyncio.Queue[tuple[str, int, int | Pixel]] = asyncio.Queue()
        self.supervisor = Supervisor(None, 30.0, 1, lambda _board, *change: self.news.put_nowait(change))
        self.board: Board

    async def shown(self) -> Pixel:
        """The next colour that is not darkness."""
        while True:
            kind, _, value = await asyncio.wait_for(self.news.get(), WITHIN_S)
            if kind == "pixel" and value != (0, 0, 0):
                assert isinstance(value, tuple)
                return value

    def tap(self, pin: int) -> None:
        self.board.set_input(pin, 0)
        self.board.set_input(pin, 1)


@pytest.fixture
async def life() -> AsyncIterator[LifeDesk]:
    desk = LifeDesk()
    try:
        await desk.supervisor.link.open()
        desk.supervisor.serve_board_devices()
        desk.board = desk.supervisor.add("life", LIFE, bytes(range(8)))
        for pin in range(1, 6):
            desk.board.set_input(pin, 1)
        desk.board.pins.set_microvolts(8, 1_200_000)
        desk.board.give_power()
        assert await desk.shown() == (POWER_ON, 1, 12)
        yield desk
    finally:
        print(desk.supervisor.log_of("life"))
        await desk.supervisor.close()


async def test_a_reset_keeps_the_kept_memory(life: LifeDesk) -> None:
    life.tap(1)
    assert await life.shown() == (HARD_RESET, 2, 12)


async def test_who_hangs_is_bitten_by_the_watchdog(life: LifeDesk) -> None:
    life.tap(2)
    assert await life.shown() == (WATCHDOG, 2, 12)


async def test_deep_sleep_ends_at_the_pin_that_wakes(life: LifeDesk) -> None:
    life.tap(3)
    async with asyncio.timeout(WITHIN_S):
        while life.board.pid is not None:
            await asyncio.sleep(0.01)
    life.tap(1)
    assert life.board.pid is None
    life.board.set_input(4, 0)
    assert await life.shown() == (DEEP_SLEEP, 2, 12)


async def test_a_power_cut_forgets_the_kept_memory(life: LifeDesk) -> None:
    await life.board.cut_power()
    assert life.board.pid is None
    assert life.board.pins.pixels[48] == (0, 0, 0)
    life.board.give_power()
    assert await life.shown() == (POWER_ON, 1, 12)


async def test_a_killed_board_comes_back_as_after_a_power_cut(life: LifeDesk) -> None:
    life.board.kill()
    assert await life.shown() == (POWER_ON, 1, 12)
    assert life.board.starts == 2


async def test_voltages_and_edges_reach_the_program(life: LifeDesk) -> None:
    life.board.pins.set_microvolts(8, 900_000)
    life.tap(5)
    heard = []
    while ("pixel", 48, (POWER_ON, 1, 9)) not in heard:
        heard.append(await asyncio.wait_for(life.news.get(), WITHIN_S))
    assert ("pwm", 6, 32768) in heard


async def test_power_may_come_and_go_faster_than_a_board_starts(life: LifeDesk) -> None:
    board = life.board
    await board.cut_power()
    board.give_power()
    await asyncio.wait_for(board.cut_power(), WITHIN_S)
    assert board.pid is None

    board.give_power()
    assert await life.shown() == (POWER_ON, 1, 12)
    cut = asyncio.ensure_future(board.cut_power())
    await asyncio.sleep(0)
    board.give_power()
    await asyncio.wait_for(cut, WITHIN_S)
    assert await life.shown() == (POWER_ON, 1, 12)
    await board.cut_power()
    assert board.pid is None
