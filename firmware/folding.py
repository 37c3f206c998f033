"""Host tool: numbers in place of the names of constants, through all files of a program, before mpy-cross sees them.

A constant is a name in capitals that its file or class binds once, to a whole number known there. Wherever a file means it, by its
own name, by `from m import NAME`, by `m.NAME` or by `Class.NAME`, the number stands after this. A file whose name is handed on
as a value keeps its constants, a class always does. What remains is a program that does the same; a test runs it.
"""

import ast
import re
from collections import Counter
from collections.abc import Iterator, Mapping

from attrs import define, field

_CAPITALS = re.compile(r"_?[A-Z][A-Z0-9_]*")
_LARGEST = 1 << 29
"""Numbers up to here are small on every board."""
_MARK = "TYPE_CHECKING"


@define
class _File:
    tree: ast.Module
    bound: Counter[str] = field(init=False)
    constants: dict[str, int] = field(factory=dict)
    modules: dict[str, str] = field(factory=dict)
    """Local name → module of ours that it stands for."""
    classes: dict[str, dict[str, int]] = field(factory=dict)
    """Local name of a class → its constants."""

    def __attrs_post_init__(self) -> None:
        self.bound = Counter(_bindings(self.tree))

    @property
    def known(self) -> int:
        """How much has been learned."""
        return len(self.constants) + len(self.modules) + sum(1 + len(names) for names in self.classes.values())


def fold_constants(sources: Mapping[str, str]) -> dict[str, str]:
    """The sources of a whole program by their paths, folded. Line numbers are not kept."""
    files = {_module_of(name): _File(_without_checkers(ast.parse(source, name))) for name, source in sources.items()}
    set_later = {name for file in files.values() for name in _attributes_set(file.tree)}
    while sum(_learn(file, files, set_later) for file in files.values()):
        pass
    for file in files.values():
        file.tree = ast.fix_missing_locations(_Fold(file, files).visit(file.tree))
    needed = set(_still_needed(files))
    for module, file in files.items():
        kept = {name for name in file.constants if not name.startswith("_") and {module, f"{module}.{name}"} & needed}
        file.tree.body = [statement for statement in file.tree.body if not _defines_only(statement, file, kept)] or [
            ast.Pass()
        ]
    return {name: ast.unparse(files[_module_of(name)].tree) + "\n" for name in sources}


def _module_of(name: str) -> str:
    return name.removesuffix(".py").removesuffix("/__init__").replace("/", ".")


def _without_checkers(tree: ast.Module) -> ast.Module:
    """Without the blocks that only type checkers read, and without the variable where nothing else asks it."""
    asks = sum(isinstance(node, ast.Name) and node.id == _MARK for node in ast.walk(tree))
    blocks = [node for node in tree.body if isinstance(node, ast.If) and ast.unparse(node.test) == _MARK]
    gone = [node for node in blocks if not node.orelse]
    tree.body = [node for node in tree.body if node not in gone]
    if asks == len(gone) + 1:
        tree.body = [node for node in tree.body if ast.unparse(node) != f"{_MARK} = False"]
    return tree


def _bindings(tree: ast.AST) -> Iterator[str]:
    """Every name that is bound anywhere in a file, as often as it is."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
            yield node.id
        elif isinstance(node, ast.arg):
            yield node.arg
        elif isinstance(node, ast.alias):
            yield (node.asname or node.name).split(".")[0]
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.ExceptHandler) and node.name:
            yield node.name


def _attributes_set(tree: ast.AST) -> Iterator[str]:
    """Names of attributes that are given a value from outside."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and not isinstance(node.ctx, ast.Load):
            yield node.attr


def _learn(file: _File, files: Mapping[str, _File], set_later: set[str]) -> bool:
    """Take in what can be known of a file now. Whether that was anything new."""
    before = file.known
    for statement in file.tree.body:
        if isinstance(statement, ast.Assign):
            file.constants |= {
                name: number for name, number in _numbers(statement, file, files) if file.bound[name] == 1
            }
        elif isinstance(statement, ast.ClassDef) and file.bound[statement.name] == 1:
            _learn_class(file, files, statement, set_later)
        elif isinstance(statement, ast.ImportFrom):
            for alias in statement.names:
                _learn_import(file, files, statement.module or "", alias)
    return file.known > before


def _learn_class(file: _File, files: Mapping[str, _File], statement: ast.ClassDef, set_later: set[str]) -> None:
    bound = Counter(name for each in statement.body for name in _bindings(each))
    constants = file.classes.setdefault(statement.name, {})
    for each in statement.body:
        if isinstance(each, ast.Assign):
            for name, number in _numbers(each, file, files):
                if bound[name] == 1 and name not in set_later:
                    constants[name] = number


def _learn_import(file: _File, files: Mapping[str, _File], module: str, alias: ast.alias) -> None:
    name = alias.asname or alias.name
    if file.bound[name] != 1:
        return
    if f"{module}.{alias.name}" in files:
        file.modules[name] = f"{module}.{alias.name}"
    elif module in files and alias.name in files[module].constants:
        file.constants[name] = files[module].constants[alias.name]
    elif module in files and alias.name in files[module].classes:
        file.classes[name] = files[module].classes[alias.name]


def _pairs(statement: ast.Assign) -> Iterator[tuple[str, ast.expr]]:
    """Names and values of `A = 1` and `A, B = 1, 2`."""
    target, value = statement.targets[0], statement.value
    if len(statement.targets) != 1:
        return
    if isinstance(target, ast.Name):
        yield target.id, value
    elif isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple) and len(target.elts) == len(value.elts):
        for name, each in zip(target.elts, value.elts, strict=True):
            if isinstance(name, ast.Name):
                yield name.id, each


def _numbers(statement: ast.Assign, file: _File, files: Mapping[str, _File]) -> Iterator[tuple[str, int]]:
    """Names in capitals that a statement binds to whole numbers known by now."""
    for name, value in _pairs(statement):
        number = _number(value, file, files)
        if number is not None and _CAPITALS.fullmatch(name):
            yield name, number


def _number(value: ast.expr, file: _File, files: Mapping[str, _File]) -> int | None:
    """What an expression of whole numbers and known constants comes to."""
    try:
        known = _Fold(file, files).visit(ast.parse(ast.unparse(value), mode="eval"))
        if not all(isinstance(node, _ARITHMETIC) for node in ast.walk(known)):
            return None
        number = eval(compile(ast.fix_missing_locations(known), "constant", "eval"), {"__builtins__": {}})
    except ArithmeticError:
        return None
    return number if type(number) is int and abs(number) < _LARGEST else None


_ARITHMETIC = (
    ast.Expression, ast.Constant, ast.BinOp, ast.UnaryOp, ast.operator, ast.unaryop,
)  # fmt: skip


def _literal(number: int) -> ast.expr:
    """A negative one as the expression that it is: written as a number, `A ** 2` would become `-3 ** 2`."""
    return ast.Constant(number) if number >= 0 else ast.UnaryOp(ast.USub(), ast.Constant(-number))


class _Fold(ast.NodeTransformer):
    """Puts numbers in the place of names; imports of constants go."""

    def __init__(self, file: _File, files: Mapping[str, _File]) -> None:
        self._file, self._files = file, files

    def visit_Name(self, node: ast.Name) -> ast.expr:
        if isinstance(node.ctx, ast.Load) and node.id in self._file.constants:
            return _literal(self._file.constants[node.id])
        return node

    def visit_Attribute(self, node: ast.Attribute) -> ast.expr:
        if isinstance(node.ctx, ast.Load):
            number = self._constants_of(node.value).get(node.attr)
            if number is not None:
                return _literal(number)
        self.generic_visit(node)
        return node

    def _constants_of(self, owner: ast.expr) -> Mapping[str, int]:
        """Those of a file or class: `m`, `Class` or `m.Class`."""
        if isinstance(owner, ast.Name):
            module = self._file.modules.get(owner.id)
            return self._files[module].constants if module else self._file.classes.get(owner.id, {})
        if isinstance(owner, ast.Attribute) and isinstance(owner.value, ast.Name):
            module = self._file.modules.get(owner.value.id)
            return self._files[module].classes.get(owner.attr, {}) if module else {}
        return {}

    def visit_ImportFrom(self, node: ast.ImportFrom) -> ast.ImportFrom | None:
        node.names = [alias for alias in node.names if (alias.asname or alias.name) not in self._file.constants]
        return node if node.names else None

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.stmt | None:
        """Boards have no use for annotations."""
        if node.value is None:
            return None
        return ast.Assign([node.target], self.visit(node.value))

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.FunctionDef:
        node.returns = None
        self.generic_visit(node)
        return node

    def visit_AsyncFunctionDef(self, node: ast.AsyncFunctionDef) -> ast.AsyncFunctionDef:
        node.returns = None
        self.generic_visit(node)
        return node

    def visit_arg(self, node: ast.arg) -> ast.arg:
        node.annotation = None
        return node

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.ClassDef:
        self.generic_visit(node)
        node.body = node.body or [ast.Pass()]
        return node


def _still_needed(files: Mapping[str, _File]) -> Iterator[str]:
    """Modules that are used as values, and constants that some file still imports by name."""
    for file in files.values():
        bases = {id(node.value) for node in ast.walk(file.tree) if isinstance(node, ast.Attribute)}
        for node in ast.walk(file.tree):
            if isinstance(node, ast.Name) and node.id in file.modules and id(node) not in bases:
                yield file.modules[node.id]
            elif isinstance(node, ast.Attribute):
                yield f"{_dotted(node.value, file)}.{node.attr}"
            elif isinstance(node, ast.ImportFrom):
                names = [f"{node.module}.{alias.name}" for alias in node.names]
                yield from (name for name in names if name not in files)


def _dotted(node: ast.expr, file: _File) -> str:
    """What a chain of names comes to, its first one followed: the path of a file of ours, or of nothing."""
    if isinstance(node, ast.Attribute):
        return f"{_dotted(node.value, file)}.{node.attr}"
    return file.modules.get(node.id, node.id) if isinstance(node, ast.Name) else ""


def _defines_only(statement: ast.stmt, file: _File, kept: set[str]) -> bool:
    """Whether a statement does nothing but name constants that nobody asks for by name any more."""
    if not isinstance(statement, ast.Assign):
        return False
    names = [name for name, _ in _pairs(statement)]
    targets = statement.targets[0].elts if isinstance(statement.targets[0], ast.Tuple) else statement.targets
    return len(names) == len(targets) > 0 and all(name in file.constants and name not in kept for name in names)
