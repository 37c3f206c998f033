"""A whole game as a few bytes, to be left with an ARC or kept in a file: what the store holds of it, and learned tags.

Form: `BHC`, a version byte, then zlib over JSON. No word of what the rows mean.
"""

import json
import zlib
from datetime import datetime
from typing import Any

from attrs import asdict, field, frozen

from companion.storage.records import Cursor, Game, GameSummary, JournalRow, Snapshot

_MAGIC, _VERSION = b"BHC", 1
_MOST_BYTES = 32 * 1024 * 1024
"""Unpacked; what claims to be larger was not packed here."""


class CopyError(Exception):
    """These bytes are no game this app can read; the text says why and what to do."""


@frozen
class GameCopy:
    game: Game
    rows: tuple[JournalRow, ...]
    snapshot: Snapshot | None = None
    learned_tags: dict[bytes, str] = field(factory=dict)


class NewerCopyError(CopyError):
    """A newer app left them: a game for all that."""


def pack(copy: GameCopy) -> bytes:
    """The same copy gives the same bytes on this machine."""
    snapshot = copy.snapshot
    content = {
        "game": asdict(copy.game),
        "rows": [[row.number, row.act, row.commands, row.link, row.epoch, row.sequence] for row in copy.rows],
        "snapshot": [snapshot.row, snapshot.text] if snapshot else None,
        "tags": {uid.hex(): id for uid, id in sorted(copy.learned_tags.items())},
    }
    text = json.dumps(content, ensure_ascii=False, separators=(",", ":"))
    return _MAGIC + bytes((_VERSION,)) + zlib.compress(text.encode(), 9)


def unpack(data: bytes) -> GameCopy:
    if data[:3] != _MAGIC or len(data) < 4:
        raise CopyError("What the ARC keeps is no game of this app.")
    if data[3] != _VERSION:
        raise NewerCopyError(
            f"This game was left by a newer app (form {data[3]}, this app reads {_VERSION}): update this app."
        )
    try:
        return _copy(json.loads(_inflated(data[4:])))
    except (zlib.error, ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
        raise CopyError(f"The game on the ARC is damaged and cannot be read ({error}).") from error


def is_continued_by(older: tuple[JournalRow, ...], newer: tuple[JournalRow, ...]) -> bool:
    """Whether `newer` begins with `older`: nothing of `older` would be lost."""
    return newer[: len(older)] == older


def _inflated(data: bytes) -> bytes:
    inflating = zlib.decompressobj()
    found = inflating.decompress(data, _MOST_BYTES)
    if not inflating.eof:
        raise ValueError("it does not end")
    return found


def _copy(content: dict[str, Any]) -> GameCopy:
    fields = dict(content["game"])
    datetime.fromisoformat(fields["saved_at"])  # lists of games read it
    summary = GameSummary(**fields.pop("summary"))
    cursor = fields.pop("cursor")
    return GameCopy(
        Game(**fields, summary=summary, cursor=Cursor(**cursor) if cursor else None),
        tuple(JournalRow(*row) for row in content["rows"]),
        Snapshot(*content["snapshot"]) if content["snapshot"] else None,
        {bytes.fromhex(uid): str(id) for uid, id in content["tags"].items()},
    )
