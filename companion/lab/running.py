"""Plays a batch on all cores, or on a Dask cluster: the same rows either way, in chunks, resumable, with a bar."""

import os
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from functools import cache
from importlib import import_module
from pathlib import Path

from companion import catalog
from companion.lab.game import play_game
from companion.lab.game_row import GamePlan, GameRow
from companion.lab.plans import Batch
from companion.lab.rows import drop_torn_line, read_rows, write_rows

CHUNK = 25
Chunk = tuple[GamePlan, ...]
Progress = Callable[[int, int], None]


@cache
def _catalog(folder: str | None) -> catalog.Catalog:
    """Loaded once a worker."""
    return catalog.load(folder)


def play_chunk(chunk: Chunk, folder: str | None) -> list[GameRow]:
    """What a worker does; also the unit that Dask sends about."""
    return [play_game(plan, _catalog(folder)) for plan in chunk]


def run_batch(
    batch: Batch,
    out: Path,
    folder: str | None = None,
    workers: int = 0,
    scheduler: str | None = None,
    progress: Progress | None = None,
) -> int:
    """Plays what `out` does not hold yet and appends it; returns how many games were played. `workers` 0: all cores."""
    done = set()
    if out.exists():
        drop_torn_line(out)
        done = {row.id for row in read_rows(out)}
    out.parent.mkdir(parents=True, exist_ok=True)
    plans = [plan for plan in batch.plans(_catalog(folder)) if plan.id not in done]
    chunks = [tuple(plans[at : at + CHUNK]) for at in range(0, len(plans), CHUNK)]
    played = 0
    for rows in _on_dask(chunks, folder, scheduler) if scheduler else _on_cores(chunks, folder, workers):
        write_rows(out, rows)
        played += len(rows)
        if progress:
            progress(len(done) + played, len(batch))
    return played


def _on_cores(chunks: list[Chunk], folder: str | None, workers: int) -> Iterator[list[GameRow]]:
    count = workers or os.cpu_count() or 1
    if count == 1 or len(chunks) <= 1:
        yield from (play_chunk(chunk, folder) for chunk in chunks)
        return
    with ProcessPoolExecutor(count) as pool:
        futures = [pool.submit(play_chunk, chunk, folder) for chunk in chunks]
        for future in as_completed(futures):
            yield future.result()


def _on_dask(chunks: list[Chunk], folder: str | None, scheduler: str) -> Iterator[list[GameRow]]:
    """Needs the extra `lab`. The workers must see the same catalog folder."""
    distributed = import_module("distributed")
    with distributed.Client(scheduler) as client:
        futures = [client.submit(play_chunk, chunk, folder, pure=False) for chunk in chunks]
        for future in distributed.as_completed(futures):
            yield future.result()


class Bar:
    """A progress bar on the error stream; silent where that is no terminal but for a line every tenth."""

    def __init__(self) -> None:
        self._began, self._tenth = time.monotonic(), -1

    def __call__(self, done: int, whole: int) -> None:
        share = done / max(1, whole)
        if sys.stderr.isatty():
            left = (time.monotonic() - self._began) * (1 - share) / max(share, 1e-9)
            blocks = int(30 * share)
            print(
                f"\r[{'█' * blocks}{'·' * (30 - blocks)}] {done} of {whole}, {left:.0f} s left ",
                end="",
                file=sys.stderr,
                flush=True,
            )
            if done == whole:
                print(file=sys.stderr)
        elif int(10 * share) > self._tenth:
            self._tenth = int(10 * share)
            print(f"{done} of {whole} games", file=sys.stderr, flush=True)


def play_all(plans: Iterable[GamePlan], folder: str | None = None) -> list[GameRow]:
    """In this process, for tests and small comparisons."""
    return play_chunk(tuple(plans), folder)
