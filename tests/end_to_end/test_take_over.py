"""A dead tablet ends no game: a second one, with a store and a pairing of its own, takes it over from the ARC."""

import asyncio
import json
from collections.abc import Callable
from pathlib import Path

import pytest

from companion.session import actions
from companion.storage.database import Database
from companion.storage.game_copy import GameCopy, pack
from companion.storage.records import JournalRow
from tests.end_to_end.evening import EVENING, PATIENCE_S, Evening
from tests.end_to_end.registered import colony_text, registered
from tests.end_to_end.tablet_process import GAME, TabletProcess

FIRST_ROUND = next(number for number, step in enumerate(EVENING) if step.kind == "wait")


async def _until(tablet: TabletProcess, holds: Callable[[], bool]) -> None:
    try:
        async with asyncio.timeout(PATIENCE_S):
            while not holds():
                await tablet.changed(0.5)
    except TimeoutError:
        raise AssertionError(f"it never came to this: {tablet.state}\n{tablet.log()}") from None


async def _find_offer(evening: Evening, tablet: TabletProcess, offer: str) -> None:
    """Look at the ARC from the start screen, with a hand at its button."""
    tablet.accept("look")
    pressed = False
    async with asyncio.timeout(PATIENCE_S):
        while offer not in tablet.state.get("offers", ()):
            if "button" in tablet.state.get("message", "") and not pressed:
                pressed = True
                await evening.desk.press()
            await tablet.changed(0.5)


@pytest.mark.desk
async def test_a_second_tablet_takes_the_game_over(evening: Evening, tmp_path: Path) -> None:
    desk, first = evening.desk, evening.tablet
    await evening.play_until(FIRST_ROUND + 1)
    await _until(first, lambda: first.state.get("phase") == "summary")
    for _ in range(5):
        first.tap(actions.TurnPage(1))
    await _until(first, lambda: first.state.get("phase") == "round" and first.state["kept"])
    left = first.journal()
    await first.kill()

    # cards go on being laid down on an ARC whose tablet is dead
    desk.present("decree:free-clinics")
    await desk.wait("beep")
    desk.remove("decree:free-clinics")

    second = TabletProcess(tmp_path / "second", tmp_path / "endpoints.json", game="")
    await second.start()
    try:
        await _until(second, lambda: second.state.get("offers") == ["look"])
        await _find_offer(evening, second, "take")
        second.accept("take")
        await _until(second, lambda: second.state.get("dialog") == "owner" and second.state.get("arc") == "ready")
        taken = second.journal()
        assert taken[: len(left)] == left
        assert [act for act in registered(taken[len(left) :]) if act["act"] == "Swiped"] == [
            {"act": "Swiped", "id": "free-clinics"}
        ]
        assert colony_text(taken) == colony_text(left)
        # and the game goes on with it: what it settles is with the ARC again
        desk.present("manager:bloch")
        await desk.wait("beep")
        desk.remove("manager:bloch")
        await _until(second, lambda: second.state.get("dialog") is None)
        second.tap(actions.Next())
        second.tap(actions.Choose("confirm"))
        await _until(second, lambda: second.state.get("phase") == "summary" and second.state["kept"])
    finally:
        await second.close()
        print(second.log())

    # the first tablet wakes up again: it is told, and the ARC keeps what the second left
    await first.start()
    await _until(first, lambda: any("gone on with this game" in text for text in first.state.get("notices", ())))


@pytest.mark.desk
@pytest.mark.soak
async def test_a_copy_older_than_the_own_is_told_plainly(evening: Evening) -> None:
    first = evening.tablet
    await evening.play_until(FIRST_ROUND + 1)
    await _until(first, lambda: first.state.get("phase") == "summary" and first.state["kept"])
    await first.close()
    database = Database(first.store)
    try:
        rows = database.journal(GAME)
        database.append(GAME, (JournalRow(len(rows) + 1, json.dumps({"act": "TurnPage", "forward": 1})),))
        size = len(pack(GameCopy(database.game(GAME), rows, database.snapshot(GAME))))
    finally:
        database.close()
    print(f"a game of {len(rows)} rows is {size} bytes on the ARC")
    looking = TabletProcess(first.store.parent, first.store.parent / "endpoints.json", game="")
    await looking.start()
    try:
        await _until(looking, lambda: looking.state.get("offers") == ["look"])
        looking.accept("look")
        await _until(looking, lambda: "older than this tablet's own" in looking.state.get("message", ""))
        assert looking.state["offers"] == ["look"]
    finally:
        await looking.close()
