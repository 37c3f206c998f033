"""What a bug report needs, as one zip: the journal without hidden numbers, what the ARC says of itself, versions."""

import json
import platform
import zipfile
from collections.abc import Iterable
from datetime import datetime
from io import BytesIO
from pathlib import Path
from typing import Any

from attrs import asdict

from companion.board_page import Board
from companion.storage.records import Game, JournalRow
from protocol.messages import VERSION, Info

HIDDEN = "(hidden numbers, left out)"
_ABOUT = """What is in here
journal.jsonl  every registered act of the game, one a line, without the dice and without hidden numbers
game.json      name, planet, round, the version of the cards, the place in the ARC's log
arc.json       firmware, counters; log.txt the ARC's own log with its last crash
app.txt        the last lines of the app's own log
versions.json  of the app's surroundings
"""


def bug_report(
    game: Game, journal: Iterable[JournalRow], info: Info | None, board: Board, app_log: str, rules_version: str
) -> bytes:
    """The zip. The game's seed is not in it, nor the colony as text, so nobody learns what players must not know."""
    parts = {
        "about.txt": _ABOUT,
        "journal.jsonl": "".join(json.dumps(shown(row), ensure_ascii=False) + "\n" for row in journal),
        "game.json": _text({name: value for name, value in asdict(game).items() if name != "seed"}),
        "arc.json": _text({"info": _told(info), "counters": board.counters, "self_test": board.tests}),
        "log.txt": board.log or "",
        "app.txt": app_log,
        "versions.json": _text(
            {
                "python": platform.python_version(),
                "system": platform.platform(),
                "protocol": VERSION,
                "cards": rules_version,
            }
        ),
    }
    data = BytesIO()
    with zipfile.ZipFile(data, "w", zipfile.ZIP_DEFLATED) as zip_file:
        for name, text in parts.items():
            # a fixed time: the same report is the same file
            zip_file.writestr(zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0)), text, zipfile.ZIP_DEFLATED)
    return data.getvalue()


def keep(report: bytes, folder: Path, now: datetime) -> Path:
    """Where it was written; `OSError` when it could not be."""
    path = folder / f"report-{now:%Y-%m-%d-%H%M%S}.zip"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(report)
    return path


def shown(row: JournalRow) -> dict[str, Any]:
    """A row as others may see it."""
    act = json.loads(row.act)
    if "snapshot" in act:
        act["snapshot"] = HIDDEN
    return {**asdict(row), "act": act, "commands": json.loads(row.commands)}


def _told(info: Info | None) -> dict[str, Any] | None:
    """Without the nonce, which nobody needs."""
    if info is None:
        return None
    values = {name: getattr(info, name) for name, _ in info.LAYOUT if name != "nonce"}
    return {**values, "device": info.device.hex()}


def _text(content: object) -> str:
    return json.dumps(content, ensure_ascii=False, indent=1, default=str) + "\n"
