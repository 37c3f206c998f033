"""A board's log, pairing and seat with connections to it, for tests of one connection's state table."""

import random
from collections.abc import Iterator

from firmware.arc.outbox import Outbox
from firmware.arc.pairing import Pairing
from firmware.arc.session_link import Seat, SessionLink
from firmware.desk.chips.flash import Flash
from firmware.drivers.flash_ring import FlashRing
from firmware.drivers.settings_store import SettingsStore
from protocol.events import CardPresented, Event
from protocol.messages import (
    Hello,
    Info,
    Message,
    Ok,
    Refused,
    Resume,
    session_mac,
)
from protocol.reading import decode_notification
from tests.firmware.arc.acts import Acts

TABLET, OTHER = 0x1111, 0x2222


class Board:
    """Log, pairing and seat; as many connections as a test wants."""

    def __init__(self, blocks: int = 64) -> None:
        rng = random.Random(1)
        self.random_bytes = rng.randbytes
        self.outbox = Outbox(FlashRing(Flash(blocks * 256, 256)), lambda: 0xBEEF)
        self.pairing = Pairing(SettingsStore(Flash(512, 256), 0), rng.randbytes)
        self.seat = Seat()
        self.acts = Acts(self.outbox)

    def connect(self, max_size: int = 244) -> "Peer":
        link = SessionLink(self.outbox, self.pairing, self.seat, self.acts, self.random_bytes)
        link.max_size = max_size
        link.connect(0)
        return Peer(link)

    def happen(self, count: int = 1) -> None:
        for _ in range(count):
            self.outbox.append(CardPresented(self.outbox.newest + 1, b"\x04\x01\x02\x03"), 0)

    def pair(self, tablet: int = TABLET) -> bytes:
        self.pairing.open_window(0)
        token = self.pairing.pair(tablet, 0)
        self.pairing.close_window()
        assert isinstance(token, bytes)
        return token


class Peer:
    """The other end of one connection: says what it is told to and keeps what comes."""

    def __init__(self, link: SessionLink) -> None:
        self.link = link

    def say(self, command: Message | bytes, now_ms: int = 0) -> None:
        self.link.receive(command if isinstance(command, bytes) else command.encode(), now_ms)

    def hear(self, now_ms: int = 0) -> Iterator[Event | Message]:
        while (unit := self.link.outgoing(now_ms)) is not None:
            assert len(unit) <= self.link.max_size
            yield from decode_notification(bytes(unit))
            self.link.sent(now_ms)

    def ask(self, command: Message | bytes, now_ms: int = 0) -> Message:
        self.say(command, now_ms)
        unit = self.link.outgoing(now_ms)
        assert unit is not None
        (answer,) = decode_notification(bytes(unit))
        self.link.sent(now_ms)
        assert isinstance(answer, Message)
        return answer

    def refusal(self, command: Message | bytes, now_ms: int = 0) -> int:
        answer = self.ask(command, now_ms)
        assert isinstance(answer, Refused), answer
        return answer.reason

    def hello(self) -> bytes:
        answer = self.ask(Hello(1, 1, 0))
        assert isinstance(answer, Ok)
        return Info.decode(answer.data).nonce

    def resume(self, token: bytes, sequence: int = 0, epoch: int = 0xBEEF, tablet: int = TABLET) -> Message:
        mac = session_mac(token, self.hello(), tablet, epoch, sequence)
        return self.ask(Resume(2, tablet, epoch, sequence, mac))


def resumed(board: Board, sequence: int = 0, max_size: int = 244) -> Peer:
    peer = board.connect(max_size)
    answer = peer.resume(board.pair(), sequence)
    assert isinstance(answer, Ok), answer
    return peer


def sequences(peer: Peer, now_ms: int = 0) -> list[int]:
    return [part.sequence for part in peer.hear(now_ms) if isinstance(part, Event)]
