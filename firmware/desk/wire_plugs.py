"""Who is plugged to whom on the simulated wire, what of it passes data, select lines and current. No bytes, no time."""

from collections.abc import Callable, Collection

from attrs import define, field

from firmware.bus.frame import UNADDRESSED

PORTS = 4

Port = tuple[str, int]
"""A board's name and one of its ports."""


class WireError(ValueError):
    """Something that cannot be plugged like that."""


@define
class Board:
    """A board on the wire. `is_listening`: it runs and its UART is open."""

    name: str
    ports: int = PORTS
    is_listening: bool = False
    address: int = UNADDRESSED
    edges: dict[int, Port] = field(factory=dict)


class Plugs:
    """All boards and their connections; the coordinator is one of them from the start."""

    def __init__(self, coordinator: str) -> None:
        self.coordinator = coordinator
        self.boards: dict[str, Board] = {coordinator: Board(coordinator)}
        self.open_data: set[frozenset[Port]] = set()
        self.open_select: set[frozenset[Port]] = set()
        self._reach: set[str] | None = None

    def add(self, name: str, ports: int = PORTS) -> Board:
        """A board with nothing plugged to it."""
        return self.boards.setdefault(name, Board(name, ports))

    def plug(self, parent: str, parent_port: int, child: str, child_port: int) -> None:
        """Connect two free ports; loops are allowed."""
        ends = ((parent, parent_port), (child, child_port))
        for name, port in ends:
            if name not in self.boards:
                raise WireError(f"there is no board {name}")
            if not 0 <= port < self.boards[name].ports:
                raise WireError(f"{name} has ports 0 to {self.boards[name].ports - 1}, not {port}")
            if port in self.boards[name].edges:
                raise WireError(f"port {port} of {name} is taken by {self.boards[name].edges[port][0]}")
        if parent == child:
            raise WireError(f"{parent} cannot be plugged to itself")
        self.boards[parent].edges[parent_port] = ends[1]
        self.boards[child].edges[child_port] = ends[0]
        self._reach = None

    def unplug_port(self, name: str, port: int) -> None:
        """Open one connection; nothing happens when there is none."""
        other = self.boards[name].edges.pop(port, None)
        if other is not None:
            del self.boards[other[0]].edges[other[1]]
        self._reach = None

    def unplug(self, name: str) -> None:
        """Open all connections of a board."""
        for port in list(self.boards[name].edges):
            self.unplug_port(name, port)

    def edges(self) -> list[tuple[Port, Port]]:
        """Every connection once, its smaller end first."""
        found = {
            tuple(sorted(((b.name, port), other))) for b in self.boards.values() for port, other in b.edges.items()
        }
        return sorted((a, b) for a, b in found)

    def powered(self, off: Collection[Port] = ()) -> set[str]:
        """The boards that get current: all that hang together with the coordinator, itself included, but over no port in `off`."""
        return self._connected(lambda edge: edge.isdisjoint(off))

    def cut_data(self, name: str, port: int, is_open: bool = True) -> None:
        """Break (or mend) the DATA contact of one connection; its select line and power stay."""
        edge = frozenset(((name, port), self.boards[name].edges[port]))
        (self.open_data.add if is_open else self.open_data.discard)(edge)
        self._reach = None

    def cut_select(self, name: str, port: int, is_open: bool = True) -> None:
        """Break (or mend) the select line of one connection: no beacon passes, nobody is selected by it."""
        edge = frozenset(((name, port), self.boards[name].edges[port]))
        (self.open_select.add if is_open else self.open_select.discard)(edge)

    def _selectable(self, name: str, port: int) -> Port | None:
        """The port at the other end of a select line that is whole."""
        other = self.boards[name].edges.get(port)
        return None if other is None or frozenset(((name, port), other)) in self.open_select else other

    def _connected(self, passes: Callable[[frozenset[Port]], bool]) -> set[str]:
        found, todo = {self.coordinator}, [self.coordinator]
        while todo:
            name = todo.pop()
            for port, other in self.boards[name].edges.items():
                if other[0] not in found and passes(frozenset(((name, port), other))):
                    found.add(other[0])
                    todo.append(other[0])
        return found

    def _reachable(self) -> set[str]:
        if self._reach is None:
            self._reach = self._connected(lambda edge: edge not in self.open_data)
        return self._reach

    def listen(self, name: str, address: int = UNADDRESSED) -> None:
        """The board runs, sends its link beacons and hears frames to this address."""
        self.boards[name].is_listening = True
        self.boards[name].address = address

    def deaf(self, name: str) -> None:
        """The board lost its power or was reset: no beacons, no answers."""
        self.boards[name].is_listening = False
        self.boards[name].address = UNADDRESSED

    def links(self, name: str) -> int:
        """One bit for each port behind which a running neighbour sends beacons."""
        bits = 0
        for port in self.boards[name].edges:
            other = self._selectable(name, port)
            if other is not None and self.boards[other[0]].is_listening:
                bits |= 1 << port
        return bits
