"""The whole desk: cards beep, modules come up, power comes and goes, and nothing is left behind."""

import asyncio
from collections.abc import AsyncIterator, Callable

import pytest

from firmware.desk.desk import Desk
from firmware.desk.script import ScriptError, parse, play
from firmware.desk.supervisor import DeskError
from firmware.desk.things import UnknownThingError
from firmware.desk.wire import PORTS, WireError
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


@pytest.fixture
async def dark_desk() -> AsyncIterator[Desk]:
    """A desk whose ARC is off."""
    async with Desk(arc_on=False) as desk:
        yield desk


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


async def test_hands_say_which_step_failed(dark_desk: Desk) -> None:
    with pytest.raises(ScriptError, match="line 2: present manager:nobody: nothing on the tray is called"):
        await play(dark_desk, parse("battery 5000\npresent manager:nobody"))


async def test_things_go_on_the_roof_and_off_it(dark_desk: Desk) -> None:
    with pytest.raises(UnknownThingError, match="there is manager:bloch"):
        dark_desk.present("token:bloch")
    dark_desk.present("damaged")
    dark_desk.present("phone")
    assert dark_desk.state()["roof"] == ["damaged", "phone"]
    dark_desk.remove("phone")
    assert dark_desk.state()["roof"] == ["damaged"]
    dark_desk.remove()
    assert dark_desk.state()["roof"] == []


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


async def test_what_cannot_be_plugged_is_said(dark_desk: Desk) -> None:
    desk = dark_desk
    with pytest.raises(DeskError, match="there is no module castle; the catalog has solar"):
        await desk.plug("castle")
    with pytest.raises(WireError, match="hydro is not on the table"):
        await desk.plug("solar", "hydro")
    await desk.plug("solar", port=1)
    with pytest.raises(WireError, match="port 1 of arc is taken by solar"):
        await desk.plug("hydro", port=1)
    with pytest.raises(WireError, match="ports 0 to 3, not 7"):
        await desk.plug("hydro", port=7)


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


async def test_sixteen_modules_at_once_come_up_and_the_desk_stays_usable(desk: Desk) -> None:
    await play(desk, parse("present manager:bloch\nremove"))
    loop = asyncio.get_running_loop()
    began = loop.time()
    await desk.plug_some(16)
    await until(lambda: all(board["is_found"] for board in desk.state()["boards"].values()))
    assert loop.time() - began < 10
    began = loop.time()
    await play(desk, parse("present manager:carter"))
    assert loop.time() - began < 3


async def test_a_loop_of_modules_stands(desk: Desk) -> None:
    await desk.plug("solar", port=0)
    await desk.plug("hydro", port=1)
    await desk.plug("solar", "hydro", PORTS - 1, PORTS - 1)
    assert ["hydro", 3, "solar", 3] in desk.state()["plugs"]
    await until(lambda: all(board["is_found"] for board in desk.state()["boards"].values()))
