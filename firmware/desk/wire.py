"""The LED bus between boards that are not there: who hears a frame, what comes back.

Bus time only: `exchange` is a generator that asks boards and stands still until each has answered, so it serves
processes on the desk and plain objects in virtual time alike. What the net does to bytes is in `wire_medium`, who is plugged to whom in `wire_plugs`.
"""

from collections.abc import Callable, Generator, Iterable, Mapping

from attrs import frozen

from firmware.bus import words
from firmware.bus.frame import (
    ALL,
    BYTE_NS,
    GAP_US,
    IDLE_US,
    OPCODE,
    OVERHEAD,
    REPLY,
    SYNC,
    UNADDRESSED,
    FrameReader,
    duration_us,
    is_whole,
)
from firmware.desk.wire_medium import HeardByte, Medium, Transmission
from firmware.desk.wire_plugs import PORTS, Board, Plugs, Port, WireError
from firmware.drivers.select_lines import SELECTED_US

ECHO_OK, ECHO_WRONG, ECHO_NONE = 0, 1, 2
PASS, ANSWER, SELECT = 0, 1, 2
SELECT_US = 20_000
"""A select line is let go after this long at the latest."""


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


Deliveries = dict[str, Delivery]
Talk = Generator[Deliveries, Mapping[str, Answer], Heard]
Asked = Generator[Deliveries, Mapping[str, Answer], list[Transmission]]


def no_turnaround(board: str) -> int:
    """Every board answers at once."""
    return 0


class Wire(Plugs):
    """All plugged ports and the net between them. `turnaround(board)` gives the µs a board takes before it acts."""

    def __init__(
        self, coordinator: str = "arc", seed: int = 0, turnaround: Callable[[str], int] = no_turnaround
    ) -> None:
        super().__init__(coordinator)
        self.medium = Medium(seed)
        self.now_us = 0
        self.everyone_hears = False
        self._turnaround = turnaround
        self._late: list[Transmission] = []
        self._claimants: set[str] = set()

    def set_turnaround(self, turnaround: Callable[[str], int]) -> None:
        """From now on boards are that slow."""
        self._turnaround = turnaround

    # -- one exchange ----------------------------------------------------------------------------------------------

    def exchange(self, request: bytes, timeout_us: int, select: int = -1, collect: bool = False) -> Talk:
        """The coordinator sends `request` and hears what comes back.

        Listens up to the first whole reply or `timeout_us`; with `collect` to the end of the time-out, whatever comes.
        `select`: the own port whose select line is low from the end of the request on.
        """
        start = self.now_us + IDLE_US + self._turnaround(self.coordinator)
        end = start + duration_us(len(request))
        late = [piece for piece in self._late if piece[0] + duration_us(len(piece[1])) > start]
        on_time = self._echo(start, end, request, late)
        self._late = []
        replies = yield from self._ask_boards(on_time, end, select)
        replies += [piece for piece in late if piece[0] >= end]
        echo = ECHO_OK if on_time == request else ECHO_WRONG if on_time else ECHO_NONE
        if len(replies) == 1 and self._is_plain(replies[0], end + timeout_us, collect):
            self.now_us = replies[0][0] + len(replies[0][1]) * BYTE_NS // 1000
            return Heard(replies[0][1], echo, self.links(self.coordinator))
        data, self.now_us = self._collect(replies, end, timeout_us, collect)
        if self.everyone_hears:
            yield from self._overhear(data)
        return Heard(bytes(value for _, value in data), echo, self.links(self.coordinator))

    def _echo(self, start: int, end: int, request: bytes, late: list[Transmission]) -> bytes:
        """What everybody hears while the request is sent."""
        if not late and self.medium.is_undisturbed():
            return request
        heard = self.medium.carry([(start, request), *(piece for piece in late if piece[0] < end)])
        return bytes(value for at, value in heard if start < at <= end)

    def _is_plain(self, reply: Transmission, deadline: int, collect: bool) -> bool:
        """One whole frame in time on an undisturbed wire: no need to look at its bytes one by one."""
        return (
            not (collect or self.everyone_hears)
            and self.medium.is_undisturbed()
            and reply[0] <= deadline
            and is_whole(reply[1])
        )

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
            neighbour = self._selectable(name, port)
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
                low_at = fallen[name][1]
                turnaround = self._turnaround(name)
                # a third of that time goes by before it has read the PROBE: is the line low by then, it may be by a beacon
                is_doubtful = low_at <= end + turnaround // 3
                at = max(end + turnaround, low_at + SELECTED_US if is_doubtful else low_at)
                if at <= low_at + SELECT_US:
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


__all__ = [
    "ANSWER",
    "ECHO_NONE",
    "ECHO_OK",
    "ECHO_WRONG",
    "PASS",
    "PORTS",
    "SELECT",
    "Answer",
    "Board",
    "Delivery",
    "Heard",
    "Port",
    "Wire",
    "WireError",
]
