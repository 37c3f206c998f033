"""A module's program as a module has it, compiled and in its own file system: what it holds in a heap of 160 KiB.

Words have 8 bytes here and 4 on a module, so it holds less there; `make bench` counts those.
"""

import os
from pathlib import Path

import pytest

from firmware.flash.kinds import MODULE
from firmware.flash.program import build_program
from tests.on_micropython.interpreter import MISSING, find_interpreter, run_script

pytestmark = pytest.mark.skipif(find_interpreter() is None and not os.environ.get("CI"), reason=MISSING)

HEAP_KIB = 160
PROBE = """
import gc, sys
sys.path.insert(0, "a")
from firmware.module import main
gc.collect()
print(main.__file__, gc.mem_alloc())
from firmware.module import updating
gc.collect()
print(updating.__file__, gc.mem_alloc())
"""


def test_it_uses_at_most_half_of_the_heap_with_the_update_loaded_too(tmp_path: Path) -> None:
    for name, data in build_program(MODULE.entry).files.items():
        place = tmp_path / "a" / name
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(data)
    script = tmp_path / "probe.py"
    script.write_text(PROBE)
    run = run_script(script, heap=f"{HEAP_KIB}k", shims=True, folder=tmp_path)
    (main, running), (updating, most) = (line.split() for line in run.stdout.splitlines())
    assert (main, updating) == ("a/firmware/module/main.mpy", "a/firmware/module/updating.mpy"), run.stderr
    assert int(running) < int(most) <= HEAP_KIB * 1024 // 2, run.stdout
    print(f"{running} bytes, with the update {most}")
