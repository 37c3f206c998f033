"""The drivers of both boards on chips with the timing of the real ones: what a wire that hands over whole frames at once hides."""

from collections.abc import Iterator
from itertools import pairwise

import pytest

from firmware.bus import words
from firmware.bus.frame import encode
from firmware.bus.health import ECHO_WRONG
from firmware.drivers.select_lines import SelectLines
from tests.firmware.bus.chips import BYTE_US, Arc, Module, Pin, Uart, World, join


@pytest.fixture
def world(monkeypatch: pytest.MonkeyPatch) -> Iterator[World]:
    world = World(monkeypatch)
    yield world
    world.close()


def chain(world: World, count: int) -> tuple[Arc, list[Module]]:
    arc, modules = Arc(world), [Module(world, number + 1) for number in range(count)]
    join(arc, 0, modules[0], 0)
    for near, far in pairwise(modules):
        join(near, 2, far, 0)
    return arc, modules


def test_a_module_sees_that_it_is_selected_although_the_line_falls_before_it_has_read_the_probe(world: World) -> None:
    arc, modules = chain(world, 1)
    arc.cycles(3)
    assert [one.node.address for one in modules] == [1]
    assert arc.bus.edges() == [(0, 0, modules[0].node.identity.instance, 0)]
    assert arc.bus.statistics()["retries"] == 0


def test_a_chain_is_found_and_polled_in_time(world: World) -> None:
    arc, modules = chain(world, 6)
    arc.cycles(4)
    assert sorted(one.node.address for one in modules) == [1, 2, 3, 4, 5, 6]
    assert len(arc.bus.edges()) == 6
    arc.cycle_ms.clear()
    arc.cycles(4)
    assert max(arc.cycle_ms) <= 6 * 8, "some milliseconds a module, not a tick of the ESP32's system for each look"


class Babbler(Uart):
    """Bytes without end, from its start on: a module whose transmitter has gone mad."""

    def __init__(self, world: World, seconds: int = 3) -> None:
        super().__init__(world)
        self.write(b"\x55" * (seconds * 1_000_000 // BYTE_US))


def test_a_wire_that_is_never_quiet_does_not_hold_the_arc_for_ever(world: World) -> None:
    arc = Arc(world)
    Babbler(world)
    arc.cycles(2)
    assert arc.uart.echo == ECHO_WRONG
    assert arc.bus.coordinator.health.is_stuck
    assert max(arc.cycle_ms) < 2_000


def test_on_a_wire_that_is_never_quiet_a_module_feeds_its_watchdog(world: World) -> None:
    module = Module(world, 1)
    Babbler(world)
    beats: list[int] = []

    async def beat() -> None:
        for _ in range(4):
            beats.append(world.now_us // 1000)
            await world.sleep_ms(500)

    world.start(beat(), module.chip)
    world.run(3_000_000)
    assert max(after - before for before, after in pairwise(beats)) < 600


def test_of_two_beacons_that_overlap_each_board_sees_the_other(world: World) -> None:
    one, other = Module(world, 1), Module(world, 2)
    join(one, 0, other, 3)

    async def together(lines: SelectLines, wait_ms: int) -> None:
        await world.sleep_ms(wait_ms)
        await lines.beacon()

    world.start(together(one.lines, 10), one.chip)
    world.start(together(other.lines, 11), other.chip)
    world.run(20_000)
    assert (one.lines.links(), other.lines.links()) == (1 << 0, 1 << 3)


@pytest.mark.parametrize("low_ms", [2, 6])
def test_a_line_that_fell_amid_a_probe_selects_only_when_no_beacon_lasts_as_long(world: World, low_ms: int) -> None:
    module, neighbour, prober = Module(world, 1), Pin(), Uart(world)
    module.pins[1].joined, neighbour.joined = neighbour, module.pins[1]
    frame = encode(9, words.PROBE, b"\x4d\x01")

    async def probe() -> None:
        await world.sleep_ms(7)
        prober.write(frame)
        await world.sleep_ms(len(frame) * BYTE_US / 1000)
        neighbour.value(0)  # before the module has looked at its last byte
        await world.sleep_ms(low_ms)
        neighbour.value(1)
        await world.sleep_ms(8)

    world.start(probe())
    world.run(60_000)
    answer = (prober.read() or b"")[len(frame) :]
    assert bool(answer) == (low_ms > 2), "a beacon is no selection"
