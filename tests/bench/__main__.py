"""`make bench`: runs every `bench_*.py` of this folder, prints one table and writes `build/bench.json`.

Each file has `rows() -> Iterable[Row]`. Exit code 1 when a budget is broken or a bench fails.
"""

import argparse
import importlib
import json
import sys
import traceback
from collections.abc import Iterator, Sequence
from pathlib import Path

from tests.bench.rows import Row, table

FOLDER = Path(__file__).parent
RESULT = FOLDER.parents[1] / "build" / "bench.json"


def bench_names() -> list[str]:
    """The benches there are: `protocol` for `bench_protocol.py`."""
    return sorted(path.stem.removeprefix("bench_") for path in FOLDER.glob("bench_*.py"))


def measure(name: str) -> Iterator[Row]:
    """The rows of one bench, as they are measured."""
    yield from importlib.import_module(f"tests.bench.bench_{name}").rows()


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.bench", description=__doc__)
    parser.add_argument("--only", metavar="NAME", choices=bench_names(), action="append", help="this bench alone")
    names = parser.parse_args(arguments).only or bench_names()
    rows: list[Row] = []
    failed: list[str] = []
    for name in names:
        print(f"measuring: {name}", file=sys.stderr, flush=True)
        try:
            rows.extend(measure(name))
        except Exception:
            traceback.print_exc()
            failed.append(name)
    print(table(rows))
    RESULT.parent.mkdir(parents=True, exist_ok=True)
    RESULT.write_text(json.dumps([row.to_json() for row in rows], indent=1) + "\n", encoding="utf-8")
    if failed:
        print(f"failed: {', '.join(failed)}", file=sys.stderr)
    return 0 if not failed and all(row.ok for row in rows) else 1


if __name__ == "__main__":
    sys.exit(main())
