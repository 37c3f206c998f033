"""Runs on MicroPython: the named tests of one file, one after another, each with one line of result on stdout.

    run_on_micropython.py FILE TEST…        lines: `@@ start NAME`, then `@@ ok NAME MS` or `@@ failed NAME MS`
Between start and result stands what the test printed; after `@@ failed` the traceback, up to `@@ end`.
"""

import asyncio
import gc
import sys
import time


def run_test(name: str, test) -> bool:
    gc.collect()
    print("@@ start", name)
    begun = time.ticks_ms()
    error = None
    try:
        result = test()
        if hasattr(result, "send"):
            asyncio.run(result)
            asyncio.new_event_loop()
    except (Exception, SystemExit) as caught:
        error = caught
    print()
    print("@@", "failed" if error else "ok", name, time.ticks_diff(time.ticks_ms(), begun))
    if error:
        sys.print_exception(error)
        print("@@ end")
    return error is None


def load(path: str) -> dict:
    """The globals of the file, executed as a module of its own name, so that its tracebacks name the file."""
    folder, _, file_name = path.rpartition("/")
    sys.path.insert(0, folder)
    module = __import__(file_name[: -len(".py")])
    sys.path.pop(0)
    return module.__dict__


def main(path: str, names: "list[str]") -> int:
    tests = load(path)
    passed = [run_test(name, tests[name]) for name in names]
    return 0 if all(passed) else 1


sys.exit(main(sys.argv[1], sys.argv[2:]))
