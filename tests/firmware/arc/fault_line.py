"""One tablet in the world of faults: its host process and store, and the air between it and the board."""

import random
from collections.abc import Callable

from firmware.arc.session_link import SessionLink
from tests.firmware.arc.fault_board import Board
from tests.firmware.arc.fault_table import Truth
from tests.firmware.arc.scripted_host import HostCrash, HostStore, ScriptedHost

STEP_MS = 20
UNITS_A_STEP = 8


class Air:
    """Messages under way in one direction. What reorders them is that each takes its own time."""

    def __init__(self, rng: random.Random, loss: float, duplicate: float, reorder: float) -> None:
        self._rng = rng
        self._loss, self._duplicate, self._reorder = loss, duplicate, reorder
        self._under_way: list[tuple[int, int, bytes]] = []
        self._count = 0
        self.calm = False

    def send(self, data: bytes, now_ms: int) -> None:
        rng = self._rng
        if not self.calm and rng.random() < self._loss:
            return
        for _ in range(2 if not self.calm and rng.random() < self._duplicate else 1):
            late = rng.randrange(200) if not self.calm and rng.random() < self._reorder else 0
            self._count += 1
            self._under_way.append((now_ms + STEP_MS + late, self._count, data))

    def arrived(self, now_ms: int) -> list[bytes]:
        if not self._under_way:
            return []
        due = sorted(item for item in self._under_way if item[0] <= now_ms)
        if due:
            self._under_way = [item for item in self._under_way if item[0] > now_ms]
        return [data for _, _, data in due]

    def clear(self) -> None:
        self._under_way.clear()


class Line:
    """A connection that comes and goes between one host and the board."""

    def __init__(
        self,
        board: Board,
        tablet: int,
        to_host: Air,
        to_board: Air,
        link: type[SessionLink],
        host: type[ScriptedHost],
        store: HostStore,
        max_size: int,
    ) -> None:
        self.board, self.tablet, self.store = board, tablet, store
        self.to_host, self.to_board = to_host, to_board
        self._link_type, self._host_type, self._max_size = link, host, max_size
        self._token = board.pair(tablet)
        self.now_ms = 0
        self.crashes = 0
        self.is_connected = self.is_stuck = False
        self.wrong: list[str] = []
        self.plug_in()
        self._start_host()

    def plug_in(self) -> None:
        """The board has booted: its end of the connection is new."""
        self.disconnect()
        self.link = self.board.new_link(self._link_type, self._max_size)

    def connect(self, now_ms: int) -> None:
        self.is_connected, self.now_ms = True, now_ms
        self.link.connect(now_ms)
        self.host.connected(now_ms)

    def disconnect(self) -> None:
        self.is_connected = False
        self.to_host.clear()
        self.to_board.clear()
        if hasattr(self, "link"):
            self.link.disconnect()
        if hasattr(self, "host"):
            self.host.disconnected()

    def step(self, now_ms: int) -> None:
        """What came is taken, on both sides. `PowerCut` when the board's flash loses power meanwhile."""
        self.now_ms = now_ms
        if not self.is_connected:
            return
        for command in self.to_board.arrived(now_ms):
            self.link.receive(command, now_ms)
        self._pump()
        for data in self.to_host.arrived(now_ms):
            if self.is_connected:
                self._guarded(lambda data=data: self.host.received(data, now_ms))  # type: ignore[misc]
                self._compare()
        if self.is_connected:
            self._guarded(lambda: self.host.tick(now_ms))
        if self.is_connected and self.host.wants_reconnect:
            self.disconnect()

    def has_all(self) -> bool:
        """Nothing more is to come: every event is stored, and the host is at ease with what it believes."""
        outbox, store = self.board.outbox, self.store
        return store.epoch == outbox.epoch and store.sequence >= outbox.newest and self.host.is_at_ease

    def _pump(self) -> None:
        for _ in range(UNITS_A_STEP):
            message = self.link.outgoing(self.now_ms)
            if message is None:
                return
            self.to_host.send(bytes(message), self.now_ms)
            self.link.sent(self.now_ms)

    def _start_host(self) -> None:
        self.host = self._host_type(
            self.store,
            self.tablet,
            self._token,
            lambda data: self.to_board.send(data, self.now_ms),
            lambda: self.board.shown,
        )

    def _guarded(self, act: Callable[[], None]) -> None:
        """Let the host act; when it dies in it, start it again from what it had stored."""
        try:
            act()
        except HostCrash:
            self.crashes += 1
            self.disconnect()
            self._start_host()

    def _compare(self) -> None:
        """What the host believes is what was true after the last event that it has."""
        belief, truth = self._belief_and_truth()
        if belief and truth and (belief.modules != truth.modules or belief.tags != truth.tags):
            self.wrong.append(f"after {self.store.sequence}: believed {belief}, true was {truth}")

    def compare_pairs(self) -> None:
        """The graph, which a host may have to ask for: to be called when it has had the time to."""
        belief, truth = self._belief_and_truth()
        if belief and truth and belief.pairs != truth.pairs:
            self.wrong.append(f"pairs {sorted(belief.pairs)}, true were {sorted(truth.pairs)}")

    def _belief_and_truth(self) -> tuple[Truth | None, Truth | None]:
        if self.store.epoch != self.board.outbox.epoch:
            return None, None
        return self.host.belief(), self.board.truths.get(self.store.sequence)
