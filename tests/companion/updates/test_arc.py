"""An update of the ARC beside a game: whole, over broken links, refused, stopped; the game and its copy go on meanwhile."""

from pathlib import Path

import pytest

from companion.arc_line import NOT_UPDATED
from companion.link.updating import WHY
from companion.screens.controller import UpdateStage
from companion.session import actions
from companion.session.table import Phase
from companion.updates.course import (
    BREAKS,
    CONFIRMED,
    MOST_BREAKS,
    RESTARTS_WITHIN_MS,
    STOPPED,
    WENT_BACK,
)
from companion.updates.page import ONE_AT_A_TIME, SAME
from protocol import messages as m
from protocol.update_sending import CHUNK
from tests.companion.tablets import TestTablet, swipe, until
from tests.companion.updates.bench import (
    ARC,
    LOOK,
    STOP,
    cut,
    firmware,
    is_over,
    pass_time_until,
    restart,
    settle,
    update,
    when,
)
from tests.companion.updates.updatable_board import IMAGE, UpdatableBoard


async def test_the_arc_gets_its_new_firmware_and_it_stays(board: UpdatableBoard, tablet: TestTablet) -> None:
    tablet.ask_firmware(LOOK)
    assert (firmware(tablet).arc_version, firmware(tablet).arc_at_hand) == ("0.1.0", "0.2.0")
    assert firmware(tablet).arc_blocked == ""
    tablet.ask_firmware(ARC)
    assert firmware(tablet).arc_blocked == firmware(tablet).modules_blocked == ONE_AT_A_TIME
    await until(lambda: board.is_switched)
    assert update(tablet).stage is UpdateStage.RESTARTING
    tablet.ask_firmware(STOP)
    assert update(tablet).is_running, "there is nothing left to stop"
    restart(tablet, board)
    await until(lambda: is_over(tablet))
    assert update(tablet).text == CONFIRMED.format(version="0.2.0")
    assert CONFIRMED.format(version="0.2.0") in tablet.texts, "on whatever screen people are"
    assert (firmware(tablet).arc_version, firmware(tablet).arc_blocked) == ("0.2.0", SAME.format(version="0.2.0"))
    assert not board.world.trial.is_open()
    restart(tablet, board)
    assert board.version == (0, 2, 0)


async def test_the_old_one_runs_again_and_that_is_said(board: UpdatableBoard, tablet: TestTablet) -> None:
    tablet.ask_firmware(LOOK)
    tablet.ask_firmware(ARC)
    await until(lambda: board.is_switched)
    Path("running").write_text("a")  # as the starter leaves it
    restart(tablet, board)
    await until(lambda: is_over(tablet))
    assert (update(tablet).stage, update(tablet).text) == (UpdateStage.FAILED, WENT_BACK.format(version="0.1.0"))
    assert firmware(tablet).arc_blocked == "", "it can be tried again"


async def test_a_session_that_only_began_anew_is_no_restart(board: UpdatableBoard, tablet: TestTablet) -> None:
    tablet.ask_firmware(LOOK)
    tablet.ask_firmware(ARC)
    await until(lambda: board.is_switched)
    resumes = len(board.sent(m.Resume))
    tablet.pull_wire()
    await until(lambda: len(board.sent(m.Resume)) > resumes and tablet.is_kept_by_arc)
    assert update(tablet).stage is UpdateStage.RESTARTING
    restart(tablet, board)
    await until(lambda: is_over(tablet))
    assert update(tablet).stage is UpdateStage.DONE


async def test_a_lost_link_is_waited_for_and_it_goes_on_where_it_was(board: UpdatableBoard, tablet: TestTablet) -> None:
    cut(tablet, board, m.UpdateChunk, lambda number: number == 8)
    tablet.ask_firmware(LOOK)
    tablet.ask_firmware(ARC)
    await until(lambda: board.is_switched)
    begun = [int.from_bytes(chunk[2:6], "little") for chunk in board.sent(m.UpdateChunk)]
    assert 0 < begun[8] < begun[7]
    restart(tablet, board)
    await until(lambda: is_over(tablet))
    assert update(tablet).stage is UpdateStage.DONE


async def test_an_ok_that_was_lost_with_the_link_is_told_by_what_runs(
    board: UpdatableBoard, tablet: TestTablet
) -> None:
    tablet.ask_firmware(LOOK)
    cut(tablet, board, m.UpdateCommit, lambda _: board.is_switched)
    tablet.ask_firmware(ARC)
    await until(lambda: board.is_switched and tablet.is_kept_by_arc)
    assert update(tablet).stage is UpdateStage.WAITING, "an ARC that has switched begins nothing"
    restart(tablet, board)
    await until(lambda: is_over(tablet))
    assert (update(tablet).text, len(board.sent(m.UpdateBegin))) == (CONFIRMED.format(version="0.2.0"), 1)


async def test_a_link_that_broke_while_the_arc_read_back_is_gone_on_with(
    board: UpdatableBoard, tablet: TestTablet
) -> None:
    cut(tablet, board, m.UpdateCommit, lambda number: number == 1)
    tablet.ask_firmware(LOOK)
    commits = len(board.sent(m.UpdateCommit))
    board.refuse[m.UpdateCommit] = m.BUSY
    tablet.ask_firmware(ARC)
    await until(lambda: len(board.sent(m.UpdateCommit)) > commits and tablet.is_kept_by_arc)
    del board.refuse[m.UpdateCommit]
    assert not board.is_switched
    tablet.tick_updates(RESTARTS_WITHIN_MS)
    await until(lambda: board.is_switched)
    assert len(board.sent(m.UpdateBegin)) == 2


async def test_a_link_that_breaks_at_the_same_place_ends_it(board: UpdatableBoard, tablet: TestTablet) -> None:
    cut(tablet, board, m.UpdateBegin, is_once=False)
    tablet.ask_firmware(LOOK)
    tablet.ask_firmware(ARC)
    await until(lambda: is_over(tablet))
    assert update(tablet).text == BREAKS
    assert len(board.sent(m.UpdateBegin)) == MOST_BREAKS + 1


async def test_what_the_arc_refuses_is_told_and_can_be_tried_again(board: UpdatableBoard, tablet: TestTablet) -> None:
    tablet.ask_firmware(LOOK)
    board.refuse[m.UpdateCommit] = m.LOW_BATTERY
    tablet.ask_firmware(ARC)
    await until(lambda: is_over(tablet))
    assert (update(tablet).stage, update(tablet).text) == (UpdateStage.FAILED, WHY[m.LOW_BATTERY])
    assert f"{NOT_UPDATED} {WHY[m.LOW_BATTERY]}" in tablet.texts
    del board.refuse[m.UpdateCommit]
    tablet.ask_firmware(ARC)
    await until(lambda: board.is_switched)


async def test_a_stopped_update_goes_on_later(board: UpdatableBoard, tablet: TestTablet) -> None:
    tablet.ask_firmware(LOOK)
    when(board, m.UpdateChunk, lambda number: number == 8, lambda: tablet.ask_firmware(STOP))
    tablet.ask_firmware(ARC)
    await until(lambda: is_over(tablet))
    assert (update(tablet).stage, update(tablet).text) == (UpdateStage.STOPPED, STOPPED)
    assert STOPPED not in tablet.texts
    sent = len(board.sent(m.UpdateChunk))
    swipe(board, "rations")
    await until(lambda: tablet.table and tablet.table.dialog)
    assert len(board.sent(m.UpdateChunk)) == sent
    tablet.ask_firmware(STOP)
    tablet.ask_firmware(ARC)
    await until(lambda: board.is_switched)
    assert int.from_bytes(board.sent(m.UpdateChunk)[sent][2:6], "little") > 0


async def test_a_round_is_settled_and_left_with_the_arc_while_it_is_updated(
    board: UpdatableBoard, tablet: TestTablet
) -> None:
    """The copy's commands go before the update's, and a copy that the restart cuts off is left after it."""
    stages: list[UpdateStage] = []
    when(board, m.UpdateChunk, lambda number: number == 4, lambda: settle(tablet))
    when(board, m.GameCommit, lambda _: True, lambda: stages.append(update(tablet).stage))
    tablet.ask_firmware(LOOK)
    tablet.ask_firmware(ARC)
    await until(lambda: board.is_switched and tablet.is_kept_by_arc)
    assert stages == [UpdateStage.SENDING]
    order = [m.COMMANDS[data[0]] for data in board.seen]
    begun = len(order) - 1 - order[::-1].index(m.GameBegin)
    committed = len(order) - 1 - order[::-1].index(m.GameCommit)
    assert m.UpdateChunk in order[:begun]
    assert m.UpdateChunk not in order[begun:committed], "a copy is not held up"
    assert m.UpdateChunk in order[committed:]
    assert tablet.table is not None
    assert tablet.table.phase is Phase.SUMMARY
    when(board, m.GameChunk, lambda number: number == 1, lambda: restart(tablet, board))
    begun = len(board.sent(m.GameBegin))
    for _ in range(2):
        tablet.act(actions.TurnPage(1))
    await until(lambda: is_over(tablet) and tablet.is_kept_by_arc)
    assert update(tablet).stage is UpdateStage.DONE
    assert len(board.sent(m.GameBegin)) == begun + 2


async def test_a_game_that_is_left_ends_the_update_and_the_next_one_goes_on(
    board: UpdatableBoard, tablet: TestTablet
) -> None:
    tablet.ask_firmware(LOOK)
    game = tablet.game
    assert game is not None
    when(board, m.UpdateChunk, lambda number: number == 8, tablet.close_game)
    tablet.ask_firmware(ARC)
    await until(lambda: tablet.firmware is None)
    sent = len(board.sent(m.UpdateChunk))
    tablet.open_game(game)
    await until(lambda: tablet.is_kept_by_arc)
    assert firmware(tablet).update is None
    tablet.ask_firmware(LOOK)
    tablet.ask_firmware(ARC)
    await until(lambda: board.is_switched)
    assert int.from_bytes(board.sent(m.UpdateChunk)[sent][2:6], "little") > 0


COMMANDS = (m.UpdateBegin, m.UpdateChunk, m.UpdateCommit)


@pytest.mark.parametrize("number", range(1, -(-len(IMAGE.data) // CHUNK) + 1 + 2))
async def test_at_whichever_command_the_link_breaks_the_new_firmware_comes_to_run(
    board: UpdatableBoard, tablet: TestTablet, number: int
) -> None:
    cut(tablet, board, COMMANDS, lambda seen: seen == number)
    tablet.ask_firmware(LOOK)
    tablet.ask_firmware(ARC)
    await pass_time_until(tablet, lambda: board.is_switched)
    resumes = len(board.sent(m.Resume))
    assert resumes == 2 or update(tablet).stage is UpdateStage.WAITING, "it was cut"
    restart(tablet, board)
    await pass_time_until(tablet, lambda: is_over(tablet))
    assert update(tablet).text == CONFIRMED.format(version="0.2.0")
    assert board.version == (0, 2, 0)
