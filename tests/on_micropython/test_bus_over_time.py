"""ARC and modules on their bus for 100,000 frames, with lights, bad bytes and hands: what the heap holds stays what it was.

The firmware's own drivers on bytes, ticks and pins; each module hears every frame, as on a real net.
"""

import asyncio
import gc
import sys

sys.path.append(__file__.rsplit("/", 1)[0])

import bus_bench
from test_bus_driver import Arc, run_with

from firmware.drivers.clock import Clock
from protocol.lights import BLUE, FLASH, GREEN, STEADY, light

HEAP = "512k"
TIMEOUT_S = 3_000
LOOKS = 20
SLACK = 512
"""Bytes by which two looks may differ: a frame that is under way, a module that is just being asked again."""


class Counting(bus_bench.Net):
    """Counts the frames: each is one write."""

    def __init__(self):
        super().__init__()
        self.frames = 0

    def write(self, data):
        self.frames += 1
        super().write(data)


class Hands:
    """Now and then something happens on the table."""

    def __init__(self, net, arc, boards):
        self._net, self._arc, self._boards = net, arc, boards
        self._count = 0
        self.told = 0

    def act(self, told):
        self.told += len(told)
        self._count += 1
        for instance, _, _ in self._arc.bus.modules():
            self._arc.bus.set_light(
                instance, light((STEADY, FLASH)[self._count & 1], (BLUE, GREEN)[self._count >> 1 & 1])
            )
        if self._count % 5 == 0:
            self._net.damage = [0] * (self._count % 40) + [1 << self._count % 8]
        if self._count % 200 == 100:
            self._arc.pins[0].joined = self._boards[0].pins[0].joined = None
        elif self._count % 200 == 140:
            bus_bench.join(self._arc, 0, self._boards[0], 0)


def play(frames):
    net, clock = Counting(), Clock()
    arc, boards = Arc(net, clock), [bus_bench.Board(net, number + 1, clock) for number in range(2)]
    bus_bench.join(arc, 0, boards[0], 0)
    bus_bench.join(boards[0], 2, boards[1], 0)
    hands = Hands(net, arc, boards)
    levels = [0] * LOOKS

    async def work():
        for index in range(LOOKS):
            while net.frames < (index + 1) * frames // LOOKS:
                hands.act(await arc.bus.run_cycle())
                await asyncio.sleep_ms(1)
            gc.collect()
            levels[index] = gc.mem_alloc()

    asyncio.run(run_with(boards, work()))
    print("%d frames, %d told, heap %d … %d" % (net.frames, hands.told, min(levels), max(levels)), arc.bus.statistics())
    half = LOOKS // 2
    assert max(levels[half:]) <= max(levels[:half]) + SLACK, levels
    assert len(arc.bus.modules()) == 2
    assert arc.bus.statistics()["retries"], "the bad bytes were noticed"


def test_the_heap_stays_flat_over_thousands_of_frames():
    play(2_000)


def test_soak_the_heap_stays_flat_over_a_hundred_thousand_frames():
    play(100_000)
