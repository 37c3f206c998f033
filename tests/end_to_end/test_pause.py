"""The app is put into the background while cards are laid down: each of them is registered once when it comes back (report 59)."""

import asyncio

import pytest

from protocol.events import CardRemoved
from tests.end_to_end.evening import PATIENCE_S, Evening
from tests.end_to_end.event_log import bodies, written
from tests.end_to_end.registered import registered

FIRST_ROUND_AFTER = 6
"""Steps of the evening that are played before: three managers, the game, one module and its builder."""
TOKENS = ("bloch", "gore", "carter")
"""Each asks whether another manager campaigns, so each is a row of the journal."""


@pytest.mark.desk
async def test_tokens_laid_down_while_the_app_sleeps_count_once(evening: Evening) -> None:
    await _pause_over(evening, TOKENS)


@pytest.mark.soak
async def test_twenty_events_while_the_app_sleeps(evening: Evening) -> None:
    """Ten tokens are twenty events: each is presented and removed."""
    await _pause_over(evening, (TOKENS * 4)[:10])


async def _pause_over(evening: Evening, tokens: tuple[str, ...]) -> None:
    desk, tablet = evening.desk, evening.tablet
    await evening.play_until(FIRST_ROUND_AFTER)
    before = len(tablet.journal())
    removals = sum(isinstance(body, CardRemoved) for body in bodies(desk))
    tablet.pause()
    try:
        for token in tokens:
            desk.present(f"manager:{token}")
            await desk.wait("beep")
            desk.remove(f"manager:{token}")
            removals += 1
            await written(desk, CardRemoved, removals)
    finally:
        tablet.go_on()

    def swiped() -> list[object]:
        return [act["id"] for act in registered(tablet.journal()[before:]) if act["act"] == "Swiped"]

    try:
        async with asyncio.timeout(PATIENCE_S):
            while len(swiped()) < len(tokens) or tablet.state.get("arc") != "ready":
                await tablet.changed(0.5)
    except TimeoutError:
        raise AssertionError(f"{swiped()} is all that came: {tablet.state}") from None
    assert swiped() == list(tokens)
