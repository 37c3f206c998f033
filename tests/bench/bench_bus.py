"""The LED bus in virtual time: how long until every module has its address and its light, beside two other ways.

Stated model: two branches, depth up to 16, four ports a module, a fifth of the modules close a loop; modules answer
after 0.5 – 1.5 ms, 3 % of the times they collect garbage for 3 – 8 ms, the ARC in 2 % for 5 – 15 ms. The 1-Wire search runs on
the same net with the same noise, but with devices and a master that lose no time.
"""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random

from firmware.bus.dialogue import Heard
from firmware.desk.wire import PORTS
from firmware.desk.wire_virtual import Table, run_now
from protocol.lights import GREEN, STEADY, light
from tests.bench.bus_peers import join_slotted_ms, search_1wire_ms
from tests.bench.rows import Row
from tests.firmware.bus.play import Play, slow_boards
from tests.on_micropython.interpreter import run_script

SCRIPT = Path(__file__).with_name("bus_on_micropython.py")

RUNS = 200
PEER_RUNS = RUNS // 4
MAX_DEPTH = 16
BUDGET_S = 0.35
BUDGET_WITH_ERRORS_S = 0.45
ERROR_RATE = 1e-3
SIZES = (1, 8, 16, 31)


def rows() -> Iterator[Row]:
    for count in SIZES:
        for rate in (0.0, ERROR_RATE):
            yield from _discovery(count, rate)
    yield _poll_cycle()
    yield _foreign_frame()


def _discovery(count: int, rate: float) -> Iterator[Row]:
    budget = (BUDGET_WITH_ERRORS_S if rate else BUDGET_S) if count == max(SIZES) else None
    what = f"bus: {count} modules found and lit, p99" + (f", byte errors {rate:g}" if rate else "")
    ours = _p99(lambda seed: first_pass_ms(count, rate, seed))
    searched = _p99(lambda seed: search_1wire_ms(count, rate, seed), runs=PEER_RUNS)
    yield Row(
        what, ours / 1000, "s", "1-Wire search, no topology, devices that answer at once", searched / 1000, budget
    )
    joined = _p99(lambda seed: _join(count, rate, seed), runs=PEER_RUNS)
    yield Row(what, ours / 1000, "s", "slotted joining, no topology", joined / 1000, budget)


def _p99(measure: Callable[[int], float], runs: int = RUNS) -> float:
    values = sorted(measure(seed) for seed in range(runs))
    return values[-1 - runs // 100]


def first_pass_ms(count: int, rate: float, seed: int) -> float:
    """From the first frame after start to the frame that lights the last module."""
    play = _plugged(count, seed)
    play.bus.set_all(light(STEADY, GREEN))
    play.table.wire.medium.byte_error_rate = rate
    coordinator, table = play.bus.coordinator, play.table
    while True:
        script = coordinator.cycle(table.now_ms())
        request = next(script, None)
        while request is not None:
            heard = table.exchange(request.frame, request.timeout_us, request.select, request.collect)
            if all(module.light.byte for module in table.modules.values()):
                return table.wire.now_us / 1000
            try:
                request = script.send(Heard(heard.data, heard.echo, heard.links, table.now_ms()))
            except StopIteration:
                request = None


def _plugged(count: int, seed: int) -> Play:
    """Modules in two branches of random shape, and loops."""
    random = Random(seed)
    play = Play(seed, slow=True)
    play.box(count)
    depth = {"arc": 0}
    for index in range(count):
        parent, port = ("arc", index) if index < 2 else _free_port(play, random, depth)
        play.table.plug(parent, port, f"m{index}", random.randrange(PORTS))
        depth[f"m{index}"] = depth[parent] + 1
    for _ in range(count // 5):
        one, other = _free_port(play, random, depth), _free_port(play, random, depth)
        if one[0] != other[0]:
            play.table.plug(*one, *other)
    return play


def _free_port(play: Play, random: Random, depth: dict[str, int]) -> tuple[str, int]:
    edges = {name: play.table.wire.boards[name].edges for name in depth if name != "arc" and depth[name] < MAX_DEPTH}
    return random.choice([(name, port) for name, taken in edges.items() for port in range(PORTS) if port not in taken])


def _join(count: int, rate: float, seed: int) -> float:
    table = Table(seed, slow_boards(seed))
    for index in range(count):
        table.add(f"m{index}")
        table.plug("arc" if not index else f"m{index - 1}", 0 if not index else 2, f"m{index}", 0)
    table.wait_ms(1000)
    table.wire.medium.byte_error_rate = rate
    return join_slotted_ms(table)


def _poll_cycle() -> Row:
    play = _plugged(31, 1)
    play.run_ms(2000)
    values = []
    for _ in range(RUNS):
        begun_us = play.table.wire.now_us
        run_now(play.bus.run_cycle())
        values.append(play.table.wire.now_us - begun_us)
        play.table.wait_ms(100)
    return Row("bus: one cycle over 31 modules, p99", sorted(values)[-3] / 1000, "ms", "the period", 250.0, 250.0)


def _foreign_frame() -> Row:
    """What a frame for somebody else costs a module's reader, beside one of its own; the same interpreter, this machine."""
    done = run_script(SCRIPT)
    times = json.loads(done.stdout)
    name = "bus: a module skips a foreign frame of 15 bytes, on MicroPython"
    return Row(name, times["foreign"], "µs", "taking an own one", times["own"], budget=times["own"] / 2)
