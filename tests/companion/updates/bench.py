"""A tablet with an ARC that can be updated: what the page shows, hands that pull wires in the middle of a command."""

import itertools
from collections.abc import Callable

from companion.screens.controller import FirmwareDeed, FirmwareView, UpdateView
from companion.session import actions
from protocol import messages as m
from protocol.update import BOARD_MODULE
from tests.companion.tablets import TestTablet, until
from tests.companion.updates.updatable_board import Module, UpdatableBoard
from tests.firmware.update.model import image_of, make_program

MODULE_IMAGE = image_of(make_program("0.2.0", sizes=(300, 26)), board=BOARD_MODULE)
LOOK, ARC, MODULES, STOP = FirmwareDeed.LOOK, FirmwareDeed.UPDATE_ARC, FirmwareDeed.UPDATE_MODULES, FirmwareDeed.STOP
SOLAR, STORAGE = 1, 2


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


def when(
    board: UpdatableBoard,
    kind: type[m.Message] | tuple[type[m.Message], ...],
    at: Callable[[int], bool],
    act: Callable[[], None],
) -> None:
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
    kind: type[m.Message] | tuple[type[m.Message], ...],
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


def settle(tablet: TestTablet) -> None:
    tablet.act(actions.Next())
    tablet.act(actions.Choose("confirm"))


async def plug(tablet: TestTablet, board: UpdatableBoard, *modules: Module) -> None:
    for instance, module in enumerate(modules, 51):
        board.plug(instance, module)
    await until(
        lambda: len(firmware(tablet).modules) and sum(row.count for row in firmware(tablet).modules) == len(modules)
    )


async def pass_time_until(tablet: TestTablet, holds: Callable[[], object]) -> None:
    """As `until`, with a second passing for the updates between two looks."""
    seconds = itertools.count(1)

    def tick() -> object:
        tablet.tick_updates(1_000 * next(seconds))
        return holds()

    await until(tick)
