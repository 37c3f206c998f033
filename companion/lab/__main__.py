"""`python -m companion.lab run | report | compare`: whole games without a window."""

import argparse
import sys
from collections.abc import Collection, Iterable, Sequence
from pathlib import Path
from zlib import crc32

from companion import catalog
from companion.lab.card_report import cards_text, measure_cards
from companion.lab.comparing import comparison_text
from companion.lab.plans import Batch
from companion.lab.policies import POLICIES
from companion.lab.report import write_report
from companion.lab.rows import RowsError, read_rows
from companion.lab.running import Bar, run_batch
from companion.simulation.words import Mode

_BUILD = Path("build/lab")
_MODES = tuple(mode.value for mode in Mode)


def main(arguments: Sequence[str] | None = None) -> int:
    given = _parser().parse_args(arguments)
    try:
        return int(given.act(given))
    except (catalog.CatalogError, RowsError, ValueError, OSError) as error:
        print(error, file=sys.stderr)
        return 1


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m companion.lab", description=__doc__)
    acts = parser.add_subparsers(required=True)
    run = acts.add_parser("run", help="play games; one row each into a CSV, resumable")
    _add_batch(run)
    run.add_argument("--out", type=Path, default=_BUILD / "games.csv")
    run.add_argument("--catalog", type=Path, help="folder laid over the shipped catalog")
    run.set_defaults(act=_run)
    report = acts.add_parser("report", help="tables and plots of a CSV as text")
    report.add_argument("rows", type=Path)
    report.add_argument("--managers", type=Path, help="a CSV of many games by one policy, to compare managers")
    report.add_argument("--catalog", type=Path)
    report.add_argument("--out", type=Path, help="file; else printed")
    report.add_argument("--title", default="How the game plays")
    report.set_defaults(act=_report)
    cards = acts.add_parser("cards", help="is each decree ever worth playing, and is it always?")
    cards.add_argument("--games", type=int, default=60, help="games whose moments are used, on every planet")
    cards.add_argument("--planets", default="rustfall")
    cards.add_argument("--catalog", type=Path)
    cards.add_argument("--seed", type=int, default=1)
    cards.add_argument("--workers", type=int, default=0)
    cards.set_defaults(act=_cards)
    compare = acts.add_parser("compare", help="the same seeds with and without a folder")
    _add_batch(compare)
    compare.add_argument("--catalog", type=Path, required=True)
    compare.add_argument("--out", type=Path, default=_BUILD / "compare")
    compare.set_defaults(act=_compare)
    return parser


def _add_batch(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--games", type=int, default=200, help="of every policy on every planet in every mode")
    parser.add_argument("--policies", default=",".join(POLICIES))
    parser.add_argument("--planets", default="all")
    parser.add_argument("--modes", default=Mode.SEMI_COOP.value)
    parser.add_argument("--players", default="3", help="numbers of managers, taken in turn: 2,3,4,5")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--workers", type=int, default=0, help="processes; 0: one a core")
    parser.add_argument("--scheduler", help="address of a Dask scheduler; needs the extra “lab”")


def _batch(given: argparse.Namespace, shelf: catalog.Catalog) -> Batch:
    modes = _MODES if given.modes == "all" else tuple(given.modes.split(","))
    policies = tuple(given.policies.split(","))
    _check_names("mode", modes, _MODES)
    _check_names("policy", policies, POLICIES)
    planets = _planets(given, shelf)
    return Batch(policies, planets, modes, _players(given.players), given.games, given.seed)


def _players(text: str) -> tuple[int, ...]:
    try:
        return tuple(map(int, text.split(",")))
    except ValueError:
        raise ValueError(f"--players {text}: right are numbers of managers, such as 3 or 2,3,4,5") from None


def _planets(given: argparse.Namespace, shelf: catalog.Catalog) -> tuple[str, ...]:
    planets = tuple(shelf.planets) if given.planets == "all" else tuple(given.planets.split(","))
    _check_names("planet", planets, shelf.planets)
    return planets


def _check_names(what: str, names: Iterable[str], known: Collection[str]) -> None:
    for name in names:
        if name not in known:
            raise ValueError(f"there is no {what} {name!r}; right is one of: {', '.join(known)}")


def _run(given: argparse.Namespace) -> int:
    folder = str(given.catalog) if given.catalog else None
    batch = _batch(given, catalog.load(folder))
    played = run_batch(batch, given.out, folder, given.workers, given.scheduler, Bar())
    print(f"{played} games played, {len(batch)} in {given.out}")
    return 0


def _report(given: argparse.Namespace) -> int:
    managers = read_rows(given.managers) if given.managers else []
    text = write_report(read_rows(given.rows), catalog.load(given.catalog), given.title, managers)
    if given.out:
        given.out.write_text(text, encoding="utf-8")
    else:
        print(text, end="")
    return 0


def _cards(given: argparse.Namespace) -> int:
    folder = str(given.catalog) if given.catalog else None
    shelf = catalog.load(folder)
    batch = Batch(("careful",), _planets(given, shelf), (Mode.SEMI_COOP.value,), (3,), given.games, given.seed)
    print(cards_text(measure_cards(batch, folder, given.workers)))
    return 0


def _compare(given: argparse.Namespace) -> int:
    batch = _batch(given, catalog.load())
    runs = []
    for name, folder in (("without", None), ("with", str(given.catalog))):
        out = given.out / f"{name}-{catalog.load(folder).version}-{crc32(repr(batch).encode()):08x}.csv"
        run_batch(batch, out, folder, given.workers, given.scheduler, Bar())
        runs.append(read_rows(out))
    print(comparison_text(*runs))
    return 0


if __name__ == "__main__":
    sys.exit(main())
