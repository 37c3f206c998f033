"""What a person's hands do on the drawn table, as requests to the desk. A swipe is repeated until the ARC beeps."""

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any

from firmware.desk.control_client import ControlClient, DeedError
from firmware.desk.window.places import Loop, Spot
from firmware.desk.window.scene import Scene

SWIPES, SWIPE_S, REST_S = 3, 1.2, 0.3
TAP_S = 0.12
"""The least that a finger rests on the button."""


class Hands:
    """Every method returns at once; a refusal is told to `on_refusal` as a sentence."""

    def __init__(self, client: ControlClient, scene: Scene, on_refusal: Callable[[str], None]) -> None:
        self._client = client
        self._scene = scene
        self._on_refusal = on_refusal
        self._tasks: set[asyncio.Task[None]] = set()

    def lay(self, thing: str) -> None:
        self._do(self._client.do("present", thing=thing))

    def take(self, thing: str) -> None:
        self._do(self._client.do("remove", thing=thing))

    def swipe(self, thing: str) -> None:
        """Lay it down, wait for the beep, take it away; again when there was none."""
        self._do(self._swipe(thing))

    def plug(self, module: str, spot: Spot | None) -> None:
        """To this port, or wherever there is room."""
        self._do(self._plug(module, spot))

    def close_loop(self, loop: Loop) -> None:
        request = {"module": loop.board, "parent": loop.other, "port": loop.other_port, "own_port": loop.port}
        self._do(self._client.do("plug", **request))

    def pull(self, module: str) -> None:
        self._do(self._client.do("unplug", module=module))

    def switch(self, is_on: bool) -> None:
        self._do(self._client.do("give_power" if is_on else "cut_power"))

    def hold_button(self, is_down: bool) -> None:
        """For as long as the finger does, and long enough to be felt."""
        self._do(self._hold_button(is_down))

    def set_battery(self, level_mv: int) -> None:
        self._do(self._client.do("set_battery_mv", level_mv=level_mv))

    async def _hold_button(self, is_down: bool) -> None:
        if not is_down:
            await asyncio.sleep(TAP_S)
        await self._client.do("hold_button", is_down=is_down)

    async def _swipe(self, thing: str) -> None:
        for _ in range(SWIPES):
            beeps = self._scene.beeps
            await self._client.do("present", thing=thing)
            for _ in range(int(SWIPE_S / 0.05)):
                await asyncio.sleep(0.05)
                if self._scene.beeps != beeps:
                    break
            await self._client.do("remove", thing=thing)
            if self._scene.beeps != beeps:
                return
            await asyncio.sleep(REST_S)

    async def _plug(self, module: str, spot: Spot | None) -> None:
        if module in self._scene.places:
            await self._client.do("unplug", module=module)
        where = {"parent": spot.board, "port": spot.port} if spot else {}
        await self._client.do("plug", module=module, **where)

    def _do(self, deed: Coroutine[Any, Any, Any]) -> None:
        async def run() -> None:
            try:
                await deed
            except DeedError as error:
                self._on_refusal(str(error))

        task = asyncio.get_running_loop().create_task(run())
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
