"""One game, begun by tapping, gone on with the desk, and ended by tapping: the same journal (DESIGN, command line)."""

import asyncio

import pytest

from companion.session import actions
from companion.simulation.commands import Setup
from companion.simulation.words import Mode
from firmware.arc.lights import BEEP_CARD
from tests.end_to_end.evening import MANAGERS, PATIENCE_S, Evening
from tests.end_to_end.registered import registered
from tests.end_to_end.tablet_process import TabletProcess

SETUP = Setup(Mode.SEMI_COOP, MANAGERS, "verdance")


async def _until(tablet: TabletProcess, **state: object) -> None:
    async with asyncio.timeout(PATIENCE_S):
        while any(tablet.state.get(key) != value for key, value in state.items()):
            await tablet.changed(1.0)


async def _tap(tablet: TabletProcess, *taps: actions.Action) -> None:
    """Each tap, seen in the journal before the next."""
    for action in taps:
        before = len(tablet.journal())
        tablet.tap(action)
        async with asyncio.timeout(PATIENCE_S):
            while len(tablet.journal()) == before:
                await tablet.changed(1.0)


async def _swipe(evening: Evening, thing: str) -> None:
    evening.desk.present(thing)
    await evening.desk.wait("beep", hz=BEEP_CARD[0])
    evening.desk.remove(thing)


@pytest.mark.desk
async def test_a_game_goes_from_taps_to_the_desk_and_back(evening: Evening) -> None:
    desk, tablet = evening.desk, evening.tablet
    await tablet.close()

    await tablet.start(arc=False)
    await _until(tablet, arc="none")
    await _tap(
        tablet,
        *(actions.TapCard(manager) for manager in MANAGERS),
        actions.StartGame("Dawn", SETUP),
        actions.TapModule(1),
        actions.NameManager("carter"),
        actions.TapCard("open-canteens"),
    )
    await _until(tablet, dialog="owner")
    await tablet.close()

    await tablet.start()
    await _until(tablet, arc="pairing")
    await desk.press()
    # the tapped power plant is on the list of what to plug in, and its miniature takes its place
    await _until(tablet, arc="ready", phase="resume", missing=1)
    await desk.plug("solar")
    await _until(tablet, phase="round", missing=0, dialog="owner")
    await _swipe(evening, "manager:bloch")
    await _until(tablet, dialog=None)
    await desk.plug("well")
    await _until(tablet, dialog="builder")
    await _swipe(evening, "manager:gore")
    await _until(tablet, dialog=None)
    await tablet.close()

    await tablet.start(arc=False)
    await _until(tablet, arc="none")
    await _tap(tablet, actions.Next(), actions.Choose("confirm"))
    await _until(tablet, phase="summary")

    commands = [row.commands for row in tablet.journal() if row.commands != "[]"]
    assert [line.count("ConnectModule") for line in commands].count(1) == 2
    assert sum(line.count("SubmitModule") for line in commands) == 2
    assert sum(line.count("RegisterDecree") for line in commands) == 1
    assert [act["id"] for act in registered(tablet.journal()) if act["act"] == "Swiped"] == ["bloch", "gore"]
