"""Rows on disk: a CSV that grows while a run goes on and says by itself where to resume."""

import csv
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from attrs import asdict

from companion.lab.game_row import COLUMNS, GameRow


class RowsError(ValueError):
    """The file is not a run's; the message says what and where."""


def write_rows(path: Path, rows: Iterable[GameRow]) -> None:
    """Appends; writes the header first when the file is new."""
    is_new = not path.exists() or path.stat().st_size == 0
    with path.open("a", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, COLUMNS, lineterminator="\n")
        if is_new:
            writer.writeheader()
        writer.writerows(asdict(row) for row in rows)


def read_rows(path: Path) -> list[GameRow]:
    """In order of id. Raises `RowsError`."""
    return sorted(_read(path), key=lambda row: row.id)


def drop_torn_line(path: Path) -> None:
    """A run that was killed may have left half a line; it is cut off so that the game is played again."""
    data = path.read_bytes()
    if data and not data.endswith(b"\n"):
        path.write_bytes(data[: data.rfind(b"\n") + 1])


def _read(path: Path) -> Iterator[GameRow]:
    with path.open(newline="", encoding="utf-8") as file:
        reader = csv.DictReader(file)
        if tuple(reader.fieldnames or ()) != COLUMNS:
            raise RowsError(f"{path} has other columns than this lab writes; begin a new file")
        for row in reader:
            try:
                yield _row(row)
            except (KeyError, TypeError, ValueError):
                raise RowsError(f"{path}:{reader.line_num}: this line is damaged; delete it and run again") from None


def _row(cells: dict[str, str]) -> GameRow:
    values: dict[str, Any] = {}
    for name, kind in GameRow.__annotations__.items():
        cell = cells[name]
        if kind is bool:
            values[name] = {"True": True, "False": False}[cell]
        else:
            values[name] = int(cell) if kind is int else cell
    return GameRow(**values)
