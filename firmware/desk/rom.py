"""The boards' program as a ROMFS image: compiled files that run where they lie, as from a board's `romfs` partition.

MicroPython then keeps only objects in its heap, not their code. The image is built once for each state of the sources.
"""

import hashlib
import os
import sys
from pathlib import Path

from firmware.compiling import compile_files
from firmware.desk.processes import ROOT

FOLDERS = (
    "protocol",
    "firmware/arc",
    "firmware/update",
    "firmware/module",
    "firmware/bus",
    "firmware/drivers",
    "firmware/boards",
)
SHIMS = "firmware/desk/shims"
TOP = ("firmware/__init__.py", "firmware/version.py")
COMPILER = "firmware/compiling.py"

_MAGIC = b"\xd2\xcd\x31"
_DATA, _FOLDER, _FILE = 2, 4, 5


def program_files() -> dict[str, Path]:
    """Every file that boards run, by its path on a board."""
    files = {name: ROOT / name for name in TOP}
    for folder in FOLDERS:
        files |= {str(path.relative_to(ROOT)): path for path in sorted((ROOT / folder).glob("*.py"))}
    return files


def shim_files() -> dict[str, Path]:
    """The desk's modules in the place of those that are built into a board's interpreter."""
    return {f"shims/{path.name}": path for path in sorted((ROOT / SHIMS).glob("*.py"))}


def rom_image(cache: Path = ROOT / "build" / "rom") -> Path:
    """The image of the sources as they are now; compiled when it is not in the cache. `CompileError` when one does not compile."""
    files = program_files() | shim_files()
    digest = hashlib.sha256()
    digest.update((ROOT / COMPILER).read_bytes())
    for name, path in files.items():
        digest.update(name.encode() + b"\0" + path.read_bytes() + b"\0")
    image = cache / f"{digest.hexdigest()[:16]}.romfs"
    if not image.exists():
        cache.mkdir(parents=True, exist_ok=True)
        draft = image.with_suffix(f".{os.getpid()}.new")
        draft.write_bytes(pack({name[:-3] + ".mpy": data for name, data in compile_files(files).items()}))
        draft.replace(image)
    return image


def pack(files: dict[str, bytes]) -> bytes:
    """A ROMFS image of these files: records of kind, length, payload, numbers in groups of seven bits."""
    tree: dict[str, object] = {}
    for name, data in files.items():
        *folders, last = name.split("/")
        place = tree
        for folder in folders:
            place = place.setdefault(folder, {})  # type: ignore[assignment]
        place[last] = data
    body = _pack_folder(tree)
    return _MAGIC + _number(len(body)) + body


def _pack_folder(tree: dict[str, object]) -> bytes:
    packed = b""
    for name, entry in sorted(tree.items()):
        label = _number(len(name)) + name.encode()
        if isinstance(entry, bytes):
            packed += _record(_FILE, label + _record(_DATA, entry))
        else:
            packed += _record(_FOLDER, label + _pack_folder(entry))  # type: ignore[arg-type]
    return packed


def _record(kind: int, payload: bytes) -> bytes:
    return _number(kind) + _number(len(payload)) + payload


def _number(value: int) -> bytes:
    groups = [value & 0x7F]
    while value := value >> 7:
        groups.append(0x80 | value & 0x7F)
    return bytes(reversed(groups))


if __name__ == "__main__":
    image_path = rom_image()
    print(f"{image_path}: {image_path.stat().st_size} bytes", file=sys.stderr)
