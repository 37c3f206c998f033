"""`kill -9` of radio, ARC and a module at random instants while cards stream to a host over the app's own link.

What the ARC beeped for reaches the host's journal exactly once and in order, whatever dies in between.
"""

import asyncio
import itertools
from random import Random

import pytest

from companion.link import Arc, news
from companion.link.ble import Ble
from companion.link.bumble_backend import BumbleClient, BumbleScanner
from firmware.desk.desk import Desk
from firmware.desk.script import present
from protocol.tag import code_number
from tests.firmware.desk.journal import Journal
from tests.firmware.desk.leftovers import assert_nothing_left, children_of_this_process

pytestmark = pytest.mark.desk

CARDS = ("manager:bloch", "manager:carter", "manager:gore")
WITHIN_S = 60.0


class Evening:
    """A desk, a host on its radio, and hands that lay one card after another."""

    def __init__(self, desk: Desk) -> None:
        self.desk = desk
        self.journal = Journal()
        backend = {"radio": desk.radio}
        self._arc = Arc(
            lambda: Ble(scanner={"backend": BumbleScanner, **backend}, client={"backend": BumbleClient, **backend}),
            self.journal,
            self.journal.deliver,
            self.journal.resume_point,
            tablet=1,
        )
        self._laid: list[int] = []

    async def __aenter__(self) -> "Evening":
        self._running = asyncio.create_task(self._arc.run())
        await self.until_ready()
        return self

    async def __aexit__(self, *_error: object) -> None:
        self._running.cancel()
        await asyncio.gather(self._running, return_exceptions=True)

    async def until_ready(self) -> None:
        async with asyncio.timeout(WITHIN_S):
            while self.journal.state is not news.LinkState.READY:
                if self.journal.state is news.LinkState.PAIRING:
                    await self.desk.press()
                await asyncio.sleep(0.05)

    async def lay(self) -> None:
        """Lay the next card until its beep."""
        card = CARDS[len(self._laid) % len(CARDS)]
        async with asyncio.timeout(WITHIN_S):
            await present(self.desk, card)
        self.desk.remove()
        self._laid.append(code_number(self.desk.tray.things[card].code))

    async def check(self) -> None:
        """Every card laid is in the journal, once, in order, with no gap between the events."""
        async with asyncio.timeout(WITHIN_S):
            while len(self._gestures()) < len(self._laid):
                await asyncio.sleep(0.05)
        assert self._gestures() == self._laid
        assert self.journal.has_no_gap()

    def _gestures(self) -> list[int]:
        """The codes in the journal, a gesture that was repeated counted once."""
        return [code for code, _ in itertools.groupby(self.journal.cards())]


async def survive(kills: list[str], seed: int) -> None:
    """Lay cards while each of `kills` dies at a random instant of a gesture."""
    before = children_of_this_process()
    chance = Random(seed)
    async with Desk(interval_ms=7.5, seed=seed) as desk:
        folder = desk.supervisor.folder
        await desk.plug("solar")
        evening = Evening(desk)
        try:
            async with evening:
                await evening.lay()
                for victim in kills:
                    await strike(evening, victim, chance.uniform(0.0, 0.4))
                await evening.lay()
                await evening.check()
        finally:
            print(f"seed {seed}", evening.journal.state, evening._laid, evening.journal.events)
            print(desk.log("arc"), desk.log("radio"))
    assert_nothing_left(before, folder)


async def strike(evening: Evening, victim: str, after_s: float) -> None:
    """Kill in the middle of a gesture, and see the link come back."""
    gesture = asyncio.create_task(evening.lay())
    await asyncio.sleep(after_s)  # not for time to pass: death comes at an instant that nothing announces
    evening.desk.kill(victim)
    await gesture
    async with asyncio.timeout(WITHIN_S):
        while not evening.desk.state()["boards"]["solar"]["is_found"]:
            await asyncio.sleep(0.05)
    await evening.until_ready()


async def test_each_party_dies_once(randomly_seed: int) -> None:
    await survive(["arc", "radio", "solar"], randomly_seed)


@pytest.mark.soak
@pytest.mark.parametrize("victim", ["arc", "radio", "solar"])
async def test_each_party_dies_twenty_times(victim: str, randomly_seed: int) -> None:
    await survive([victim] * 20, randomly_seed)
