"""A module's program on pins that are not there: the clock it sets, and a watchdog fed only while bus and light both run."""

import asyncio
import sys

BEAT_MS = 5
"""Instead of half a second, so that a test need not wait."""
SETTLING, LONG = 3, 10
"""Beats until a task that hangs has been found out, and beats that are a long time after that."""


class Chip:
    """What the program asks of `machine`."""

    PWRON_RESET = 1

    class Pin:
        IN, OUT, OPEN_DRAIN, IRQ_FALLING = 0, 1, 2, 2

        def __init__(self, number, mode=0, value=1):
            self._level = value

        def irq(self, handler, trigger):
            """No neighbour pulls at it."""

        def value(self, level=None):
            if level is not None:
                self._level = level
            return self._level

    class UART:
        waiting = b""
        baud = 0

        def __init__(self, number, baud, tx, rx, rxbuf):
            Chip.UART.baud = baud

        def any(self):
            return len(Chip.UART.waiting)

        def read(self, count=None):
            data, Chip.UART.waiting = Chip.UART.waiting, b""
            return data or None

    class WDT:
        timeout_ms = fed = 0

        def __init__(self, timeout):
            Chip.WDT.timeout_ms = timeout

        def feed(self):
            Chip.WDT.fed += 1

    hz = 0

    @staticmethod
    def freq(hz):
        Chip.hz = hz

    @staticmethod
    def unique_id():
        return b"chip 001"

    @staticmethod
    def reset_cause():
        return Chip.PWRON_RESET


class Pixel:
    class NeoPixel:
        def __init__(self, pin, count):
            pass

        def __setitem__(self, at, colour):
            pass

        def write(self):
            pass


sys.modules["machine"] = Chip
sys.modules["neopixel"] = Pixel
from firmware.boards import module_rp2040zero as board  # noqa: E402
from firmware.bus import words  # noqa: E402
from firmware.bus.frame import UNADDRESSED, encode  # noqa: E402
from firmware.module import main  # noqa: E402
from firmware.module.settings import Settings  # noqa: E402

WATCHDOG_MS, REAL_BEAT_MS = board.WATCHDOG_MS, board.BEAT_MS
board.BEAT_MS = BEAT_MS
main.read_settings = lambda folder: Settings(5, 7)


class Module:
    """The program with some of its tasks; `beats` are counted from its start."""

    def __init__(self):
        Chip.WDT.fed = 0  # of the module of another test
        self.program = main.ModuleBoard()
        self.beats = 0
        self._beat = self.program._node.beat
        self.program._node.beat = self._count

    def _count(self, now_ms):
        self.beats += 1
        self._beat(now_ms)

    async def run(self, work, *tasks):
        running = [asyncio.create_task(task()) for task in (self.program._run_beat,) + tasks]
        try:
            return await work()
        finally:
            for task in running:
                task.cancel()

    async def beat(self, count):
        """How often the watchdog was fed in so many beats."""
        fed, until = Chip.WDT.fed, self.beats + count
        while self.beats < until:
            await asyncio.sleep_ms(1)
        return Chip.WDT.fed - fed


def test_it_runs_at_the_clock_of_its_board():
    Module()
    assert (Chip.hz, Chip.UART.baud) == (48_000_000, 115_200)


def test_the_watchdog_is_fed_while_bus_and_light_run():
    module = Module()
    program = module.program
    assert asyncio.run(module.run(lambda: module.beat(LONG), program._run_bus, program._run_light)) >= LONG // 2
    assert (Chip.WDT.timeout_ms, WATCHDOG_MS) == (2_000, 2_000)
    assert 2 * REAL_BEAT_MS < WATCHDOG_MS


def test_a_light_that_does_not_run_starves_it():
    module = Module()

    async def work():
        await module.beat(SETTLING)
        return await module.beat(LONG)

    assert asyncio.run(module.run(work, module.program._run_bus)) == 0


def test_a_bus_that_hangs_over_a_frame_starves_it():
    module = Module()
    program = module.program

    async def hang():
        while True:
            await asyncio.sleep_ms(BEAT_MS)

    async def work():
        assert await module.beat(LONG) > 0
        program._watch = hang
        Chip.UART.waiting = encode(UNADDRESSED, words.PROBE, b"\x4d\x01")
        await module.beat(SETTLING)
        return await module.beat(LONG)

    assert asyncio.run(module.run(work, program._run_bus, program._run_light)) == 0
