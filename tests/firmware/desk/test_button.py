"""The ARC's button under hands: each press that the firmware knows can be done, held ones end with the hand."""

import asyncio
from pathlib import Path
from unittest.mock import Mock, call

import pytest

from firmware.arc.button import FORGET, LONG, NOTHING, SHORT, Button
from firmware.boards import arc_esp32s3 as arc
from firmware.desk.control import ControlSocket
from firmware.desk.desk import PRESS_S, Desk
from firmware.desk.script import ScriptError, parse, play
from protocol.messages import WRONG_MAC, Mark, Resume, session_mac
from tests.firmware.arc.desk.tablet import BleWire, over_ble
from tests.firmware.arc.desk.test_arc_on_desk import paired


@pytest.mark.parametrize(("how", "told"), [("short", [SHORT]), ("long", [LONG]), ("forget", [LONG, FORGET])])
def test_each_press_is_held_for_as_long_as_the_firmware_asks(how: str, told: list[int]) -> None:
    button, held_ms = Button(), int(PRESS_S[how] * 1000)
    heard = [button.sampled(1_000 + now_ms, now_ms < held_ms) for now_ms in range(0, held_ms + 200, 20)]
    assert [press for press in heard if press != NOTHING] == told


def desk_without_boards() -> tuple[Desk, list[int]]:
    """And the levels of the button's pin."""
    desk, levels = Desk(), []
    desk._arc = Mock()
    desk._arc.set_input = lambda pin, level: levels.append(level) if pin == arc.BUTTON else None
    return desk, levels


async def test_scripts_press_in_each_way(monkeypatch: pytest.MonkeyPatch) -> None:
    desk, levels = desk_without_boards()
    slept: list[float] = []

    async def sleep(seconds: float) -> None:
        slept.append(seconds)

    monkeypatch.setattr(asyncio, "sleep", sleep)
    await play(desk, parse("press\npress long\npress forget"))
    assert slept == [PRESS_S["short"], PRESS_S["long"], PRESS_S["forget"]]
    assert levels == [0, 1] * 3
    with pytest.raises(ScriptError, match="line 1: press hard: a press is short, long, forget, not hard"):
        await play(desk, parse("press hard"))


async def test_a_press_that_is_given_up_lets_the_button_go() -> None:
    desk, levels = desk_without_boards()
    pressing = asyncio.create_task(desk.press(how="forget"))
    await asyncio.sleep(0)
    pressing.cancel()
    await asyncio.gather(pressing, return_exceptions=True)
    assert levels == [0, 1]


async def test_a_client_that_goes_lets_the_button_go(tmp_path: Path) -> None:
    desk, gone = Mock(), asyncio.Event()
    desk.hold_button.side_effect = lambda is_down=True: None if is_down else gone.set()
    async with asyncio.timeout(10), ControlSocket(desk, tmp_path / "control"):
        reader, writer = await asyncio.open_unix_connection(str(tmp_path / "control"))
        writer.write(b'{"do": "hold_button", "is_down": true}\n')
        await reader.readline()
        assert desk.hold_button.call_args_list == [call(is_down=True)]
        writer.close()
        await gone.wait()
    assert desk.hold_button.call_args_list == [call(is_down=True), call(False)]


@pytest.mark.desk
@pytest.mark.soak
async def test_ten_seconds_forget_all_tablets() -> None:
    async with asyncio.timeout(60), Desk(seed=1) as desk:
        async with over_ble(desk.radio) as tablet:
            await paired(desk, tablet)
            await tablet.resume()
            await tablet.ok(Mark)
            await desk.press(how="forget")
            assert isinstance(tablet.wire, BleWire)
            await tablet.wire.ended.wait()
        async with over_ble(desk.radio) as again:
            mac = session_mac(tablet.token, (await again.hello()).nonce, tablet.number, 0, 0)
            assert await again.refusal(Resume, tablet.number, 0, 0, mac) == WRONG_MAC
