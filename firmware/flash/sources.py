"""Which files a program consists of: everything its entry imports, found by reading, not by running."""

import ast
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = ("protocol", "firmware")


def source_files(entry: str, root: Path = ROOT) -> dict[str, Path]:
    """By its path on the board, every file of ours that `entry` needs, packages' own files included."""
    found: dict[str, Path] = {}
    waiting = [entry]
    while waiting:
        module = waiting.pop()
        path = _file_of(module, root)
        name = str(path.relative_to(root)) if path else None
        if path is None or name is None or name in found:
            continue
        found[name] = path
        if "." in module:
            waiting.append(module.rpartition(".")[0])
        waiting.extend(_imports(ast.parse(path.read_text()).body))
    return dict(sorted(found.items()))


def _file_of(module: str, root: Path) -> Path | None:
    if module.split(".")[0] not in PACKAGES:
        return None
    place = root.joinpath(*module.split("."))
    for path in (place.with_suffix(".py"), place / "__init__.py"):
        if path.is_file():
            return path
    return None


def _imports(body: list[ast.stmt]) -> Iterator[str]:
    """Names of imported modules; of `from x import y` both x and x.y, since y may be a module."""
    for statement in body:
        if isinstance(statement, ast.If) and ast.unparse(statement.test) == "TYPE_CHECKING":
            yield from _imports(statement.orelse)
            continue
        if isinstance(statement, ast.Import):
            yield from (alias.name for alias in statement.names)
        elif isinstance(statement, ast.ImportFrom) and statement.module:
            yield statement.module
            yield from (f"{statement.module}.{alias.name}" for alias in statement.names)
        for field in ("body", "orelse", "finalbody"):
            yield from _imports(getattr(statement, field, []))
        for handler in getattr(statement, "handlers", []):
            yield from _imports(handler.body)
