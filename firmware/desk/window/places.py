"""Where miniatures lie on the drawn table: a grid, made from the plugged connections alone. Pure.

Ports are numbered clockwise. The ARC's port 0 faces north; a miniature lies with its own port towards its parent.
Where a cell is taken already (loops, tight trees) the miniature takes the nearest free one and its corridor is drawn longer.
"""

from collections.abc import Iterable

from attrs import frozen

ARC = "arc"
PORTS = 4
STEPS = ((0, 1), (1, 0), (0, -1), (-1, 0))

Cell = tuple[int, int]
Plug = tuple[str, int, str, int]


@frozen
class Place:
    """A board's cell and rotation: its port k faces direction (k + rotation) mod 4, 0 north, clockwise."""

    cell: Cell
    rotation: int

    def direction(self, port: int) -> int:
        return (port + self.rotation) % PORTS


@frozen
class Spot:
    """Somewhere a miniature can be plugged: a free port and the cell it faces."""

    board: str
    port: int
    cell: Cell


@frozen
class Loop:
    """Two neighbours whose facing ports are free: a corridor more closes a loop."""

    board: str
    port: int
    other: str
    other_port: int


def beyond(cell: Cell, direction: int) -> Cell:
    step = STEPS[direction % PORTS]
    return cell[0] + step[0], cell[1] + step[1]


def arrange(plugs: Iterable[Plug]) -> dict[str, Place]:
    """A place for every board that hangs together with the ARC, breadth first."""
    edges: dict[str, dict[int, tuple[str, int]]] = {}
    for board, port, other, other_port in plugs:
        edges.setdefault(board, {})[port] = (other, other_port)
        edges.setdefault(other, {})[other_port] = (board, port)
    places, taken, queue = {ARC: Place((0, 0), 0)}, {(0, 0)}, [ARC]
    for board in queue:
        for port, (other, other_port) in sorted(edges.get(board, {}).items()):
            if other in places:
                continue
            facing = places[board].direction(port)
            cell = _free_near(beyond(places[board].cell, facing), taken)
            places[other] = Place(cell, (facing + 2 - other_port) % PORTS)
            taken.add(cell)
            queue.append(other)
    return places


def free_spots(places: dict[str, Place], plugs: Iterable[Plug]) -> list[Spot]:
    """Every free port that faces an empty cell."""
    plugged, cells = _plugged(plugs), {place.cell for place in places.values()}
    return [
        Spot(board, port, cell)
        for board, place in places.items()
        for port in range(PORTS)
        if (board, port) not in plugged and (cell := beyond(place.cell, place.direction(port))) not in cells
    ]


def free_loops(places: dict[str, Place], plugs: Iterable[Plug]) -> list[Loop]:
    """Every pair of free ports that face each other, once."""
    plugged, at = _plugged(plugs), {place.cell: board for board, place in places.items()}
    found = []
    for board, place in places.items():
        for port in range(PORTS):
            facing = place.direction(port)
            other = at.get(beyond(place.cell, facing))
            if other is None or facing >= 2 or (board, port) in plugged:
                continue
            other_port = (facing + 2 - places[other].rotation) % PORTS
            if (other, other_port) not in plugged:
                found.append(Loop(board, port, other, other_port))
    return found


def _plugged(plugs: Iterable[Plug]) -> set[tuple[str, int]]:
    return {end for board, port, other, other_port in plugs for end in ((board, port), (other, other_port))}


def _free_near(cell: Cell, taken: set[Cell]) -> Cell:
    """The cell itself, or the nearest free one, rings outwards."""
    radius = 0
    while True:
        ring = [
            (cell[0] + x, cell[1] + y)
            for x in range(-radius, radius + 1)
            for y in range(-radius, radius + 1)
            if max(abs(x), abs(y)) == radius
        ]
        for candidate in ring:
            if candidate not in taken:
                return candidate
        radius += 1
