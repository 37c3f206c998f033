"""The ARC's program with a reader that fails on its third poll; everything else as it is."""

from firmware.arc import main
from firmware.arc.reader import RoofReader

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


def run() -> None:
    RoofReader.poll = poll  # type: ignore[method-assign]
    main.run()
