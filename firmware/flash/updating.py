"""An update over a session instead of the prompt: the image of a program, and sending it to an ARC that runs."""

from pathlib import Path
from typing import Protocol

from firmware.flash.errors import FlashError, RefusedError
from firmware.flash.kinds import ARC, BoardKind
from firmware.flash.program import Program
from firmware.flash.show import Show
from protocol.message import ProtocolError
from protocol.messages import LOW_BATTERY, NO_SPACE, UNSUPPORTED, WRITE_FAILED, WRONG_MAC, Message, UpdateChunk
from protocol.update import BOARD_ARC, BOARD_MODULE
from protocol.update_image import Image, pack_image, unpack_image
from protocol.update_sending import update_steps


class Session(Protocol):
    """What of an `ArcSession` is needed."""

    def ask(self, command: Message, within_s: float) -> bytes: ...


ANSWER_S = 10.0


def image_of(program: Program, kind: BoardKind) -> Image:
    """The image of a compiled program; its version is the project's."""
    major, minor, patch = (int(part) for part in program.version.partition("+")[0].split(".")[:3])
    board = BOARD_ARC if kind is ARC else BOARD_MODULE
    return pack_image(board, (major, minor, patch), program.mpy_version, program.files, program.manifest())


def read_image(path: Path) -> Image:
    """An image made earlier, checked whole. `FlashError` when it is none, or not for an ARC."""
    try:
        image = unpack_image(path.read_bytes())
    except (OSError, ProtocolError) as error:
        raise FlashError(
            f"{path} is no firmware image: {error}", "make one: `python -m firmware.flash update --save FILE`"
        ) from error
    if image.head.board != BOARD_ARC:
        raise FlashError(f"{path} is firmware for a module", "modules are flashed over their own cable")
    return image


def send_update(session: Session, image: Image, token: bytes, show: Show) -> None:
    """Until the ARC has switched. Begun again it goes on where it stopped. `FlashError` says what to do."""
    steps = update_steps(image, token)
    with show.bar("update", len(image.data)) as advance:
        shown = 0
        command = next(steps)
        while True:
            answer = _ask(session, command)
            try:
                command = steps.send(answer)
            except StopIteration:
                return
            if isinstance(command, UpdateChunk):
                advance(command.offset + len(command.data) - shown)
                shown = command.offset + len(command.data)


def _ask(session: Session, command: Message) -> bytes:
    try:
        return session.ask(command, ANSWER_S)
    except RefusedError as error:
        if error.reason in _ADVICE:
            raise FlashError(*_ADVICE[error.reason]) from error
        raise


_ADVICE = {
    LOW_BATTERY: ("the ARC's battery is too low for an update", "put in fresh cells, or power it over USB"),
    NO_SPACE: ("the ARC's file system has no room for a second firmware", "remove your own files from it with `mpremote rm`"),
    UNSUPPORTED: (
        "this ARC cannot take this update",
        "flash it once over the cable: `python -m firmware.flash arc`",
    ),
    WRITE_FAILED: ("what lies in the ARC's flash is not what was sent", "run this again"),
    WRONG_MAC: ("the ARC does not take this computer's signature", "pair it again: press the ARC's button and run this again"),
}  # fmt: skip
