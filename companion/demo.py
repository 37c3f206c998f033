"""The scripted demo: a game from the start screen to round 2 in the real window, with hands on the desk and a picture of
every step. `python -m companion --arc desk --demo FOLDER`; what `make play` does where there is no screen.

With `--arc none` the same steps are tapped, and there is no table to picture."""

import asyncio
import contextlib
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

from companion.catalog import Catalog
from companion.desk_process import ROOT, Desk, Hands
from companion.headless import Player, journal_lines, parse
from companion.session.table import Phase
from companion.storage.records import Store
from companion.tablet import Tablet

MANAGERS = ("bloch", "carter", "gore")
PLANET = "verdance"
COLONY = "New Helvetia"
SETTLE_FRAMES = 12
"""Frames until a slide or a sheet has come to rest; 0.2 s at 30 frames a second, and some more."""
REST_S = 0.3
PICTURE_S = 60


class Demo:
    """Plays in the window and keeps a picture of each step as `NN-name.png`."""

    def __init__(self, tablet: Tablet, catalog: Catalog, desk: Desk | None, folder: Path) -> None:
        from companion.screens.app import ColoniesApp

        self.app = ColoniesApp(tablet)
        self.folder = folder
        self._tablet = tablet
        self._catalog = catalog
        self._desk = desk
        self._count = 0

    async def run(self) -> None:
        """The whole demo; the first step that fails raises."""
        self.folder.mkdir(parents=True, exist_ok=True)
        for old in self.folder.glob("*.png"):
            old.unlink()
        window = asyncio.create_task(self.app.async_run("asyncio"))
        try:
            while self.app.shell is None:
                await asyncio.sleep(0)
                if window.done():
                    window.result()
            async with self._hands() as hands:
                await self._play(Player(self._tablet, self._catalog, hands))
        finally:
            self.app.stop()
            await window

    def _hands(self) -> contextlib.AbstractAsyncContextManager[Hands | None]:
        return Hands(str(self._desk.endpoints["control"])) if self._desk else contextlib.nullcontext()

    async def _play(self, player: Player) -> None:
        await self.picture("start")
        self._tablet.new_game()
        await self._set_up(player)
        await self.picture("round-1")
        await player.play(parse("module solar"))
        await self.picture("module-connected")
        await player.play(parse("manager carter"))
        await self.picture("module-confirmed")
        await player.play(parse("module well gore"))
        await player.play(parse("card open-canteens"))
        await self.picture("decree-swiped")
        await player.play(parse("manager bloch"))
        await self.picture("decree-confirmed")
        await player.play(parse("card night-patrols gore"))
        await self.picture("two-decrees")
        if self._desk:
            await self._picture_of_the_table(self._desk)
        await player.play(parse("ask"))
        await self.picture("next-asked")
        await player.play(parse("next"))
        while self._table.phase is Phase.SUMMARY:
            assert self._table.report is not None
            section = self._table.report.sections[self._table.page]
            await self.picture(f"summary-{type(section).__name__.removesuffix('Section').lower()}")
            self._turn_page()
        await self.picture("round-2")

    async def _set_up(self, player: Player) -> None:
        """The wizard, page by page; the managers lay their tokens on the roof."""
        await player.play([])
        wizard = self._screen("setup")
        for _ in range(wizard.vm.steps):
            step = wizard.draft.step.value
            if step == "managers":
                for manager in MANAGERS:
                    await player.play(parse(f"manager {manager}"))
            elif step == "planet":
                wizard.pick(PLANET)
            elif step == "table":
                wizard.ids.name.fill_in(COLONY)
            await self.picture(f"setup-{step}")
            wizard.turn(1)

    @property
    def _table(self) -> Any:
        return self._tablet.table

    def _screen(self, name: str) -> Any:
        assert self.app.shell is not None
        return self.app.shell.screens.get_screen(name)

    def _turn_page(self) -> None:
        from companion.session.actions import TurnPage

        self._tablet.act(TurnPage(1))

    async def picture(self, name: str) -> None:
        """Keep what the window shows once it has come to rest."""
        from kivy.clock import Clock

        end = Clock.frames + SETTLE_FRAMES
        while Clock.frames < end:
            await asyncio.sleep(REST_S / SETTLE_FRAMES)
        self._count += 1
        assert self.app.shell is not None
        self.app.shell.export_to_png(str(self.folder / f"{self._count:02}-{name}.png"))

    async def _picture_of_the_table(self, desk: Desk) -> None:
        self._count += 1
        file = self.folder / f"{self._count:02}-drawn-table.png"
        command = (
            sys.executable,
            "-m",
            "firmware.desk.window",
            str(desk.endpoints["control"]),
            "--picture",
            str(file),
        )
        process = await asyncio.create_subprocess_exec(
            *command, cwd=ROOT, stdin=subprocess.DEVNULL, env={**os.environ, "PYTHONPATH": str(ROOT)}
        )
        async with asyncio.timeout(PICTURE_S):
            await process.wait()


async def run(tablet: Tablet, catalog: Catalog, store: Store, desk: Desk | None, folder: Path) -> int:
    """The demo, then the journal beside the pictures."""
    await Demo(tablet, catalog, desk, folder).run()
    assert tablet.game is not None
    lines = journal_lines(store, tablet.game)
    (folder / "journal.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")
    print(f"{len(list(folder.glob('*.png')))} pictures and the journal of {len(lines)} acts are in {folder}")
    return 0
