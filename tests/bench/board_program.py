"""Which files a board's program needs, by following its imports, and how big they are compiled."""

import ast
from pathlib import Path

from firmware.compiling import FOR_BOARDS, compile_files
from firmware.desk.processes import ROOT

OURS = ("firmware.", "protocol.")


def files_of(module: str) -> dict[str, Path]:
    """The program's own files by their path on a board; what only type checkers import is left out."""
    found: dict[str, Path] = {}
    waiting = [module]
    while waiting:
        path = _file_of(waiting.pop())
        if path is None or str(path) in found:
            continue
        found[str(path)] = ROOT / path
        waiting += _imports((ROOT / path).read_text(encoding="utf-8"))
    return found


def compiled_size(module: str) -> int:
    """Bytes of .mpy of the whole program, as flashed."""
    return sum(len(data) for data in compile_files(files_of(module), FOR_BOARDS).values())


def _file_of(module: str) -> Path | None:
    path = Path(*module.split("."))
    for candidate in (path.with_suffix(".py"), path / "__init__.py"):
        if (ROOT / candidate).exists():
            return candidate
    return None


def _imports(source: str) -> list[str]:
    names: list[str] = []
    for node in _run_nodes(ast.parse(source)):
        if isinstance(node, ast.ImportFrom) and node.module:
            names += [node.module, *(f"{node.module}.{alias.name}" for alias in node.names)]
        elif isinstance(node, ast.Import):
            names += [alias.name for alias in node.names]
    return [name for name in names if f"{name}.".startswith(OURS)]


def _run_nodes(tree: ast.AST) -> list[ast.AST]:
    """All nodes but those under `if TYPE_CHECKING`."""
    nodes: list[ast.AST] = []
    for child in ast.iter_child_nodes(tree):
        if isinstance(child, ast.If) and isinstance(child.test, ast.Name) and child.test.id == "TYPE_CHECKING":
            continue
        nodes += [child, *_run_nodes(child)]
    return nodes
