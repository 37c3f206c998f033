"""Why there is no update now, how far one is, how long it takes."""

from pathlib import Path

from companion.link import news
from companion.link.conversations import Conversations
from companion.link.updating import Progress
from companion.screens.controller import UpdateStage
from companion.updates.course import (
    BACK_WITHIN_MS,
    NOT_BACK,
    Updates,
)
from companion.updates.folder import ARC_FILE, MISSING, MODULE_FILE
from companion.updates.page import LOW_BATTERY, NEWER, NO_LINK
from companion.updates.run import Run
from protocol import messages as m
from protocol.events import BATTERY_LOW, BATTERY_USB, BatteryMeasured
from tests.companion.tablets import TestTablet, until
from tests.companion.updates.bench import ARC, LOOK, MODULES, firmware
from tests.companion.updates.updatable_board import IMAGE, UpdatableBoard
from tests.firmware.update.model import image_of, make_program


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
