"""The bus between real interpreters: the ARC's and the modules' firmware as processes on the desk's wire."""

import asyncio
from collections.abc import Callable

import pytest

from firmware.desk.desk import Desk

pytestmark = pytest.mark.desk

COME_UP_WITHIN_S = 10


async def until(condition: Callable[[], bool], within_s: float = COME_UP_WITHIN_S) -> None:
    async with asyncio.timeout(within_s):
        while not condition():
            await asyncio.sleep(0.02)


def addressed(desk: Desk) -> set[str]:
    """The boards that hold an address."""
    return {board.name for board in desk.miniatures.wire.boards.values() if 1 <= board.address <= 31}


async def test_a_disturbed_wire_delays_and_loses_nobody() -> None:
    async with Desk(seed=2) as desk:
        desk.miniatures.wire.medium.byte_error_rate = 5e-3
        await desk.plug_some(4)
        names = set(desk.miniatures.first(4))
        await until(lambda: addressed(desk) == names)
        killed = desk.miniatures.first(4)[0]
        desk.supervisor.boards[killed].kill()
        await until(lambda: desk.supervisor.boards[killed].starts == 2 and addressed(desk) == names)
