"""Host tool: a program without the functions, classes and tables that nothing in it names, before mpy-cross sees it.

Files shared by both kinds of board hold what only the other kind needs: the node's half of the bus's words, say. Whatever
has the same name as anything that is read, imported or written as a text anywhere in the program stays, and so do names
with two underscores, which the interpreter calls.
"""

import ast
from collections.abc import Iterator, Mapping

_MARK = "TYPE_CHECKING"
_DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)


def trim(sources: Mapping[str, str], entry: str = "run") -> dict[str, str]:
    """The sources of a whole program by their paths. `entry`: the function that the board's starter calls."""
    trees = {name: ast.parse(source, name) for name, source in sources.items()}
    while True:
        named = {entry, *(name for tree in trees.values() for name in _names_in(tree))}
        if not sum([_drop_unnamed(tree, named) for tree in trees.values()]):
            return {name: ast.unparse(tree) + "\n" for name, tree in trees.items()}


def trim_imports(sources: Mapping[str, str]) -> dict[str, str]:
    """The sources without imports at the top of a file that neither it nor a file that imports from it uses: what is left of
    those whose constants have been folded. Importing does nothing here but name things."""
    trees = {name: ast.parse(source, name) for name, source in sources.items()}
    while True:
        handed_on = {
            (node.module, alias.name)
            for tree in trees.values()
            for node in ast.walk(tree)
            if isinstance(node, ast.ImportFrom)
            for alias in node.names
        }
        if not sum([_drop_imports(name, tree, handed_on) for name, tree in trees.items()]):
            return {name: ast.unparse(tree) + "\n" for name, tree in trees.items()}


def _drop_imports(path: str, tree: ast.Module, handed_on: set[tuple[str | None, str]]) -> int:
    module = path.removesuffix(".py").removesuffix("/__init__").replace("/", ".")
    used = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
    dropped = 0
    for node in tree.body:
        if isinstance(node, ast.Import | ast.ImportFrom):
            names = {alias: (alias.asname or alias.name).split(".")[0] for alias in node.names}
            kept = [alias for alias, name in names.items() if name in used or (module, name) in handed_on]
            dropped += len(names) - len(kept)
            node.names = kept
    tree.body = [node for node in tree.body if getattr(node, "names", True)] or [ast.Pass()]
    return dropped


def _names_in(node: ast.AST) -> Iterator[str]:
    """Every name that is asked for; what only type checkers read does not count."""
    if isinstance(node, ast.If) and ast.unparse(node.test) == _MARK:
        return
    if isinstance(node, ast.Name):
        if not isinstance(node.ctx, ast.Store):
            yield node.id
    elif isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Name):
        yield node.target.id
    elif isinstance(node, ast.Attribute):
        yield node.attr
    elif isinstance(node, ast.alias):
        yield node.name
    elif isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield node.value
    for name, field in ast.iter_fields(node):
        if name in ("annotation", "returns"):
            continue
        for child in field if isinstance(field, list) else [field]:
            if isinstance(child, ast.AST):
                yield from _names_in(child)


def _drop_unnamed(tree: ast.AST, named: set[str]) -> int:
    """Take the unnamed definitions out of files and classes. How many there were."""
    dropped = 0
    for node in ast.walk(tree):
        if not isinstance(node, ast.Module | ast.ClassDef):
            continue
        kept = [each for each in node.body if _stays(each, named)]
        dropped += len(node.body) - len(kept)
        node.body = kept or [ast.Pass()]
    return dropped


def _stays(statement: ast.stmt, named: set[str]) -> bool:
    if isinstance(statement, _DEFINITIONS):
        name = statement.name
    elif isinstance(statement, ast.Assign) and isinstance(statement.targets[0], ast.Name):
        # a value that is made by a call may do more than name something
        is_made = any(isinstance(node, ast.Call) for node in ast.walk(statement.value))
        name = "" if is_made or len(statement.targets) > 1 else statement.targets[0].id
    else:
        name = ""
    return not name or name in named or (name.startswith("__") and name.endswith("__"))
