"""Host tool: one letter for each parameter, before mpy-cross sees a program. A compiled function carries the names of its parameters,
for callers that use keywords; tracebacks and logs do not show them.

A parameter keeps its name where anything in the program calls by that keyword or has it as a text, and where a scope within
the function binds the same name. `self` stays: every file has it.
"""

import ast
from collections.abc import Iterator, Mapping
from string import ascii_lowercase

_Function = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda
_SCOPES = (
    ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef,
    ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp,
)  # fmt: skip


def shorten_parameters(sources: Mapping[str, str]) -> dict[str, str]:
    """The sources of a whole program by their paths."""
    trees = {name: ast.parse(source, name) for name, source in sources.items()}
    kept = {"self", *(word for tree in trees.values() for word in _asked_by_name(tree))}
    for tree in trees.values():
        for node in reversed(list(ast.walk(tree))):  # inner ones first: their names are then in nobody's way
            if isinstance(node, _Function):
                _shorten(node, kept)
    return {name: ast.unparse(tree) + "\n" for name, tree in trees.items()}


def _asked_by_name(tree: ast.Module) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.keyword) and node.arg is not None:
            yield node.arg
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value


def _shorten(function: _Function, kept: set[str]) -> None:
    body = function.body if isinstance(function.body, list) else [function.body]
    parameters = [*function.args.posonlyargs, *function.args.args, *function.args.kwonlyargs]
    own = {parameter.arg for parameter in parameters} - kept - set(_bound_otherwise(body))
    taken = {name for statement in body for name in _names_in(statement)} | {each.arg for each in parameters}
    taken |= {each.arg for each in (function.args.vararg, function.args.kwarg) if each is not None}
    free = iter([letter for letter in ascii_lowercase if letter not in taken])
    short: dict[str, str] = {}
    for parameter in parameters:
        if parameter.arg in own and len(parameter.arg) > 1 and (letter := next(free, None)):
            parameter.arg = short.setdefault(parameter.arg, letter)
    for statement in body:
        for node in ast.walk(statement):
            if isinstance(node, ast.Name):
                node.id = short.get(node.id, node.id)


def _bound_otherwise(body: list[ast.stmt] | list[ast.expr]) -> Iterator[str]:
    """Names that a scope within binds for itself, and those bound or declared by other means than an assignment."""
    for node in (node for statement in body for node in ast.walk(statement)):
        if isinstance(node, _SCOPES):
            yield from (
                name.id for name in ast.walk(node) if isinstance(name, ast.Name) and isinstance(name.ctx, ast.Store)
            )
            yield from (name.arg for name in ast.walk(node) if isinstance(name, ast.arg))
        if not isinstance(node, ast.Name | ast.arg):
            yield from _names_in_one(node)


def _names_in(statement: ast.AST) -> Iterator[str]:
    for node in ast.walk(statement):
        yield from _names_in_one(node)


def _names_in_one(node: ast.AST) -> Iterator[str]:
    """The variables that this node itself names."""
    if isinstance(node, ast.Name):
        yield node.id
    elif isinstance(node, ast.arg):
        yield node.arg
    elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.ExceptHandler):
        yield node.name or ""
    elif isinstance(node, ast.alias):
        yield (node.asname or node.name).split(".")[0]
    elif isinstance(node, ast.Global | ast.Nonlocal):
        yield from node.names
