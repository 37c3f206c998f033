"""The whole desk: cards beep, modules come up, power comes and goes, and nothing is left behind."""

import asyncio
import struct
from collections.abc import AsyncIterator, Callable

import pytest

from firmware.boards import arc_esp32s3 as arc
from firmware.desk.desk import ARC, Desk
from firmware.desk.script import parse, play
from firmware.desk.wire import PORTS
from tests.firmware.desk.leftovers import assert_nothing_left, children_of_this_process

pytestmark = pytest.mark.desk

WITHIN_S = 10.0
FIRST_POLLS_US = 30_000


async def until(is_true: Callable[[], bool], within_s: float = WITHIN_S) -> None:
    async with asyncio.timeout(within_s):
        while not is_true():
            await asyncio.sleep(0.02)


@pytest.fixture
async def desk() -> AsyncIterator[Desk]:
    before = children_of_this_process()
    async with Desk(seed=1) as desk:
        folder = desk.supervisor.folder
        # tags that lie there while the ARC looks for the first times are no gesture
        await until(lambda: desk.field.on_total_us > FIRST_POLLS_US)
        yield desk
        # pytest shows it when the test failed
        print(desk.log())
    assert_nothing_left(before, folder)


async def test_scripted_hands_play(desk: Desk) -> None:
    script = """
    present manager:bloch      # waits for its beep
    remove
    plug solar arc 1
    plug hydro solar 2 3
    wait light arc
    present token:governor
    remove token:governor
    battery 4800
    cut arc
    power arc
    wait started arc
    present classic
    """
    await play(desk, parse(script))
    assert desk.beeps >= 3
    assert desk.state()["plugs"] == [["arc", 1, "solar", 0], ["hydro", 3, "solar", 2]]
    assert desk.state()["roof"] == ["classic"]


async def test_modules_lose_and_get_power_with_the_arc_and_with_the_plug(desk: Desk) -> None:
    await desk.plug("solar")
    await desk.plug("hydro", "solar")
    boards = desk.supervisor.boards
    await until(lambda: desk.state()["boards"]["hydro"]["is_found"])
    await desk.unplug("solar")
    assert not boards["solar"].is_on
    assert not boards["hydro"].is_on
    await desk.plug("solar")
    await desk.plug("hydro", "solar")
    await until(lambda: desk.state()["boards"]["hydro"]["is_found"])
    await desk.cut_power()
    assert [board.pid for board in boards.values()] == [None, None, None]
    await desk.give_power()
    await until(lambda: desk.state()["boards"]["hydro"]["is_found"])


async def test_a_write_torn_by_a_power_cut_costs_no_later_card(desk: Desk) -> None:
    for operation in (1, 2):
        await play(desk, parse("present manager:bloch\nremove"))
        cut = asyncio.ensure_future(desk.cut_power(operations=operation))
        await asyncio.sleep(0)
        desk.present("manager:carter")
        await cut
        desk.remove()
        await desk.give_power()
    await play(desk, parse("present manager:gore"))


async def test_a_killed_arc_comes_back_and_beeps(desk: Desk) -> None:
    await play(desk, parse("present manager:bloch\nremove\nkill arc\nwait started arc\npresent manager:carter"))
    assert desk.supervisor.boards["arc"].starts == 2


async def test_a_killed_module_is_found_again(desk: Desk) -> None:
    await desk.plug("solar")
    await until(lambda: desk.state()["boards"]["solar"]["is_found"])
    desk.kill("solar")
    await desk.wait("stopped", board="solar")
    await until(lambda: not desk.state()["boards"]["solar"]["is_found"])
    await until(lambda: desk.state()["boards"]["solar"]["is_found"])


def are_found(desk: Desk, count: int) -> bool:
    """Whether so many modules are plugged in and each is in the ARC's list."""
    modules = [board for name, board in desk.state()["boards"].items() if name != ARC and board["is_on"]]
    return len(modules) == count and all(board["is_found"] for board in modules)


async def test_sixteen_modules_come_up_within_ten_seconds_and_one_is_found_again_after_a_cut(desk: Desk) -> None:
    await play(desk, parse("present manager:bloch\nremove"))
    loop = asyncio.get_running_loop()
    began = loop.time()
    await desk.plug_some(16)
    await until(lambda: are_found(desk, 16))
    assert loop.time() - began < 10
    began = loop.time()
    await play(desk, parse("present manager:carter"))
    assert loop.time() - began < 3
    pulled = desk.miniatures.first(16)[-1]
    await desk.unplug(pulled)
    await until(lambda: are_found(desk, 15) and not desk.state()["boards"][pulled]["is_found"])
    await desk.plug_all([pulled])
    await until(lambda: are_found(desk, 16))
    assert desk.miniatures.ports.hung == 0


async def test_a_loop_of_modules_stands(desk: Desk) -> None:
    await desk.plug("solar", port=0)
    await desk.plug("hydro", port=1)
    await desk.plug("solar", "hydro", PORTS - 1, PORTS - 1)
    assert ["hydro", 3, "solar", 3] in desk.state()["plugs"]
    await until(lambda: all(board["is_found"] for board in desk.state()["boards"].values()))


async def test_a_desk_that_is_left_while_power_changes_leaves_nothing_running() -> None:
    before = asyncio.all_tasks()
    async with Desk() as desk:
        await desk.plug("solar")
        pins = desk.supervisor.boards[ARC].pins
        pins.take(struct.pack("<BBi", ord("o"), arc.VBUS_EN, 0))
    assert asyncio.all_tasks() == before
