"""`--update` in words and exit codes, against the ARC in memory; over the desk's radio: `tests/end_to_end/test_update.py`."""

import asyncio
from collections.abc import AsyncIterator, Callable
from pathlib import Path

import pytest

from companion import catalog as catalogs
from companion.arc_line import ArcLine
from companion.link import news, updating
from companion.link.reasons import Reason
from companion.link.transport import Transport
from companion.link.updating import WHY
from companion.storage.memory import MemoryStore
from companion.updates import command, course
from companion.updates.command import NONE_OF_THESE, PRESS, UpdateError, Updater, Wanted, wanted_of
from companion.updates.course import ALL_UPDATED, CONFIRMED, Updates
from companion.updates.folder import AtHand, OnHand
from companion.updates.page import ALL_SAME, NEWER, NO_MODULES, SAME
from protocol import messages as m
from protocol.events import DETACHED_ITSELF, CardPresented, ModuleDetached
from tests.companion.link.board import TABLET
from tests.companion.tablets import Wire, until
from tests.companion.updates.bench import MODULE_IMAGE, when
from tests.companion.updates.updatable_board import IMAGE, Module, UpdatableBoard
from tests.firmware.update.model import image_of, make_program

CATALOG = catalogs.load()
AT_HAND = AtHand(OnHand(IMAGE), OnHand(MODULE_IMAGE))
BOTH = Wanted(arc=True, modules=True)
SOLAR, NUCLEAR = CATALOG.modules["solar"].type_id, CATALOG.modules["nuclear"].type_id


@pytest.fixture(autouse=True)
def looks_often(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(command, "TICK_S", 0.001)


class Bench:
    """A line to the board whose wire is pulled when the ARC restarts, which it does by itself."""

    def __init__(self, board: UpdatableBoard) -> None:
        self.board, self.said = board, list[str]()
        board.pairing.open_window(board.now_ms)
        self.line = ArcLine(MemoryStore(), self._make, TABLET)
        self.wire: Wire

    def _make(self, wanted: Callable[[], bytes | None]) -> Transport:
        self.wire = Wire(self.board)
        return self.wire

    def updater(self, *, anyway: bool = False) -> Updater:
        return Updater(self.line, CATALOG, self._say, self.press, anyway=anyway)

    async def press(self) -> None:
        self.board.pairing.open_window(self.board.now_ms)

    def _say(self, line: str) -> None:
        self.said.append(line)
        if self.board.is_switched:
            self.wire.drop()
            self.board.link.disconnect()
            self.board.restart()


@pytest.fixture
async def bench(board: UpdatableBoard) -> AsyncIterator[Bench]:
    bench = Bench(board)
    yield bench
    await bench.line.ended()


async def test_all_of_it(board: UpdatableBoard, bench: Bench) -> None:
    board.pairing.close_window()
    board.plug(0x3F2A91C0, Module(SOLAR))
    board.plug(0x00000002, Module(NUCLEAR, (0, 2, 0)))
    assert await bench.updater().run(BOTH, AT_HAND)
    assert bench.said[0] == PRESS
    assert CONFIRMED.format(version="0.2.0") in bench.said
    assert f"Solar Power Plant 3F2A-91C0: 0.1.0 → 0.2.0, {len(MODULE_IMAGE.data)} bytes." in bench.said
    assert bench.said[-2:] == ["Solar Power Plant 3F2A-91C0: runs the new firmware.", ALL_UPDATED[0]]
    assert [module.version for module in board.modules.values()] == [(0, 2, 0)] * 2


async def test_again_there_is_nothing_to_do_and_that_is_well(board: UpdatableBoard, bench: Bench) -> None:
    board.plug(2, Module(NUCLEAR, (0, 2, 0)))
    Path("running").write_text("a")
    older = AtHand(OnHand(image_of(make_program("0.1.0"))), OnHand(MODULE_IMAGE))
    assert await bench.updater().run(BOTH, older)
    assert bench.said[-2:] == [SAME.format(version="0.1.0"), ALL_SAME.format(version="0.2.0")]


async def test_an_older_one_only_when_it_is_asked_for(board: UpdatableBoard, bench: Bench) -> None:
    older = AtHand(OnHand(image_of(make_program("0.0.9"))))
    assert await bench.updater().run(Wanted(arc=True, modules=False), older)
    assert bench.said[-1] == NEWER.format(runs="0.1.0", at_hand="0.0.9")
    await bench.line.ended()
    again = Bench(board)
    assert await again.updater(anyway=True).run(Wanted(arc=True, modules=False), older)
    assert board.version == (0, 0, 9)
    await again.line.ended()


async def test_what_fails_is_told_and_the_others_are_done(board: UpdatableBoard, bench: Bench) -> None:
    board.plug(1, Module(SOLAR))
    board.plug(2, Module(NUCLEAR))
    board.modules[1].refuses = m.NO_SPACE
    assert not await bench.updater().run(Wanted(arc=False, modules=True), AT_HAND)
    assert f"Solar Power Plant 0000-0001: {WHY[m.NO_SPACE]}" in bench.said
    assert bench.said[-1] == "1 of 2 modules updated. The other one keeps its old firmware."


async def test_without_any_module_there_is_nothing_to_do_unless_a_type_was_named(bench: Bench) -> None:
    assert await bench.updater().run(Wanted(arc=False, modules=True), AT_HAND)
    assert bench.said[-1] == NO_MODULES
    await bench.line.ended()
    again = Bench(bench.board)
    assert not await again.updater().run(wanted_of(["tanks"], CATALOG), AT_HAND)
    assert again.said[-1] == NO_MODULES
    await again.line.ended()


async def test_cards_wait_for_the_game_whatever_happens_meanwhile(board: UpdatableBoard, bench: Bench) -> None:
    board.outbox.append(CardPresented(7, bytes(7)), board.now_ms)
    updater = bench.updater()
    assert await updater.run(Wanted(arc=True, modules=False), AT_HAND)
    board.happen(CardPresented(8, bytes(7)))
    await until(lambda: not bench.line.arc.connection._delivery.ack_due_ms)
    assert bench.said[-1] == CONFIRMED.format(version="0.2.0")
    assert board.outbox.acknowledged == 0


async def test_modules_of_one_type(board: UpdatableBoard, bench: Bench) -> None:
    board.plug(1, Module(SOLAR))
    board.plug(2, Module(NUCLEAR))
    assert await bench.updater().run(wanted_of(["nuclear"], CATALOG), AT_HAND)
    assert [module.version for module in board.modules.values()] == [(0, 1, 0), (0, 2, 0)]
    assert not await bench.updater().run(wanted_of(["tanks"], CATALOG), AT_HAND)
    assert bench.said[-1] == NONE_OF_THESE


async def test_a_module_that_is_gone_keeps_its_name(
    board: UpdatableBoard, bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(updating, "AWAY_AT_MOST_MS", 0)
    board.plug(1, Module(SOLAR))

    def unplug() -> None:
        del board.modules[1]
        board.table.set_modules([], [])
        board.happen(ModuleDetached(1, DETACHED_ITSELF))

    when(board, m.UpdateChunk, lambda number: number == 2, unplug)
    assert not await bench.updater().run(Wanted(arc=False, modules=True), AT_HAND)
    assert f"Solar Power Plant 0000-0001: {WHY[m.UNKNOWN_MODULE]}" in bench.said


async def test_a_missing_image_and_a_refusal_are_no_success(board: UpdatableBoard, bench: Bench) -> None:
    assert not await bench.updater().run(BOTH, AtHand(OnHand(trouble="no arc"), OnHand(trouble="no module")))
    assert bench.said[-2:] == ["no arc", "no module"]
    await bench.line.ended()
    again = Bench(board)
    board.refuse[m.UpdateBegin] = m.WRONG_MAC
    assert not await again.updater().run(Wanted(arc=True, modules=False), AT_HAND)
    assert again.said[-1] == WHY[m.WRONG_MAC]
    await again.line.ended()


async def test_an_arc_that_cannot_be_had(board: UpdatableBoard, monkeypatch: pytest.MonkeyPatch, bench: Bench) -> None:
    monkeypatch.setattr(command, "LINK_S", 0.05)
    board.mute.add(m.Hello)
    assert not await bench.updater().run(BOTH, AT_HAND)
    assert bench.said[-1].startswith("The ARC was not reached within")


async def test_nothing_that_moves_ends_too(
    board: UpdatableBoard, monkeypatch: pytest.MonkeyPatch, bench: Bench
) -> None:
    monkeypatch.setattr(command, "STILL_S", 0.05)
    board.mute.add(m.UpdateCommit)
    assert not await bench.updater().run(Wanted(arc=True, modules=False), AT_HAND)
    assert "it goes on where it stopped" in bench.said[-1]


async def test_modules_are_not_begun_with_when_the_arc_has_gone(
    board: UpdatableBoard, monkeypatch: pytest.MonkeyPatch, bench: Bench
) -> None:
    monkeypatch.setattr(course, "BACK_WITHIN_MS", 50)
    monkeypatch.setattr(command, "BACK_S", 0.05)
    board.plug(1, Module(SOLAR))
    when(board, m.UpdateCommit, lambda _: board.is_switched, lambda: board.mute.add(m.Hello))
    async with asyncio.timeout(10):
        assert not await bench.updater().run(BOTH, AT_HAND)
    assert bench.said[-2] == course.NOT_BACK.format(version="0.2.0")
    assert bench.said[-1].startswith("The ARC was not reached within")


def test_what_can_be_asked_for() -> None:
    assert wanted_of([], CATALOG) == BOTH
    assert wanted_of(["arc"], CATALOG) == Wanted(arc=True, modules=False, types=frozenset())
    assert wanted_of(["solar"], CATALOG) == Wanted(arc=False, modules=True, types=frozenset({SOLAR}))
    assert wanted_of(["modules", "solar"], CATALOG).types is None
    with pytest.raises(UpdateError, match="--update bogus: there are arc, modules, and solar"):
        wanted_of(["bogus"], CATALOG)


async def test_why_it_is_not_reached_is_said_once_and_not_at_each_try(bench: Bench) -> None:
    tell: list[Callable[[news.News], None]] = []

    class Line(ArcLine):
        def carry_updates(self, told: Callable[[news.News], None]) -> Updates:
            tell.append(told)
            return super().carry_updates(told)

    await bench.line.ended()
    bench.line = Line(MemoryStore(), bench._make, TABLET)
    bench.updater()
    told, in_use = tell[0], news.LinkChanged(news.LinkState.LOST, Reason.IN_USE.value)
    connecting, ready = (news.LinkChanged(state, "") for state in (news.LinkState.CONNECTING, news.LinkState.READY))
    for message in (in_use, connecting, in_use, connecting, ready, in_use):
        told(message)
    assert bench.said == [Reason.IN_USE.value] * 2
