"""The app behind the screens: games come and go, settings stay, scripts play through the same session."""

import asyncio
import itertools
import random
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path
from typing import Any

import pytest
from attrs import evolve

from companion import catalog as catalogs, command_line
from companion.headless import Player, ScriptError, journal_lines, parse
from companion.link.loopback import Loopback
from companion.screens.controller import BoardDeed, Settings, TextSize
from companion.session import actions
from companion.session.colonies import Colonies
from companion.session.table import ArcState, Phase
from companion.session.waiting import QUESTION_MS
from companion.simulation.commands import Setup
from companion.simulation.words import Mode
from companion.storage.memory import MemoryStore
from companion.storage.records import Game, GameSummary, JournalRow, Snapshot, StoreError
from companion.tablet import Tablet, _when

CATALOG = catalogs.load()
SETUP = Setup(Mode.SEMI_COOP, ("bloch", "carter", "gore"), "verdance")
NOW = datetime(2026, 5, 4, 21, 7, tzinfo=UTC)


class Clock:
    def __init__(self) -> None:
        self.now = NOW

    def __call__(self) -> datetime:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def store() -> MemoryStore:
    return MemoryStore()


@pytest.fixture
def tablet(store: MemoryStore, clock: Clock) -> Tablet:
    return Tablet(store, Colonies(CATALOG), CATALOG.version, None, random.Random(1).getrandbits, clock)


def test_a_new_game_is_in_the_list_once_it_began(tablet: Tablet, clock: Clock) -> None:
    assert tablet.table is None
    tablet.new_game()
    assert tablet.table is not None
    assert tablet.table.phase is Phase.SETUP
    assert tablet.table.arc.state is ArcState.NONE
    assert tablet.saved_games == ()
    tablet.act(actions.StartGame("Dawn", SETUP))
    tablet.close_game()
    assert tablet.table is None
    clock.now += timedelta(days=1)
    (saved,) = tablet.saved_games
    assert (saved.name, saved.round, saved.saved_at) == ("Dawn", 1, "yesterday, 21:07")
    tablet.open_game(saved.id)
    assert tablet.table is not None
    assert tablet.table.colony is not None
    assert tablet.table.colony.colony_name == "Dawn"


def test_a_game_that_never_began_is_forgotten(tablet: Tablet, store: MemoryStore) -> None:
    tablet.new_game()
    tablet.close_game()
    assert store.games() == ()
    tablet.new_game()
    left = tablet.game
    tablet.session = None  # as after a crash
    tablet.new_game()
    assert [game.id for game in store.games()] == [tablet.game] != [left]


def test_a_game_that_cannot_be_read_stays_and_says_why(tablet: Tablet, store: MemoryStore) -> None:
    tablet.new_game()
    tablet.act(actions.StartGame("Dawn", SETUP))
    id, rows = tablet.game, 1
    assert id is not None
    tablet.close_game()
    store.append(id, (JournalRow(rows + 1, '{"act":"Teleport"}'),), summary=GameSummary("Dawn"))
    tablet.open_game(id)
    assert tablet.table is None
    assert "Teleport" in tablet.message
    assert [saved.id for saved in tablet.saved_games] == [id]


def test_a_full_disk_is_a_notice_and_nothing_happened(
    tablet: Tablet, store: MemoryStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    tablet.new_game()
    tablet.act(actions.StartGame("Dawn", SETUP))
    assert tablet.session is not None
    before = tablet.session.state

    def full(*_: object, **__: object) -> None:
        raise StoreError("cannot write: the disk is full")

    monkeypatch.setattr(store, "append", full)
    tablet.act(actions.TapCard("open-canteens"))
    assert tablet.session.state is before
    assert tablet.table is not None
    assert tablet.table.notices[-1].text == "cannot write: the disk is full"


def test_screens_hear_of_every_change(tablet: Tablet) -> None:
    seen: list[Phase | None] = []
    tablet.subscribe(lambda: seen.append(tablet.table.phase if tablet.table else None))
    tablet.new_game()
    tablet.act(actions.StartGame("Dawn", SETUP))
    tablet.close_game()
    assert seen[-3:] == [Phase.SETUP, Phase.ROUND, None]


def test_settings_stay(tablet: Tablet) -> None:
    assert tablet.settings == Settings()
    tablet.keep_settings(Settings(TextSize.HUGE, True, True))
    assert tablet.settings == Settings(TextSize.HUGE, True, True)


@pytest.mark.parametrize(
    ("kept", "settings"),
    [
        ('{"text_size": 300, "reduce_motion": true, "colour": "blue"}', Settings(reduce_motion=True)),
        ('{"text_size": ', Settings()),
        ("7", Settings()),
    ],
)
def test_settings_of_another_version_are_as_at_first(
    tablet: Tablet, store: MemoryStore, kept: str, settings: Settings
) -> None:
    store.keep_setting("settings", kept)
    assert tablet.settings == settings


async def test_the_shipped_script_plays_by_tapping(tablet: Tablet, store: MemoryStore) -> None:
    tablet.new_game()
    await Player(tablet, CATALOG).play(parse(command_line.SHIPPED_SCRIPT.read_text()))
    assert tablet.table is not None
    assert tablet.table.colony is not None
    assert (tablet.table.phase, tablet.table.colony.round) == (Phase.ROUND, 3)
    assert tablet.game is not None
    lines = journal_lines(store, tablet.game)
    assert sum("RegisterDecree" in line for line in lines) == 3
    assert sum('"Settle"' in line for line in lines) == 2


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("card a\njump b", "line 2: no step is called jump"),
        ("start Dawn semi-coop nowhere bloch carter", "line 1: start Dawn .*nowhere"),
        ("start Dawn semi-coop verdance bloch carter\nchoose\n", "line 2: choose: "),
        ("start Dawn semi-coop verdance bloch carter\nmodule mansion\n", "line 2: module mansion"),
    ],
)
async def test_a_script_that_cannot_go_on_names_its_line(tablet: Tablet, text: str, message: str) -> None:
    tablet.new_game()
    with pytest.raises(ScriptError, match=message):
        await Player(tablet, CATALOG).play(parse(text))


async def test_time_goes_on_whatever_a_screen_stumbles_over(
    tablet: Tablet, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr("companion.tablet.TICK_S", 0)
    ms = itertools.count(0, 1_000)
    monkeypatch.setattr("companion.tablet._now_ms", lambda: next(ms))
    tablet.new_game()
    tablet.act(actions.StartGame("Dawn", SETUP))
    tablet.act(actions.TapCard("open-canteens"))

    def stumble() -> None:
        raise KeyError("an icon")

    tablet.subscribe(stumble)
    running = asyncio.create_task(tablet.run())
    async with asyncio.timeout(10):
        while tablet.table and tablet.table.dialog:  # until its time is over
            await asyncio.sleep(0)
    assert not running.done()
    running.cancel()
    await asyncio.gather(running, return_exceptions=True)
    (told,) = (record for record in caplog.records if record.exc_info)
    assert "an icon" in str(told.exc_info)


def test_the_command_line_plays_and_prints(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    store = str(tmp_path / "games.db")
    assert command_line.main(["--arc", "none", "--headless", "--store", store]) == 0
    assert '"Settle"' in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--arc", "pigeon", "--headless"], "there are ble, serial:PORT, desk, desk:ENDPOINTS and none"),
        (["--arc", "none", "--headless", "/nowhere.txt"], "cannot read the script"),
        (["--arc", "none", "--game", "Atlantis"], "no saved game “Atlantis”"),
        (["--arc", "none", "--headless", "--catalog", "/nowhere"], "nowhere"),
    ],
)
def test_what_is_wrong_is_said_in_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], message: str
) -> None:
    assert command_line.main([*arguments, "--store", str(tmp_path / "games.db")]) == 1
    error = capsys.readouterr().err
    assert message in error
    assert "Traceback" not in error


class FullStore(MemoryStore):
    """A store whose disk is full while `is_full`."""

    is_full = False

    def _write(self) -> None:
        if self.is_full:
            raise StoreError("cannot write: the disk is full")

    def create_game(self, game: Game, *more: Any) -> None:
        self._write()
        super().create_game(game, *more)

    def delete_game(self, id: str) -> None:
        self._write()
        super().delete_game(id)

    def keep_setting(self, name: str, value: str) -> None:
        self._write()
        super().keep_setting(name, value)

    def adopt(self, id: str, catalog_version: str, snapshot: Snapshot | None) -> None:
        self._write()
        super().adopt(id, catalog_version, snapshot)

    def append(self, id: str, rows: Sequence[JournalRow], *more: Any) -> None:
        self._write()
        super().append(id, rows, *more)


async def test_a_full_disk_is_told_everywhere_and_stops_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    store, ms = FullStore(), [0]
    monkeypatch.setattr("companion.tablet.TICK_S", 0)
    monkeypatch.setattr("companion.tablet._now_ms", lambda: ms[0])
    tablet = Tablet(store, Colonies(CATALOG), CATALOG.version, None, random.Random(1).getrandbits, Clock())
    store.is_full = True
    tablet.keep_settings(Settings(TextSize.LARGE, reduce_motion=True, is_flipped=False))
    tablet.new_game()
    assert tablet.session is None
    assert "the disk is full" in tablet.message

    store.is_full = False
    tablet.new_game()
    tablet.act(actions.StartGame("Dawn", SETUP))
    tablet.act(actions.TapCard("open-canteens"))
    running = asyncio.create_task(tablet.run())
    store.is_full = True
    ms[0] = QUESTION_MS + 1  # the question's time is over, and that cannot be written down
    assert tablet.table is not None
    async with asyncio.timeout(10):
        while not any("the disk is full" in notice.text for notice in tablet.table.notices):
            await asyncio.sleep(0)
        store.is_full = False
        while tablet.table.dialog is not None:
            await asyncio.sleep(0)
    assert not running.done()
    running.cancel()
    await asyncio.gather(running, return_exceptions=True)


async def test_a_game_is_opened_from_a_full_disk_too() -> None:
    store = FullStore()
    tapped = Tablet(store, Colonies(CATALOG), CATALOG.version, None, random.Random(1).getrandbits, Clock())
    tapped.new_game()
    tapped.act(actions.StartGame("Dawn", SETUP))
    id = tapped.game
    assert id is not None
    store.is_full = True
    chance = random.Random(1).getrandbits
    tablet = Tablet(store, Colonies(CATALOG), CATALOG.version, lambda _: Loopback(lambda data: None), chance, Clock())
    tablet.open_game(id)
    assert tablet.table is not None
    assert [notice.text for notice in tablet.table.notices] == ["cannot write: the disk is full"]
    tablet.ask_board(BoardDeed.FORGET)
    await tablet.stop()


async def test_a_link_is_looked_for_although_the_cards_cannot_be_noted() -> None:
    store = FullStore()
    tapped = Tablet(store, Colonies(CATALOG), CATALOG.version, None, random.Random(1).getrandbits, Clock())
    tapped.new_game()
    tapped.act(actions.StartGame("Dawn", SETUP))
    id, chance = tapped.game, random.Random(1).getrandbits
    assert id is not None
    newer = evolve(CATALOG, version="other")
    tablet = Tablet(store, Colonies(newer), "other", lambda _: Loopback(lambda data: None), chance, Clock())
    store.keep_setting("tablet_id", "7")
    store.is_full = True
    tablet.open_game(id)
    assert tablet.firmware is not None  # there is a line
    await tablet.stop()


def test_a_game_without_a_name_is_kept_under_its_planets(tablet: Tablet) -> None:
    tablet.new_game()
    tablet.act(actions.StartGame("", SETUP))
    id = tablet.game
    tablet.close_game()
    tablet.new_game()
    assert [game.id for game in tablet.saved_games] == [id]
    assert tablet.saved_games[0].name == tablet.saved_games[0].planet


def test_day_and_hour_are_of_one_place() -> None:
    saved = datetime(2026, 5, 1, 23, 30, tzinfo=UTC)
    here = datetime(2026, 5, 9, 12, 0, tzinfo=timezone(timedelta(hours=2)))
    assert _when(saved, here) == "02 May 2026, 01:30"


def test_a_store_that_cannot_be_read_is_told_and_stops_no_screen(
    tablet: Tablet, store: MemoryStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    def locked(*_: object) -> None:
        raise StoreError("cannot read: the database is locked")

    monkeypatch.setattr(store, "games", locked)
    monkeypatch.setattr(store, "setting", locked)
    assert tablet.saved_games == ()
    assert tablet.message == "cannot read: the database is locked"
    assert tablet.settings == Settings()
