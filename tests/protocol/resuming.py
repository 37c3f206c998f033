"""The ARC's half of the resume vectors: its own state table and log over a ring that is only numbers. Runs on both interpreters."""

from binascii import hexlify

from firmware.arc.outbox import Outbox
from firmware.arc.pairing import Pairing
from firmware.arc.session_link import Seat, SessionLink
from protocol.events import PRESS_SHORT, ButtonPressed, Event
from protocol.messages import READS_ONLY, VERSION, Hello, Info, Message, Ok, Resume, session_mac
from protocol.reading import decode_notification

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

TABLET = 0x1F2E3D4C
DEVICE = b"\x7c\xdf\xa1\x00\x5f\x3a"
UNIT_SIZE = 244


def record(epoch: int, sequence: int) -> bytes:
    """What the logs of these vectors hold: a short press of the button every second."""
    return Event(epoch, sequence, 1_000 * sequence, ButtonPressed(PRESS_SHORT)).encode()


class NumberedRing:
    """A flash ring that holds `oldest` to `newest`."""

    def __init__(self, epoch: int, oldest: int, newest: int) -> None:
        self._epoch = epoch
        self.oldest = oldest
        self.newest = newest

    def read(self, sequence: int, into: bytearray, at: int = 0) -> int:
        if not self.oldest <= sequence <= self.newest:
            return 0
        data = record(self._epoch, sequence)
        into[at : at + len(data)] = data
        return len(data)


class _Store:
    def read(self) -> bytes:
        return b""

    def write(self, value: bytes) -> None:
        pass


class _Acts:
    def __init__(self, log: Outbox) -> None:
        self._log = log

    def info(self, nonce: bytes, now_ms: int) -> Info:
        log = self._log
        return Info(*VERSION, DEVICE, 0, 1, 0, 0, log.epoch, log.oldest, log.newest, nonce)

    def carry_out(self, command: Message, now_ms: int, max_size: int) -> int:
        raise AssertionError("no other command belongs to resuming")


def replay_resuming(case: "dict[str, Any]") -> "dict[str, Any]":
    """What the ARC answers to a RESUME with the case's cursor, and the units it sends then."""
    held = case["log"]
    ring = NumberedRing(held["epoch"], held["oldest"], held["newest"])
    log = Outbox(ring, lambda: held["epoch"])  # type: ignore[arg-type]  # what it asks of a ring, without a flash
    pairing = Pairing(_Store(), lambda count: bytes(range(count)))
    pairing.open_window(0)
    token = pairing.pair(TABLET, 0)
    assert isinstance(token, bytes)
    link = SessionLink(log, pairing, Seat(), _Acts(log), lambda count: bytes(range(count)))
    link.max_size = UNIT_SIZE
    link.connect(0)
    nonce = Info.decode(_answered(link, Hello(1, *VERSION))).nonce
    epoch, sequence = case["cursor"]["epoch"], case["cursor"]["sequence"]
    if case.get("reads_only"):
        sequence |= READS_ONLY
    answer = _answered(link, Resume(2, TABLET, epoch, sequence, session_mac(token, nonce, TABLET, epoch, sequence)))
    sent = []
    while True:
        unit = link.outgoing(0)
        if unit is None:
            break
        sent.append(str(hexlify(unit), "ascii"))
        link.sent(0)
    return {"answer": str(hexlify(answer), "ascii"), "sent": sent}


def _answered(link: SessionLink, command: Message) -> bytes:
    """The data of the OK."""
    link.receive(command.encode(), 0)
    unit = link.outgoing(0)
    assert unit is not None
    (ok,) = decode_notification(unit)
    link.sent(0)
    assert isinstance(ok, Ok)
    return ok.data
