"""The session: from a message of the link to the table that screens draw, and how fast a journal is replayed."""

import statistics
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from companion import catalog as catalogs
from companion.session import actions
from companion.session.colonies import Colonies
from companion.session.record import Record
from companion.session.table import Phase
from companion.simulation.commands import Setup
from companion.simulation.words import Mode
from companion.storage.database import Database
from companion.storage.records import Game
from protocol.tag import code_number
from tests.bench.rows import Row
from tests.companion.session.hands import Hands

FRAME_MS = 1000 / 30
FRAME_SHARE = 0.1
"""A message may take a tenth of a frame, so that nobody sees it."""
SWIPES = 200
REPLAY_MS = 1_000
SETUP = Setup(Mode.CO_OP, ("bloch", "carter", "gore"), "verdance")


def rows() -> Iterator[Row]:
    rules = Colonies(catalogs.load())
    hands: Hands = Hands(rules=rules)
    hands.act(actions.StartGame("Bench", SETUP))
    grow(hands)
    asks_ms, registers_ms = _swipe_ms(hands)
    peer, budget = "a frame at 30 a second", FRAME_SHARE * FRAME_MS
    yield Row("session: a swipe that asks, to the table", asks_ms, "ms", peer, FRAME_MS, budget)
    yield Row("session: a swipe that registers, 15 modules, to the table", registers_ms, "ms", peer, FRAME_MS, budget)
    yield Row("session: the same, journal on this disk", _on_disk_ms(rules), "ms", peer, FRAME_MS, FRAME_MS)
    finish(hands)
    count = len(hands.rows())
    started = time.perf_counter()
    record = Record(hands.store, "g", rules, lambda: "")
    replay_ms = (time.perf_counter() - started) * 1000
    assert record.state == hands.state()
    yield Row(f"session: open a whole game, {count} rows", replay_ms, "ms", budget=REPLAY_MS)


def grow(hands: Hands) -> None:
    """Fifteen modules are plugged in and built by somebody."""
    types = [module.type_id for module in Colonies(catalogs.load()).catalog.modules.values() if module.base][:15]
    for number, type_id in enumerate(types):
        hands.plug(1000 + number, type_id)
        if hands.table().dialog and hands.dialog().kind.value == "foreign_module":
            hands.choose("accept")
        hands.act(actions.NameManager("bloch"))


def _swipe_ms(hands: Hands) -> tuple[float, float]:
    """Median times of a swipe that asks and of one that registers, each up to the finished table."""
    catalog = Colonies(catalogs.load()).catalog
    card = code_number(catalog.decrees["open-canteens"].code)
    token = code_number(catalog.managers["carter"].code)
    asked, registered = [], []
    for _ in range(SWIPES):
        asked.append(_time_ms(hands, card))
        registered.append(_time_ms(hands, token))
        hands.act(actions.Undo())
        hands.choose("confirm")
    return statistics.median(asked), statistics.median(registered)


def _on_disk_ms(rules: Colonies) -> float:
    """A swipe that registers, written to a file with every commit synchronised, as the app does."""
    with tempfile.TemporaryDirectory() as folder:
        store = Database(Path(folder) / "games.db")
        store.create_game(Game("g", 3, rules.version, ""))
        hands = Hands(store, rules)
        hands.act(actions.StartGame("Bench", SETUP))
        registers_ms = _swipe_ms(hands)[1]
        store.close()
    return registers_ms


def _time_ms(hands: Hands, code: int) -> float:
    started = time.perf_counter()
    hands.present(code)
    hands.table()
    return (time.perf_counter() - started) * 1000


def finish(hands: Hands) -> None:
    """To the end of the game, with a decree a round."""
    decrees = iter(Colonies(catalogs.load()).catalog.decrees)
    while hands.state().phase is not Phase.ENDED:
        hands.act(actions.TapCard(next(decrees)), actions.NameManager("carter"))
        if hands.table().dialog:
            hands.choose("not_this_card")
        hands.settle()
        while hands.state().phase is Phase.SUMMARY:
            hands.act(actions.TurnPage(1))
