"""The commands of an update in their order, for whoever carries them to an ARC. Pure."""

from protocol.gatt import MAX_COMMAND
from protocol.message import ProtocolError
from protocol.messages import ModuleUpdateBegin, UpdateBegin, UpdateChunk, UpdateCommit
from protocol.update import digest_of, update_mac

CHUNK = MAX_COMMAND - 6

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Generator

    from protocol.message import Message
    from protocol.update_image import Image


def update_steps(image: "Image", token: bytes, instance: "int | None" = None) -> "Generator[Message, bytes, int]":
    """Yields a command, is sent the data of its OK, until the board has switched; returns the offset at which it began.

    `instance` names a module, None the ARC itself. For a module the carrier sends a command that was refused with BUSY again,
    a little later. `ProtocolError` when an answer makes no sense. The request ids are the carrier's.
    """
    data, digest = image.data, digest_of(image.manifest)
    lengths, signed = (len(image.manifest), len(data)), (digest, update_mac(token, digest))
    if instance is None:
        answer = yield UpdateBegin(0, *lengths, *signed)
    else:
        answer = yield ModuleUpdateBegin(0, instance, *lengths, *signed)
    begun = int.from_bytes(answer, "little")
    if len(answer) != 4 or begun > len(data):
        raise ProtocolError("the ARC wants an update from an impossible offset on")
    for offset in range(begun, len(data), CHUNK):
        yield UpdateChunk(0, offset, data[offset : offset + CHUNK])
    unchecked = len(image.rows) + 1
    while unchecked:
        answer = yield UpdateCommit(0)
        left = int.from_bytes(answer, "little")
        if len(answer) != 2 or left >= unchecked:
            raise ProtocolError("the ARC does not go on with reading its update back")
        unchecked = left
    return begun
