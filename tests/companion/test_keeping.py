"""The game on the board: left at each change of round, taken over by a second tablet, never overwritten by an older one."""

import asyncio
from binascii import crc32
from collections.abc import AsyncIterator

import pytest

from companion.keeping import NEWER
from companion.session import actions
from companion.session.table import DialogKind, Phase
from companion.storage.game_copy import GameCopy, pack, unpack
from companion.storage.records import Game, GameSummary, JournalRow
from companion.visit import NOTHING, Kinship, compare
from protocol import messages as m
from tests.companion.link.board import Board
from tests.companion.tablets import TestTablet, swipe, until


@pytest.fixture
async def board() -> Board:
    return Board()


@pytest.fixture
async def first(board: Board) -> AsyncIterator[TestTablet]:
    """With a game begun, and left with the ARC."""
    tablet = TestTablet(board, seed=1)
    board.pairing.open_window(board.now_ms)
    tablet.begin()
    await until(lambda: tablet.is_kept_by_arc)
    yield tablet
    await tablet.stop()


@pytest.fixture
async def second(board: Board) -> AsyncIterator[TestTablet]:
    tablet = TestTablet(board, seed=2)
    yield tablet
    await tablet.stop()


def kept(board: Board) -> GameCopy:
    return unpack(kept_bytes(board))


def kept_bytes(board: Board) -> bytes:
    data = b""
    while part := board.game.read(len(data), 4096):
        data += part
    return data[18:]


async def settle(tablet: TestTablet) -> None:
    """NEXT and its summary, read to the end."""
    tablet.act(actions.Next())
    tablet.act(actions.Choose("confirm"))
    await until(lambda: tablet.table and tablet.table.phase is Phase.SUMMARY)
    tablet.act(actions.TurnPage(1))
    tablet.act(actions.TurnPage(1))


async def look(tablet: TestTablet, board: Board) -> None:
    """Look at the ARC until it is known what it keeps."""
    tablet.accept("look")
    await until(
        lambda: "button" in tablet.message or [offer.id for offer in tablet.offers] == ["look"] or has_take(tablet)
    )
    board.pairing.open_window(board.now_ms)
    await until(lambda: "stop" not in [offer.id for offer in tablet.offers])


def has_take(tablet: TestTablet) -> bool:
    return "take" in [offer.id for offer in tablet.offers]


async def test_each_round_leaves_the_game(board: Board, first: TestTablet) -> None:
    assert kept(board).game.summary == GameSummary("Dawn", "Tethys", 1, 3)
    assert kept(board).rows == first.store.journal(first.game or "")
    head = board.game.head()
    assert head is not None
    first.act(actions.Next())
    first.act(actions.Choose("confirm"))
    await until(lambda: first.table and first.table.phase is Phase.SUMMARY and first.is_kept_by_arc)
    assert kept(board).game.summary.round == 2
    first.act(actions.TurnPage(1))
    first.act(actions.TurnPage(1))
    await until(lambda: first.is_kept_by_arc)
    newest = board.game.head()
    assert newest is not None
    assert newest.counter == head.counter + 2
    assert (newest.epoch, newest.sequence) == (board.outbox.epoch, board.outbox.newest)
    assert kept(board).rows == first.store.journal(first.game or "")


async def test_events_do_not_wait_for_the_game(board: Board, first: TestTablet) -> None:
    """Between two chunks there is room for everything else: one of them at most is under way."""
    under_way: list[int] = []
    received = board.link.receive

    def receive(data: bytes | bytearray | memoryview, now_ms: int) -> None:
        if data[0] == m.GameChunk.KIND:
            under_way.append(len(data))
            if len(under_way) == 1:
                swipe(board, "rations")
        received(data, now_ms)

    board.link.receive = receive  # type: ignore[method-assign]  # to look at what comes
    await settle(first)
    await until(lambda: first.is_kept_by_arc)
    assert len(under_way) > 1
    assert first.session is not None
    assert first.session.cursor is not None
    assert first.session.cursor.sequence == board.outbox.newest


async def test_a_second_tablet_takes_over(board: Board, first: TestTablet, second: TestTablet) -> None:
    await settle(first)
    await until(lambda: first.is_kept_by_arc)
    journal = first.store.journal(first.game or "")
    first.close_game()
    swipe(board, "rations")  # nobody hears it but the ARC
    assert [offer.id for offer in second.offers] == ["look"]
    taken = board.outbox.acknowledged
    await look(second, board)
    assert board.outbox.acknowledged == taken, "the card waits for a game"
    offers = {offer.id: offer for offer in second.offers}
    assert offers["take"].title == "Take over “Dawn”"
    assert offers["take"].text == "Round 2 of 3 on Tethys, left there by another tablet"
    second.accept("take")
    await until(lambda: second.table and second.table.dialog and second.table.dialog.kind is DialogKind.OWNER)
    await until(lambda: board.outbox.acknowledged == board.outbox.newest)
    assert second.store.journal(second.game or "")[: len(journal)] == journal
    await settle_with_owner(second, board)
    await until(lambda: second.is_kept_by_arc)
    assert kept(board).rows == second.store.journal(second.game or "")


async def settle_with_owner(tablet: TestTablet, board: Board) -> None:
    swipe(board, "ava")
    await until(lambda: tablet.table and tablet.table.dialog is None)
    await settle(tablet)


async def take_and_play_a_round(tablet: TestTablet, board: Board) -> None:
    """From the ARC, and left there again."""
    await look(tablet, board)
    tablet.accept("take")
    await until(lambda: tablet.table and tablet.table.arc.state.value == "ready")
    await settle(tablet)
    await until(lambda: tablet.is_kept_by_arc)


async def test_a_tablet_that_comes_back_late_overwrites_nothing(
    board: Board, first: TestTablet, second: TestTablet
) -> None:
    id = first.game or ""
    first.close_game()
    await take_and_play_a_round(second, board)
    rows = kept(board).rows
    second.close_game()
    await asyncio.sleep(0)

    first.open_game(id)
    await until(lambda: any("gone on with this game, up to round 2" in text for text in first.texts))
    first.act(actions.ClaimGovernor("mac"))
    await settle(first)
    assert not first.is_kept_by_arc
    assert kept(board).rows == rows
    first.close_game()
    await look(first, board)
    assert [offer.text for offer in first.offers if offer.id == "take"] == [
        "Round 2 of 3 on Tethys: another course than this tablet's own, which stays"
    ]
    first.accept("take")
    assert sorted(game.name for game in first.saved_games) == ["Dawn", "Dawn (from the ARC)"]
    assert first.store.journal(first.game or "")[: len(rows)] == rows


async def test_the_own_beginning_of_it_goes_on(board: Board, first: TestTablet, second: TestTablet) -> None:
    id = first.game or ""
    first.close_game()
    await take_and_play_a_round(second, board)
    second.close_game()
    await look(first, board)
    assert "further than this tablet's own" in next(offer.text for offer in first.offers if offer.id == "take")
    first.accept("take")
    assert first.game == id
    assert first.table is not None
    assert first.table.colony is not None
    assert first.table.colony.round == 2


async def test_a_copy_older_than_the_own_is_told(board: Board, first: TestTablet) -> None:
    first.pull_wire()
    board.refuse[m.GameBegin] = m.BUSY
    await until(lambda: first.table and first.table.arc.state.value == "ready")
    await settle(first)
    first.close_game()
    await look(first, board)
    assert "older than this tablet's own (round 1 there, round 2 here): open your own" in first.message
    assert not has_take(first)


async def test_a_break_while_it_is_left_keeps_the_one_before_and_tries_again(board: Board, first: TestTablet) -> None:
    before = kept(board).rows
    received, left = board.link.receive, [2]

    def receive(data: bytes | bytearray | memoryview, now_ms: int) -> None:
        received(data, now_ms)
        if data[0] == m.GameChunk.KIND:
            left[0] -= 1
            if left[0] == 0:
                assert kept(board).rows == before
                first.pull_wire()

    board.link.receive = receive  # type: ignore[method-assign]  # to break in the middle
    await settle(first)
    await until(lambda: left[0] < 0 and first.is_kept_by_arc)
    assert kept(board).rows == first.store.journal(first.game or "")


async def test_a_round_that_begins_while_the_game_is_left_is_left_too(board: Board, first: TestTablet) -> None:
    """Nobody does anything more: the copy of the round's end would stay what the ARC keeps."""
    received = board.link.receive
    turned: list[Phase] = []

    def receive(data: bytes | bytearray | memoryview, now_ms: int) -> None:
        received(data, now_ms)
        if data[0] == m.GameChunk.KIND and not turned and first.table:
            turned.append(first.table.phase)
            first.act(actions.TurnPage(1))
            first.act(actions.TurnPage(1))

    board.link.receive = receive  # type: ignore[method-assign]  # to turn the pages in the middle
    first.act(actions.Next())
    first.act(actions.Choose("confirm"))
    await until(lambda: first.table and first.table.phase is Phase.ROUND and first.is_kept_by_arc)
    assert turned == [Phase.SUMMARY]
    assert kept(board).rows == first.store.journal(first.game or "")


async def test_a_game_that_the_arc_refuses_is_not_kept_until_the_next_change(
    board: Board, first: TestTablet, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("INFO")
    board.refuse[m.GameBegin] = m.LOW_BATTERY
    first.act(actions.Next())
    first.act(actions.Choose("confirm"))
    await until(lambda: "the game was not left with the ARC: the ARC's battery is too low" in caplog.text)
    assert not first.is_kept_by_arc, "what it keeps is the round before"
    del board.refuse[m.GameBegin]
    first.act(actions.TurnPage(1))
    first.act(actions.TurnPage(1))
    await until(lambda: first.is_kept_by_arc)
    assert kept(board).rows == first.store.journal(first.game or "")


async def test_an_arc_without_a_game_says_so(board: Board, second: TestTablet) -> None:
    await look(second, board)
    assert second.message == NOTHING
    assert [offer.id for offer in second.offers] == ["look"]


async def test_nonsense_on_the_arc_is_told_and_written_over(board: Board, second: TestTablet) -> None:
    await leave(board, b"not a game")
    await look(second, board)
    assert second.message == "What the ARC keeps is no game of this app."
    second.begin()
    await until(lambda: second.is_kept_by_arc)
    assert kept(board).game.summary.name == "Dawn"


async def leave(board: Board, data: bytes) -> None:
    assert board.game.begin(len(data), crc32(data), 1, 1) == 0
    assert board.game.add(0, data) == 0
    assert board.game.commit() == 0


async def test_a_game_of_a_newer_app_is_not_written_over(board: Board, second: TestTablet) -> None:
    """It may be this very game, gone on with by a tablet that has died since."""
    newer = b"BHC\2" + bytes(20)
    await leave(board, newer)
    board.pairing.open_window(board.now_ms)
    second.begin()
    await until(lambda: NEWER in second.texts)
    assert not second.is_kept_by_arc
    assert kept_bytes(board) == newer


async def test_another_game_gives_way_and_that_is_told(board: Board, second: TestTablet) -> None:
    other = GameCopy(Game("x", 1, "v1", "2026-05-04T20:00:00+00:00", GameSummary("Dusk", "Tethys", 2, 3)), ())
    await leave(board, pack(other))
    board.pairing.open_window(board.now_ms)
    second.begin()
    await until(lambda: second.is_kept_by_arc)
    assert "The ARC kept another game, “Dusk”: this one takes its place." in second.texts


@pytest.mark.parametrize(
    ("here", "there", "kinship"),
    [
        (None, "ab", Kinship.NEW),
        ("ab", "ab", Kinship.EQUAL),
        ("a", "ab", Kinship.AHEAD),
        ("abc", "ab", Kinship.BEHIND),
        ("ac", "ab", Kinship.APART),
    ],
)
def test_how_two_copies_stand(here: str | None, there: str, kinship: Kinship) -> None:
    def rows(acts: str) -> tuple[JournalRow, ...]:
        return tuple(JournalRow(number, act) for number, act in enumerate(acts, start=1))

    game = Game("g", 1, "v1", "2026-05-04T20:00:00+00:00")
    tablet = TestTablet(Board())
    if here is not None:
        tablet.store.create_game(game, rows(here))
    found = compare(tablet.store, GameCopy(game, rows(there)))
    assert found.kinship is kinship
    assert found.can_be_taken is (found.text == "")
