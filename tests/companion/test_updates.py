"""Updates beside a game: whole, over broken links, refused, stopped; the game and its copy on the ARC go on meanwhile."""

from collections.abc import AsyncIterator, Callable
from pathlib import Path

import pytest

from companion.firmware_folder import ARC_FILE, MISSING, MODULE_FILE
from companion.firmware_page import ALL_SAME, LOW_BATTERY, NEWER, NO_LINK, NO_MODULES, ONE_AT_A_TIME, SAME
from companion.link import updating
from companion.link.conversations import Conversations
from companion.link.updating import WHY, Progress
from companion.screens.controller import FirmwareDeed, FirmwareView, ModuleFirmware, UpdateStage, UpdateView
from companion.session import actions
from companion.session.table import Phase
from companion.update_run import Run
from companion.updates import (
    ALL_UPDATED,
    BACK_WITHIN_MS,
    BREAKS,
    CONFIRMED,
    MOST_BREAKS,
    NOT_BACK,
    RESTARTS_WITHIN_MS,
    SOME_FAILED,
    STOPPED,
    WENT_BACK,
    Updates,
)
from protocol import messages as m
from protocol.events import BATTERY_LOW, BATTERY_USB, BatteryMeasured
from protocol.update import BOARD_MODULE
from tests.companion.tablets import TestTablet, swipe, until
from tests.companion.updatable_board import IMAGE, Module, UpdatableBoard
from tests.firmware.update.model import image_of, make_program

MODULE_IMAGE = image_of(make_program("0.2.0", sizes=(300, 26)), board=BOARD_MODULE)
LOOK, ARC, MODULES, STOP = FirmwareDeed.LOOK, FirmwareDeed.UPDATE_ARC, FirmwareDeed.UPDATE_MODULES, FirmwareDeed.STOP
SOLAR, STORAGE = 1, 2


@pytest.fixture
async def board(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> UpdatableBoard:
    (tmp_path / "disk").mkdir()
    monkeypatch.chdir(tmp_path / "disk")
    # the clock is the loop's: what is waited for is there at once here
    for pause in ("BUSY_MS", "SLOW_MS", "AWAY_MS", "BACK_MS"):
        monkeypatch.setattr(updating, pause, 0)
    board = UpdatableBoard(MODULE_IMAGE)
    board.pairing.open_window(board.now_ms)
    return board


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "images"
    folder.mkdir()
    (folder / ARC_FILE).write_bytes(IMAGE.data)
    (folder / MODULE_FILE).write_bytes(MODULE_IMAGE.data)
    return folder


@pytest.fixture
async def tablet(board: UpdatableBoard, folder: Path) -> AsyncIterator[TestTablet]:
    tablet = TestTablet(board, firmware=folder)
    tablet.begin()
    await until(lambda: tablet.is_kept_by_arc)
    yield tablet
    await tablet.stop()


def firmware(tablet: TestTablet) -> FirmwareView:
    assert tablet.firmware is not None
    return tablet.firmware


def update(tablet: TestTablet) -> UpdateView:
    shown = firmware(tablet).update
    assert shown is not None
    return shown


def is_over(tablet: TestTablet) -> bool:
    return not update(tablet).is_running


def restart(tablet: TestTablet, board: UpdatableBoard) -> None:
    tablet.pull_wire()
    board.restart()


def when(board: UpdatableBoard, kind: type[m.Message], at: Callable[[int], bool], act: Callable[[], None]) -> None:
    """`act` as a command of this kind was carried out and before it is answered, if `at` says so of its number, from 1."""
    seen = 0
    carry_out = board.carry_out

    def watched(command: m.Message, now_ms: int, max_size: int) -> bytes | int | m.Message:
        nonlocal seen
        answer = carry_out(command, now_ms, max_size)
        if isinstance(command, kind):
            seen += 1
            if at(seen):
                act()
        return answer

    board.carry_out = watched  # type: ignore[method-assign]  # to look at what comes


def cut(
    tablet: TestTablet,
    board: UpdatableBoard,
    kind: type[m.Message],
    at: Callable[[int], bool] = lambda _: True,
    *,
    is_once: bool = True,
) -> None:
    """Pulls the wire there: the answer is lost."""

    is_cut = False

    def pull() -> None:
        nonlocal is_cut
        is_cut = is_once
        board.give = lambda unit: None
        tablet.wire.drop()

    when(board, kind, lambda number: not is_cut and at(number), pull)


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


def settle(tablet: TestTablet) -> None:
    tablet.act(actions.Next())
    tablet.act(actions.Choose("confirm"))


async def plug(tablet: TestTablet, board: UpdatableBoard, *modules: Module) -> None:
    for instance, module in enumerate(modules, 51):
        board.plug(instance, module)
    await until(
        lambda: len(firmware(tablet).modules) and sum(row.count for row in firmware(tablet).modules) == len(modules)
    )


async def test_all_modules_one_after_another_and_who_failed_and_why(board: UpdatableBoard, tablet: TestTablet) -> None:
    modules = (Module(SOLAR), Module(SOLAR), Module(STORAGE), Module(STORAGE, (0, 2, 0)), Module(99))
    modules[1].refuses, modules[2].goes_back = m.NO_SPACE, True
    await plug(tablet, board, *modules)
    tablet.ask_firmware(LOOK)
    await until(lambda: all(row.version for row in firmware(tablet).modules))
    assert firmware(tablet).modules == (
        ModuleFirmware("Module of type 99", 1, "0.1.0", "due"),
        ModuleFirmware("Solar Power Plant", 2, "0.1.0", "due"),
        ModuleFirmware("Storage", 1, "0.1.0", "due"),
        ModuleFirmware("Storage", 1, "0.2.0", ""),
    )
    assert (firmware(tablet).due, firmware(tablet).modules_blocked) == (4, "")
    tablet.ask_firmware(MODULES)
    assert (update(tablet).number, update(tablet).of) == (1, 4)
    await until(lambda: is_over(tablet))
    assert update(tablet).text == SOME_FAILED.format(done=2, n=4)
    assert [(row.name, row.version, row.state, row.text) for row in firmware(tablet).modules] == [
        ("Solar Power Plant", "0.1.0", "failed", WHY[m.NO_SPACE]),
        ("Storage", "0.1.0", "failed", updating.WENT_BACK.format(version="0.1.0")),
        ("Storage", "0.2.0", "", ""),
        ("Module of type 99", "0.2.0", "done", ""),
        ("Solar Power Plant", "0.2.0", "done", ""),
    ]
    assert firmware(tablet).due == 2
    modules[1].refuses, modules[2].goes_back = 0, False
    tablet.ask_firmware(MODULES)
    await until(lambda: is_over(tablet))
    assert update(tablet).text == ALL_UPDATED.format(n=2)
    assert firmware(tablet).modules_blocked == ALL_SAME.format(version="0.2.0")


async def test_after_a_lost_link_only_those_that_are_not_through(board: UpdatableBoard, tablet: TestTablet) -> None:
    await plug(tablet, board, Module(SOLAR), Module(STORAGE), Module(STORAGE))
    cut(tablet, board, m.UpdateChunk, lambda number: number == 5)
    cut(tablet, board, m.UpdateCommit, lambda number: number == 9 + 2)
    cut(tablet, board, m.ReadModule, lambda number: number == 3 + 3 + 2)
    tablet.ask_firmware(LOOK)
    tablet.ask_firmware(MODULES)
    await until(lambda: is_over(tablet))
    assert update(tablet).text == ALL_UPDATED.format(n=3)
    asked = [int.from_bytes(begin[2:6], "little") for begin in board.sent(m.ModuleUpdateBegin)]
    assert [one for at, one in enumerate(asked) if one not in asked[:at]] == [51, 52, 53]
    assert asked == sorted(asked), "nobody is begun again once another has had its turn"
    assert [board.modules[instance].boots for instance in (51, 52, 53)] == [8, 8, 8]


async def test_a_module_whose_last_ok_was_lost_is_not_sent_everything_again(
    board: UpdatableBoard, tablet: TestTablet
) -> None:
    await plug(tablet, board, Module(SOLAR), Module(STORAGE))
    cut(tablet, board, m.UpdateCommit, lambda _: board.modules[51].boots == 8)
    tablet.ask_firmware(LOOK)
    tablet.ask_firmware(MODULES)
    await until(lambda: is_over(tablet))
    assert update(tablet).text == ALL_UPDATED.format(n=2)
    assert [board.modules[instance].boots for instance in (51, 52)] == [8, 8]


async def test_an_arc_that_cannot_ask_modules_updates_them_all_the_same(
    board: UpdatableBoard, tablet: TestTablet
) -> None:
    board.knows_read_module = False
    await plug(tablet, board, Module(SOLAR), Module(STORAGE))
    tablet.ask_firmware(LOOK)
    assert [row.version for row in firmware(tablet).modules] == ["", ""]
    tablet.ask_firmware(MODULES)
    await until(lambda: is_over(tablet))
    assert update(tablet).text == ALL_UPDATED.format(n=2)
    assert firmware(tablet).due == 0
    board.plug(51)
    await until(lambda: firmware(tablet).due == 1)


async def test_what_comes_later_is_asked_too(board: UpdatableBoard, tablet: TestTablet) -> None:
    tablet.ask_firmware(LOOK)
    assert firmware(tablet).modules_blocked == NO_MODULES
    await plug(tablet, board, Module(SOLAR, (0, 3, 0)))
    await until(lambda: [row.version for row in firmware(tablet).modules] == ["0.3.0"])
    assert firmware(tablet).due == 0, "it is newer"


async def test_why_there_is_no_update_now(board: UpdatableBoard, tablet: TestTablet, folder: Path) -> None:
    view = firmware(tablet)
    assert (view.arc_at_hand, view.update) == ("", None)
    tablet.ask_firmware(ARC)
    assert firmware(tablet).update is None, "nobody has looked into the folder yet"
    (folder / MODULE_FILE).unlink()
    tablet.ask_firmware(LOOK)
    assert firmware(tablet).modules_blocked == MISSING.format(file=MODULE_FILE, folder=folder)
    board.happen(BatteryMeasured(3600, 18, BATTERY_LOW))
    await until(lambda: firmware(tablet).arc_blocked == LOW_BATTERY)
    tablet.ask_firmware(ARC)
    tablet.ask_firmware(MODULES)
    assert firmware(tablet).update is None
    board.mute.add(m.Hello)
    tablet.pull_wire()
    await until(lambda: firmware(tablet).arc_blocked == NO_LINK)
    (folder / ARC_FILE).write_bytes(image_of(make_program("0.0.9")).data)
    board.mute.clear()
    tablet.ask_firmware(LOOK)
    await until(lambda: firmware(tablet).arc_blocked == LOW_BATTERY)
    board.happen(BatteryMeasured(4100, 90, BATTERY_USB))
    await until(lambda: firmware(tablet).arc_blocked == NEWER.format(runs="0.1.0", at_hand="0.0.9"))


async def test_without_a_game_or_an_arc_nothing_is_asked(board: UpdatableBoard) -> None:
    tablet = TestTablet(board)
    assert tablet.firmware is None
    tablet.ask_firmware(ARC)
    await tablet.stop()


def test_how_long_it_takes_is_told_by_how_fast_it_went() -> None:
    size = len(IMAGE.data)
    run = Run(IMAGE, (1, 2), None, Progress(0, size, instance=1))
    assert run.seconds_left(0) is None
    run.moved_to(Progress(100, size, instance=1), 1_000)
    run.moved_to(Progress(300, size, instance=1), 2_000)
    assert run.seconds_left(2_000) is None, "too soon to tell"
    run.moved_to(Progress(500, size, instance=1), 5_000)
    assert run.seconds_left(5_000) == (2 * size - 500) // 100
    assert run.status(UpdateStage.SENDING, "", 5_000).sent == 500
    run.moved_to(Progress(500, size, instance=1), 50_000)
    run.measured_from = (0, run.bytes_done)
    assert run.seconds_left(50_000) is None, "it stands still"


def test_progress_is_shown_as_time_passes_and_an_arc_that_stays_away_is_told() -> None:
    sent: list[m.Message] = []
    talk = Conversations(lambda command: not sent.append(command))  # type: ignore[func-returns-value]
    info = m.Info(1, 0, bytes(6), 0, 1, 0, 0, 1, 1, 1, bytes(8))
    updates = Updates(talk, lambda: info, lambda device: bytes(16))

    def answer(data: bytes = b"") -> None:
        from companion.link import news

        talk.handle(news.Answered(sent[-1], data))

    updates.update_arc(IMAGE)
    answer(bytes(4))
    answer()
    assert updates.status is not None
    assert updates.status.sent == 0
    updates.tick(500)
    assert updates.status.sent == sent[-1].offset > 0  # type: ignore[attr-defined]
    while not isinstance(sent[-1], m.UpdateCommit):
        answer()
    updates.tick(3_000)
    stages = [updates.status.stage]
    answer(bytes(2))
    stages.append(updates.status.stage)
    assert stages == [UpdateStage.CHECKING, UpdateStage.RESTARTING]
    updates.tick(3_000 + BACK_WITHIN_MS + 1)
    assert (updates.status.stage, updates.status.text) == (UpdateStage.RESTARTING, NOT_BACK)
