"""The exam of stores: what `companion.storage.records.Store` promises, asked of any of them."""

from collections.abc import Callable

import pytest

from companion.storage.records import Cursor, Game, GameSummary, JournalRow, Snapshot, Store, StoreError

GAME = Game("g1", 2**63 + 5, "v1", "2026-01-02T10:00:00+00:00")
HERE = Cursor("a1b2", 7, 41)


def check_keeps_games_newest_first(store: Store) -> None:
    store.create_game(GAME)
    store.create_game(Game("g2", 1, "v1", "2026-01-03T10:00:00+00:00", GameSummary("Dawn", "Tethys", 3, 20), HERE))
    assert [game.id for game in store.games()] == ["g2", "g1"]
    assert store.game("g1") == GAME
    assert store.game("g2").summary == GameSummary("Dawn", "Tethys", 3, 20)
    assert store.game("g2").cursor == HERE


def check_appends_rows_and_cursor_together(store: Store) -> None:
    store.create_game(GAME)
    rows = (JournalRow(1, '{"a":1}', "[]", "up", 7, 40), JournalRow(2, "{}", "[1]", "none"))
    store.append("g1", rows, HERE, GameSummary("Dawn", "Tethys", 1, 20), "2026-01-02T11:00:00+00:00")
    assert store.journal("g1") == rows
    assert store.game("g1").cursor == HERE
    assert store.game("g1").summary.name == "Dawn"
    assert store.game("g1").saved_at == "2026-01-02T11:00:00+00:00"
    store.append("g1", (), Cursor("a1b2", 7, 42))
    assert store.game("g1").cursor == Cursor("a1b2", 7, 42)
    assert store.game("g1").summary.name == "Dawn"


def check_refuses_a_row_out_of_turn_whole(store: Store) -> None:
    store.create_game(GAME)
    store.append("g1", (JournalRow(1, "{}"),), HERE)
    for rows in ((JournalRow(1, "{}"),), (JournalRow(2, "{}"), JournalRow(4, "{}"))):
        with pytest.raises(StoreError, match="Open the game again"):
            store.append("g1", rows, Cursor("a1b2", 7, 99))
    assert len(store.journal("g1")) == 1
    assert store.game("g1").cursor == HERE


def check_never_takes_an_event_twice(store: Store) -> None:
    store.create_game(GAME)
    store.append("g1", (JournalRow(1, "{}", epoch=7, sequence=40),), HERE)
    with pytest.raises(StoreError):
        store.append("g1", (JournalRow(2, "{}"), JournalRow(3, "{}", epoch=7, sequence=40)), Cursor("a1b2", 7, 99))
    assert len(store.journal("g1")) == 1
    assert store.game("g1").cursor == HERE
    store.append("g1", (JournalRow(2, "{}", epoch=8, sequence=40),), Cursor("a1b2", 8, 40))


def check_says_what_is_missing(store: Store) -> None:
    for ask in (store.game, store.journal, store.delete_game):
        with pytest.raises(StoreError, match="no game nowhere"):
            ask("nowhere")
    with pytest.raises(StoreError):
        store.append("nowhere", (JournalRow(1, "{}"),))
    store.create_game(GAME)
    with pytest.raises(StoreError, match="already"):
        store.create_game(GAME)


def check_deletes_a_game_with_its_journal(store: Store) -> None:
    store.create_game(GAME)
    store.append("g1", (JournalRow(1, "{}"),))
    store.delete_game("g1")
    assert store.games() == ()
    store.create_game(GAME)
    assert store.journal("g1") == ()


def check_rebinds_to_another_arc(store: Store) -> None:
    store.create_game(GAME)
    store.rebind("g1", HERE)
    assert store.game("g1").cursor == HERE
    store.rebind("g1", None)
    assert store.game("g1").cursor is None


def check_keeps_the_newest_snapshot_with_its_rows(store: Store) -> None:
    store.create_game(GAME)
    assert store.snapshot("g1") is None
    store.append("g1", (JournalRow(1, "{}"),), snapshot=Snapshot(1, "one"))
    store.append("g1", (JournalRow(2, "{}"),))
    assert store.snapshot("g1") == Snapshot(1, "one")
    with pytest.raises(StoreError):
        store.append("g1", (JournalRow(9, "{}"),), snapshot=Snapshot(9, "nine"))
    assert store.snapshot("g1") == Snapshot(1, "one")
    store.append("g1", (JournalRow(3, "{}"),), snapshot=Snapshot(3, "three"))
    assert store.snapshot("g1") == Snapshot(3, "three")
    store.delete_game("g1")
    store.create_game(GAME)
    assert store.snapshot("g1") is None


def check_creates_a_game_with_its_journal_whole(store: Store) -> None:
    with pytest.raises(StoreError):
        store.create_game(GAME, (JournalRow(1, "{}"), JournalRow(3, "{}")), Snapshot(1, "one"))
    assert store.games() == ()
    store.create_game(GAME, (JournalRow(1, "{}"), JournalRow(2, "[]")), Snapshot(2, "two"))
    assert [row.number for row in store.journal("g1")] == [1, 2]
    assert store.snapshot("g1") == Snapshot(2, "two")


def check_adopts_another_catalog(store: Store) -> None:
    store.create_game(GAME, (), Snapshot(1, "one"))
    store.adopt("g1", "v2", None)
    assert (store.game("g1").catalog_version, store.snapshot("g1")) == ("v2", Snapshot(1, "one"))
    store.adopt("g1", "v3", Snapshot(1, "anew"))
    assert (store.game("g1").catalog_version, store.snapshot("g1")) == ("v3", Snapshot(1, "anew"))


def check_keeps_tags_tokens_and_settings(store: Store) -> None:
    store.learn_tag(b"\x04\x01\x02\x03", "governor")
    store.learn_tag(b"\x04\x01\x02\x03", "ambassador")
    assert store.learned_tags() == {b"\x04\x01\x02\x03": "ambassador"}
    assert store.token(b"device") is None
    store.keep_token(b"device", b"t" * 16)
    assert store.token(b"device") == b"t" * 16
    store.forget_token(b"device")
    assert store.token(b"device") is None
    assert store.setting("tablet") is None
    store.keep_setting("tablet", "1")
    store.keep_setting("tablet", "2")
    assert store.setting("tablet") == "2"


EXAM: tuple[Callable[[Store], None], ...] = (
    check_keeps_games_newest_first,
    check_appends_rows_and_cursor_together,
    check_refuses_a_row_out_of_turn_whole,
    check_never_takes_an_event_twice,
    check_says_what_is_missing,
    check_deletes_a_game_with_its_journal,
    check_rebinds_to_another_arc,
    check_keeps_the_newest_snapshot_with_its_rows,
    check_creates_a_game_with_its_journal_whole,
    check_adopts_another_catalog,
    check_keeps_tags_tokens_and_settings,
)
