"""A new firmware for the ARC, from the app: the image is checked, then sent, and how far it is comes out as values. Pure."""

from collections.abc import Callable

from attrs import frozen

from companion.link.conversations import Talk
from protocol.messages import UpdateChunk, UpdateCommit
from protocol.update import BOARD_ARC
from protocol.update_image import Image, unpack_image
from protocol.update_sending import update_steps


@frozen
class Progress:
    """`sent` of `size` bytes are with the ARC; `is_checking`: it reads them back."""

    sent: int
    size: int
    is_checking: bool = False


def read_image(data: bytes) -> Image:
    """The image in a file's bytes; `ProtocolError` (a `ValueError`) says what is wrong with it, before any of it is sent."""
    image = unpack_image(data)
    if image.head.board != BOARD_ARC:
        raise ValueError("this firmware is for a module, not for an ARC")
    return image


def update_arc(image: Image, token: bytes, tell: Callable[[Progress], None]) -> Talk[tuple[int, int, int]]:
    """Sends the image; `token` is the one of this tablet's pairing. The version comes back once the ARC has switched.

    The ARC then restarts, and runs the new firmware on trial until this or another tablet has resumed. The same talk begun
    again after a lost link goes on where the ARC stopped.
    """
    steps, size = update_steps(image, token), len(image.data)
    command = next(steps)
    while True:
        answer = yield command
        try:
            command = steps.send(answer)
        except StopIteration:
            return image.head.version
        if isinstance(command, UpdateChunk):
            tell(Progress(command.offset, size))
        elif isinstance(command, UpdateCommit):
            tell(Progress(size, size, is_checking=True))
