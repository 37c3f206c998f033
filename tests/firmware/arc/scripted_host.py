"""A small, correct host half for tests: resumes, drops duplicates, resumes again on a gap, journals before it acknowledges."""

from collections.abc import Callable

from protocol.events import Event
from protocol.messages import (
    Ack,
    Hello,
    Info,
    Lost,
    Message,
    Ok,
    ProtocolError,
    Refused,
    Resume,
    ResumeAnswer,
    session_mac,
)
from protocol.reading import decode_notification
from tests.firmware.arc.fault_table import Truth

NONCE_SIZE = 8
ANSWER_TIMEOUT_MS = 500
ACK_DELAY_MS = 200
ACK_EVERY = 8
IDLE, GREETING, RESUMING, STREAMING = range(4)


class HostCrash(Exception):  # noqa: N818 (planned)
    """The host process dies here."""


class HostStore:
    """What survives a crash of the host: entries and cursor, changed together. `crash_at` plans the death in a commit."""

    def __init__(self) -> None:
        self.entries: list[int] = []
        self.epoch = 0
        self.sequence = 0
        self.lost: list[tuple[int, int]] = []
        self.snapshots = 0
        self.crash_at = 0

    def commit(self, entries: list[int], epoch: int, sequence: int) -> None:
        """One transaction: all of it or nothing."""
        self.operation()
        self.entries += entries
        self.epoch, self.sequence = epoch, sequence
        self.operation()

    def operation(self) -> None:
        if self.crash_at:
            self.crash_at -= 1
            if not self.crash_at:
                raise HostCrash


class ScriptedHost:
    """One life of the host process. `send(bytes)` writes a command, `read_info()` reads INFO; `wants_reconnect` asks for a new connection."""

    def __init__(
        self,
        store: HostStore,
        tablet: int,
        token: bytes,
        send: Callable[[bytes], None],
        read_info: Callable[[], bytes],
    ) -> None:
        self.store = store
        self.tablet = tablet
        self.token = token
        self.send = send
        self.read_info = read_info
        self.state = IDLE
        self.wants_reconnect = False
        self.refusals: list[int] = []
        self._request = 0
        self._asked_ms = 0
        self._unacknowledged = 0
        self._ack_due_ms = 0

    def connected(self, now_ms: int) -> None:
        self.wants_reconnect = False
        self._greet(now_ms)

    def disconnected(self) -> None:
        self.state = IDLE

    def received(self, data: bytes, now_ms: int) -> None:
        try:
            found = decode_notification(data)
        except ProtocolError:
            self.wants_reconnect = True
            return
        for message in found:
            self._take(message, now_ms)

    def tick(self, now_ms: int) -> None:
        if self.state in (GREETING, RESUMING) and now_ms - self._asked_ms >= ANSWER_TIMEOUT_MS:
            self.wants_reconnect = True
        if self._unacknowledged and now_ms >= self._ack_due_ms:
            self._acknowledge()

    @property
    def is_at_ease(self) -> bool:
        """Whether it has nothing left to ask."""
        return True

    def belief(self) -> Truth | None:
        """What it believes to lie on the table; None: it does not say."""
        return None

    def accepts(self, sequence: int, now_ms: int) -> bool:
        """The next one, and no other: a lower one is a duplicate, a higher one tells of a gap."""
        if sequence > self.store.sequence + 1:
            self._greet(now_ms)
        return sequence == self.store.sequence + 1

    def _take(self, message: Event | Message, now_ms: int) -> None:
        if isinstance(message, Event):
            if self.state == STREAMING and message.epoch == self.store.epoch:
                self._on_event(message, now_ms)
        elif isinstance(message, Lost):
            if self.state == STREAMING and message.epoch == self.store.epoch:
                self._on_lost(message, now_ms)
        elif isinstance(message, Ok) and message.request == self._request:
            self._on_ok(message, now_ms)
        elif isinstance(message, Refused) and message.request == self._request:
            self.refusals.append(message.reason)
            self.wants_reconnect = True

    def _on_event(self, event: Event, now_ms: int) -> None:
        if not self.accepts(event.sequence, now_ms):
            self._plan_ack(now_ms)
            return
        entries = [event.time_ms] if event.time_ms else []
        self.store.commit(entries, event.epoch, event.sequence)
        self._plan_ack(now_ms)

    def _on_lost(self, lost: Lost, now_ms: int) -> None:
        if lost.first > self.store.sequence + 1:
            self._greet(now_ms)
        elif lost.last > self.store.sequence:
            self.store.lost.append((self.store.sequence + 1, lost.last))
            self.store.snapshots += 1
            self.store.commit([], lost.epoch, lost.last)
            self._plan_ack(now_ms)

    def _on_ok(self, ok: Ok, now_ms: int) -> None:
        if self.state == GREETING:
            nonce = ok.data if len(ok.data) == NONCE_SIZE else Info.decode(ok.data).nonce
            store = self.store
            mac = session_mac(self.token, nonce, self.tablet, store.epoch, store.sequence)
            self._ask(Resume(self._next_request(), self.tablet, store.epoch, store.sequence, mac), RESUMING, now_ms)
        elif self.state == RESUMING:
            answer = ResumeAnswer.unpack(ok.data, 0)
            if answer.epoch != self.store.epoch:
                self.store.snapshots += bool(self.store.epoch)
                self.store.commit([], answer.epoch, answer.first - 1)
            self.state = STREAMING

    def _greet(self, now_ms: int) -> None:
        if self.state not in (GREETING, RESUMING) or now_ms - self._asked_ms >= ANSWER_TIMEOUT_MS:
            self._ask(Hello(self._next_request(), 1, 0), GREETING, now_ms)

    def _ask(self, command: Message, state: int, now_ms: int) -> None:
        self.state = state
        self._asked_ms = now_ms
        self.send(command.encode())

    def _plan_ack(self, now_ms: int) -> None:
        if not self._unacknowledged:
            self._ack_due_ms = now_ms + ACK_DELAY_MS
        self._unacknowledged += 1
        if self._unacknowledged >= ACK_EVERY:
            self._acknowledge()

    def _acknowledge(self) -> None:
        self._unacknowledged = 0
        if self.state == STREAMING:
            self.send(Ack(0, self.store.epoch, self.store.sequence).encode())

    def _next_request(self) -> int:
        self._request = self._request % 255 + 1
        return self._request
