"""The real store: one SQLite file. WAL and synchronous=FULL, so that what was committed survives a pulled plug."""

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from companion.storage.records import (
    Cursor,
    Game,
    GameSummary,
    JournalRow,
    Snapshot,
    StoreError,
    check_numbers,
    updated,
)
from companion.storage.schema import migrate

_GAME = "id, seed, catalog_version, saved_at, name, planet, round, max_rounds, is_ended, arc, epoch, sequence"


class Database:
    """See `records.Store`. `path` is created with its folder; `StoreError` says what is wrong with an unreadable one."""

    def __init__(self, path: Path) -> None:
        self._path = path
        with self._explained("open"):
            path.parent.mkdir(parents=True, exist_ok=True)
            self._database = sqlite3.connect(path, isolation_level=None, timeout=5)
            try:
                self._prepare()
            except BaseException:
                self._database.close()
                raise

    def _prepare(self) -> None:
        for pragma in ("journal_mode = WAL", "synchronous = FULL", "foreign_keys = ON"):
            self._database.execute(f"PRAGMA {pragma}")
        migrate(self._database, str(self._path))

    @contextmanager
    def _explained(self, act: str) -> Iterator[None]:
        try:
            yield
        except (sqlite3.Error, OSError) as error:
            raise StoreError(
                f"cannot {act} {self._path}: {error}. Nothing was changed; check the disk, "
                "or choose another file with --store"
            ) from error

    @contextmanager
    def _transaction(self, act: str) -> Iterator[sqlite3.Connection]:
        with self._explained(act):
            self._database.execute("BEGIN IMMEDIATE")
            try:
                yield self._database
                self._database.execute("COMMIT")
            except BaseException:
                if self._database.in_transaction:
                    self._database.execute("ROLLBACK")
                raise

    def create_game(self, game: Game, rows: Sequence[JournalRow] = (), snapshot: Snapshot | None = None) -> None:
        with self._transaction("write to") as database:
            if self._find(game.id):
                raise StoreError(f"there is a game {game.id} already")
            marks = ", ".join("?" * 12)
            database.execute(f"INSERT INTO games ({_GAME}) VALUES ({marks})", _columns(game))
            self._append_rows(database, game.id, rows)
            _keep_snapshot(database, game.id, snapshot)

    def games(self) -> tuple[Game, ...]:
        with self._explained("read"):
            found = self._database.execute(f"SELECT {_GAME} FROM games ORDER BY saved_at DESC, rowid").fetchall()
        return tuple(_game(row) for row in found)

    def game(self, id: str) -> Game:
        with self._explained("read"):
            game = self._find(id)
        if game is None:
            raise StoreError(f"there is no game {id} in {self._path}")
        return game

    def _find(self, id: str) -> Game | None:
        row = self._database.execute(f"SELECT {_GAME} FROM games WHERE id = ?", (id,)).fetchone()
        return None if row is None else _game(row)

    def delete_game(self, id: str) -> None:
        with self._transaction("write to") as database:
            if database.execute("DELETE FROM games WHERE id = ?", (id,)).rowcount == 0:
                raise StoreError(f"there is no game {id} in {self._path}")

    def journal(self, id: str) -> tuple[JournalRow, ...]:
        self.game(id)
        with self._explained("read"):
            found = self._database.execute(
                "SELECT number, act, commands, link, epoch, sequence FROM journal WHERE game = ? ORDER BY number", (id,)
            ).fetchall()
        return tuple(JournalRow(*row) for row in found)

    def append(
        self,
        id: str,
        rows: Sequence[JournalRow],
        cursor: Cursor | None = None,
        summary: GameSummary | None = None,
        saved_at: str | None = None,
        snapshot: Snapshot | None = None,
    ) -> None:
        with self._transaction("write to") as database:
            self._append_rows(database, id, rows)
            self._update(database, updated(self.game(id), cursor, summary, saved_at))
            _keep_snapshot(database, id, snapshot)

    def snapshot(self, id: str) -> Snapshot | None:
        self.game(id)
        with self._explained("read"):
            row = self._database.execute("SELECT row, text FROM snapshots WHERE game = ?", (id,)).fetchone()
        return None if row is None else Snapshot(*row)

    def _append_rows(self, database: sqlite3.Connection, id: str, rows: Sequence[JournalRow]) -> None:
        newest = database.execute("SELECT coalesce(max(number), 0) FROM journal WHERE game = ?", (id,)).fetchone()[0]
        check_numbers(id, rows, newest)
        database.executemany(
            "INSERT INTO journal (game, number, act, commands, link, epoch, sequence) VALUES (?, ?, ?, ?, ?, ?, ?)",
            [(id, row.number, row.act, row.commands, row.link, row.epoch, row.sequence) for row in rows],
        )

    def _update(self, database: sqlite3.Connection, game: Game) -> None:
        names = _GAME.split(", ")[1:]
        assignments = ", ".join(f"{name} = ?" for name in names)
        database.execute(f"UPDATE games SET {assignments} WHERE id = ?", (*_columns(game)[1:], game.id))

    def rebind(self, id: str, cursor: Cursor | None) -> None:
        columns = (None, None, None) if cursor is None else (cursor.arc, cursor.epoch, cursor.sequence)
        with self._transaction("write to") as database:
            self.game(id)
            database.execute("UPDATE games SET arc = ?, epoch = ?, sequence = ? WHERE id = ?", (*columns, id))

    def adopt(self, id: str, catalog_version: str, snapshot: Snapshot | None) -> None:
        with self._transaction("write to") as database:
            self.game(id)
            database.execute("UPDATE games SET catalog_version = ? WHERE id = ?", (catalog_version, id))
            _keep_snapshot(database, id, snapshot)

    def learned_tags(self) -> dict[bytes, str]:
        with self._explained("read"):
            return dict(self._database.execute("SELECT uid, id FROM learned_tags").fetchall())

    def learn_tag(self, uid: bytes, id: str) -> None:
        with self._transaction("write to") as database:
            database.execute("INSERT OR REPLACE INTO learned_tags (uid, id) VALUES (?, ?)", (bytes(uid), id))

    def token(self, device: bytes) -> bytes | None:
        with self._explained("read"):
            found = self._database.execute("SELECT token FROM paired_arcs WHERE device = ?", (bytes(device),))
            row = found.fetchone()
        return None if row is None else bytes(row[0])

    def keep_token(self, device: bytes, token: bytes) -> None:
        with self._transaction("write to") as database:
            database.execute(
                "INSERT OR REPLACE INTO paired_arcs (device, token) VALUES (?, ?)", (bytes(device), bytes(token))
            )

    def forget_token(self, device: bytes) -> None:
        with self._transaction("write to") as database:
            database.execute("DELETE FROM paired_arcs WHERE device = ?", (bytes(device),))

    def setting(self, key: str) -> str | None:
        with self._explained("read"):
            row = self._database.execute("SELECT value FROM settings WHERE key = ?", (key,)).fetchone()
        return None if row is None else str(row[0])

    def keep_setting(self, key: str, value: str) -> None:
        with self._transaction("write to") as database:
            database.execute("INSERT OR REPLACE INTO settings (key, value) VALUES (?, ?)", (key, value))

    def close(self) -> None:
        self._database.close()


def _keep_snapshot(database: sqlite3.Connection, id: str, snapshot: Snapshot | None) -> None:
    if snapshot:
        database.execute(
            "INSERT OR REPLACE INTO snapshots (game, row, text) VALUES (?, ?, ?)", (id, snapshot.row, snapshot.text)
        )


def _columns(game: Game) -> tuple[object, ...]:
    summary, cursor = game.summary, game.cursor
    place = (None, None, None) if cursor is None else (cursor.arc, cursor.epoch, cursor.sequence)
    return (
        game.id, str(game.seed), game.catalog_version, game.saved_at,
        summary.name, summary.planet, summary.round, summary.max_rounds, int(summary.is_ended), *place,
    )  # fmt: skip


def _game(row: tuple[object, ...]) -> Game:
    id, seed, version, saved_at, name, planet, round, max_rounds, is_ended, arc, epoch, sequence = row
    cursor = None if arc is None else Cursor(str(arc), int(str(epoch)), int(str(sequence)))
    summary = GameSummary(str(name), str(planet), int(str(round)), int(str(max_rounds)), bool(is_ended))
    return Game(str(id), int(str(seed)), str(version), str(saved_at), summary, cursor)
