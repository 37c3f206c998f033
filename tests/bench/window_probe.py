"""One window in a process of its own, measured from outside the bench: `empty`, `start` or `app`. Prints a line of JSON.

`start` is the program, `python -m companion --arc none` on a new store, up to its first frame. `app` shows the main screen of a
sample game, played by tapping, at rest.
"""

import asyncio
import contextlib
import json
import runpy
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import psutil

FRAMES_BEFORE_REST = 90
REST_S = 6.0


def resident_mb() -> float:
    return float(psutil.Process().memory_info().rss / 1e6)


def measure_start(began: float) -> dict[str, float]:
    """The program with all it loads: catalog, store, session and screens."""
    from companion.screens.environment import prepare

    prepare()
    from kivy.app import App
    from kivy.core.window import Window

    result: dict[str, float] = {}

    def flipped(*_: object) -> None:
        result.update(first_frame_s=time.time() - began, first_frame_cpu_s=time.process_time())
        Window.unbind(on_flip=flipped)
        App.get_running_app().stop()

    Window.bind(on_flip=flipped)
    with tempfile.TemporaryDirectory() as folder:
        sys.argv = ["companion", "--arc", "none", "--store", str(Path(folder) / "games.db")]
        with contextlib.suppress(SystemExit):
            runpy.run_module("companion", run_name="__main__")
    return result


async def measure(kind: str, began: float) -> dict[str, float]:
    from companion.screens.environment import finish_each_flip, prepare

    prepare()
    from kivy.app import App
    from kivy.clock import Clock
    from kivy.core.window import Window
    from kivy.uix.widget import Widget

    app: Any = App() if kind == "empty" else sample_app()
    if kind == "empty":
        app.build = Widget
    finish_each_flip()
    first = asyncio.get_running_loop().create_future()

    def flipped(*_: object) -> None:
        if not first.done():
            first.set_result((time.time() - began, time.process_time()))

    Window.bind(on_flip=flipped)
    task = asyncio.create_task(app.async_run("asyncio"))
    first_frame, first_cpu = await first
    await later_frames(FRAMES_BEFORE_REST)
    used = time.process_time()
    await asyncio.sleep(REST_S)
    idle = (time.process_time() - used) / REST_S * 100
    result = {
        "first_frame_s": first_frame,
        "first_frame_cpu_s": first_cpu,
        "idle_percent": idle,
        "resident_mb": resident_mb(),
    }
    if kind == "app":
        result.update(await message_to_sheet(app))
    result["frame_ms"] = 1000 / Clock._max_fps
    app.stop()
    await task
    return result


async def later_frames(number: int) -> None:
    from kivy.clock import Clock

    end = Clock.frames + number
    while Clock.frames < end:
        await asyncio.sleep(0.005)


def sample_app() -> Any:
    from companion.screens.app import ColoniesApp
    from companion.screens.gallery.puppet import Puppet
    from companion.screens.gallery.samples_between import SAVED, TAPPED

    return ColoniesApp(Puppet(TAPPED, SAVED))


async def message_to_sheet(app: Any) -> dict[str, float]:
    """Frames and time from a changed table to the flip that shows its sheet."""
    from attrs import evolve
    from kivy.clock import Clock
    from kivy.core.window import Window

    from companion.screens.gallery.samples_between import DIALOGS, TAPPED

    shown = asyncio.get_running_loop().create_future()

    def flipped(*_: object) -> None:
        if app.shell.sheet.parent is not None and app.shell.sheet.ids.panel.height > 200 and not shown.done():
            shown.set_result((Clock.frames, time.perf_counter()))

    Window.bind(on_flip=flipped)
    began, at = Clock.frames, time.perf_counter()
    app.controller.show(evolve(TAPPED, dialog=DIALOGS["owner"]))
    frames, when = await shown
    return {"sheet_frames": frames - began, "sheet_ms": (when - at) * 1000}


if __name__ == "__main__":
    kind, began = sys.argv[1], float(sys.argv[2])
    print(json.dumps(measure_start(began) if kind == "start" else asyncio.run(measure(kind, began))))
