"""The box of module miniatures: which of them is plugged where, and the board inside each."""

import hashlib
from itertools import count
from typing import Any

from companion.catalog import Catalog
from firmware.bus.frame import UNADDRESSED
from firmware.desk.board import Board
from firmware.desk.kinds import MODULE_KIND
from firmware.desk.supervisor import DeskError, Supervisor
from firmware.desk.wire import PORTS, Wire, WireError
from firmware.desk.wire_port import WirePorts
from firmware.module.settings import Settings, good_salt, read_settings, write_settings


def chip_id_of(name: str) -> bytes:
    """The 8 bytes that the maker of the chip has put in: the same miniature has the same on every desk."""
    return hashlib.sha256(f"desk {name}".encode()).digest()[:8]


def _write_settings(board: Board, type_id: int) -> None:
    """What the flash tool does to a new miniature; one that has been on a desk before keeps what it has."""
    folder = f"{board.files}/"
    if read_settings(folder) is None:
        salts = (int.from_bytes(hashlib.sha256(board.chip_id + bytes((n,))).digest()[:4], "little") for n in count())
        write_settings(folder, Settings(type_id, good_salt(board.chip_id, lambda: next(salts))))


class Miniatures:
    """Module miniatures by name: a catalog id, with `:2` and so on for further miniatures of the same module."""

    def __init__(self, catalog: Catalog, supervisor: Supervisor, seed: int) -> None:
        self._catalog = catalog
        self._supervisor = supervisor
        self.wire = Wire(seed=seed)
        self.ports = WirePorts(self.wire)

    def plug(self, module: str, parent: str, port: int | None, own_port: int | None) -> None:
        """Connect; a miniature that was not on the table yet comes out of the box. `WireError` when it does not fit."""
        self._take_out(module)
        if parent not in self.wire.boards:
            raise WireError(f"{parent} is not on the table")
        self.wire.plug(
            *(parent, self._free_port(parent) if port is None else port),
            *(module, self._free_port(module) if own_port is None else own_port),
        )

    def plug_anywhere(self, module: str) -> None:
        """Plug to the free port that is nearest to the ARC. `WireError` when there is none."""
        queue, seen = [self.wire.coordinator], {self.wire.coordinator}
        for board in queue:
            edges = self.wire.boards[board].edges
            if len(edges) < PORTS:
                self.plug(module, board, None, None)
                return
            for other, _ in edges.values():
                if other not in seen:
                    seen.add(other)
                    queue.append(other)
        raise WireError("every port on the table is taken")

    def first(self, number: int) -> list[str]:
        """That many miniatures of the box, in the catalog's order. `WireError` when the box has not so many."""
        box = [str(row["name"]) for row in self.box()]
        if number > len(box):
            raise WireError(f"the box has {len(box)} miniatures, not {number}")
        return box[:number]

    def box(self) -> list[dict[str, Any]]:
        """Every miniature of the catalog as plain data."""
        return [
            {
                "name": name,
                "module": module.id,
                "title": module.name,
                "type_id": module.type_id,
                "on_table": bool(self.wire.boards.get(name) and self.wire.boards[name].edges),
            }
            for module in self._catalog.modules.values()
            for name in (module.id, *(f"{module.id}:{n}" for n in range(2, module.copies + 1)))
        ]

    def unplug(self, module: str) -> None:
        """Open all its connections."""
        if module not in self._supervisor.boards:
            raise WireError(f"{module} is not on the table")
        self.wire.unplug(module)

    def plugs(self) -> list[list[str | int]]:
        """Every connection: board, port, board, port."""
        return [[*a, *b] for a, b in self.wire.edges()]

    def is_found(self, module: str) -> bool:
        """Whether the ARC has found this module on the bus and given it an address."""
        return self.wire.boards[module].address != UNADDRESSED

    def _free_port(self, board: str) -> int:
        for port in range(PORTS):
            if port not in self.wire.boards[board].edges:
                return port
        raise WireError(f"no port of {board} is free")

    def _take_out(self, module: str) -> None:
        if module in self._supervisor.boards:
            return
        kind, _, number = module.partition(":")
        if kind not in self._catalog.modules:
            known = ", ".join(self._catalog.modules)
            raise DeskError(f"there is no module {kind}; the catalog has {known}")
        if number and not number.isdigit():
            raise DeskError(f"a further miniature is called {kind}:2, not {module}")
        board = self._supervisor.add(module, MODULE_KIND, chip_id_of(module))
        _write_settings(board, self._catalog.modules[kind].type_id)
        self.wire.add(module)
