"""Runs on MicroPython: tests written for pytest, with `stand_ins` in pytest's place, in the lines of `run_on_micropython.py`.

    run_units.py MODULE LIMIT TEST:ARGUMENT,…    at most LIMIT rows of a parametrized test, all of them with 0
What a test printed ends with a line `rows PLAYED ALL`; what stands before a traceback names the row.
"""

import asyncio
import gc
import sys
import time

import pytest


def spread(rows: list, limit: int) -> list:
    """At most `limit` of the rows, evenly from the first to the last."""
    if limit == 0 or len(rows) <= limit:
        return rows
    return [rows[i * (len(rows) - 1) // (limit - 1)] for i in range(limit)]


def play(cases: "pytest.Cases", row: dict, named: "list[str]") -> None:
    """One row. What is named and neither in the row nor a fixture is drawn by the property itself."""
    arguments = dict(row)
    for name in named:
        if name not in row and name in pytest.fixtures:
            arguments[name] = pytest.fixtures[name]()
    result = cases.function(**arguments)
    if hasattr(result, "send"):
        asyncio.run(result)
        asyncio.new_event_loop()


def run_test(name: str, cases: "pytest.Cases", named: "list[str]", limit: int) -> bool:
    print("@@ start", name)
    begun = time.ticks_ms()
    error, row = None, {}
    rows = spread(cases.rows, limit)
    try:
        for row in rows:
            gc.collect()
            play(cases, row, named)
    except (Exception, SystemExit) as caught:
        error = caught
    print()
    print("rows", len(rows), len(cases.rows))
    print("@@", "failed" if error else "ok", name, time.ticks_diff(time.ticks_ms(), begun))
    if error:
        print("with", row)
        sys.print_exception(error)
        print("@@ end")
    return error is None


def main(name: str, limit: int, tests: "list[str]") -> int:
    module = __import__(name, None, None, ["*"])
    is_good = True
    for test in tests:
        function, _, arguments = test.partition(":")
        cases = pytest.cases_of(getattr(module, function))
        is_good = run_test(function, cases, arguments.split(","), limit) and is_good
    return 0 if is_good else 1


sys.exit(main(sys.argv[1], int(sys.argv[2]), sys.argv[3:]))
