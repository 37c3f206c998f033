"""The app's real host half in the world of faults that examines the ARC: same face as the scripted host there."""

from collections.abc import Callable

from companion.link import news
from companion.link.checking import Checking
from companion.link.connection import Connection
from companion.link.delivery import Delivery
from companion.link.reasons import Reason
from protocol import events
from protocol.events import Event
from protocol.messages import Info
from tests.firmware.arc.fault_table import Truth
from tests.firmware.arc.scripted_host import HostStore, ScriptedHost


class Belief:
    """What lies on the table, from nothing but the news: a snapshot, and the events since. Without one it is not known."""

    def __init__(self) -> None:
        self.is_known = False
        self._modules: dict[int, int] = {}
        self._pairs: set[tuple[int, int]] = set()
        self._tags: dict[bytes, int] = {}

    def hear(self, message: news.News) -> None:
        if isinstance(message, news.Snapshot):
            self.is_known = True
            self._modules, self._pairs = dict(message.modules), set(message.pairs)
            self._tags = {uid: code for code, uid in message.tags}
        elif isinstance(message, news.EdgesRead):
            self._pairs = set(message.pairs)
        elif isinstance(message, news.Skipped):
            self.is_known = False
        elif isinstance(message, Event):
            self._happened(message.body)

    def _happened(self, body: events.Body) -> None:
        if isinstance(body, events.Booted):
            self._modules, self._pairs, self._tags = {}, set(), {}
        elif isinstance(body, events.CardPresented):
            self._tags[body.uid] = body.code
        elif isinstance(body, events.CardRemoved):
            self._tags.pop(body.uid, None)
        elif isinstance(body, events.ModuleAttached | events.ModuleMoved):
            self._cut(body.instance)
            self._modules[body.instance] = body.type_id
            low = int.from_bytes(body.parent, "little")
            parent = next((known for known in self._modules if low and known & 0xFFFFFF == low), 0)
            self._pairs.add((min(parent, body.instance), max(parent, body.instance)))
        elif isinstance(body, events.ModuleDetached):
            self._cut(body.instance)
            self._modules.pop(body.instance, None)

    def _cut(self, instance: int) -> None:
        self._pairs = {pair for pair in self._pairs if instance not in pair}

    def as_truth(self) -> Truth:
        tags = frozenset((code, uid) for uid, code in self._tags.items())
        return Truth(frozenset(self._modules.items()), frozenset(self._pairs), tags)


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
        store = self._host.store
        if isinstance(message, Event):
            store.commit([message.time_ms] if message.time_ms else [], message.epoch, message.sequence)
        elif isinstance(message, news.Skipped):
            store.lost.append((store.sequence + 1, message.sequence))
            store.commit([], message.epoch, message.sequence)
        elif isinstance(message, news.Snapshot):
            store.snapshots += 1
        self._host.table.hear(message)


class AppHost(ScriptedHost):
    """One life of the app: connection and delivery as they ship, over a journal that can die in the middle of a write.

    `refused`: why connections failed, in order.
    """

    delivery_class = Delivery
    checking_class = Checking

    def __init__(
        self,
        store: HostStore,
        tablet: int,
        token: bytes,
        send: Callable[[bytes], None],
        read_info: Callable[[], bytes],
    ) -> None:
        super().__init__(store, tablet, token, send, read_info)
        self.table = Belief()
        self.refused: list[Reason] = []
        self.connection = connection = Connection(self.delivery_class(_App(self)), tablet)
        connection._checking = self.checking_class(connection._delivery, connection._requests)

    @property
    def is_at_ease(self) -> bool:
        return self.connection.is_settled and self.table.is_known and self.connection.wait_ms(0) is None

    def belief(self) -> Truth | None:
        return self.table.as_truth() if self.table.is_known else None

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
            self.refused.append(self.connection.failure.reason)
            self.wants_reconnect = True
