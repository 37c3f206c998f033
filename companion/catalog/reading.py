"""TOML tables → catalog values by cattrs, strictly: nothing is converted, nothing unknown passes, every fault is kept."""

from collections.abc import Callable, Iterable
from typing import Any, TypeVar, get_args, get_origin

from attrs import NOTHING, Attribute, fields_dict, frozen, has
from cattrs import Converter

from companion.catalog.checks import suggest
from companion.catalog.curve import Curve
from companion.catalog.effects import VERBS, Effect

T = TypeVar("T")
Path = tuple[str, ...]


@frozen
class Reason:
    """What is wrong, and at which path inside the entry."""

    path: Path
    text: str


class EntryError(ValueError):
    """An entry with faults: all of them."""

    def __init__(self, reasons: Iterable[Reason]) -> None:
        self.reasons = tuple(reasons)
        super().__init__("; ".join(reason.text for reason in self.reasons))


def read_entry(kind: type[T], table: dict[str, Any]) -> T:
    """A value of `kind`. Raises `EntryError` with every fault of the table."""
    return _converter.structure(table, kind)


def _inside(step: str, error: Exception) -> list[Reason]:
    if isinstance(error, EntryError):
        return [Reason((step, *reason.path), reason.text) for reason in error.reasons]
    return [Reason((step,), str(error))]


def _read_class(table: Any, kind: Any) -> Any:
    if not isinstance(table, dict):
        raise ValueError(f"{table!r} is not a table; write it as {{ key = value, … }}")
    known = {name: attribute for name, attribute in fields_dict(kind).items() if attribute.init}
    reasons = [
        Reason((key,), f"unknown key {key!r}; {suggest(key, known)}") for key in sorted(table) if key not in known
    ]
    arguments = {}
    for name, attribute in known.items():
        if name in table:
            try:
                arguments[name] = _read_field(table[name], attribute)
            except ValueError as error:
                reasons += _inside(name, error)
        elif attribute.default is NOTHING:
            reasons.append(Reason((), f"{name!r} is missing; every entry of this kind needs it"))
    if reasons:
        raise EntryError(reasons)
    return kind(**arguments)


def _read_field(value: Any, attribute: "Attribute[Any]") -> Any:
    read = _converter.structure(value, attribute.type)  # type: ignore[arg-type]  # cattrs takes any annotation
    if attribute.validator is not None:
        attribute.validator(None, attribute, read)
    return read


def _read_list(values: Any, kind: Any) -> Any:
    if not isinstance(values, list):
        raise ValueError(f"{values!r} is not a list; write it in square brackets")
    inner, read, reasons = get_args(kind)[0], [], []
    for index, value in enumerate(values):
        try:
            read.append(_converter.structure(value, inner))
        except ValueError as error:
            reasons += _inside(str(index), error)
    if reasons:
        raise EntryError(reasons)
    return tuple(read)


def _read_table(value: Any, kind: Any) -> Any:
    if not isinstance(value, dict):
        raise ValueError(f"{value!r} is not a table; write it as {{ key = value, … }}")
    inner = get_args(kind)[1]
    return {str(key): _converter.structure(one, inner) for key, one in value.items()}


def _read_effect(value: Any, _: Any) -> Effect:
    if not isinstance(value, dict) or "do" not in value:
        raise ValueError(f'an effect is a table with a verb, like {{ do = "stock", by = 5 }}, not {value!r}')
    verb = str(value["do"])
    if verb not in VERBS:
        raise ValueError(f"do = {verb!r} is not a verb; {suggest(verb, VERBS)}")
    # «from» is a word of Python, so the value calls it source
    arguments = {"source" if key == "from" else key: argument for key, argument in value.items() if key != "do"}
    effect: Effect = _read_class(arguments, VERBS[verb])
    return effect


def _read_curve(value: Any, _: Any) -> Curve:
    pairs = _converter.structure(value, tuple[tuple[int, ...], ...])
    for pair in pairs:
        if len(pair) != 2:
            raise ValueError(f"a point of a curve is [x, y], not {list(pair)}")
    return Curve(tuple((pair[0], pair[1]) for pair in pairs))


def _exactly(kind: type, words: str) -> Callable[[Any, Any], Any]:
    def read(value: Any, _: Any) -> Any:
        if type(value) is not kind:
            raise ValueError(f"{value!r} is not {words}")
        return value

    return read


def _is_list(kind: Any) -> bool:
    return get_origin(kind) is tuple and get_args(kind)[1:] == (...,)


def _is_table(kind: Any) -> bool:
    origin: Any = get_origin(kind)
    return origin is dict


def _make_converter() -> Converter:
    converter = Converter(detailed_validation=False)
    converter.register_structure_hook_func(has, _read_class)
    converter.register_structure_hook_func(_is_list, _read_list)
    converter.register_structure_hook_func(_is_table, _read_table)
    converter.register_structure_hook_func(lambda kind: kind is Effect, _read_effect)
    converter.register_structure_hook_func(lambda kind: kind is Curve, _read_curve)
    converter.register_structure_hook(int, _exactly(int, "a whole number"))
    converter.register_structure_hook(str, _exactly(str, "a text; put it in quotes"))
    converter.register_structure_hook(bool, _exactly(bool, "true or false"))
    return converter


_converter = _make_converter()
