"""Both halves of one connection for tests: the app's on the firmware's, a perfect wire between them, time by hand."""

from companion.link import news
from companion.link.connection import Connection
from companion.link.delivery import Delivery
from protocol import messages as m
from protocol.events import CardPresented, Event
from tests.companion.link.board import DEVICE, TABLET, Board

UID = b"\x04\xa3\xc6\xca\xe2\x61\x80"


def card(code: int) -> CardPresented:
    return CardPresented(code, UID)


class App:
    """The app behind the connection; it remembers what was delivered, and is told to fail when a test wants it."""

    def __init__(self, board: Board) -> None:
        self.tokens = {DEVICE: board.pair()}
        self.delivered: list[news.News] = []
        self.point: tuple[int, int] | None = (board.outbox.epoch, board.outbox.newest)
        self.full = False

    def resume_point(self, info: m.Info) -> tuple[int, int] | None:
        return self.point

    def token(self, device: bytes) -> bytes | None:
        return self.tokens.get(device)

    def keep_token(self, device: bytes, token: bytes) -> None:
        self.tokens[device] = token

    def deliver(self, message: news.News) -> None:
        if self.full:
            raise OSError("no space left")
        self.delivered.append(message)
        if isinstance(message, Event | news.Skipped):
            self.point = (message.epoch, message.sequence)

    def events(self) -> list[int]:
        return [message.sequence for message in self.delivered if isinstance(message, Event)]

    def states(self) -> list[news.LinkState]:
        return [message.state for message in self.delivered if isinstance(message, news.LinkChanged)]

    def of(self, kind: type) -> list[news.News]:
        return [message for message in self.delivered if isinstance(message, kind)]


class Pair:
    """Both halves with a perfect wire between them; `wire` may be replaced to lose, double or hold units."""

    def __init__(self, board: Board | None = None, keepalive: bool = False) -> None:
        self.board = board or Board()
        self.app = App(self.board)
        self.connection = Connection(Delivery(self.app), TABLET, keepalive=keepalive)
        self.sent: list[m.Message] = []
        self.units: list[bytes] = []
        self.hold = False
        self.board.give = self._arrive

    @property
    def now_ms(self) -> int:
        return self.board.now_ms

    def _arrive(self, unit: bytes) -> None:
        if self.hold:
            self.units.append(unit)
            return
        self.connection.received(unit, self.now_ms)
        self.flush()

    def release(self, *order: int) -> None:
        """Lets held units arrive, in this order; those not named are lost."""
        held, self.units, self.hold = self.units, [], False
        for index in order:
            self._arrive(held[index])

    def flush(self) -> None:
        for data in self.connection.outgoing():
            self.sent.append(m.decode_command(data))
            self.board.receive(data)
        if self.connection.needs_info:
            self.connection.informed(self.board.shown, self.now_ms)
            self.flush()

    def connect(self) -> "Pair":
        self.board.connect()
        self.connection.opened(self.now_ms)
        self.flush()
        return self

    def drop(self) -> None:
        self.connection.closed()
        self.board.link.disconnect()

    def wait(self, ms: int) -> None:
        self.board.now_ms += ms
        self.connection.tick(self.now_ms)
        self.flush()
        self.board.pump()

    def kinds(self) -> list[str]:
        return [type(message).__name__ for message in self.sent]

    def acks(self) -> list[int]:
        return [message.sequence for message in self.sent if isinstance(message, m.Ack)]
