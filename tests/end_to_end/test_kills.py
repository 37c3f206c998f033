"""`kill -9` of app, radio, ARC and module at random instants of a whole evening: every act exactly once, in order, and the
colony of an undisturbed evening (design rule 3)."""

import asyncio
import json
import random

import pytest

from tests.end_to_end.evening import EVENING, Evening
from tests.end_to_end.registered import colony_text, registered, undisturbed_journal

VICTIMS = ("app", "radio", "arc", "module")
LATEST_S = 1.5
"""A step takes about as long; a kill comes at any instant of it."""
STARTS_WITHIN_S = 30


class Reaper:
    """Kills by plan: `plan[step]` names what dies during that step and how long after its beginning."""

    def __init__(self, evening: Evening, seed: int, each: int) -> None:
        self._evening = evening
        chance = random.Random(seed)
        victims = [victim for victim in VICTIMS for _ in range(each)]
        chance.shuffle(victims)
        # no module is there to be killed before the first is plugged
        first = next(number for number, step in enumerate(EVENING) if step.kind == "plug") + 1
        self.plan: dict[int, list[tuple[str, float]]] = {}
        for victim in victims:
            step = chance.randrange(first if victim == "module" else 0, len(EVENING))
            self.plan.setdefault(step, []).append((victim, chance.uniform(0, LATEST_S)))
        self.killed: list[str] = []

    async def before_step(self, number: int) -> None:
        for victim, after_s in self.plan.get(number, ()):
            await asyncio.sleep(after_s)  # not for time to pass: death comes at an instant that nothing announces
            await self._kill(victim)
            self.killed.append(f"{number}: {victim} after {after_s:.3f} s")

    async def _kill(self, victim: str) -> None:
        desk, tablet = self._evening.desk, self._evening.tablet
        if victim == "app":
            await tablet.kill()
            await tablet.start()
        elif victim == "radio":
            desk.kill("radio")
        else:
            desk.kill(await self._running(victim))

    async def _running(self, victim: str) -> str:
        """A board of this kind whose program runs: one that is starting again after an earlier kill is waited for."""
        async with asyncio.timeout(STARTS_WITHIN_S):
            while True:
                for name, board in self._evening.desk.supervisor.boards.items():
                    if (name == "arc") == (victim == "arc") and board.pid is not None:
                        return name
                await asyncio.sleep(0.05)


async def _play_disturbed(evening: Evening, seed: int, each: int) -> str:
    reaper = Reaper(evening, seed, each)
    try:
        await evening.play(reaper.before_step)
    finally:
        rows = [(row.number, row.sequence, row.act, row.commands) for row in evening.tablet.journal()]
        print(f"seed {seed}", reaper.killed, evening.told, json.dumps(evening.tablet.state), *rows, sep="\n")
    assert len(reaper.killed) == each * len(VICTIMS)
    assert registered(evening.tablet.journal()) == [step.journaled for step in EVENING]
    return colony_text(evening.tablet.journal())


@pytest.fixture(scope="session")
def undisturbed_colony() -> str:
    return colony_text(undisturbed_journal())


@pytest.mark.desk
@pytest.mark.parametrize("seed", [1, 2, 3])
async def test_a_kill_of_each_kind_changes_nothing(evening: Evening, undisturbed_colony: str, seed: int) -> None:
    assert await _play_disturbed(evening, seed, each=1) == undisturbed_colony


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(10, 15))
async def test_four_kills_of_each_kind_change_nothing(evening: Evening, undisturbed_colony: str, seed: int) -> None:
    assert await _play_disturbed(evening, seed, each=4) == undisturbed_colony
