"""A board's own file system as the flash tool leaves it: then its program comes from folder `a` or `b`, and can be updated."""

import shutil
from functools import cache
from pathlib import Path

from firmware.flash.program import MANIFEST, Program, build_program
from firmware.flash.slots import FOLDERS, MAIN, RUNNING, STARTER


def flash(files: Path, entry: str) -> None:
    """Puts the starter and the program of these sources into a new board's `files`. One that was flashed before keeps what it has."""
    if (files / MAIN).exists():
        return
    put_program(files, FOLDERS[0], _program(entry.removesuffix(".py").replace("/", ".")))
    (files / RUNNING).write_text(FOLDERS[0])
    # last, as over the cable: a board with a starter has a program
    shutil.copy(STARTER, files / MAIN)


def put_program(files: Path, folder: str, program: Program) -> None:
    """All files of a program, its manifest last."""
    for name, data in {**program.files, MANIFEST: program.manifest()}.items():
        place = files / folder / name
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(data)


@cache
def _program(entry: str) -> Program:
    return build_program(entry)
