"""`kill -9` while the app connects leaves nothing behind that keeps the next start from connecting (reports 51 and 39)."""

import asyncio

import pytest

from tests.end_to_end.evening import Evening

READY_S = 30
STATES = ("connecting", "pairing", "ready")


@pytest.mark.desk
async def test_killed_in_each_state_of_the_link_it_connects_again(evening: Evening) -> None:
    tablet = evening.tablet
    for state in STATES:
        async with asyncio.timeout(READY_S):
            while tablet.state.get("arc") != state:
                if tablet.state.get("arc") == "pairing":
                    await evening.desk.press()
                await tablet.changed(0.2)
        await tablet.kill()
        await tablet.start()
    async with asyncio.timeout(READY_S):
        while tablet.state.get("arc") != "ready":
            await tablet.changed(0.5)
