"""The app's real host half in the world of faults that examines the ARC: same face as the scripted host there."""

from collections.abc import Callable

from companion.link import news
from companion.link.connection import Connection
from companion.link.delivery import Delivery
from protocol.events import CardPresented, Event
from protocol.messages import Info
from tests.firmware.arc.scripted_host import HostStore, ScriptedHost


class _App:
    """What the link sees of it."""

    def __init__(self, host: "AppHost") -> None:
        self._host = host

    def token(self, device: bytes) -> bytes:
        return self._host.token

    def resume_point(self, info: Info) -> tuple[int, int]:
        if not self._host.store.epoch:
            self._host.store.commit([], info.epoch, info.oldest - 1)
        return self._host.store.epoch, self._host.store.sequence

    def keep_token(self, device: bytes, token: bytes) -> None:
        raise AssertionError("this tablet is paired already")

    def deliver(self, message: news.News) -> None:
        if isinstance(message, Event):
            entries = [message.body.code] if isinstance(message.body, CardPresented) else []
            self._host.store.commit(entries, message.epoch, message.sequence)
        elif isinstance(message, news.Skipped):
            self._host.store.lost.append((self._host.store.sequence + 1, message.sequence))
            self._host.store.commit([], message.epoch, message.sequence)


class AppHost(ScriptedHost):
    """One life of the app: connection and delivery as they ship, over a journal that can die in the middle of a write."""

    delivery_class = Delivery

    def __init__(
        self,
        store: HostStore,
        tablet: int,
        token: bytes,
        send: Callable[[bytes], None],
        read_info: Callable[[], bytes],
    ) -> None:
        super().__init__(store, tablet, token, send, read_info)
        self.connection = Connection(self.delivery_class(_App(self)), tablet)

    def connected(self, now_ms: int) -> None:
        self.wants_reconnect = False
        self.connection.opened(now_ms)
        self._send(now_ms)

    def disconnected(self) -> None:
        self.connection.closed()

    def received(self, data: bytes, now_ms: int) -> None:
        self.connection.received(data, now_ms)
        if self.connection.needs_info:
            self.connection.informed(self.read_info(), now_ms)
        self._send(now_ms)

    def tick(self, now_ms: int) -> None:
        self.connection.tick(now_ms)
        self._send(now_ms)

    def _send(self, now_ms: int) -> None:
        for command in self.connection.outgoing():
            self.send(command)
        if self.connection.failure:
            self.wants_reconnect = True
