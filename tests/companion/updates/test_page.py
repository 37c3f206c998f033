"""Why there is no update now, how far one is, how long it takes."""

from pathlib import Path

import pytest

from companion.link import news, requests, updating
from companion.link.conversations import Conversations
from companion.link.updating import Outcome, Progress
from companion.screens.controller import UpdateStage
from companion.updates.course import (
    BACK_WITHIN_MS,
    NOT_BACK,
    Updates,
    modules_text,
)
from companion.updates.folder import ARC_FILE, MISSING, MODULE_FILE
from companion.updates.page import LOW_BATTERY, NEWER, NO_LINK
from companion.updates.run import Run
from protocol import messages as m
from protocol.events import BATTERY_LOW, BATTERY_USB, BatteryMeasured, Booted, Event
from tests.companion.tablets import TestTablet, until
from tests.companion.updates.bench import ARC, LOOK, MODULES, firmware
from tests.companion.updates.updatable_board import IMAGE, UpdatableBoard
from tests.firmware.update.model import image_of, make_program


async def test_why_there_is_no_update_now(
    board: UpdatableBoard, tablet: TestTablet, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(requests, "ANSWER_MS", 50)
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


@pytest.mark.parametrize(("comes_as", "ends_as"), [(1, UpdateStage.FAILED), (2, UpdateStage.DONE)])
def test_progress_is_shown_as_time_passes_and_an_arc_that_stays_away_ends_it(
    comes_as: int, ends_as: UpdateStage
) -> None:
    sent: list[m.Message] = []
    talk = Conversations(lambda command: not sent.append(command))  # type: ignore[func-returns-value]
    info = m.Info(1, 0, bytes(6), 0, 1, 0, 0, 1, 1, 1, bytes(8))
    over: list[UpdateStage] = []
    updates = Updates(talk, lambda: info, lambda device: bytes(16), over=lambda status: over.append(status.stage))

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
    assert (updates.status.stage, updates.status.text) == (UpdateStage.AWAY, NOT_BACK.format(version="0.2.0"))
    assert not updates.status.is_running
    updates.tick(3_000 + 2 * BACK_WITHIN_MS)
    assert over == [UpdateStage.AWAY], "once"
    info.firmware_minor = comes_as
    updates.handle(Event(1, 2, 0, Booted(1, 0, comes_as, 0)))
    assert updates.status.stage is ends_as, "it came back after all"
    assert over == [UpdateStage.AWAY, ends_as]
    updates.handle(Event(1, 3, 0, Booted(1, 0, comes_as, 0)))
    assert over == [UpdateStage.AWAY, ends_as]


def test_no_other_arc_goes_on_with_an_update() -> None:
    """People go on with another one, or the neighbours' answers first: it is not sent what the first was being sent."""
    sent: list[m.Message] = []
    talk = Conversations(lambda command: not sent.append(command))  # type: ignore[func-returns-value]
    info = m.Info(1, 0, bytes(6), 0, 1, 0, 0, 1, 1, 1, bytes(8))
    updates = Updates(talk, lambda: info, lambda device: bytes(16))

    def come(device: bytes) -> None:
        info.device = device
        resumed = news.Resumed(device, 1, 1)
        talk.handle(resumed)
        updates.handle(resumed)

    updates.update_arc(IMAGE)
    talk.handle(news.LinkChanged(news.LinkState.LOST, ""))
    come(b"next door"[:6])
    updates.tick(60_000)
    assert [type(command) for command in sent] == [m.UpdateBegin]
    assert updates.status is not None
    stages = [updates.status.stage]
    come(bytes(6))
    assert [type(command) for command in sent] == [m.UpdateBegin] * 2
    assert updates._run is not None
    updates._arc_done(updates._run)
    info.device, info.firmware_minor = b"next door"[:6], 2
    updates.handle(Event(1, 2, 0, Booted(1, 0, 2, 0)))
    stages.append(updates.status.stage)
    assert stages == [UpdateStage.WAITING, UpdateStage.RESTARTING], "what another one runs says nothing"


def test_another_update_forgets_the_arc_that_stayed_away() -> None:
    talk = Conversations(lambda command: True)
    info = m.Info(1, 0, bytes(6), 0, 1, 0, 0, 1, 1, 1, bytes(8))
    updates = Updates(talk, lambda: info, lambda device: bytes(16))
    updates.update_arc(IMAGE)
    assert updates._run is not None
    updates._arc_done(updates._run)
    updates.tick(BACK_WITHIN_MS + 1)
    updates.update_arc(IMAGE)
    updates.stop()
    updates.handle(Event(1, 2, 0, Booted(1, 0, 1, 0)))
    assert updates.status is not None
    assert updates.status.stage is UpdateStage.STOPPED


@pytest.mark.parametrize(
    ("whys", "text"),
    [
        (("",), "The module is updated."),
        (("", ""), "All 2 modules are updated."),
        (("no",), "The module was not updated. It keeps its old firmware."),
        (("no", "no"), "None of the 2 modules was updated. They keep their old firmware."),
        (("", "no"), "1 of 2 modules updated. The other one keeps its old firmware."),
        (("", "no", "no"), "1 of 3 modules updated. The others keep their old firmware."),
        ((updating.NOT_BACK,), "The module was not updated."),
        (("", updating.NOT_BACK, "no"), "1 of 3 modules updated."),
    ],
)
def test_how_it_went_with_one_and_with_several_modules(whys: tuple[str, ...], text: str) -> None:
    assert modules_text([Outcome(instance, why) for instance, why in enumerate(whys, 1)]) == text
