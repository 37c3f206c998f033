"""The ARC's program with a reader that fails on its third poll, and a look at the cable that fails once after that."""

from firmware.arc import main
from firmware.arc.reader import RoofReader
from protocol.frame import FrameReader

TYPE_CHECKING = False
if TYPE_CHECKING:
    from protocol.events import Body

_poll = RoofReader.poll
_polls: "list[int]" = []


def poll(self: RoofReader) -> "list[Body]":
    _polls.append(1)
    if len(_polls) == 3:
        raise ValueError("planned")
    return _poll(self)


_flush = FrameReader.flush
_failed: "list[int]" = []


def flush(self: FrameReader) -> "list[bytes]":
    if len(_polls) > 4 and not _failed:
        _failed.append(1)
        raise ValueError("planned as well")
    return _flush(self)


def run() -> None:
    FrameReader.flush = flush  # type: ignore[method-assign]
    RoofReader.poll = poll  # type: ignore[method-assign]
    main.run()
