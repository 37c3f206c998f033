"""The app as a process that can be killed at any instant, with its store beside it to look into."""

import asyncio
import json
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

from companion.session.actions import Action
from companion.session.journal_text import act_text
from companion.storage.database import Database
from companion.storage.records import Game, JournalRow
from firmware.desk.processes import ROOT, child_environment

GAME, SEED, CREATED = "evening", 20_261_130, "2026-11-30T20:00:00+00:00"


class TabletProcess:
    """`python -m companion --headless -` on one game, "" for a tablet that begins at its start screen. `link` is ble or serial."""

    def __init__(self, folder: Path, endpoints: Path, link: str = "ble", game: str = GAME) -> None:
        folder.mkdir(exist_ok=True)
        self.store = folder / "games.db"
        self._log = folder / "tablet.log"
        self._command = (
            *(sys.executable, "-m", "companion", "--headless", "-", "--store", str(self.store)),
            *(("--game", game) if game else ()),
            *("--desk-link", link),
        )
        self._arc = f"desk:{endpoints}"
        self._process: asyncio.subprocess.Process | None = None
        self._reading: asyncio.Task[None] | None = None
        self._changed = asyncio.Event()
        self.state: dict[str, Any] = {}
        self.starts = 0

    def create_game(self, catalog_version: str) -> None:
        """A game with a known seed, so that two evenings can be compared."""
        database = Database(self.store)
        database.create_game(Game(GAME, SEED, catalog_version, CREATED))
        database.close()

    async def start(self, *, arc: bool = True) -> None:
        """`arc` False: `--arc none`, played by tapping."""
        self.starts += 1
        with self._log.open("ab") as log:
            self._process = await asyncio.create_subprocess_exec(
                *self._command,
                *("--arc", self._arc if arc else "none"),
                cwd=ROOT,
                env=child_environment(),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=log,
            )
        self.state = {}
        self._reading = asyncio.create_task(self._read(self._process))

    async def kill(self) -> None:
        """`kill -9`."""
        assert self._process is not None
        self._process.kill()
        await self._end()

    def pause(self) -> None:
        """As a tablet does with an app in the background: nothing of it runs until `go_on`."""
        assert self._process is not None
        self._process.send_signal(signal.SIGSTOP)

    def go_on(self) -> None:
        assert self._process is not None
        self._process.send_signal(signal.SIGCONT)

    async def close(self) -> None:
        """Standard input ends, and the app with it."""
        if self._process is None or self._process.returncode is not None:
            return
        assert self._process.stdin is not None
        self._process.stdin.close()
        try:
            async with asyncio.timeout(20):
                await self._process.wait()
        except TimeoutError:
            self._process.kill()
        await self._end()

    def tap(self, action: Action) -> None:
        """Tap once; whether it counted stands in the journal."""
        self._say(act_text(action))

    def accept(self, offer: str) -> None:
        """Take one of the start screen's offers."""
        self._say(json.dumps({"accept": offer}))

    def _say(self, line: str) -> None:
        assert self._process is not None
        assert self._process.stdin is not None
        if not self._process.stdin.is_closing():
            self._process.stdin.write(line.encode() + b"\n")

    async def changed(self, within_s: float) -> bool:
        """Wait for the next line of state; False when none came in time."""
        self._changed.clear()
        try:
            async with asyncio.timeout(within_s):
                await self._changed.wait()
        except TimeoutError:
            return False
        return True

    def journal(self) -> tuple[JournalRow, ...]:
        """What is in the store now, whether the app runs or not."""
        database = Database(self.store)
        try:
            return database.journal(GAME)
        finally:
            database.close()

    def log(self) -> str:
        return self._log.read_text(errors="replace")[-4000:] if self._log.exists() else ""

    async def _read(self, process: asyncio.subprocess.Process) -> None:
        assert process.stdout is not None
        while line := await process.stdout.readline():
            told = json.loads(line)
            if "error" in told:
                raise AssertionError(told["error"])
            self.state = told
            self._changed.set()

    async def _end(self) -> None:
        assert self._process is not None
        await self._process.wait()
        if self._reading:
            await self._reading
        self._changed.set()
