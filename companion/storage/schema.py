"""The tables, as a list of migrations: entry n brings a database of version n to n + 1. Entries are never edited."""

import sqlite3

from companion.storage.records import StoreError

MIGRATIONS = (
    """
    CREATE TABLE games (
        id TEXT PRIMARY KEY,
        seed TEXT NOT NULL,
        catalog_version TEXT NOT NULL,
        saved_at TEXT NOT NULL,
        name TEXT NOT NULL, planet TEXT NOT NULL,
        round INTEGER NOT NULL, max_rounds INTEGER NOT NULL, is_ended INTEGER NOT NULL,
        arc TEXT, epoch INTEGER, sequence INTEGER
    ) STRICT;
    CREATE TABLE journal (
        game TEXT NOT NULL REFERENCES games (id) ON DELETE CASCADE,
        number INTEGER NOT NULL,
        act TEXT NOT NULL,
        commands TEXT NOT NULL,
        link TEXT NOT NULL,
        epoch INTEGER, sequence INTEGER,
        PRIMARY KEY (game, number)
    ) STRICT, WITHOUT ROWID;
    CREATE UNIQUE INDEX one_row_an_event ON journal (game, epoch, sequence) WHERE sequence IS NOT NULL;
    CREATE TABLE learned_tags (uid BLOB PRIMARY KEY, id TEXT NOT NULL) STRICT;
    CREATE TABLE paired_arcs (device BLOB PRIMARY KEY, token BLOB NOT NULL) STRICT;
    CREATE TABLE settings (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;
    """,
    """
    CREATE TABLE snapshots (
        game TEXT PRIMARY KEY REFERENCES games (id) ON DELETE CASCADE,
        row INTEGER NOT NULL,
        text TEXT NOT NULL
    ) STRICT;
    """,
)
VERSION = len(MIGRATIONS)


def migrate(database: sqlite3.Connection, path: str) -> None:
    """Brings the database to `VERSION`, each step in a transaction; `StoreError` when it is newer than this app."""
    found = int(database.execute("PRAGMA user_version").fetchone()[0])
    if found > VERSION:
        raise StoreError(
            f"{path} was written by a newer app (store version {found}, this app reads up to {VERSION}): update the app"
        )
    for version in range(found, VERSION):
        database.executescript(f"BEGIN IMMEDIATE;{MIGRATIONS[version]}PRAGMA user_version = {version + 1};COMMIT;")
