"""The colony: a settlement at fifteen modules, and beside it what is only made when asked for (views, reports, texts)."""

import copy
import pickle
import time
from collections.abc import Callable, Iterator
from statistics import median

from attrs import evolve

from companion import catalog, simulation
from companion.catalog import loader
from companion.lab.plans import Batch
from companion.lab.running import play_all
from companion.simulation.colony import Colony
from companion.simulation.commands import Campaign, RegisterDecree, Settle
from companion.simulation.words import Condition
from tests.bench.rows import Row
from tests.companion.simulation.games import play, shipped, start, with_modules

TIMES = 400
GAMES = 80
MODULES = (
    "solar", "solar", "nuclear", "lss", "atmos", "well", "tanks", "hydro", "storage", "commdome", "resdome", "resdome",
    "industrial", "landing", "hangar",
)  # fmt: skip


def in_mid_game() -> Colony:
    """Fifteen modules of which one is being rebuilt, three decrees, two campaigns: a full round before NEXT."""
    colony = with_modules(start(managers=("bloch", "gore", "chen")), *MODULES)
    ruin = evolve(colony.modules[8], progress=0, is_hit=True, condition=Condition.DAMAGED)
    modules = (*colony.modules[:8], ruin, *colony.modules[9:])
    colony = evolve(colony, modules=modules, round=12, stock=40, support=(30, 20, 25), extra_housing=2000)
    decrees = list(shipped().decrees)[:3]
    cards = [RegisterDecree(decree, manager) for decree, manager in zip(decrees, colony.setup.managers, strict=True)]
    return play(colony, *cards, Campaign("bloch"), Campaign("gore"))


def median_ms(make: Callable[[int], object]) -> float:
    taken = []
    for turn in range(TIMES):
        began = time.perf_counter()
        make(turn)
        taken.append(time.perf_counter() - began)
    return median(taken) * 1000


def games_s() -> float:
    """Seconds of processor time that 10,000 games take when two cores share them."""
    batch = Batch(("careful",), ("rustfall",), ("semi-coop",), (3,), GAMES, 1)
    shelf = catalog.load()
    play_all(batch.plans(shelf))  # the worker's own catalog and what it keeps of it
    began = time.process_time()
    play_all(batch.plans(shelf))
    return (time.process_time() - began) * 10_000 / GAMES / 2


def rows() -> Iterator[Row]:
    shelf, colony = shipped(), in_mid_game()
    colonies = [evolve(colony, chance=seed) for seed in range(TIMES)]
    settled = play(colony, Settle())
    text, pickled = simulation.to_text(settled), pickle.dumps(settled)

    copied = median_ms(lambda turn: copy.deepcopy(colonies[turn]))
    yield Row(
        "simulation: a NEXT settlement, 15 modules",
        median_ms(lambda turn: simulation.step(colonies[turn], Settle(), shelf)),
        "ms",
        "deepcopy of the colony",
        copied,
        budget=0.5,
    )
    yield Row(
        "simulation: an act (campaign)", median_ms(lambda _: simulation.step(settled, Campaign("gore"), shelf)), "ms"
    )
    yield Row("simulation: report texts, when asked for", median_ms(lambda _: simulation.report(settled, shelf)), "ms")
    yield Row("simulation: view for the screens", median_ms(lambda _: simulation.view(settled, shelf)), "ms")
    yield Row("simulation: new game", median_ms(lambda turn: start(seed=turn)), "ms")
    yield Row(
        "simulation: colony to text and back",
        median_ms(lambda _: simulation.from_text(simulation.to_text(settled))),
        "ms",
        "pickle",
        median_ms(lambda _: pickle.loads(pickle.dumps(settled))),
    )
    yield Row("simulation: text of a colony", len(text), "bytes", "pickle", len(pickled))
    yield Row("lab: 10,000 careful games on two cores, from one core's sample", games_s(), "s", budget=120)
    loader._read_shipped.cache_clear()  # as at the app's start
    began = time.process_time()
    catalog.load()
    yield Row("catalog: load and check all", (time.process_time() - began) * 1000, "ms", budget=250)
