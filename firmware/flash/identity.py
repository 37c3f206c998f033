"""What a module is: its type and salt on the board, its serial and the line for its label."""

import secrets
import tempfile
from collections.abc import Callable
from pathlib import Path

from attrs import frozen

from companion.catalog.model import ModuleType
from firmware.bus.words import instance_of
from firmware.flash.board import Board, Facts
from firmware.flash.errors import FlashError
from firmware.module.settings import FILES, NO_TYPE, Settings, good_salt, read_settings, write_settings


@frozen
class Identity:
    """`instance` is the module's own for life: a new type does not change it."""

    type_id: int
    instance: int

    @property
    def serial(self) -> str:
        text = f"{self.instance:08X}"
        return f"{text[:4]}-{text[4:]}"


def label_line(identity: Identity, module: ModuleType | None) -> str:
    """What to write on the miniature's bottom."""
    name = module.name if module else "type not set"
    return f"{name} · type {identity.type_id} · serial {identity.serial}"


def read_identity(board: Board, facts: Facts) -> Identity | None:
    """What the board's settings say; None when it has none that are whole."""
    with tempfile.TemporaryDirectory() as folder:
        settings = _fetch(board, facts, folder + "/")
    return Identity(settings.type_id, instance_of(facts.chip_id, settings.salt)) if settings else None


def write_identity(
    board: Board,
    facts: Facts,
    type_id: int | None,
    random32: Callable[[], int] = lambda: secrets.randbits(32),
) -> Identity:
    """Give the board this type (None: the one it has), and a salt if it has none yet. Only the older of two copies changes."""
    with tempfile.TemporaryDirectory() as place:
        folder = place + "/"
        held = _fetch(board, facts, folder)
        salt = held.salt if held else good_salt(facts.chip_id, random32)
        kept_type = held.type_id if held else NO_TYPE
        wanted = Settings(kept_type if type_id is None else type_id, salt)
        identity = Identity(wanted.type_id, instance_of(facts.chip_id, salt))
        if held and held.type_id == wanted.type_id:
            return identity
        before = _contents(folder)
        write_settings(folder, wanted)
        for name, data in _contents(folder).items():
            if before.get(name) != data:
                _put(board, name, data)
    return identity


def _put(board: Board, name: str, data: bytes) -> None:
    board.write(name, data)
    if board.read(name) != data:
        raise FlashError(
            f"{name} reads back differently", "run this again; should it stay so, the board's flash is worn out"
        )


def _fetch(board: Board, facts: Facts, folder: str) -> Settings | None:
    for name in FILES:
        data = board.read(name) if name in facts.names else None
        if data is not None:
            Path(folder + name).write_bytes(data)
    return read_settings(folder)


def _contents(folder: str) -> dict[str, bytes]:
    return {name: Path(folder + name).read_bytes() for name in FILES if Path(folder + name).exists()}
