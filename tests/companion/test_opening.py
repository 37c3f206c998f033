"""A saved game and another catalog: what differs is said, the ways on are offered, nothing is lost."""

import random
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from attrs import evolve

from companion import catalog as catalogs
from companion.catalog import Catalog
from companion.headless import journal_lines
from companion.session import actions
from companion.session.catalog_changes import change_text, entry_digests
from companion.session.colonies import Colonies
from companion.session.sitting import OTHER_CATALOG, WORKED_OUT_ANEW
from companion.session.table import Phase, TableView
from companion.simulation import commands as c
from companion.simulation.player import PlayerView
from companion.simulation.words import Mode
from companion.storage.database import Database
from companion.storage.memory import MemoryStore
from companion.storage.schema import MIGRATIONS
from companion.tablet import Tablet
from tests.companion.tablets import NOW

CATALOG = catalogs.load()
SETUP = c.Setup(Mode.SEMI_COOP, ("bloch", "carter", "gore"), "verdance")
BEGIN = (
    actions.StartGame("Dawn", SETUP),
    actions.TapModule(1),
    actions.NameManager("carter"),
    actions.TapCard("open-canteens"),
    actions.NameManager("bloch"),
    actions.Next(),
    actions.Choose("confirm"),
    *(actions.TurnPage(1),) * 5,
    actions.TapCard("free-clinics"),
    actions.NameManager("gore"),
)


def tablet_with(store: MemoryStore, catalog: Catalog, seed: int = 1) -> Tablet:
    return Tablet(store, Colonies(catalog), catalog.version, None, random.Random(seed).getrandbits, lambda: NOW)


@pytest.fixture
def store() -> MemoryStore:
    """With a game in round 2, in which a decree is registered."""
    store = MemoryStore()
    tablet = tablet_with(store, CATALOG)
    tablet.new_game()
    for action in BEGIN:
        tablet.act(action)
    assert seen(tablet).phase is Phase.ROUND
    assert seen(tablet).undo_text
    tablet.close_game()
    return store


def seen(tablet: Tablet) -> TableView:
    assert tablet.table is not None, tablet.message
    return tablet.table


def colony_of(tablet: Tablet) -> PlayerView:
    colony = seen(tablet).colony
    assert colony is not None
    return colony


def without(kind: str, id: str) -> Catalog:
    changed: dict[str, Any] = {kind: {key: entry for key, entry in getattr(CATALOG, kind).items() if key != id}}
    return evolve(CATALOG, version="other", **changed)


def with_mood(id: str, happiness: int) -> Catalog:
    changed = evolve(CATALOG.decrees[id], happiness=happiness)
    return evolve(CATALOG, version="other", decrees={**CATALOG.decrees, id: changed})


def offers(tablet: Tablet) -> list[str]:
    return [offer.id for offer in tablet.offers]


def texts(tablet: Tablet) -> list[str]:
    return [notice.text for notice in seen(tablet).notices]


def game_id(store: MemoryStore) -> str:
    return next(game.id for game in store.games() if game.summary.name == "Dawn")


def test_cards_that_nobody_played_change_nothing_and_that_is_said_once(store: MemoryStore) -> None:
    before = tablet_with(store, CATALOG)
    before.open_game(game_id(store))
    assert texts(before) == []
    tablet = tablet_with(store, with_mood("night-patrols", 3))
    tablet.open_game(game_id(store))
    assert texts(tablet) == [OTHER_CATALOG]
    assert colony_of(tablet) == colony_of(before)
    tablet.close_game()
    tablet.open_game(game_id(store))
    assert texts(tablet) == []


def test_numbers_that_make_another_colony_are_said_and_people_choose(store: MemoryStore) -> None:
    before = tablet_with(store, CATALOG)
    before.open_game(game_id(store))
    tablet = tablet_with(store, with_mood("open-canteens", -3))
    tablet.open_game(game_id(store))
    assert tablet.table is None
    assert "Changed: decree “Open Canteens”." in tablet.message
    assert "would not be what it was" in tablet.message
    assert offers(tablet) == ["continue", "anew"]
    tablet.accept("anew")
    assert texts(tablet) == [WORKED_OUT_ANEW]
    assert colony_of(tablet).round == 2
    assert seen(tablet).undo_text == seen(before).undo_text
    tablet.close_game()
    tablet.open_game(game_id(store))
    assert texts(tablet) == []


@pytest.mark.parametrize("catalog", [with_mood("open-canteens", -3), without("decrees", "open-canteens")])
def test_a_game_goes_on_from_its_last_round_beside_the_old_one(store: MemoryStore, catalog: Catalog) -> None:
    before, journal = tablet_with(store, CATALOG), store.journal(game_id(store))
    before.open_game(game_id(store))
    tablet = tablet_with(store, catalog, seed=5)
    tablet.open_game(game_id(store))
    tablet.accept("continue")
    colony = colony_of(tablet)
    assert (colony.colony_name, colony.round, colony.registered) == ("Dawn (continued)", 2, ())
    was = colony_of(before)
    assert (colony.economy, colony.population, colony.modules) == (was.economy, was.population, was.modules)
    assert sorted(game.name for game in tablet.saved_games) == ["Dawn", "Dawn (continued)"]
    assert store.journal(game_id(store)) == journal

    for action in (
        actions.TapCard("free-clinics"),
        actions.NameManager("gore"),
        actions.Next(),
        actions.Choose("confirm"),
    ):
        tablet.act(action)
    assert seen(tablet).phase is Phase.SUMMARY
    id = tablet.game or ""
    tablet.close_game()
    tablet.open_game(id)
    assert colony_of(tablet).round == 3
    lines = "\n".join(journal_lines(store, id))
    assert "Continued" in lines
    assert "happiness" not in lines


def test_a_card_that_is_gone_names_the_row(store: MemoryStore) -> None:
    tablet = tablet_with(store, without("decrees", "open-canteens"))
    tablet.open_game(game_id(store))
    assert "No longer there: decree “Open Canteens”." in tablet.message
    assert "row 5:" in tablet.message
    assert "opens as it was: start the app with --catalog" in tablet.message
    assert offers(tablet) == ["continue"]
    assert [game.name for game in tablet.saved_games] == ["Dawn"]


def test_a_planet_that_is_gone_leaves_only_the_old_catalog(store: MemoryStore) -> None:
    tablet = tablet_with(store, without("planets", "verdance"))
    tablet.open_game(game_id(store))
    assert "It cannot go on from its last round either" in tablet.message
    assert "verdance" in tablet.message
    assert offers(tablet) == []
    tablet_with(store, CATALOG).open_game(game_id(store))


def test_what_an_unknown_catalog_had_is_not_guessed(store: MemoryStore) -> None:
    store.keep_setting(f"catalog:{CATALOG.version}", "{}")
    tablet = tablet_with(store, without("decrees", "open-canteens"))
    tablet.open_game(game_id(store))
    assert "No longer there" not in tablet.message


def test_catalogs_are_compared_entry_by_entry() -> None:
    here = entry_digests(CATALOG)
    assert change_text(here, here) == ""
    fewer = entry_digests(without("planets", "verdance"))
    assert change_text(here, fewer).startswith("No longer there: planet “")
    assert change_text(fewer, here).startswith("New: planet “")
    assert change_text({}, dict.fromkeys("abcdefgh", "1")) == "New: a, b, c, d, e, f and 2 more."


def test_a_database_of_the_first_version_is_brought_up(tmp_path: Path) -> None:
    path = tmp_path / "games.db"
    with closing(sqlite3.connect(path)) as old:
        old.executescript(f"{MIGRATIONS[0]}PRAGMA user_version = 1;")
    store = Database(path)
    try:
        tablet = Tablet(store, Colonies(CATALOG), CATALOG.version, None, random.Random(1).getrandbits, lambda: NOW)
        tablet.new_game()
        tablet.act(BEGIN[0])
        assert tablet.game is not None
        kept = store.snapshot(tablet.game)
        assert kept is not None
        assert kept.row == 1
    finally:
        store.close()


@pytest.mark.parametrize(("kind", "id"), [("planets", "verdance"), ("managers", "gore"), ("fleets", "supply-ship")])
@pytest.mark.parametrize("has_snapshot", [True, False])
def test_a_first_round_that_cannot_begin_with_these_cards_stays_and_says_why(
    kind: str, id: str, has_snapshot: bool
) -> None:
    store, fleet = MemoryStore(), next(iter(CATALOG.fleets))
    id = fleet if kind == "fleets" else id
    tablet = tablet_with(store, CATALOG)
    tablet.new_game()
    tablet.act(actions.StartGame("Dawn", evolve(SETUP, fleet=fleet)))
    tablet.close_game()
    if not has_snapshot:
        store._snapshots.clear()  # as a store of the first version
    tablet = tablet_with(store, without(kind, id))
    tablet.open_game(game_id(store))
    assert tablet.table is None
    assert f"There is no {kind[:-1]}" in tablet.message
    tablet.close_game()
    assert [game.name for game in tablet.saved_games] == ["Dawn"]
    tablet_with(store, CATALOG).open_game(game_id(store))


def test_rules_that_stumble_over_a_row_lose_no_game(store: MemoryStore, monkeypatch: pytest.MonkeyPatch) -> None:
    def stumbles(*_: object) -> None:
        raise KeyError("clean-air")

    tablet = tablet_with(store, CATALOG)
    monkeypatch.setattr("companion.simulation.step", stumbles)
    tablet.open_game(game_id(store))
    assert "row 2: " in tablet.message
    assert "clean-air" in tablet.message
