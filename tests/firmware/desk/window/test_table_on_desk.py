"""The drawn table on a desk that runs: fingers on the window move cards and miniatures, and the boards' lights are drawn live."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

import pytest

from firmware.desk.control import ControlSocket
from firmware.desk.desk import Desk
from protocol import events
from protocol.lights import BLUE, STEADY, light
from protocol.messages import LightModule, Pair, Refused
from tests.end_to_end.event_log import bodies
from tests.firmware.arc.desk.tablet import over_serial
from tests.firmware.desk.window.test_room import SIZE, Hand, ToldHands

pytestmark = [pytest.mark.desk, pytest.mark.screens]
WITHIN_S = 30.0
WHITE, GREEN_LIT, BLUE_LIT, DARK = (1, 1, 1), (0, 1, 0), (0, 0, 1), (0, 0, 0)


class Fingers(Hand):
    """On a window that follows a desk; `drawn` are the lights that were drawn, as which of red, green and blue shine."""

    def __init__(self, app: Any, desk: Desk, drawn: list[tuple[int, ...]]) -> None:
        super().__init__(app.room, ToldHands())
        self.app, self.desk, self.drawn = app, desk, drawn

    async def until(self, holds: Callable[[], bool]) -> None:
        async with asyncio.timeout(WITHIN_S):
            while not holds():
                await asyncio.sleep(0.01)

    def tap(self, at: tuple[float, float]) -> None:
        touch = self.touch(at)
        touch.touch_down()
        touch.touch_up()

    def carry(self, start: tuple[float, float], end: tuple[float, float]) -> None:
        touch = self.touch(start)
        self.drag(touch, (start[0], start[1] + 120), end)
        touch.touch_up()

    def log(self, kind: type[events.Body]) -> list[Any]:
        return [body for body in bodies(self.desk) if isinstance(body, kind)]


@pytest.fixture
async def fingers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Fingers]:
    from companion.screens.environment import prepare

    prepare(fps=0, touch=False)
    from kivy.core.window import Window

    from firmware.desk.window import look
    from firmware.desk.window.app import TableApp

    drawn: list[tuple[int, ...]] = []
    glow = look.glow

    def seen(x: float, y: float, radius: float, light: tuple[int, int, int]) -> None:
        drawn.append(tuple(int(part > 0) for part in light))
        glow(x, y, radius, light)

    monkeypatch.setattr(look, "glow", seen)
    Window.size = SIZE
    path = tmp_path / "control"
    async with Desk(interval_ms=7.5, seed=1) as desk, ControlSocket(desk, path):
        app = TableApp(str(path))
        window = asyncio.create_task(app.async_run("asyncio"))
        while not app.root_window:
            await asyncio.sleep(0)
        try:
            await app.watch()
            await app.draw_to(str(tmp_path / "first.png"))  # laid out
            yield Fingers(app, desk, drawn)
        finally:
            app.stop()
            await window
            await app.client.close()
            print(desk.log("arc"))


async def test_cards_miniatures_lights_and_switches(fingers: Fingers, tmp_path: Path) -> None:
    desk, scene, panel = fingers.desk, fingers.app.scene, fingers.app.room.panel
    await fingers.until(lambda: bool(fingers.log(events.Booted)))

    # a tap swipes: down until the beep, and off again
    fingers.tap(fingers.card("manager:bloch"))
    await fingers.until(lambda: bool(fingers.log(events.CardPresented)))
    await fingers.until(lambda: WHITE in fingers.drawn and scene.roof == [])
    assert desk.beeps == scene.beeps == 1

    # a card that is laid down stays
    fingers.carry(fingers.card("manager:carter"), fingers.of((0, 0)))
    await fingers.until(lambda: len(fingers.log(events.CardPresented)) == 2)
    assert scene.roof == ["manager:carter"]

    # a miniature dragged to a port gets power and is found
    fingers.room.tray.open("Modules")
    await fingers.app.draw_to(str(tmp_path / "modules.png"))
    fingers.carry(fingers.card("solar"), fingers.of((1, 0)))
    await fingers.until(lambda: bool(fingers.log(events.ModuleAttached)))
    await fingers.until(lambda: GREEN_LIT in fingers.drawn)
    assert [plug[:3] for plug in scene.plugs] == [("arc", 1, "solar")]
    assert "solar" in scene.powered

    # the button opens the pairing window; what the tablet lights shines on the drawn table
    await _press(fingers, panel)
    async with over_serial(desk.serial) as tablet:
        await tablet.hello()
        while isinstance(await tablet.ask(Pair, tablet.number), Refused):
            await asyncio.sleep(0.05)
        await tablet.pair()
        await tablet.resume()
        (attached,) = fingers.log(events.ModuleAttached)
        fingers.drawn.clear()
        await tablet.ok(LightModule, attached.instance, light(STEADY, BLUE))
        await fingers.until(lambda: BLUE_LIT in fingers.drawn)
    assert scene.lights["solar"][:2] == (0, 0)

    battery = panel._battery
    fingers.tap((battery.x + battery.width / 2, battery.center_y))
    await fingers.until(lambda: desk.battery_mv == scene.battery_mv == 4_750)

    # without the ARC nothing has power, and its lamps are drawn dark
    fingers.drawn.clear()
    fingers.tap(panel._power.center)
    await fingers.until(lambda: not scene.powered and DARK in fingers.drawn)
    assert not desk.state()["boards"]["solar"]["is_on"]

    at = fingers.of((1, 0))
    touch = fingers.touch(at)
    fingers.drag(touch, (at[0] - 60, at[1]), (40, 760))
    touch.touch_up()
    await fingers.until(lambda: scene.plugs == [])
    assert desk.state()["plugs"] == []

    # what the desk refuses is said beside the felt
    fingers.app.hands.plug("no-such-module", None)
    await fingers.until(lambda: "no-such-module" in panel.told.refusal)


async def _press(fingers: Fingers, panel: Any) -> None:
    """As people do: once more when nothing comes of it, since a busy computer's ARC may look too late."""
    for _ in range(5):
        fingers.tap(panel._button.center)
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(4):
                return await fingers.until(lambda: bool(fingers.log(events.PairingWindow)))
    raise AssertionError("the ARC heard no press")
