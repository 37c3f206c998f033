"""The LED bus between boards that are not there: who is plugged to whom, who hears a frame, what comes back.

Bus time only: `exchange` is a generator that asks boards and stands still until each has answered, so it serves
processes on the desk and plain objects in virtual time alike. What the net does to bytes is in `wire_medium`.
"""

from collections.abc import Callable, Generator, Iterable, Mapping

from attrs import define, field, frozen

from firmware.bus import words
from firmware.bus.frame import (
    ALL,
    GAP_US,
    IDLE_US,
    OPCODE,
    OVERHEAD,
    REPLY,
    SYNC,
    UNADDRESSED,
    FrameReader,
    duration_us,
)
from firmware.desk.wire_medium import HeardByte, Medium, Transmission

PORTS = 4
ECHO_OK, ECHO_WRONG, ECHO_NONE = 0, 1, 2
PASS, ANSWER, SELECT = 0, 1, 2
SELECT_US = 20_000
"""A select line is let go after this long at the latest."""

Port = tuple[str, int]
"""A board's name and one of its ports."""


class WireError(ValueError):
    """Something that cannot be plugged like that."""


@frozen
class Delivery:
    """What a board hears: the bytes as they arrived, on which ports it sees a neighbour, which of its select lines
    fell after the frame (None: none), and when the last byte came."""

    data: bytes
    links: int
    selected: int | None
    at_us: int


@frozen
class Answer:
    """What a board does about it: `kind` PASS, ANSWER (send `frame` after `delay_us`) or SELECT (pull `port` low).
    `address` is the one it listens to from now on."""

    kind: int = PASS
    frame: bytes = b""
    delay_us: int = 0
    port: int = 0
    address: int = UNADDRESSED


@frozen
class Heard:
    """What the coordinator heard behind its own echo, how the echo was, and its own link bits."""

    data: bytes
    echo: int
    links: int


@define
class Board:
    """A board on the wire. `is_listening`: it runs and its UART is open."""

    name: str
    ports: int = PORTS
    is_listening: bool = False
    address: int = UNADDRESSED
    edges: dict[int, Port] = field(factory=dict)


Deliveries = dict[str, Delivery]
Talk = Generator[Deliveries, Mapping[str, Answer], Heard]
Asked = Generator[Deliveries, Mapping[str, Answer], list[Transmission]]


def no_turnaround(board: str) -> int:
    """Every board answers at once."""
    return 0


class Wire:
    """All plugged ports and the net between them. `turnaround(board)` gives the µs a board takes before it acts."""

    def __init__(
        self, coordinator: str = "arc", seed: int = 0, turnaround: Callable[[str], int] = no_turnaround
    ) -> None:
        self.coordinator = coordinator
        self.medium = Medium(seed)
        self.now_us = 0
        self.boards: dict[str, Board] = {coordinator: Board(coordinator)}
        self.everyone_hears = False
        self.open_data: set[frozenset[Port]] = set()
        self._turnaround = turnaround
        self._late: list[Transmission] = []
        self._claimants: set[str] = set()
        self._reach: set[str] | None = None

    # -- plugs -----------------------------------------------------------------------------------------------------

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

    def powered(self) -> set[str]:
        """The boards that get current: all that hang together with the coordinator, itself included."""
        return self._connected(lambda edge: True)

    def cut_data(self, name: str, port: int, is_open: bool = True) -> None:
        """Break (or mend) the DATA contact of one connection; its select line and power stay."""
        edge = frozenset(((name, port), self.boards[name].edges[port]))
        (self.open_data.add if is_open else self.open_data.discard)(edge)
        self._reach = None

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

    # -- what the boards tell --------------------------------------------------------------------------------------

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
        for port, (other, _) in self.boards[name].edges.items():
            if self.boards[other].is_listening:
                bits |= 1 << port
        return bits

    # -- one exchange ----------------------------------------------------------------------------------------------

    def exchange(self, request: bytes, timeout_us: int, select: int = -1, collect: bool = False) -> Talk:
        """The coordinator sends `request` and hears what comes back.

        Listens up to the first whole reply or `timeout_us`; with `collect` to the end of the time-out, whatever comes.
        `select`: the own port whose select line is low from the end of the request on.
        """
        start = self.now_us + IDLE_US + self._turnaround(self.coordinator)
        end = start + duration_us(len(request))
        late = [piece for piece in self._late if piece[0] + duration_us(len(piece[1])) > self.now_us]
        heard = self.medium.carry([(start, request), *late])
        on_time = bytes(value for at, value in heard if at <= end)
        self._late = []
        replies = yield from self._ask_boards(on_time, end, select)
        data, self.now_us = self._collect(replies, end, timeout_us, collect)
        if self.everyone_hears:
            yield from self._overhear(data)
        echo = ECHO_OK if on_time == request else ECHO_WRONG if on_time else ECHO_NONE
        return Heard(bytes(value for _, value in data), echo, self.links(self.coordinator))

    def _ask_boards(self, data: bytes, end: int, select: int) -> Asked:
        """Those who hear the request react; a PROBE then goes to whoever sits behind a select line that is low."""
        lows = [] if select < 0 else [(self.coordinator, select, end)]
        opcode = data[3] & OPCODE if len(data) >= OVERHEAD else 0
        replies: list[Transmission] = []
        deliveries = {name: self._delivery(name, data, end) for name in self._hearers(data, opcode)}
        answers = (yield deliveries) if deliveries else {}
        for name, answer in answers.items():
            self.boards[name].address = answer.address
            at = end + self._turnaround(name)
            if answer.kind == ANSWER:
                replies.append((at + answer.delay_us, answer.frame))
            elif answer.kind == SELECT:
                lows.append((name, answer.port, at))
        if opcode == words.JOIN:
            self._claimants = {name for name, answer in answers.items() if answer.kind == ANSWER}
        elif opcode == words.PROBE:
            replies += yield from self._select(data, end, lows)
        return replies

    def _select(self, data: bytes, end: int, lows: Iterable[tuple[str, int, int]]) -> Asked:
        """Neighbours whose select line fell hear the PROBE and answer; who claimed before learns that it is over."""
        fallen: dict[str, tuple[int, int]] = {}
        for name, port, at in lows:
            neighbour = self.boards[name].edges.get(port)
            if neighbour is not None and neighbour[0] != self.coordinator and self._hears(neighbour[0]):
                fallen[neighbour[0]] = (neighbour[1], at)
        again = b"" if self.everyone_hears else data
        deliveries = {name: self._delivery(name, again, end, port) for name, (port, _) in fallen.items()}
        if not self.everyone_hears:
            over = self._claimants - deliveries.keys()
            deliveries.update({name: self._delivery(name, data, end) for name in over if self._hears(name)})
        self._claimants = set()
        answers = (yield deliveries) if deliveries else {}
        replies = []
        for name, answer in answers.items():
            self.boards[name].address = answer.address
            if answer.kind == ANSWER and name in fallen:
                self._claimants.add(name)
                at = max(end + self._turnaround(name), fallen[name][1])
                replies.append((at + answer.delay_us, answer.frame))
        return replies

    def _overhear(self, heard: list[HeardByte]) -> Asked:
        """In the mode of single bytes every board also gets the replies, as runs without a gap."""
        names = [
            board.name for board in self.boards.values() if board.name != self.coordinator and self._hears(board.name)
        ]
        for run, at in _runs(heard):
            yield {name: self._delivery(name, run, at) for name in names}
        return []

    def _delivery(self, name: str, data: bytes, at_us: int, selected: int | None = None) -> Delivery:
        return Delivery(data, self.links(name), selected, at_us)

    def _hears(self, name: str) -> bool:
        return self.boards[name].is_listening and name in self._reachable()

    def _hearers(self, data: bytes, opcode: int) -> list[str]:
        """The boards that have to be asked: those whose frame reader would not skip these bytes."""
        live = [board for board in self.boards.values() if board.name != self.coordinator and self._hears(board.name)]
        if self.everyone_hears:
            return [board.name for board in live]
        if len(data) < OVERHEAD or data[0] != SYNC or data[1] != len(data) - OVERHEAD or data[3] & REPLY:
            return []
        address = data[2]
        if address == UNADDRESSED and opcode != words.JOIN:
            return [board.name for board in live if board.name in self._claimants]
        return [board.name for board in live if address in (ALL, board.address)]

    def _collect(
        self, replies: list[Transmission], end: int, timeout_us: int, collect: bool
    ) -> tuple[list[HeardByte], int]:
        """The bytes heard until the coordinator stops listening, and when that is. What comes later is kept for then."""
        heard = self.medium.carry(replies) if replies else []
        reader = FrameReader(lambda address, control: True)
        taken: list[HeardByte] = []
        stop = end + timeout_us
        for at, value in heard:
            begun = at - duration_us(1)
            if begun > stop or (reader.is_amid() and begun - taken[-1][0] > GAP_US):
                break
            taken.append((at, value))
            if reader.feed(bytes((value,)), at & 0x3FFFFFFF) and not collect:
                stop = at
                break
            if reader.is_amid():
                stop = max(stop, at + GAP_US)
        else:
            if taken and not collect:
                stop = min(stop, taken[-1][0] + GAP_US)
        self._late = [piece for piece in replies if piece[0] > stop]
        return taken, stop


def _runs(heard: list[HeardByte]) -> list[tuple[bytes, int]]:
    """Bytes that came without a gap, together, with the end of the last."""
    runs: list[tuple[bytearray, int]] = []
    for at, value in heard:
        if runs and at - runs[-1][1] <= duration_us(1) + 1:
            runs[-1][0].append(value)
            runs[-1] = (runs[-1][0], at)
        else:
            runs.append((bytearray((value,)), at))
    return [(bytes(data), at) for data, at in runs]
