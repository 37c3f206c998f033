"""A game as bytes: whole round trips, anything else a sentence; and it fits where it is left."""

import json
import random
import zlib
from contextlib import suppress
from typing import Any

import pytest
from attrs import evolve
from hypothesis import given, strategies as st

from companion import catalog as catalogs
from companion.keeping import pack_for_board
from companion.session import actions
from companion.session.colonies import Colonies
from companion.session.continuing import continued_state
from companion.session.journal_text import read_act
from companion.session.sitting import Session
from companion.session.table import Phase
from companion.simulation.commands import CorrectValue, Setup
from companion.simulation.words import Group, Mode, Status
from companion.storage.game_copy import CopyError, GameCopy, is_continued_by, pack, unpack
from companion.storage.memory import MemoryStore
from companion.storage.records import Cursor, Game, GameSummary, JournalRow, Snapshot
from protocol.messages import MAX_GAME

GAME = Game(
    "g", 2**62, "v1", "2026-01-02T10:00:00+00:00", GameSummary("Dämmerung", "Tethys", 3, 20), Cursor("a1", 7, 41)
)
ROWS = (JournalRow(1, '{"act":"Next"}', "[]", "up", 7, 40), JournalRow(2, "{}", "[1]"))
COPY = GameCopy(GAME, ROWS, Snapshot(1, "hidden"), {b"\x04\x01": "governor"})


PLAIN: dict[str, Any] = json.loads(zlib.decompress(pack(COPY)[4:]))


def packed(**changes: Any) -> bytes:
    return b"BHC\x01" + zlib.compress(json.dumps({**PLAIN, **changes}).encode())


@pytest.mark.parametrize("copy", [COPY, GameCopy(evolve(GAME, cursor=None), ())])
def test_a_copy_comes_back_equal(copy: GameCopy) -> None:
    assert unpack(pack(copy)) == copy
    assert pack(copy) == pack(unpack(pack(copy)))


@given(st.integers(0, 1_000), st.integers(0, 255))
def test_a_changed_byte_is_a_sentence_or_changes_nothing(at: int, value: int) -> None:
    data = bytearray(pack(COPY))
    data[at % len(data)] = value
    found = None
    with suppress(CopyError):
        found = unpack(bytes(data))
    assert found in (None, COPY)


@pytest.mark.parametrize(
    ("data", "text"),
    [
        (b"", "no game of this app"),
        (b"BHC", "no game of this app"),
        (b"ZIPs", "no game of this app"),
        (b"BHC\x02....", "left by a newer app"),
        (b"BHC\x01....", "damaged"),
        (b"BHC\x01" + zlib.compress(b"{}"), "damaged"),
        (b"BHC\x01" + zlib.compress(b"\xff"), "damaged"),
        (b"BHC\x01" + zlib.compress(b"[" * 100_000), "damaged"),
        (packed(tags=[]), "damaged"),
        (packed(game={**PLAIN["game"], "saved_at": "yesterday"}), "damaged"),
        (pack(COPY)[:-4], "does not end"),
        (b"BHC\x01" + zlib.compress(bytes(33 * 1024 * 1024)), "does not end"),
    ],
)
def test_what_is_none_says_why(data: bytes, text: str) -> None:
    with pytest.raises(CopyError, match=text):
        unpack(data)


def test_which_continues_which() -> None:
    assert is_continued_by(ROWS[:1], ROWS)
    assert is_continued_by(ROWS, ROWS)
    assert not is_continued_by(ROWS, ROWS[:1])
    assert not is_continued_by((JournalRow(1, "{}"),), ROWS)


PLANET = "verdance"


@pytest.fixture(scope="module")
def long_game() -> tuple[MemoryStore, str]:
    """Twenty rounds by tapping, with as much registered in each as people can."""
    catalog = catalogs.load()
    rules, store = Colonies(catalog), MemoryStore()
    store.create_game(Game("long", 11, rules.version, GAME.saved_at))
    session = Session(store, "long", rules, lambda: GAME.saved_at, uses_arc=False)
    managers = tuple(list(catalog.managers)[:5])
    session.act(actions.StartGame("Long", Setup(Mode.SEMI_COOP, managers, PLANET)))
    chance = random.Random(5)
    types = [module.type_id for module in catalog.modules.values()]
    decrees = [decree.id for decree in catalog.decrees.values() if decree.colour == "green"]
    for _ in range(20):
        for manager in managers:
            session.act(actions.TapCard(chance.choice(decrees)))
            session.act(actions.NameManager(manager))
            if len(session.state.connected) < 12:
                session.act(actions.TapModule(chance.choice(types)))
            session.act(actions.NameManager(manager))
            session.act(actions.Choose("not_this_card"))
        # people who know what they do would get as far
        session.act(actions.Correct(CorrectValue(300, stock=True)))
        for status in Status:
            session.act(actions.Correct(CorrectValue(6, status=status)))
        for group in Group:
            session.act(actions.Correct(CorrectValue(400, group=group)))
        session.act(actions.Next())
        session.act(actions.Choose("confirm"))
        for _ in range(8):
            session.act(actions.TurnPage(1))
        if session.table.phase is Phase.ENDED:
            break
    return store, "long"


def test_a_whole_evening_fits_on_the_board(long_game: tuple[MemoryStore, str]) -> None:
    store, id = long_game
    rows = store.journal(id)
    data = pack_for_board(store, id)
    assert data is not None
    print(f"{len(rows)} rows, round {store.game(id).summary.round}: {len(data)} bytes")
    assert len(rows) > 200
    assert unpack(data).rows == rows
    assert len(data) < MAX_GAME // 2


def test_a_journal_too_long_is_left_from_its_last_round_on(long_game: tuple[MemoryStore, str]) -> None:
    store, id = long_game
    whole = pack_for_board(store, id)
    assert whole is not None
    data = pack_for_board(store, id, len(whole) - 1)
    assert data is not None
    (row,) = unpack(data).rows
    snapshot = store.snapshot(id)
    assert snapshot is not None
    rules = Colonies(catalogs.load())
    act = read_act(row.act)
    assert continued_state(getattr(act, "snapshot", ""), rules) == continued_state(snapshot.text, rules)
    assert pack_for_board(store, id, 100) is None
