"""The bus drivers of both boards on chips that keep time as the real ones do, in virtual time.

What of MicroPython 1.29 is modelled, from its sources:
- bytes take their time on the wire, and `flush` ends with the last of them (both ports);
- RP2040: `read()` without a count waits a millisecond for a first byte and more than one for each further one;
- ESP32-S3: a task that sleeps, for however short, wakes with the next tick of FreeRTOS, of which there are 100 a second.
Interrupts of pins run at once. Not modelled: collisions on DATA, rise times, garbage collection.
"""

import heapq
import itertools
from bisect import bisect_right
from collections.abc import Awaitable, Callable, Coroutine, Generator
from typing import Any

import pytest

from firmware.arc.module_bus import ModuleBus
from firmware.arc.module_watch import ModuleWatch
from firmware.boards import module_rp2040zero as board
from firmware.bus.node import ANSWER, SELECT, WATCH, Identity, Node, Vitals
from firmware.drivers import bus_uart, node_uart, select_lines
from firmware.drivers.bus_uart import BusUart
from firmware.drivers.node_uart import NodeUart
from firmware.drivers.select_lines import SelectLines
from firmware.module.light import Light
from protocol import events

BYTE_US = 10_000_000 // 115_200
FREERTOS_TICK_US = 10_000
CALL_US = 10
"""What a look at the clock costs; a step of a task is a few of them."""
STEP_US = 50
MASK = 0x3FFFFFFF


class _Sleep:
    def __init__(self, milliseconds: float) -> None:
        self._milliseconds = milliseconds

    def __await__(self) -> Generator[float, None, None]:
        yield self._milliseconds


class Chip:
    """One board: its tasks run one after another."""

    def __init__(self, tick_us: int = 0) -> None:
        self.tick_us = tick_us
        self.busy_until_us = 0


class World:
    """Virtual time, and whose turn it is. Stands in for `time` and `asyncio` in the drivers."""

    IRQ_FALLING = 2

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.now_us = 0
        self._queue: list[tuple[int, int, Chip, Coroutine[Any, Any, Any]]] = []
        self._order = itertools.count()
        self.uarts: list[Uart] = []
        for module in (bus_uart, node_uart, select_lines):
            monkeypatch.setattr(module, "time", self)
            monkeypatch.setattr(module, "asyncio", self)

    # what the drivers ask of `time` and `asyncio`

    def ticks_us(self) -> int:
        self.now_us += CALL_US
        return self.now_us & MASK

    def ticks_ms(self) -> int:
        return self.now_us // 1000 & MASK

    def ticks_diff(self, later: int, earlier: int) -> int:
        return ((later - earlier + (1 << 29)) & MASK) - (1 << 29)

    def sleep_ms(self, milliseconds: float) -> Awaitable[None]:
        return _Sleep(milliseconds)

    # the loop

    def start(self, task: Coroutine[Any, Any, Any], chip: Chip | None = None) -> None:
        heapq.heappush(self._queue, (self.now_us, next(self._order), chip or Chip(), task))

    def run(self, until_us: int) -> None:
        """Every task in its turn; ends with the first that ends."""
        while self._queue and self._queue[0][0] < until_us:
            wake_us, _, chip, task = heapq.heappop(self._queue)
            if wake_us < chip.busy_until_us:
                heapq.heappush(self._queue, (chip.busy_until_us, next(self._order), chip, task))
                continue
            self.now_us = wake_us + STEP_US
            try:
                milliseconds = task.send(None)
            except StopIteration:
                return
            chip.busy_until_us = self.now_us
            wake_us = self.now_us + int(milliseconds * 1000)
            if milliseconds and chip.tick_us:
                wake_us = -(-wake_us // chip.tick_us) * chip.tick_us
            heapq.heappush(self._queue, (wake_us, next(self._order), chip, task))
        raise AssertionError(f"not done after {until_us // 1000} ms")

    def close(self) -> None:
        for *_, task in self._queue:
            task.close()


class Uart:
    """DATA seen by one chip."""

    def __init__(self, world: World) -> None:
        self._world = world
        self._coming: list[tuple[int, int]] = []
        self._read = 0
        self._sent_us = 0
        world.uarts.append(self)

    def any(self) -> int:
        return bisect_right(self._coming, (self._world.now_us, 0x100), self._read) - self._read

    def write(self, data: bytes) -> None:
        begun_us = max(self._world.now_us, self._sent_us)
        self._sent_us = begun_us + len(data) * BYTE_US
        for uart in self._world.uarts:
            uart._coming += [(begun_us + (index + 1) * BYTE_US, byte) for index, byte in enumerate(data)]
            uart._coming.sort()

    def flush(self) -> None:
        self._world.now_us = max(self._world.now_us, self._sent_us)

    def read(self, count: int | None = None) -> bytes | None:
        """As on the ESP32: what is there."""
        ready = self.any() if count is None else min(self.any(), count)
        data = bytes(byte for _, byte in self._coming[self._read : self._read + ready])
        self._read += ready
        return data or None


class Rp2Uart(Uart):
    def read(self, count: int | None = None) -> bytes | None:
        """Until `count` bytes came, or none for longer than the chip's time-out between two."""
        found, patience_ms, since_ms = bytearray(), 0, self._world.now_us // 1000
        while count is None or len(found) < count:
            if self.any():
                found.append(self._coming[self._read][1])
                self._read += 1
                patience_ms, since_ms = 1, self._world.now_us // 1000
            elif self._world.now_us // 1000 - since_ms > patience_ms:
                break
            else:
                self._world.now_us += CALL_US
        return bytes(found) or None


class Pin:
    """Open drain; `joined` is the pin at the other end of the select line."""

    IRQ_FALLING = World.IRQ_FALLING

    def __init__(self) -> None:
        self._driven = 1
        self.joined: Pin | None = None
        self._handler: Callable[[Pin], None] = lambda pin: None

    def irq(self, handler: "Callable[[Pin], None]", trigger: int) -> None:
        self._handler = handler

    def value(self, level: int | None = None) -> int:
        before = self._driven & (self.joined._driven if self.joined else 1)
        if level is not None:
            self._driven = level
        after = self._driven & (self.joined._driven if self.joined else 1)
        if before and not after:
            for pin in (self, self.joined):
                if pin:
                    pin._handler(pin)
        return after


class Clock:
    def __init__(self, world: World) -> None:
        self._world = world

    def now_ms(self) -> int:
        return self._world.now_us // 1000


class Module:
    """The tasks of `module/main.py` that are on the bus."""

    def __init__(self, world: World, number: int) -> None:
        self.pins = [Pin() for _ in range(4)]
        light = Light(board.LED_FULL_TENTHS_MA, board.LED_FIRST_CAP_TENTHS_MA)
        self.node = Node(Identity(bytes([number]) * 8, number, number), light, Vitals(), lambda limit: number % limit)
        self.lines = SelectLines(self.pins)
        self.uart = NodeUart(Rp2Uart(world), self.node.accepts, self.lines)
        self._clock = Clock(world)
        self.chip = Chip()
        world.start(self._run(), self.chip)
        world.start(self.uart.send_beacons(self.node.beacon_period_ms), self.chip)

    async def _run(self) -> None:
        node, uart, clock = self.node, self.uart, self._clock
        while True:
            frame = await uart.listen()
            reaction = node.hear(clock.now_ms(), frame, uart.links())
            if reaction.kind == WATCH:
                port = await uart.watch()
                if port < 0:
                    node.not_selected(clock.now_ms())
                    continue
                reaction = node.selected(clock.now_ms(), port)
            if reaction.kind == ANSWER:
                await uart.reply(reaction.frame, reaction.delay_us, node.address)
            elif reaction.kind == SELECT:
                uart.select(reaction.port, node.address)


class Arc:
    """The ARC's end. `cycle_ms`: how long each cycle took."""

    def __init__(self, world: World) -> None:
        self.pins = [Pin() for _ in range(4)]
        self.uart = BusUart(Uart(world), SelectLines(self.pins))
        self.clock = Clock(world)
        self.bus = ModuleBus(self.uart, 77, ModuleWatch(1500), self.clock, 100, 4, bytes)  # type: ignore[arg-type]
        self._world = world
        self.cycle_ms: list[int] = []

    def cycles(self, count: int) -> list[events.Body]:
        """So many, each 250 ms after the one before or as soon as that has ended."""
        told: list[events.Body] = []

        async def run() -> None:
            for _ in range(count):
                begun_ms = self.clock.now_ms()
                told.extend(await self.bus.run_cycle())
                self.cycle_ms.append(self.clock.now_ms() - begun_ms)
                await self._world.sleep_ms(max(1, begun_ms + 250 - self.clock.now_ms()))

        self._world.start(run(), Chip(FREERTOS_TICK_US))
        self._world.run(self._world.now_us + count * 2_000_000)
        return told


def join(one: "Arc | Module", port: int, other: "Arc | Module", other_port: int) -> None:
    """Connect two select lines."""
    one.pins[port].joined, other.pins[other_port].joined = other.pins[other_port], one.pins[port]
