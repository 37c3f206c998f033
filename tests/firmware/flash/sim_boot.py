# Runs in the interpreter that stands for a board's: starts main.py as a board does, in the prompt's own globals.
import os

import sim_hardware  # noqa: F401 - from here on files and modules are the board's

try:
    with open("main.py") as _file:
        _main = _file.read()
except OSError:
    _main = ""
if os.getenv("SIM_RAW") != "1":
    exec(compile(_main, "main.py", "exec"), globals())
