"""What every message has in common: fields from a table, bytes out and in. The messages themselves: `messages.py`.

Encoding checks that what was packed unpacks to the same values: MicroPython's `struct` wraps what CPython's refuses.
"""

import struct

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, TypeVar

    M = TypeVar("M", bound="Message")

_PACKING_ERRORS = (getattr(struct, "error", ValueError), TypeError, ValueError, OverflowError)


class ProtocolError(ValueError):
    """Bytes that are not a message of this protocol, or values that no message can carry."""


class UnknownKind(ProtocolError):
    """A well-formed message of a kind this side does not know: to be answered with `Refused(UNSUPPORTED)`."""

    def __init__(self, kind: int, request: int) -> None:
        super().__init__("unknown message kind 0x%02X" % kind)
        self.kind = kind
        self.request = request


class Shape:
    """How a class's LAYOUT lies in memory: the fixed fields, their struct format and size, the name of the rest."""

    def __init__(self, layout: "tuple[tuple[str, str], ...]") -> None:
        fixed = [field for field in layout if field[1] != "*"]
        self.names = [name for name, _ in fixed]
        self.format = "<" + "".join([code for _, code in fixed])
        self.size = struct.calcsize(self.format)
        self.rest = layout[-1][0] if len(fixed) < len(layout) else ""


_shapes: "dict[type[Message], Shape]" = {}


def shape_of(cls: "type[Message]") -> Shape:
    """The shape of a message class, computed once."""
    shape = _shapes.get(cls)
    if shape is None:
        shape = _shapes[cls] = Shape(cls.LAYOUT)
    return shape


class Message:
    """One message. Subclasses give KIND and LAYOUT: (field, struct code or `*`); positional arguments follow LAYOUT.

    Codes: B, H, I unsigned and little-endian, `8s` exactly 8 bytes; `*`, only as the last, all bytes that remain.
    """

    KIND = 0
    LAYOUT: "tuple[tuple[str, str], ...]" = ()
    MAY_GROW = False
    """A later minor version may add fields at the end: bytes beyond the last field are no error."""

    def __init__(self, *values: "Any") -> None:
        if len(values) != len(self.LAYOUT):
            raise TypeError("%s takes %d fields" % (type(self).__name__, len(self.LAYOUT)))
        for (name, code), value in zip(self.LAYOUT, values):
            setattr(self, name, bytes(value) if code[-1] in "*s" else value)

    def encode(self) -> bytes:
        """The bytes of this message, kind first; `ProtocolError` names the field that does not fit."""
        return bytes((self.KIND,)) + self.pack()

    def pack(self) -> bytes:
        """The bytes of the fields alone; `ProtocolError` names the field that does not fit."""
        shape = shape_of(type(self))
        values = tuple([getattr(self, name) for name in shape.names])
        packed = _packed(shape.format, values)
        if packed is None:
            raise ProtocolError(self._misfit())
        return packed + getattr(self, shape.rest) if shape.rest else packed

    def _misfit(self) -> str:
        for name, code in self.LAYOUT:
            value = getattr(self, name)
            if code != "*" and _packed("<" + code, (value,)) is None:
                return "%s.%s does not fit into %s: %r" % (type(self).__name__, name, code, value)
        return "%s does not fit" % type(self).__name__

    @classmethod
    def decode(cls: "type[M]", data: bytes) -> "M":
        """The message in `data` (kind byte included); `ProtocolError` when kind or length is wrong."""
        if not data or data[0] != cls.KIND:
            raise ProtocolError("these bytes are no %s" % cls.__name__)
        return cls.unpack(data, 1)

    @classmethod
    def unpack(cls: "type[M]", data: bytes, at: int) -> "M":
        """The message whose fields are `data` from `at` to its end; `ProtocolError` when the length is wrong."""
        shape = shape_of(cls)
        surplus = len(data) - at - shape.size
        if surplus < 0:
            raise ProtocolError("%s is %d bytes too short" % (cls.__name__, -surplus))
        values = struct.unpack_from(shape.format, data, at)
        if shape.rest:
            return cls(*values, data[at + shape.size :])
        if surplus and not cls.MAY_GROW:
            raise ProtocolError("%s has %d bytes too many" % (cls.__name__, surplus))
        return cls(*values)

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and all([getattr(self, n) == getattr(other, n) for n, _ in self.LAYOUT])

    def __hash__(self) -> int:
        return hash(self.encode())

    def __repr__(self) -> str:
        return "%s(%s)" % (type(self).__name__, ", ".join(["%s=%r" % (n, getattr(self, n)) for n, _ in self.LAYOUT]))


def pack_exactly(form: str, *values: "Any") -> bytes:
    """`struct.pack` with one behaviour on both interpreters: `ProtocolError` when a value does not fit."""
    packed = _packed(form, values)
    if packed is None:
        raise ProtocolError("%r do not fit into %s" % (values, form))
    return packed


def _packed(form: str, values: "tuple[Any, ...]") -> "bytes | None":
    """The packed values, or None when they do not survive it."""
    try:
        packed = struct.pack(form, *values)
    except _PACKING_ERRORS:
        return None
    return packed if struct.unpack(form, packed) == values else None
