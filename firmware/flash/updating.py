"""An update over a session instead of the prompt: the image of a program, and sending it to an ARC that runs, for itself or a module."""

import time
from collections.abc import Callable
from pathlib import Path
from typing import Protocol

from firmware.flash.errors import FlashError, RefusedError
from firmware.flash.kinds import ARC, BoardKind
from firmware.flash.program import Program
from firmware.flash.show import Show
from protocol.message import ProtocolError
from protocol.messages import (
    BUSY,
    LOW_BATTERY,
    NO_SPACE,
    UNKNOWN_MODULE,
    UNSUPPORTED,
    WRITE_FAILED,
    WRONG_MAC,
    Message,
    UpdateChunk,
)
from protocol.update import BOARD_ARC, BOARD_MODULE
from protocol.update_image import Image, pack_image, unpack_image
from protocol.update_sending import update_steps


class AwayError(FlashError):
    """The module is not there, or restarted on the way: begun again it goes on where it was."""


class HopelessError(FlashError):
    """It lies with the ARC, not with the board that is to be updated."""


class Session(Protocol):
    """What of an `ArcSession` is needed."""

    def ask(self, command: Message, within_s: float) -> bytes: ...


ANSWER_S = 10.0
BUSY_PAUSE_S = 0.05
BUSY_TRIES = 600
"""Half a minute: a module that is lost is told by the ARC long before."""


def image_of(program: Program, kind: BoardKind) -> Image:
    """The image of a compiled program; its version is the project's."""
    major, minor, patch = (int(part) for part in program.version.partition("+")[0].split(".")[:3])
    board = BOARD_ARC if kind is ARC else BOARD_MODULE
    return pack_image(board, (major, minor, patch), program.mpy_version, program.files, program.manifest())


def read_image(path: Path, kind: BoardKind) -> Image:
    """An image made earlier, checked whole. `FlashError` when it is none, or not for this kind of board."""
    try:
        image = unpack_image(path.read_bytes())
    except (OSError, ProtocolError) as error:
        raise FlashError(
            f"{path} is no firmware image: {error}", "make one: `python -m firmware.flash update --save FILE`"
        ) from error
    is_for_arc = image.head.board == BOARD_ARC
    if is_for_arc != (kind is ARC):
        meant = "an ARC" if is_for_arc else "a module: name it with `--module SERIAL`"
        raise FlashError(f"{path} is no firmware for this {kind.noun}", f"it is for {meant}")
    return image


def save_image(image: Image, path: Path) -> None:
    """Whole or not at all, for apps that look into its folder. `FlashError` when it cannot be written there."""
    draft = path.parent / f"{path.name}.new"
    try:
        try:
            draft.write_bytes(image.data)
            draft.replace(path)
        except OSError:
            draft.unlink(missing_ok=True)
            raise
    except OSError as error:
        raise FlashError(
            f"{path} cannot be written: {error.strerror}",
            "choose a folder that is there, is yours, and has room",
        ) from error


def instance_of(serial: str) -> int:
    """The instance that a module's label names, as 3F2A-91C0. `FlashError` when it is no serial."""
    try:
        instance = int(serial.replace("-", ""), 16)
    except ValueError:
        instance = 0
    if not 0 < instance < 1 << 32:
        raise FlashError(f"{serial} is no module's serial", "look at its label: eight characters such as 3F2A-91C0")
    return instance


def send_update(
    session: Session,
    image: Image,
    token: bytes,
    show: Show,
    instance: int | None = None,
    pause: Callable[[float], None] = time.sleep,
) -> None:
    """Until the board has switched: the ARC, or its module of this instance. Begun again it goes on where it stopped.

    `pause(s)` waits while a module is busy. `FlashError` says what to do: `AwayError`, `HopelessError` among them.
    """
    steps = update_steps(image, token, instance)
    with show.bar("update", len(image.data)) as advance:
        shown = 0
        command = next(steps)
        while True:
            answer = _ask_until_ready(session, command, pause if instance is not None else None)
            try:
                command = steps.send(answer)
            except StopIteration:
                return
            if isinstance(command, UpdateChunk):
                advance(command.offset + len(command.data) - shown)
                shown = command.offset + len(command.data)


def _ask_until_ready(session: Session, command: Message, pause: Callable[[float], None] | None) -> bytes:
    for _ in range(BUSY_TRIES if pause else 0):
        try:
            return _ask(session, command)
        except RefusedError as error:
            if error.reason != BUSY or pause is None:
                raise
            pause(BUSY_PAUSE_S)
    return _ask(session, command)


def _ask(session: Session, command: Message) -> bytes:
    try:
        return session.ask(command, ANSWER_S)
    except RefusedError as error:
        if error.reason in _ADVICE:
            kind = _KINDS.get(error.reason, FlashError)
            raise kind(*_ADVICE[error.reason]) from error
        raise


_KINDS: dict[int, type[FlashError]] = {UNKNOWN_MODULE: AwayError, LOW_BATTERY: HopelessError, WRONG_MAC: HopelessError}
_ADVICE = {
    LOW_BATTERY: ("the ARC's battery is too low for an update", "put in fresh cells, or power it over USB"),
    NO_SPACE: ("the ARC's file system has no room for a second firmware", "remove your own files from it with `mpremote rm`"),
    UNSUPPORTED: (
        "this ARC cannot take this update",
        "flash it once over the cable: `python -m firmware.flash arc`; a desk is started with --flashed",
    ),
    UNKNOWN_MODULE: ("the module is not on the bus, or restarted on the way", "plug it again and run this again: it goes on where it was"),
    WRITE_FAILED: ("what lies in the board's flash is not what was sent", "run this again"),
    WRONG_MAC: ("the ARC does not take this computer's signature", "pair it again: press the ARC's button and run this again"),
}  # fmt: skip
