"""The link breaks in each state of the app: people see that it is sought again, and the game goes on when it is back (report 57)."""

from collections.abc import Callable

import pytest

from companion.screens.controller import BoardDeed
from companion.session import actions
from companion.session.table import ArcState, DialogKind, Phase, TableView
from protocol.events import ModuleAttached
from protocol.messages import Mark
from tests.companion.link.board import Board
from tests.companion.session.small_rules import SETUP
from tests.companion.tablets import TestTablet, swipe, until

Bring = Callable[[TestTablet, Board], None]


def start(tablet: TestTablet, board: Board) -> None:
    tablet.act(actions.StartGame("Dawn", SETUP))


def ask_owner(tablet: TestTablet, board: Board) -> None:
    start(tablet, board)
    swipe(board, "rations")


def ask_builder(tablet: TestTablet, board: Board) -> None:
    start(tablet, board)
    board.happen(ModuleAttached(1, 50, bytes(3), 0))


def ask_next(tablet: TestTablet, board: Board) -> None:
    start(tablet, board)
    tablet.act(actions.Next())


def wait_for_the_mark(tablet: TestTablet, board: Board) -> None:
    board.mute.add(Mark)
    ask_next(tablet, board)
    tablet.act(actions.Choose("confirm"))


def settle(tablet: TestTablet, board: Board) -> None:
    ask_next(tablet, board)
    tablet.act(actions.Choose("confirm"))


def ask_board(tablet: TestTablet, board: Board) -> None:
    start(tablet, board)
    tablet.ask_board(BoardDeed.READ)


STATES: tuple[tuple[Bring, Callable[[TableView], bool]], ...] = (
    (lambda tablet, board: None, lambda table: table.phase is Phase.SETUP),
    (start, lambda table: table.phase is Phase.ROUND),
    (ask_owner, lambda table: _asks(table, DialogKind.OWNER)),
    (ask_builder, lambda table: _asks(table, DialogKind.BUILDER)),
    (ask_next, lambda table: _asks(table, DialogKind.NEXT)),
    (wait_for_the_mark, lambda table: table.phase is Phase.SETTLING),
    (settle, lambda table: table.phase is Phase.SUMMARY),
    (ask_board, lambda table: table.phase is Phase.ROUND),
)


def _asks(table: TableView, kind: DialogKind) -> bool:
    return table.dialog is not None and table.dialog.kind is kind


@pytest.mark.parametrize(("bring", "is_there"), STATES)
async def test_a_link_that_breaks_is_sought_and_the_game_goes_on(
    bring: Bring, is_there: Callable[[TableView], bool]
) -> None:
    board = Board()
    board.pairing.open_window(board.now_ms)
    tablet = TestTablet(board)
    tablet.new_game()
    await until(lambda: tablet.table and tablet.table.arc.state is ArcState.READY)
    bring(tablet, board)
    await until(lambda: tablet.table and is_there(tablet.table))
    seen: list[ArcState] = []
    tablet.subscribe(lambda: seen.append(tablet.table.arc.state) if tablet.table else None)
    tablet.pull_wire()
    await until(lambda: ArcState.LOST in seen)
    board.mute.clear()
    await until(lambda: tablet.table and tablet.table.arc.state is ArcState.READY)
    if tablet.table and tablet.table.phase is Phase.SETUP:
        start(tablet, board)
    for _ in range(4):
        tablet.act(actions.NameManager("ava"))
        tablet.act(actions.Choose("cancel"))
        tablet.act(actions.TurnPage(1))
    await until(lambda: tablet.table and tablet.table.phase in (Phase.ROUND, Phase.SUMMARY))
    swipe(board, "mac")
    await until(
        lambda: tablet.session and tablet.session.cursor and tablet.session.cursor.sequence == board.outbox.newest
    )
    await tablet.stop()
