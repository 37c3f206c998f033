"""Draws scenes into pictures, off the window: both sizes in one run."""

import asyncio
from pathlib import Path

from kivy.clock import Clock
from kivy.core.window import Window
from kivy.metrics import Metrics

from companion.screens.app import ColoniesApp
from companion.screens.gallery.puppet import Puppet
from companion.screens.gallery.scenes import Scene, scenes

SIZES = {"wide": (1280, 800), "tall": (800, 1280)}


async def frames(number: int) -> None:
    end = Clock.frames + number
    while Clock.frames < end:
        await asyncio.sleep(0)


async def draw_all(folder: Path, names: set[str]) -> None:
    """Every scene, or those named, as `NAME-wide.png` and `NAME-tall.png`."""
    folder.mkdir(parents=True, exist_ok=True)
    chosen = [scene for scene in scenes() if not names or scene.name in names]
    for side, size in SIZES.items():
        Window.size = size
        for scene in chosen:
            await draw(scene, folder / f"{scene.name}-{side}.png")


async def draw(scene: Scene, path: Path) -> None:
    app = ColoniesApp(Puppet(scene.table, scene.saved, scene.settings))
    task = asyncio.create_task(app.async_run("asyncio"))
    while app.shell is None or app.root is None:
        await asyncio.sleep(0)
        if task.done():
            task.result()
    scene.taps(app.shell)
    await frames(5)
    app.root.export_to_png(str(path))
    app.stop()
    await task
    for child in Window.children[:]:
        Window.remove_widget(child)
    Metrics.fontscale = 1.0
