"""A program as it goes onto a board: compiled files and the manifest that vouches for them."""

import ast
import hashlib
import json
from collections.abc import Mapping
from pathlib import Path

from attrs import frozen

from firmware import compiling
from firmware.flash.errors import FlashError
from firmware.flash.sources import ROOT, source_files

MANIFEST = "manifest.json"
VERSION_FILE = "firmware/version.py"


@frozen
class Program:
    """`files` by their path in the folder on the board. `mpy_version` is what the board's MicroPython has to know."""

    entry: str
    version: str
    files: Mapping[str, bytes]
    mpy_version: int

    @property
    def size(self) -> int:
        """Bytes of all files together."""
        return sum(len(data) for data in self.files.values())

    def hashes(self) -> dict[str, str]:
        """SHA-256 of each file, hexadecimal."""
        return {name: hashlib.sha256(data).hexdigest() for name, data in self.files.items()}

    def manifest(self) -> bytes:
        """What lies in the folder once everything else in it has been verified."""
        content = {"entry": self.entry, "version": self.version, "mpy": self.mpy_version, "files": self.hashes()}
        return json.dumps(content, sort_keys=True).encode()


def build_program(entry: str, root: Path = ROOT) -> Program:
    """The program that `entry` starts, from the sources as they are now. `FlashError` when a file does not compile."""
    return pack_program(entry, compile_files(source_files(entry, root), compiling.FOR_BOARDS), _version(root))


def pack_program(entry: str, files: Mapping[str, bytes], number: str) -> Program:
    """Compiled files as a program, its version being `number` and the beginning of a digest over all of them."""
    digest = hashlib.sha256()
    for name, data in sorted(files.items()):
        digest.update(name.encode() + b"\0" + hashlib.sha256(data).digest())
    versions = {data[1] for data in files.values()}
    if len(versions) != 1:
        raise FlashError(f"the compiled files have several .mpy versions: {sorted(versions)}", "run `make setup` again")
    return Program(entry, f"{number}+{digest.hexdigest()[:8]}", dict(files), versions.pop())


def compile_files(files: Mapping[str, Path], optimise: int = 0) -> dict[str, bytes]:
    """What mpy-cross makes of each, by the path with .mpy at its end."""
    try:
        compiled = compiling.compile_files(files, optimise)
    except compiling.CompileError as error:
        raise FlashError(str(error).strip(), "mend it; `make check` finds all") from error
    return {name.removesuffix(".py") + ".mpy": data for name, data in compiled.items()}


def _version(root: Path) -> str:
    """What the program will say of itself. Read, not imported: `root` may hold other sources than these."""
    for statement in ast.parse((root / VERSION_FILE).read_text()).body:
        if isinstance(statement, ast.Assign) and ast.unparse(statement.targets[0]) == "FIRMWARE_VERSION":
            return ".".join(map(str, ast.literal_eval(statement.value)))
    raise FlashError(f"{VERSION_FILE} names no FIRMWARE_VERSION", "take it from the repository again")
