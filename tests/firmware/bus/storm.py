"""Hands that plug and pull, power that dips, a wire that is disturbed: what a table of modules may meet, and what must hold."""

from collections.abc import Iterable
from random import Random

from companion.link.mirror import Mirror
from firmware.desk.wire import PORTS
from protocol import events
from protocol.lights import BLUE, FLASH, GREEN, RED, SLOW_FLASH, STEADY, light
from protocol.pages import encode_edges, encode_modules, state_hash
from tests.firmware.bus.play import Play, of_kind

SETTLE_MS = 20_000
"""After the last hand everything is told within this time: each edge is probed again in its turn, one a cycle."""


class Storm:
    """Random acts on a table, and the book-keeping of what was told."""

    def __init__(self, seed: int, modules: int, **options: bool) -> None:
        self.random = Random(seed)
        self.play = Play(seed, **options)
        self.names = [module.name for module in self.play.box(modules)]
        self.mirror = Mirror()
        self.attached: set[int] = set()
        self.lights: dict[str, int] = {}
        self.default = 0

    def act(self) -> None:
        """One thing that a hand or a bad contact does."""
        table, wire, random = self.play.table, self.play.table.wire, self.random
        name = random.choice(self.names)
        kind = random.random()
        if kind < 0.5:
            self._plug(name)
        elif kind < 0.7:
            table.unplug(name)
        elif kind < 0.8 and wire.boards[name].edges:
            table.unplug_port(name, random.choice(list(wire.boards[name].edges)))
        elif kind < 0.85 and name in wire.powered():
            table.reset(name, random.randrange(50, 1500))
        elif kind < 0.93:
            self.lights[name] = light(random.choice((STEADY, FLASH, SLOW_FLASH)), random.choice((RED, GREEN, BLUE)))
            self.play.bus.set_light(self.play.instance(name), self.lights[name])
        else:
            wire.medium.byte_error_rate = random.choice([0.0, 0.0, 1e-3, 1e-2])

    def set_all(self, byte: int) -> None:
        """One light for all, until they get others."""
        self.play.bus.set_all(byte)
        self.default = byte
        self.lights.clear()

    def _plug(self, name: str) -> None:
        boards = self.play.table.wire.boards
        own = [port for port in range(PORTS) if port not in boards[name].edges]
        others = [
            (board, port)
            for board in ("arc", *self.names)
            for port in range(PORTS)
            if board != name and port not in boards[board].edges
        ]
        if own and others:
            other = self.random.choice(others)
            self.play.table.plug(*other, name, self.random.choice(own), boot_ms=self.random.randrange(0, 900))

    def plug_all(self) -> None:
        """Whoever has no current comes off the table and is plugged in again, each to the first free port it finds."""
        wire = self.play.table.wire
        for name in self.names:
            if name in wire.powered():
                continue
            self.play.table.unplug(name)
            own = [port for port in range(PORTS) if port not in wire.boards[name].edges]
            live = [board for board in ("arc", *self.names) if board in wire.powered()]
            free = [(board, port) for board in live for port in range(PORTS) if port not in wire.boards[board].edges]
            self.play.table.plug(*free[0], name, self.random.choice(own), boot_ms=self.random.randrange(0, 900))

    def run_ms(self, duration_ms: int) -> None:
        """Cycles, each checked against what was told before."""
        until = self.play.table.now_ms() + duration_ms
        while self.play.table.now_ms() < until:
            self.take(self.play.cycle())

    def take(self, told: Iterable[events.Body]) -> None:
        """Every event follows from those before it, and the app's mirror is the ARC's pages."""
        for body in told:
            if isinstance(body, events.ModuleAttached):
                assert body.instance not in self.attached
                self.attached.add(body.instance)
            elif isinstance(body, events.ModuleDetached):
                assert body.instance in self.attached
                self.attached.remove(body.instance)
            elif isinstance(body, events.ModuleMoved):
                assert body.instance in self.attached
            self.mirror.apply(body)
            if isinstance(body, events.TopologyChanged):
                self.mirror.fill_edges(encode_edges(self.play.bus.edges()))
        modules, edges = self.play.bus.modules(), self.play.bus.edges()
        assert {instance for instance, _, _ in modules} == self.attached
        assert self.mirror.hash() == state_hash(encode_modules(modules), encode_edges(edges), b"")

    def settle(self) -> None:
        """The wind falls: what is plugged is what was told, nothing else, and each module shows its light."""
        self.play.table.wire.medium.byte_error_rate = 0.0
        self.run_ms(SETTLE_MS)
        powered = self.play.table.wire.powered() - {"arc"}
        assert self.attached == {self.play.instance(name) for name in powered}
        assert set(self.play.bus.edges()) == self.play.wired_edges()
        addresses = [module.node.address for name, module in self.play.table.modules.items() if name in powered]
        assert len(set(addresses)) == len(addresses)
        shown = {name: self.play.table.modules[name].light for name in powered}
        assert {name: led.byte for name, led in shown.items()} == {n: self.lights.get(n, self.default) for n in powered}
        assert len({led.cap_tenths_ma for led in shown.values()}) <= 1

    def counted(self) -> dict[str, int]:
        """How often what was told."""
        kinds = (events.ModuleAttached, events.ModuleDetached, events.ModuleMoved, events.ModuleNoticed)
        return {kind.__name__: len(of_kind(self.play.events, kind)) for kind in kinds}
