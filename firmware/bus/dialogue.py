"""Question and answer: retries with the same toggle bit, late replies told apart, every try counted.

Generators: they yield a `Request` for the wire and are sent what was `Heard`. Whoever runs them owns chip and clock.
"""

from firmware.bus.frame import ALL, OPCODE, OVERHEAD, REPLY, SYNC, TOGGLE, UNADDRESSED, encode, is_whole
from firmware.bus.health import ECHO_OK, Health
from firmware.bus.words import HELLO, SEEN

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Generator

REPLY_TIMEOUT_US = 12000
"""Covers the garbage collection of a module."""
TRIES = 4
ANYBODY = -1


class Request:
    """One frame to send. `select`: the ARC's own port to pull low after it, or -1. `collect`: listen to the very end."""

    def __init__(self, frame: bytes, timeout_us: int, select: int = -1, collect: bool = False) -> None:
        self.frame = frame
        self.timeout_us = timeout_us
        self.select = select
        self.collect = collect


class Heard:
    """What came back behind the echo, how the echo was, the ARC's own link bits, and the time by now."""

    def __init__(self, data: bytes, echo: int, links: int, now_ms: int) -> None:
        self.data = data
        self.echo = echo
        self.links = links
        self.now_ms = now_ms


class Reply:
    """A reply frame taken apart."""

    def __init__(self, frame: bytes) -> None:
        self.address = frame[2]
        self.opcode = frame[3] & OPCODE
        self.payload = frame[4:-2]


if TYPE_CHECKING:
    Asking = Generator[Request, Heard, "Reply | None"]


class Dialogue:
    """The coordinator's voice. `epoch` goes into every request."""

    def __init__(self, epoch: int) -> None:
        self.epoch = epoch
        self.health = Health()
        self.links = 0
        self.now_ms = 0
        self._toggles = bytearray(ALL + 1)

    def ask(
        self, address: int, opcode: int, payload: bytes, sender: int, select: int = -1, tries: int = TRIES
    ) -> "Asking":
        """Send until a reply of `sender` (ANYBODY: whoever was selected) comes, at most `tries` times. The payload gets the epoch in front."""
        request = Request(self._frame(address, opcode, payload), REPLY_TIMEOUT_US, select)
        for attempt in range(tries):
            if attempt:
                self.health.retries += 1
            heard = yield request
            reply = self._judge(heard, request.frame[3] & TOGGLE, sender)
            if reply is not None:
                return reply
        return None

    def tell(self, address: int, opcode: int, payload: bytes) -> "Generator[Request, Heard, None]":
        """Nobody answers; but the own echo shows whether it went out undisturbed, and if not it is sent again."""
        request = Request(self._frame(address, opcode, payload), 0)
        for attempt in range(TRIES):
            if attempt:
                self.health.retries += 1
            heard = yield request
            self._take(heard)
            self.health.note(heard.now_ms, heard.echo, False)
            if heard.echo == ECHO_OK:
                return

    def gather(self, opcode: int, payload: bytes, timeout_us: int) -> "Generator[Request, Heard, list[Reply]]":
        """Ask all modules without an address and collect what comes until the time-out."""
        frame = self._frame(UNADDRESSED, opcode, payload)
        heard = yield Request(frame, timeout_us, collect=True)
        self._take(heard)
        frames, garbled = find_frames(heard.data)
        self.health.note(heard.now_ms, heard.echo, garbled)
        return [Reply(one) for one in frames if one[3] & REPLY and one[3] & TOGGLE == frame[3] & TOGGLE]

    def _frame(self, address: int, opcode: int, payload: bytes) -> bytes:
        self._toggles[address] ^= TOGGLE
        return encode(address, self._toggles[address] | opcode, bytes((self.epoch,)) + payload)

    def _take(self, heard: Heard) -> None:
        self.links = heard.links
        self.now_ms = heard.now_ms

    def _judge(self, heard: Heard, toggle: int, sender: int) -> "Reply | None":
        self._take(heard)
        found, late = None, 0
        frames, garbled = find_frames(heard.data)
        for one in frames:
            is_from = sender == one[2] or (sender == ANYBODY and one[3] & OPCODE in (HELLO, SEEN))
            if one[3] & REPLY and one[3] & TOGGLE == toggle and is_from:
                found = Reply(one)
            else:
                late += 1
        self.health.late += late
        self.health.note(heard.now_ms, heard.echo, garbled and found is None)
        if found is None and not garbled:
            self.health.timeouts += 1
        return found


def find_frames(data: bytes) -> "tuple[list[bytes], bool]":
    """The whole frames in what was heard, and whether there was anything else."""
    frames, at, garbled = [], 0, False
    while at < len(data):
        if data[at] == SYNC and at + OVERHEAD <= len(data):
            stop = at + OVERHEAD + data[at + 1]
            if stop <= len(data) and is_whole(data[at:stop]):
                frames.append(data[at:stop])
                at = stop
                continue
        garbled = True
        at += 1
    return frames, garbled
