"""The bus driver as it runs on boards, with bytes, ticks and pins: ARC and modules in one interpreter, in real time."""

import asyncio
import gc
import os
import sys
import time

sys.path.append(__file__.rsplit("/", 1)[0])

import bus_bench

from firmware.arc.module_bus import ModuleBus
from firmware.arc.module_watch import ModuleWatch
from firmware.bus import words
from firmware.bus.frame import REPLY, encode
from firmware.bus.health import ECHO_WRONG
from firmware.drivers.bus_uart import BusUart
from firmware.drivers.clock import Clock
from firmware.drivers.select_lines import SelectLines
from protocol import events

HEAP = "512k"


class Arc:
    def __init__(self, net, clock):
        self.pins = [bus_bench.Pin() for _ in range(4)]
        self.uart = BusUart(bus_bench.Uart(net), SelectLines(self.pins))
        self.bus = ModuleBus(self.uart, 77, ModuleWatch(1500), clock, 100, 4, os.urandom)


def table(count):
    net, clock = bus_bench.Net(), Clock()
    arc = Arc(net, clock)
    boards = [bus_bench.Board(net, number + 1, clock) for number in range(count)]
    return net, arc, boards


async def run_with(boards, work):
    tasks = [asyncio.create_task(task) for b in boards for task in (b.run(), b.send_beacons())]
    try:
        return await work
    finally:
        for task in tasks:
            task.cancel()


async def cycles(arc, wanted, most=12):
    told = []
    for _ in range(most):
        told += await arc.bus.run_cycle()
        if wanted(told):
            break
        await asyncio.sleep_ms(60)
    return told


def test_a_chain_with_a_loop_is_found_over_bytes_and_pins():
    _, arc, boards = table(3)
    bus_bench.join(arc, 0, boards[0], 0)
    bus_bench.join(boards[0], 2, boards[1], 0)
    bus_bench.join(boards[1], 1, boards[2], 3)
    bus_bench.join(boards[2], 1, arc, 2)

    async def work():
        return await cycles(arc, lambda told: len(arc.bus.modules()) == 3 and len(arc.bus.edges()) == 4)

    told = asyncio.run(run_with(boards, work()))
    instances = [b.node.identity.instance for b in boards]
    assert sorted(arc.bus.modules()) == sorted([(i, n + 1, 0) for n, i in enumerate(instances)]), told
    assert (0, 0, instances[0], 0) in arc.bus.edges(), arc.bus.edges()
    assert len(arc.bus.edges()) == 4, arc.bus.edges()
    assert not [body for body in told if isinstance(body, events.FaultFound)], told


def test_damaged_bytes_are_retried():
    net, arc, boards = table(1)
    bus_bench.join(arc, 0, boards[0], 0)

    async def work():
        await cycles(arc, lambda told: len(arc.bus.modules()) == 1)
        net.damage = [0] * 9 + [0x10]  # in the reply to the next poll
        await arc.bus.run_cycle()

    asyncio.run(run_with(boards, work()))
    counts = arc.bus.statistics()
    assert len(arc.bus.modules()) == 1
    assert counts["crc_errors"] == 1, counts
    assert counts["retries"] >= 1, counts


def test_a_reply_that_comes_too_early_is_heard_or_asked_for_again():
    """Field report 63: a chip that has just sent may spoil the first byte of an answer that comes at once."""
    net, arc, boards = table(1)
    bus_bench.join(arc, 0, boards[0], 0)

    async def work():
        await cycles(arc, lambda told: len(arc.bus.modules()) == 1)
        poll, answer = encode(5, words.POLL, b"\x4d"), encode(5, words.POLL | REPLY, b"\x4d")
        for spoilt in (answer, b"\xff" + answer[1:]):
            early = Early(net, spoilt)
            heard = await arc.uart.exchange(poll, 3000)
            assert (heard, arc.uart.echo) == (spoilt, 0), "right behind the echo, which stays whole"
            net.uarts.remove(early)
        while not arc.bus.statistics()["crc_errors"]:  # on a busy computer a reply may be too late to be heard spoilt
            net.damage = [0] * 7 + [0xFF]  # the first byte of the reply to the next poll
            await arc.bus.run_cycle()

    asyncio.run(run_with(boards, work()))
    counts = arc.bus.statistics()
    assert len(arc.bus.modules()) == 1
    assert (counts["crc_errors"], counts["retries"] >= 1) == (1, True), counts


def test_forty_byte_frames_back_to_back_lose_nothing_while_garbage_is_collected():
    """Field report 61, in wire time: each collection takes 20 ms, an estimate for 48 MHz; the buffer holds 22 ms."""
    from firmware.boards import module_rp2040zero as board
    from firmware.drivers import node_uart

    frames = [encode(3, 5, bytes([number]) * 34) for number in range(100)]
    assert {len(frame) for frame in frames} == {40}
    real = node_uart.time
    try:
        heard = {size: hear(Stream(b"".join(frames), size), node_uart) for size in (board.BUS_RX_BUFFER, 32)}
    finally:
        node_uart.time = real
    assert heard[board.BUS_RX_BUFFER] == frames
    assert len(heard[32]) < len(frames), "the chip's own 32 bytes would not be enough"


class Stream:
    """A UART whose bytes come without a gap, and the clock of its wire. Every look takes a millisecond, every fifth one finds
    garbage collected before it. What does not fit into the buffer is lost."""

    def __init__(self, data, size):
        self.now_us = 0
        self.looks = 0
        self.came = 0
        self._data = data
        self._size = size

    def any(self):
        self.looks += 1
        self.now_us += 1_000
        if self.looks % 5 == 0:
            self.now_us += 20_000
            gc.collect()
        came = min(len(self._data), self.now_us * 115_200 // 10_000_000)
        self._waiting = self._data[self.came : min(came, self.came + self._size)]
        self.came = came
        return len(self._waiting)

    def read(self, count):
        assert count == len(self._waiting)
        return self._waiting

    def ticks_us(self):
        return self.now_us & 0x3FFFFFFF

    ticks_diff = staticmethod(time.ticks_diff)


def hear(stream, node_uart):
    node_uart.time = stream
    uart = node_uart.NodeUart(stream, lambda address, control: True, SelectLines([bus_bench.Pin()]))
    heard = []

    async def listen():
        while True:
            heard.append(await uart.listen())

    async def work():
        listening = asyncio.create_task(listen())
        while stream.came < len(stream._data) or stream.looks % 5:
            await asyncio.sleep_ms(0)
        await asyncio.sleep_ms(0)  # what the last look found
        listening.cancel()

    asyncio.run(work())
    return heard


class Early:
    """Answers in the instant in which the request has ended."""

    def __init__(self, net, answer):
        self._net = net
        self._answer = answer
        net.uarts.append(self)  # behind the others: they have the request when it comes here

    @property
    def waiting(self):
        return b""

    @waiting.setter
    def waiting(self, _request):
        answer, self._answer = self._answer, b""
        for uart in self._net.uarts:
            if uart is not self:
                uart.waiting += answer


class Noise:
    """A UART on a wire that never rests: a byte every 87 us, SYNC among them, and no frame. On a net like any other."""

    def __init__(self):
        self.waiting = b""
        self._us = time.ticks_us()

    def any(self):
        return time.ticks_diff(time.ticks_us(), self._us) // 87

    def read(self, count=None):
        came = self.any()
        self._us = time.ticks_add(self._us, came * 87)
        return bytes([0xA5, 0x22, 0x55][: came % 4]) + b"\x55" * (came - came % 4) if came else None

    def write(self, data):
        pass

    def flush(self):
        pass


def test_noise_without_end_ends_an_exchange_and_is_told():
    _, arc, _ = table(0)
    arc.uart._uart = Noise()

    async def work():
        for collect in (False, True):
            heard = await asyncio.wait_for_ms(
                arc.uart.exchange(encode(5, words.POLL, b"\x4d"), 12000, -1, collect), 1_000
            )
            assert heard, "what babbled"
            assert arc.uart.echo == ECHO_WRONG
        return await asyncio.wait_for_ms(arc.bus.run_cycle(), 5_000)

    asyncio.run(work())
    assert not arc.bus.is_working(0)


def test_noise_without_end_lets_the_other_tasks_of_a_module_run():
    from firmware.drivers import node_uart

    stream, real = Stream(b"\x55" * 20_000, 256), node_uart.time
    node_uart.time = stream
    uart = node_uart.NodeUart(stream, lambda address, control: True, SelectLines([bus_bench.Pin()]))

    async def work():
        listening = asyncio.create_task(uart.listen())
        turns = 0
        while stream.came < len(stream._data):
            await asyncio.sleep_ms(0)
            turns += 1
        listening.cancel()
        return turns

    try:
        assert asyncio.run(work()) > 50
    finally:
        node_uart.time = real


def test_the_own_echo_is_compared_and_taken_off():
    # field report 65
    net, arc, _ = table(0)
    frame = encode(5, words.POLL, b"\x4d")

    async def work():
        heard = await arc.uart.exchange(frame, 3000)
        assert (heard, arc.uart.echo) == (b"", 0)
        net.damage = [0, 1]
        heard = await arc.uart.exchange(frame, 3000)
        assert (heard, arc.uart.echo) == (b"", 1)
        net.uarts.clear()
        await arc.uart.exchange(frame, 3000)
        assert arc.uart.echo == 2

    asyncio.run(work())


def test_an_echo_that_the_chip_hands_over_late_is_waited_for():
    net, arc, _ = table(0)
    frame = encode(63, words.TICK, bytes(8))
    uart = arc.uart._uart
    net.uarts.clear()  # nothing comes by itself: the chip's FIFO holds the end of the echo back
    handed = []

    def flush():
        uart.waiting += frame[:5]
        handed.append(5)

    uart.flush = flush

    async def hand_over():
        while not handed:
            await asyncio.sleep_ms(0)
        uart.waiting += frame[5:]

    async def work():
        late = asyncio.create_task(hand_over())
        await arc.uart.exchange(frame, 0)
        await late
        assert arc.uart.echo == 0, arc.uart.echo

    asyncio.run(work())


def test_a_reply_comes_no_earlier_than_its_gap():
    # field report 63: 0.3 ms between request and reply at least
    net, _, boards = table(1)
    node = boards[0].uart
    listener = bus_bench.Uart(net)

    async def work():
        for delay_us in (300, 2000):
            node._end_us = time.ticks_us()
            began = node._end_us
            await node.reply(b"reply", delay_us, 1)
            assert time.ticks_diff(time.ticks_us(), began) >= delay_us
            assert listener.read() == b"reply"
            assert not node._uart.any(), "its own echo is off the wire"

    asyncio.run(work())


def test_no_beacon_between_a_probe_and_the_end_of_its_reply_slot():
    from firmware.drivers.node_uart import REPLY_SLOT_US

    net, _, boards = table(1)
    board = boards[0]

    async def work():
        listening = asyncio.create_task(board.run())
        refused = 0
        for _ in range(20):
            began, before = time.ticks_us(), board.uart._probe_us
            net.write(encode(9, words.PROBE, b"\x4d\x01"))
            while board.uart._probe_us == before:
                await asyncio.sleep_ms(0)
            may = board.uart.may_beacon()
            # on a busy machine the slot may be over by now
            if time.ticks_diff(time.ticks_us(), began) < REPLY_SLOT_US:
                assert not may
                refused += 1
        assert refused
        while time.ticks_diff(time.ticks_us(), board.uart._probe_us) < REPLY_SLOT_US:
            await asyncio.sleep_ms(1)
        assert board.uart.may_beacon()
        listening.cancel()

    asyncio.run(work())


def test_a_beacon_ends_when_a_probe_comes():
    net, _, boards = table(1)
    board = boards[0]

    async def work():
        listening = asyncio.create_task(board.run())
        await asyncio.sleep_ms(0)
        beacon = asyncio.create_task(board.lines.beacon())
        await asyncio.sleep_ms(0)
        net.write(encode(9, words.PROBE, b"\x4d\x01"))
        await board.uart.listen()
        assert [pin.level() for pin in board.pins] == [1] * 4
        beacon.cancel()
        listening.cancel()

    asyncio.run(work())


def test_a_select_line_is_let_go_after_twenty_milliseconds():
    from firmware.drivers.node_uart import SELECT_US

    net, _, boards = table(1)
    board = boards[0]

    async def held_us(board, frame=b""):
        began = time.ticks_us()
        board.uart.select(2, 1)
        assert board.pins[2].level() == 0
        if frame:
            net.write(frame)
        while board.pins[2].level() == 0:
            await asyncio.sleep_ms(0)
        return time.ticks_diff(time.ticks_us(), began)

    async def work():
        listening = asyncio.create_task(board.run())
        assert await held_us(board) >= SELECT_US
        held = []
        for _ in range(20):
            held.append(await held_us(board, encode(9, words.POLL, b"\x4d")))
        assert min(held) < SELECT_US, "the next frame ends it too, when the machine is not too busy to see it"
        listening.cancel()

    asyncio.run(work())


def test_own_beacons_are_no_links():
    _, _, boards = table(2)
    bus_bench.join(boards[0], 0, boards[1], 3)

    async def work():
        await boards[0].lines.beacon()
        assert boards[0].lines.links() == 0
        assert boards[1].lines.links() == 0b1000

    asyncio.run(work())


class Ticks:
    """The chip's counter, in 30 bits as on boards: a tenth of a millisecond goes by with each look."""

    def __init__(self):
        self.now_us = 0

    def ticks_us(self):
        self.now_us += 100
        return self.now_us & 0x3FFFFFFF

    def ticks_diff(self, later, earlier):
        return ((later - earlier + (1 << 29)) & 0x3FFFFFFF) - (1 << 29)


MINUTES_US = 60_000_000
LONG_SILENCES_US = [minutes * MINUTES_US for minutes in (1, 8, 9, 12, 17, 19)]
"""The counter comes round after 17.9 minutes, and half of that is where differences change their sign."""


def test_a_module_shows_itself_to_an_arc_that_was_silent_for_however_long():
    from firmware.drivers import node_uart

    ticks = Ticks()
    real, node_uart.time = node_uart.time, ticks
    try:
        _, _, boards = table(1)
        for silence_us in LONG_SILENCES_US:
            ticks.now_us = silence_us
            assert boards[0].uart.may_beacon(), silence_us
    finally:
        node_uart.time = real


def test_the_first_frame_goes_out_at_once_however_long_the_wire_was_silent():
    from firmware.drivers import bus_uart

    ticks = Ticks()
    real, bus_uart.time = bus_uart.time, ticks
    try:
        for silence_us in LONG_SILENCES_US:
            ticks.now_us = 0
            _, arc, _ = table(0)
            ticks.now_us = silence_us
            asyncio.run(asyncio.wait_for_ms(arc.uart.exchange(encode(63, words.TICK, bytes(8)), 0), 1_000))
            assert arc.uart.echo == 0
    finally:
        bus_uart.time = real
