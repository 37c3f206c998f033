"""The two folders of a board, which of them runs, and how a board is put to a quiet prompt. Beside `board_files/main.py`, its other end.

| file | content |
|---|---|
| `main.py` | our starter |
| `a/`, `b/` | a program each; `manifest.json` is written last and says that all the rest is whole |
| `running` | the folder that runs; two names: the first on trial, the second if it fails |
| `hold` | stay at the prompt for one boot |
| `failed.txt` | the traceback of what last failed to load or run |
"""

from pathlib import Path

from attrs import frozen

from firmware.flash import snippets
from firmware.flash.board import Board, Facts
from firmware.flash.errors import DiskFullError
from firmware.flash.program import MANIFEST

FOLDERS = ("a", "b")
RUNNING, HOLD, FAILED, MAIN = "running", "hold", "failed.txt", "main.py"
KEPT = "main.kept.py"
STARTER = Path(__file__).parent / "board_files" / MAIN
_MARK = b'"""Colonies starter'


@frozen
class Slots:
    """`running` is the folder whose program the board starts, "" when it has none of ours; `has_starter`: its main.py is ours."""

    running: str
    has_starter: bool
    has_foreign_main: bool

    @property
    def target(self) -> str:
        """The folder that may be written."""
        return FOLDERS[self.running == FOLDERS[0]]


def read_slots(board: Board, facts: Facts) -> Slots:
    """What runs is asked before what should run: where `running` names a folder that does not load, the other one runs."""
    main = board.read(MAIN) if MAIN in facts.names else None
    has_starter = main is not None and main.startswith(_MARK)
    running = facts.loaded_from if facts.loaded_from in FOLDERS else _named(board, facts)
    return Slots(running if has_starter else "", has_starter, main is not None and not has_starter)


def _named(board: Board, facts: Facts) -> str:
    """The last name in `running` (a trial that was cut off counts as failed), else a folder that is whole."""
    written = (board.read(RUNNING) or b"").decode(errors="replace").split() if RUNNING in facts.names else []
    whole = [folder for folder in FOLDERS if folder in facts.names and board.read(f"{folder}/{MANIFEST}") is not None]
    for name in [*written[-1:], *whole]:
        if name in whole:
            return name
    return ""


def hold(board: Board, slots: Slots) -> None:
    """Restart into a quiet prompt: no task, no watchdog, an empty heap. Only our starter knows how."""
    if not slots.has_starter:
        return
    try:
        board.run(snippets.HOLD)
    except DiskFullError:
        clear(board, slots.target)
        board.run(snippets.HOLD)
    board.reset()
    board.enter()


def clear(board: Board, folder: str) -> None:
    """Empty a folder that does not run, its manifest first."""
    board.remove([f"{folder}/{MANIFEST}", *(f"{folder}/{name}" for name in board.hashes(folder))])


def switch(board: Board, slots: Slots, folder: str) -> None:
    """From the next boot on `folder` runs: on trial where there is something to go back to."""
    names = f"{folder} {slots.running}" if slots.running else folder
    board.replace(RUNNING, names.encode())


def confirm(board: Board, folder: str) -> None:
    """The trial is over: `folder` runs from now on."""
    board.replace(RUNNING, folder.encode())


def put_starter(board: Board, slots: Slots) -> bool:
    """Our main.py, where it is not there already in this very form. A foreign one is kept beside it."""
    starter = STARTER.read_bytes()
    if board.read(MAIN) == starter:
        return False
    if slots.has_foreign_main:
        board.run(snippets.KEEP.format(old=MAIN, new=KEPT))
    board.replace(MAIN, starter)
    return True
