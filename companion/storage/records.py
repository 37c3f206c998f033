"""What a store keeps, as plain values, and what it promises: one face for SQLite and for memory."""

from collections.abc import Sequence
from typing import Protocol

from attrs import evolve, field, frozen


class StoreError(Exception):
    """The store cannot do what was asked. The text says what, where, and what people can do."""


@frozen
class Cursor:
    """Up to where an ARC's event log has been applied to a game. `arc` is the device id in hex."""

    arc: str
    epoch: int
    sequence: int


@frozen
class JournalRow:
    """One act of a game. `act` and `commands` are JSON texts; (epoch, sequence) names the ARC's event, None: a tap."""

    number: int
    act: str
    commands: str = "[]"
    link: str = "none"
    epoch: int | None = None
    sequence: int | None = None


@frozen
class GameSummary:
    """What a list of games shows. Nothing in it is hidden from players."""

    name: str = ""
    planet: str = ""
    round: int = 0
    max_rounds: int = 0
    is_ended: bool = False


@frozen
class Game:
    id: str
    seed: int = field(repr=False)
    """Hidden (colonies' dice): never shown, never logged; replay needs it."""
    catalog_version: str
    saved_at: str
    """ISO 8601 with zone, given by the caller."""
    summary: GameSummary = GameSummary()
    cursor: Cursor | None = None


@frozen
class Snapshot:
    """The sitting as it was right after row `row`, as the session's own text: for a journal that no longer replays."""

    row: int
    text: str = field(repr=False)
    """Hidden numbers are in it: never shown, never logged."""


class Store(Protocol):
    """Every call is durable when it returns, and happens whole or not at all. Numbers of rows begin at 1, without gaps."""

    def create_game(self, game: Game, rows: Sequence[JournalRow] = (), snapshot: Snapshot | None = None) -> None: ...

    def games(self) -> tuple[Game, ...]:
        """Newest `saved_at` first."""

    def game(self, id: str) -> Game:
        """`StoreError` when there is none."""

    def delete_game(self, id: str) -> None: ...

    def journal(self, id: str) -> tuple[JournalRow, ...]:
        """All rows in order."""

    def append(
        self,
        id: str,
        rows: Sequence[JournalRow],
        cursor: Cursor | None = None,
        summary: GameSummary | None = None,
        saved_at: str | None = None,
        snapshot: Snapshot | None = None,
    ) -> None:
        """Rows, cursor and snapshot in one transaction. `StoreError` when the first number is not the next one."""

    def snapshot(self, id: str) -> Snapshot | None:
        """The newest one; older ones are not kept."""

    def rebind(self, id: str, cursor: Cursor | None) -> None:
        """The game goes on with this ARC from here; None: with any."""

    def adopt(self, id: str, catalog_version: str, snapshot: Snapshot | None) -> None:
        """The game goes on with this catalog; None keeps the snapshot there is."""

    def learned_tags(self) -> dict[bytes, str]:
        """UID as events carry it → catalog id."""

    def learn_tag(self, uid: bytes, id: str) -> None: ...

    def token(self, device: bytes) -> bytes | None:
        """The pairing token of an ARC."""

    def keep_token(self, device: bytes, token: bytes) -> None: ...

    def forget_token(self, device: bytes) -> None: ...

    def setting(self, key: str) -> str | None: ...

    def keep_setting(self, key: str, value: str) -> None: ...

    def close(self) -> None: ...


def updated(game: Game, cursor: Cursor | None, summary: GameSummary | None, saved_at: str | None) -> Game:
    """`game` with what an append brought; None keeps what was there."""
    return evolve(
        game,
        cursor=cursor or game.cursor,
        summary=summary or game.summary,
        saved_at=saved_at or game.saved_at,
    )


def check_numbers(id: str, rows: Sequence[JournalRow], newest: int) -> None:
    """`StoreError` unless `rows` continue a journal that ends at `newest`."""
    for expected, row in enumerate(rows, start=newest + 1):
        if row.number != expected:
            raise StoreError(
                f"game {id}: row {row.number} does not continue its journal, which ends at {expected - 1}; "
                "is it open in a second window? Open the game again."
            )
