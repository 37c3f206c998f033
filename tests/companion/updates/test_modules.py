"""Updates of modules beside a game: one after another, over broken links, who failed and why, and what they run."""

import pytest

from companion.link import requests, updating
from companion.link.updating import WHY
from companion.screens.controller import ModuleFirmware
from companion.updates.course import ALL_UPDATED
from companion.updates.page import ALL_SAME, NO_LINK, NO_MODULES
from protocol import messages as m
from tests.companion.tablets import TestTablet, until
from tests.companion.updates.bench import (
    LOOK,
    MODULE_IMAGE,
    MODULES,
    SOLAR,
    STOP,
    STORAGE,
    cut,
    firmware,
    is_over,
    pass_time_until,
    plug,
    update,
    when,
)
from tests.companion.updates.updatable_board import Module, UpdatableBoard


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
    assert update(tablet).text == "2 of 4 modules updated. The others keep their old firmware."
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
    assert update(tablet).text == ALL_UPDATED[1].format(n=2)
    assert firmware(tablet).modules_blocked == ALL_SAME.format(version="0.2.0")


async def test_after_a_lost_link_only_those_that_are_not_through(board: UpdatableBoard, tablet: TestTablet) -> None:
    await plug(tablet, board, Module(SOLAR), Module(STORAGE), Module(STORAGE))
    cut(tablet, board, m.UpdateChunk, lambda number: number == 5)
    cut(tablet, board, m.UpdateCommit, lambda number: number == 9 + 2)
    cut(tablet, board, m.ReadModule, lambda number: number == 3 + 3 + 2)
    tablet.ask_firmware(LOOK)
    tablet.ask_firmware(MODULES)
    await until(lambda: is_over(tablet))
    assert update(tablet).text == ALL_UPDATED[1].format(n=3)
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
    assert update(tablet).text == ALL_UPDATED[1].format(n=2)
    assert [board.modules[instance].boots for instance in (51, 52)] == [8, 8]


async def test_a_module_that_had_this_version_is_not_taken_for_updated_when_the_link_breaks_while_it_reads_back(
    board: UpdatableBoard, tablet: TestTablet
) -> None:
    module = Module(SOLAR, MODULE_IMAGE.head.version)
    await plug(tablet, board, module)
    cut(tablet, board, m.UpdateCommit, lambda number: number == 1)
    tablet.updates.look()
    await until(lambda: 51 in tablet.updates.versions)
    tablet.updates.update_modules(MODULE_IMAGE, (51,))
    await until(lambda: is_over(tablet))
    assert update(tablet).text == ALL_UPDATED[0]
    assert module.boots == 8, "it has started into what it was sent"


async def test_an_arc_that_cannot_ask_modules_updates_them_all_the_same(
    board: UpdatableBoard, tablet: TestTablet
) -> None:
    board.knows_read_module = False
    await plug(tablet, board, Module(SOLAR), Module(STORAGE))
    tablet.ask_firmware(LOOK)
    assert [row.version for row in firmware(tablet).modules] == ["", ""]
    tablet.ask_firmware(MODULES)
    await until(lambda: is_over(tablet))
    assert update(tablet).text == ALL_UPDATED[1].format(n=2)
    assert firmware(tablet).due == 0
    board.plug(51)
    await until(lambda: firmware(tablet).due == 1)
    assert [row.state for row in firmware(tablet).modules] == ["due", "done"], "whoever comes may be another"


async def test_what_comes_later_is_asked_too(board: UpdatableBoard, tablet: TestTablet) -> None:
    tablet.ask_firmware(LOOK)
    assert firmware(tablet).modules_blocked == NO_MODULES
    await plug(tablet, board, Module(SOLAR, (0, 3, 0)))
    await until(lambda: [row.version for row in firmware(tablet).modules] == ["0.3.0"])
    assert firmware(tablet).due == 0, "it is newer"


async def test_modules_that_could_not_be_asked_are_asked_when_the_link_is_back(
    board: UpdatableBoard, tablet: TestTablet, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(requests, "ANSWER_MS", 50)
    await plug(tablet, board, Module(SOLAR), Module(STORAGE))
    board.mute.add(m.Hello)
    tablet.pull_wire()
    await until(lambda: firmware(tablet).arc_blocked == NO_LINK or not tablet.is_kept_by_arc)
    tablet.ask_firmware(LOOK)
    assert [row.version for row in firmware(tablet).modules] == ["", ""]
    board.mute.clear()
    await until(lambda: [row.version for row in firmware(tablet).modules] == ["0.1.0", "0.1.0"])


async def test_when_nobody_looks_any_more_what_a_module_runs_says_how_it_stands(
    board: UpdatableBoard, tablet: TestTablet
) -> None:
    """Stopped while two start again: one comes back as what it was to become, one as what it was."""
    modules = (Module(SOLAR), Module(STORAGE))
    modules[1].goes_back = True
    await plug(tablet, board, *modules)
    tablet.ask_firmware(LOOK)
    await until(lambda: all(row.version for row in firmware(tablet).modules))
    when(board, m.UpdateCommit, lambda _: True, lambda: board.refuse.update({m.ReadModule: m.BUSY}))
    tablet.ask_firmware(MODULES)
    await until(lambda: [row.state for row in firmware(tablet).modules] == ["restarts", "restarts"])
    tablet.ask_firmware(STOP)
    assert "Where the new firmware is not whole the old one runs" in update(tablet).text, "some may have it all"
    board.refuse.clear()
    board.plug(51)
    board.plug(52)
    await until(lambda: {row.version for row in firmware(tablet).modules} == {"0.1.0", "0.2.0"})
    assert [(row.name, row.state) for row in firmware(tablet).modules] == [
        ("Storage", "due"),
        ("Solar Power Plant", ""),
    ]


async def test_a_module_that_comes_back_late_is_not_told_as_failed(
    board: UpdatableBoard, tablet: TestTablet, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(updating, "BACK_AT_MOST_MS", 0)
    await plug(tablet, board, Module(SOLAR))
    tablet.ask_firmware(LOOK)
    await until(lambda: all(row.version for row in firmware(tablet).modules))
    when(board, m.UpdateCommit, lambda _: True, lambda: board.refuse.update({m.ReadModule: m.UNKNOWN_MODULE}))
    tablet.ask_firmware(MODULES)
    await until(lambda: is_over(tablet))
    assert [(row.state, row.text) for row in firmware(tablet).modules] == [("failed", updating.NOT_BACK)]
    board.refuse.clear()
    board.plug(51)
    await until(lambda: [(row.version, row.state) for row in firmware(tablet).modules] == [("0.2.0", "")])


COMMANDS = (m.ModuleUpdateBegin, m.UpdateChunk, m.UpdateCommit, m.ReadModule)


@pytest.mark.parametrize("number", range(1, 55))  # all there are
async def test_at_whichever_command_the_link_breaks_each_module_is_updated_once(
    board: UpdatableBoard, tablet: TestTablet, number: int
) -> None:
    await plug(tablet, board, Module(SOLAR), Module(STORAGE))
    cut(tablet, board, COMMANDS, lambda seen: seen == number)
    tablet.ask_firmware(LOOK)
    tablet.ask_firmware(MODULES)
    await pass_time_until(tablet, lambda: is_over(tablet))
    assert update(tablet).text == ALL_UPDATED[1].format(n=2)
    assert [module.boots for module in board.modules.values()] == [8, 8]
    assert len(board.sent(m.Resume)) == 2
