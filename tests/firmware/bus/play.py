"""A table of simulated modules with the ARC's own bus code, stepped cycle by cycle in virtual time."""

from collections.abc import Callable, Iterable
from random import Random
from typing import Any, cast

from firmware.arc.module_bus import ModuleBus
from firmware.arc.module_watch import ModuleWatch
from firmware.boards import arc_esp32s3, timings
from firmware.desk.wire_virtual import Module, Table, run_now
from protocol import events

CYCLE_MS = timings.BUS_CYCLE_MS

# The stated model of a slow board: 0.5 – 1.5 ms turnaround (0.3 of it the reply gap), garbage collection now and then.
_MODULE_PAUSE, _ARC_PAUSE = 0.03, 0.02


class TableClock:
    """The table's virtual time as the ARC's clock."""

    def __init__(self, table: Table) -> None:
        self._table = table

    def now_ms(self) -> int:
        return self._table.now_ms()


def slow_boards(seed: int) -> Callable[[str], int]:
    """A `turnaround` with the pauses of interpreters that collect garbage."""
    random = Random(seed)

    def turnaround(board: str) -> int:
        if board == "arc":
            return random.randrange(5_000, 15_000) if random.random() < _ARC_PAUSE else 0
        pause = random.randrange(3_000, 8_000) if random.random() < _MODULE_PAUSE else 0
        return random.randrange(200, 1_200) + pause

    return turnaround


class Play:
    """`events` is everything the bus told, in order."""

    def __init__(self, seed: int = 1, *, slow: bool = False, every_byte: bool = False, make_power: Any = None) -> None:
        turnaround = {"turnaround": slow_boards(seed)} if slow else {}
        self.table = Table(seed=seed, every_byte=every_byte, **turnaround)
        self.events: list[events.Body] = []
        self._power = make_power(self.table) if make_power else None
        self.start_arc(epoch=seed & 0xFF)

    def start_arc(self, epoch: int) -> None:
        """The ARC starts with nothing in its memory."""
        board = arc_esp32s3
        watch = ModuleWatch(timings.MODULE_DETACHED_MS)
        clock = cast("Any", TableClock(self.table))
        limits = board.LED_BUDGET_MA, board.LED_MAX_MA
        self.bus = ModuleBus(self.table.uart, epoch, watch, clock, *limits, Random(epoch).randbytes, power=self._power)

    def box(self, count: int) -> list[Module]:
        """Modules m0, m1, … with types 1, 2, …, not plugged anywhere."""
        return [self.table.add(f"m{index}", type_id=index + 1) for index in range(count)]

    def plug_chain(self, names: Iterable[str], parent: str = "arc", port: int = 0) -> None:
        """One behind the other, each by its port 0, on from port 2 of the one before."""
        for name in names:
            self.table.plug(parent, port, name, 0)
            parent, port = name, 2

    def plug_tree(self, count: int) -> None:
        """m0 … on: two at the ARC, each module carries two."""
        for index in range(count):
            parent, port = ("arc", index) if index < 2 else (f"m{(index - 2) // 2}", 1 + index % 2)
            self.table.plug(parent, port, f"m{index}", 0)

    def cycle(self) -> list[events.Body]:
        """One cycle at its time; what it told."""
        begun_ms = self.table.now_ms()
        told: list[events.Body] = run_now(self.bus.run_cycle())
        self.events += told
        self.table.wait_until_ms(begun_ms + CYCLE_MS)
        return told

    def run_ms(self, duration_ms: int) -> list[events.Body]:
        """Cycles for that long; what they told."""
        told: list[events.Body] = []
        until = self.table.now_ms() + duration_ms
        while self.table.now_ms() < until:
            told += self.cycle()
        return told

    def instance(self, name: str) -> int:
        """The identity of a module."""
        return self.table.modules[name].node.identity.instance

    def found(self) -> set[int]:
        """The instances announced and not detached."""
        return {instance for instance, _, _ in self.bus.modules()}

    def wired_edges(self) -> set[tuple[int, int, int, int]]:
        """The edges as they are really plugged, between instances."""
        ends = [
            sorted(((0 if name == "arc" else self.instance(name), port) for name, port in edge))
            for edge in self.table.wire.edges()
            if {edge[0][0], edge[1][0]} <= self.table.wire.powered()
        ]
        return {(*one, *other) for one, other in ends}


def of_kind(told: Iterable[events.Body], kind: type[events.Body]) -> list[events.Body]:
    """Those of one kind, in order."""
    return [body for body in told if type(body) is kind]


def game_events(told: Iterable[events.Body]) -> list[events.Body]:
    """Those that change what is on the table."""
    game = (events.ModuleAttached, events.ModuleDetached, events.ModuleMoved, events.TopologyChanged)
    return [body for body in told if isinstance(body, game)]


def tree(count: int, *, every_byte: bool = False) -> Play:
    """So many modules plugged as a tree, found and told."""
    table = Play(every_byte=every_byte)
    table.box(count)
    table.plug_tree(count)
    table.run_ms(1000)
    assert len(table.found()) == count
    return table
