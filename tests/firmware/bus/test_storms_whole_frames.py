"""The long runs deliver whole frames. With noise and slow boards too they tell what single bytes tell, for the same hands.

Not the same bytes: noise falls elsewhere as soon as one frame differs, and over whole frames no reply to another is overheard.
So what is compared is what was told after each act, and how often the bus had to try again.
"""

from collections import Counter
from random import Random

import pytest

from tests.firmware.bus.play import Play, game_events

MODULES, ACTS = 5, 8
TOLD_WITHIN_MS = 12_000
BROWN_OUTS_MS = (50, 400, 5_000)
"""Well within the grace time or well beyond it: one that ends with it is told or not by the chance of a poll."""
SAMPLE, SOAK = range(3), range(3, 50)
RATES = (1e-4, 1e-3)
"""Those of the long runs."""
TRIES_APART = 0.15
"""A tenth or so is chance, over the tries of so few minutes."""


def play(seed: int, rate: float, *, every_byte: bool) -> tuple[list[list[str]], Counter[str]]:
    """What was told of each of some acts, and the counters of the bus."""
    hands = Random(seed)
    table = Play(seed, slow=True, every_byte=every_byte)
    names = [module.name for module in table.box(MODULES)]
    table.plug_tree(MODULES)
    table.run_ms(3_000)
    table.table.wire.medium.byte_error_rate = rate
    told = []
    for _ in range(ACTS):
        act(table, hands, hands.choice(names))
        told.append(sorted(repr(body) for body in game_events(table.run_ms(TOLD_WITHIN_MS))))
    return told, Counter(table.bus.statistics())


def act(table: Play, hands: Random, name: str) -> None:
    """Pull a module off, let it brown out, or plug it somewhere."""
    wire = table.table.wire
    powered = wire.powered()
    if name in powered and hands.random() < 0.5:
        table.table.unplug(name)
    elif name in powered:
        table.table.reset(name, hands.choice(BROWN_OUTS_MS))
    else:
        own = [port for port in range(4) if port not in wire.boards[name].edges]
        free = [(board, port) for board in sorted(powered) for port in range(4) if port not in wire.boards[board].edges]
        if own and free:
            table.table.plug(*hands.choice(free), name, hands.choice(own), boot_ms=hands.randrange(900))


def compare(rate: float, seeds: range) -> None:
    whole_tries, single_tries = Counter[str](), Counter[str]()
    told = 0
    for seed in seeds:
        whole, counts = play(seed, rate, every_byte=False)
        single, single_counts = play(seed, rate, every_byte=True)
        assert whole == single, seed
        whole_tries += counts
        single_tries += single_counts
        told += sum(map(len, whole))
    assert told > 2 * len(seeds)
    for counter in ("frames", "retries", "timeouts"):
        assert whole_tries[counter] == pytest.approx(single_tries[counter], rel=TRIES_APART), counter


@pytest.mark.parametrize("rate", RATES)
def test_whole_frames_tell_what_single_bytes_tell(rate: float) -> None:
    compare(rate, SAMPLE)


@pytest.mark.soak
@pytest.mark.parametrize("rate", RATES)
def test_soak_whole_frames_tell_what_single_bytes_tell(rate: float) -> None:
    compare(rate, SOAK)
