"""The app is killed while hands play on the desk: after each restart the journal has every act once, in order."""

import asyncio
import json
import random
import sys
from pathlib import Path

import pytest

from companion import catalog as catalogs
from companion.desk_process import ROOT, DeskProcess, Hands
from companion.session.colonies import Colonies
from companion.session.journal_text import read_commands
from companion.session.record import Record
from companion.simulation import commands as c
from companion.storage.database import Database

pytestmark = pytest.mark.desk
WAIT_S = 60.0
ACTS = (
    ("decree:open-canteens", "manager:bloch"),
    ("decree:night-patrols", "manager:carter"),
    ("token:ambassador", "manager:gore"),
    ("decree:free-clinics", "manager:gore"),
    ("token:ambassador", "manager:bloch"),
)
REGISTERED = [
    c.RegisterDecree("open-canteens", "bloch"),
    c.RegisterDecree("night-patrols", "carter"),
    c.UseAmbassador("gore"),
    c.RegisterDecree("free-clinics", "gore"),
    c.UseAmbassador("bloch"),
]


class App:
    """The app as a process; `kill` is SIGKILL, whatever it is doing."""

    def __init__(self, folder: Path, endpoints: Path) -> None:
        self._arguments = ("--arc", f"desk:{endpoints}", "--store", str(folder / "games.db"))
        self._folder = folder
        self._process: asyncio.subprocess.Process | None = None

    async def start(self, script: str, *more: str) -> None:
        file = self._folder / "script.txt"
        file.write_text(script)
        command = (sys.executable, "-m", "companion", *self._arguments, "--headless", str(file), *more)
        with (self._folder / "app.log").open("ab") as log:
            self._process = await asyncio.create_subprocess_exec(*command, cwd=ROOT, stdout=log, stderr=log)

    async def kill(self) -> None:
        assert self._process is not None
        if self._process.returncode is None:
            self._process.kill()
        await self._process.wait()

    async def finish(self) -> None:
        assert self._process is not None
        async with asyncio.timeout(WAIT_S):
            assert await self._process.wait() == 0, (self._folder / "app.log").read_text()


async def play(folder: Path, seed: int, kills: int) -> Path:
    """One evening with `kills` deaths of the app at instants drawn from `seed`; the store it leaves."""
    chance = random.Random(seed)
    gestures = [thing for act in ACTS for thing in act]
    deaths = sorted(chance.sample(range(len(gestures)), kills))
    endpoints = folder / "endpoints.json"
    async with DeskProcess(folder / "desk") as desk, Hands(desk.endpoints["control"]) as hands:
        endpoints.write_text(json.dumps(desk.endpoints))
        app = App(folder, endpoints)
        await app.start("start Dawn semi-coop verdance bloch carter gore\nlisten 0")
        await app.finish()
        listening = (f"listen {len(ACTS)}", "--game", "Dawn")
        await app.start(*listening)
        for number, thing in enumerate(gestures):
            dies = number in deaths
            killing = asyncio.create_task(_kill_after(app, chance.uniform(0, 0.8))) if dies else None
            await hands.present(thing)
            if killing:
                await killing
                await app.start(*listening)
        await app.finish()
    return folder / "games.db"


async def _kill_after(app: App, seconds: float) -> None:
    await asyncio.sleep(seconds)
    await app.kill()


def check(path: Path) -> None:
    store = Database(path)
    (game,) = store.games()
    rows = store.journal(game.id)
    registered = [
        command
        for row in rows
        for command in read_commands(row.commands)
        if isinstance(command, c.RegisterDecree | c.UseAmbassador)
    ]
    assert registered == REGISTERED
    sequences = [row.sequence for row in rows if row.sequence is not None]
    assert sequences == sorted(set(sequences))
    record = Record(store, game.id, Colonies(catalogs.load()), lambda: "")
    assert game.cursor == record.cursor
    assert [entry.command for entry in record.state.registered] == REGISTERED
    store.close()


async def test_three_kills_of_the_app_lose_and_double_nothing(tmp_path: Path) -> None:
    check(await play(tmp_path, seed=11, kills=3))


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(20))
async def test_many_kills_of_the_app_lose_and_double_nothing(tmp_path: Path, seed: int) -> None:
    check(await play(tmp_path, seed, kills=4))
