"""For authors: `python -m companion.catalog check FOLDER | watch FOLDER | codes [N] | import-planets FILE [--into FOLDER]`."""

import argparse
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from companion.catalog.exoplanets import import_planets, planet_toml
from companion.catalog.faults import CatalogError
from companion.catalog.loader import KINDS, load
from protocol import tag

_FIRST_FREE = 1000
"""Numbers below are the shipped set's."""
_LOOK_EVERY_S = 0.5


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m companion.catalog", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    for name, text in (("check", "say what is wrong with a folder"), ("watch", "check again whenever it changes")):
        command = commands.add_parser(name, help=text)
        command.add_argument("folder", type=Path, nargs="?", help="none: the shipped catalog")
    codes = commands.add_parser("codes", help="tag codes that nothing uses yet")
    codes.add_argument("count", type=int, nargs="?", default=10)
    codes.add_argument("--catalog", type=Path, help="a folder whose codes are taken too")
    planets = commands.add_parser("import-planets", help="planets from an exoplanet archive's CSV")
    planets.add_argument("file", type=Path)
    planets.add_argument("--into", type=Path, help="folder for planets.toml; else the entries are printed")
    given = parser.parse_args(arguments)
    if given.command == "check":
        return check(given.folder)
    if given.command == "watch":
        return watch(given.folder)
    if given.command == "codes":
        return print_codes(given.count, given.catalog)
    return bring_planets(given.file, given.into)


def check(folder: Path | None) -> int:
    """Prints what there is, or what is wrong; 0 when the folder can be played."""
    try:
        catalog = load(folder)
    except CatalogError as error:
        print(error)
        return 1
    counts = ", ".join(f"{len(getattr(catalog, attribute))} {attribute}" for attribute, _ in KINDS.values())
    print(f"good: catalog {catalog.version}: {counts}")
    return 0


def watch(folder: Path | None) -> int:
    """Checks at every change of a file, until interrupted."""
    seen: object = None
    try:
        while True:
            files = sorted((folder or Path(__file__).parent).rglob("*.toml"))
            now = [(file, file.stat().st_mtime_ns) for file in files if file.exists()]
            if now != seen:
                seen = now
                check(folder)
            time.sleep(_LOOK_EVERY_S)
    except KeyboardInterrupt:
        return 0


def print_codes(count: int, folder: Path | None) -> int:
    try:
        taken = load(folder).tags()
    except CatalogError as error:
        print(error, file=sys.stderr)
        return 1
    free = (code for number in range(_FIRST_FREE, tag.CODE_COUNT) if (code := tag.code_text(number)) not in taken)
    for _, code in zip(range(count), free, strict=False):
        print(code)
    return 0


def bring_planets(file: Path, into: Path | None) -> int:
    """1 when nothing could be read; odd rows are named and left out."""
    try:
        found = import_planets(file.read_text(encoding="utf-8", errors="replace"))
    except (OSError, ValueError) as error:
        print(f"{file}: {error}", file=sys.stderr)
        return 1
    for odd in found.skipped:
        print(f"{file}:{odd.line}: {odd.name}: skipped: {odd.reason}", file=sys.stderr)
    text = "\n".join(planet_toml(planet) for planet in found.planets)
    if into is None:
        print(text)
    else:
        into.mkdir(parents=True, exist_ok=True)
        (into / "planets.toml").write_text(text, encoding="utf-8")
    print(f"{len(found.planets)} planets, {len(found.skipped)} rows skipped", file=sys.stderr)
    return 0 if found.planets else 1


if __name__ == "__main__":
    sys.exit(main())
