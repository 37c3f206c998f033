"""A store in memory: for play that is not to be kept, and for tests. It sits the same exam as the real one."""

from collections.abc import Sequence

from attrs import evolve

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


class MemoryStore:
    """See `records.Store`."""

    def __init__(self) -> None:
        self._games: dict[str, Game] = {}
        self._journals: dict[str, list[JournalRow]] = {}
        self._snapshots: dict[str, Snapshot] = {}
        self._tags: dict[bytes, str] = {}
        self._tokens: dict[bytes, bytes] = {}
        self._settings: dict[str, str] = {}

    def create_game(self, game: Game, rows: Sequence[JournalRow] = (), snapshot: Snapshot | None = None) -> None:
        if game.id in self._games:
            raise StoreError(f"there is a game {game.id} already")
        self._check(game.id, rows, [])
        self._games[game.id] = game
        self._journals[game.id] = list(rows)
        if snapshot:
            self._snapshots[game.id] = snapshot

    def games(self) -> tuple[Game, ...]:
        return tuple(sorted(self._games.values(), key=lambda game: game.saved_at, reverse=True))

    def game(self, id: str) -> Game:
        if id not in self._games:
            raise StoreError(f"there is no game {id}")
        return self._games[id]

    def delete_game(self, id: str) -> None:
        self.game(id)
        del self._games[id], self._journals[id]
        self._snapshots.pop(id, None)

    def journal(self, id: str) -> tuple[JournalRow, ...]:
        self.game(id)
        return tuple(self._journals[id])

    def append(
        self,
        id: str,
        rows: Sequence[JournalRow],
        cursor: Cursor | None = None,
        summary: GameSummary | None = None,
        saved_at: str | None = None,
        snapshot: Snapshot | None = None,
    ) -> None:
        game, journal = self.game(id), self._journals[id]
        self._check(id, rows, journal)
        journal.extend(rows)
        self._games[id] = updated(game, cursor, summary, saved_at)
        if snapshot:
            self._snapshots[id] = snapshot

    def _check(self, id: str, rows: Sequence[JournalRow], journal: Sequence[JournalRow]) -> None:
        check_numbers(id, rows, len(journal))
        events: set[tuple[int | None, int | None]] = {
            (row.epoch, row.sequence) for row in journal if row.sequence is not None
        }
        for row in rows:
            if row.sequence is not None and (row.epoch, row.sequence) in events:
                raise StoreError(f"game {id}: event {row.epoch}:{row.sequence} is in the journal already")
            events.add((row.epoch, row.sequence))

    def snapshot(self, id: str) -> Snapshot | None:
        self.game(id)
        return self._snapshots.get(id)

    def rebind(self, id: str, cursor: Cursor | None) -> None:
        self._games[id] = evolve(self.game(id), cursor=cursor)

    def adopt(self, id: str, catalog_version: str, snapshot: Snapshot | None) -> None:
        self._games[id] = evolve(self.game(id), catalog_version=catalog_version)
        if snapshot:
            self._snapshots[id] = snapshot

    def learned_tags(self) -> dict[bytes, str]:
        return dict(self._tags)

    def learn_tag(self, uid: bytes, id: str) -> None:
        self._tags[bytes(uid)] = id

    def token(self, device: bytes) -> bytes | None:
        return self._tokens.get(bytes(device))

    def keep_token(self, device: bytes, token: bytes) -> None:
        self._tokens[bytes(device)] = bytes(token)

    def forget_token(self, device: bytes) -> None:
        self._tokens.pop(bytes(device), None)

    def setting(self, key: str) -> str | None:
        return self._settings.get(key)

    def keep_setting(self, key: str, value: str) -> None:
        self._settings[key] = value

    def close(self) -> None:
        pass
