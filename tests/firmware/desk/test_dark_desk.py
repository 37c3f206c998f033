"""Hands on a desk whose ARC is off: what needs no program to answer."""

from collections.abc import AsyncIterator

import pytest
import pytest_asyncio

from firmware.desk.desk import Desk
from firmware.desk.script import ScriptError, parse, play
from firmware.desk.supervisor import DeskError
from firmware.desk.wire import WireError

pytestmark = [pytest.mark.desk, pytest.mark.asyncio(loop_scope="module")]


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def dark_desk() -> AsyncIterator[Desk]:
    async with Desk(arc_on=False) as desk:
        yield desk


async def test_hands_say_which_step_failed(dark_desk: Desk) -> None:
    with pytest.raises(ScriptError, match="line 2: present manager:nobody: nothing on the tray is called"):
        await play(dark_desk, parse("battery 5000\npresent manager:nobody"))


async def test_things_go_on_the_roof_and_off_it(dark_desk: Desk) -> None:
    with pytest.raises(ValueError, match="there is manager:bloch"):
        dark_desk.present("token:bloch")
    dark_desk.present("damaged")
    dark_desk.present("phone")
    assert dark_desk.state()["roof"] == ["damaged", "phone"]
    dark_desk.remove("phone")
    assert dark_desk.state()["roof"] == ["damaged"]
    dark_desk.remove()
    assert dark_desk.state()["roof"] == []


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
