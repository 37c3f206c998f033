"""Hands on the board, for tests: what people do, as events with the right numbers, given to a session."""

from companion.link import news
from companion.session import actions
from companion.session.journal_text import read_commands
from companion.session.rules import Rules
from companion.session.sitting import Session
from companion.session.state import State
from companion.session.table import Dialog, TableView
from companion.simulation.commands import Command
from companion.storage.memory import MemoryStore
from companion.storage.records import Game, JournalRow, Store
from protocol import events
from protocol.messages import Info, LightArc, LightModule, LightTable, Mark, Message
from tests.companion.session.small_rules import CODE, SETUP, SmallRules

DEVICE = bytes.fromhex("7cdfa1005f3a")
EPOCH = 7
FIRST = 100
UID = b"\x04\xa3\xc6\xca\xe2\x61\x80"


def info(newest: int = FIRST, device: bytes = DEVICE, epoch: int = EPOCH) -> Info:
    return Info(1, 0, device, 0, 1, 0, 0, epoch, 1, newest, bytes(8))


def empty_store(seed: int = 3, version: str = "v1") -> MemoryStore:
    store = MemoryStore()
    store.create_game(Game("g", seed, version, "2026-01-02T10:00:00+00:00"))
    return store


class Hands:
    """A session with an ARC that answers as real ones do. `sit_down` opens the same game again, as after a crash."""

    def __init__(self, store: Store | None = None, rules: Rules | None = None, uses_arc: bool = True) -> None:
        self.rules = rules if rules is not None else SmallRules()
        self.store = store if store is not None else empty_store(version=self.rules.version)
        self.uses_arc = uses_arc
        self.sequence = FIRST
        self.now_ms = 0
        self.sent: list[Message] = []
        self.sit_down()

    def sit_down(self, connect: bool = True) -> None:
        self.session = Session(self.store, "g", self.rules, lambda: "2026-01-02T11:00:00+00:00", uses_arc=self.uses_arc)
        self.session.tick(self.now_ms)
        if self.uses_arc and connect:
            self.connect()

    def connect(self, behind: int = 0) -> None:
        """`behind`: how many events the ARC's log holds that the app has not seen."""
        assert self.session.resume_point(info(self.sequence)) is not None
        self.session.handle(news.Resumed(DEVICE, EPOCH, self.sequence + behind))
        self.session.handle(news.LinkChanged(news.LinkState.READY, ""))
        self._collect()

    def lose_link(self) -> None:
        self.session.handle(news.LinkChanged(news.LinkState.LOST, "gone"))

    def event(self, body: events.Body) -> None:
        self.sequence += 1
        self.session.handle(events.Event(EPOCH, self.sequence, self.now_ms, body))
        self._collect()

    def swipe(self, *ids: str) -> None:
        for id in ids:
            card = events.CardPresented(CODE[id], UID)
            self.event(card)
            self.event(events.CardRemoved(CODE[id], UID))

    def present(self, code: int = 0, uid: bytes = UID) -> None:
        self.event(events.CardPresented(code, uid))

    def plug(self, instance: int, type_id: int = 1, parent: int = 0) -> None:
        self.event(events.ModuleAttached(type_id, instance, (parent & 0xFFFFFF).to_bytes(3, "little"), 0))

    def unplug(self, instance: int, cause: int = events.DETACHED_ITSELF) -> None:
        self.event(events.ModuleDetached(instance, cause))

    def act(self, *acts: actions.Action) -> None:
        for act in acts:
            self.session.act(act)
            self._collect()

    def choose(self, *keys: str) -> None:
        self.act(*(actions.Choose(key) for key in keys))

    def start(self) -> "Hands":
        self.act(actions.StartGame("Dawn", SETUP))
        return self

    def answer_mark(self) -> None:
        """The ARC answers the MARK that is out."""
        assert self.marks() == 1
        self.sent = [message for message in self.sent if not isinstance(message, Mark)]
        self.session.handle(news.MarkAnswered(self.sequence))
        self._collect()

    def settle(self) -> None:
        """NEXT, confirmed, up to the first page of the summary."""
        self.act(actions.Next())
        self.choose("confirm")
        if self.uses_arc:
            self.answer_mark()

    def leave_summary(self) -> None:
        self.act(actions.TurnPage(1), actions.TurnPage(1))

    def wait(self, ms: int) -> None:
        self.now_ms += ms
        self.session.tick(self.now_ms)
        self._collect()

    def _collect(self) -> None:
        self.sent += self.session.take_commands()

    # what is seen

    def table(self) -> TableView:
        return self.session.table

    def dialog(self) -> Dialog:
        """The question that is shown; fails when there is none."""
        dialog = self.table().dialog
        assert dialog is not None
        return dialog

    def state(self) -> State:
        return self.session.state

    @property
    def texts(self) -> list[str]:
        return [notice.text for notice in self.table().notices]

    def marks(self) -> int:
        return sum(isinstance(message, Mark) for message in self.sent)

    def lights(self) -> dict[int, int]:
        """Instance → light byte as the ARC would show them by now; 0 is the ARC."""
        shown: dict[int, int] = {}
        for message in self.sent:
            if isinstance(message, LightModule):
                shown[message.instance] = message.light
            elif isinstance(message, LightArc):
                shown[0] = message.light
            elif isinstance(message, LightTable):
                data = message.entries
                shown |= {int.from_bytes(data[i : i + 4], "little"): data[i + 4] for i in range(0, len(data), 5)}
        return shown

    def rows(self) -> tuple[JournalRow, ...]:
        return self.store.journal("g")

    def commands(self) -> list[Command]:
        """Everything the colony was told, in order."""
        return [command for row in self.rows() for command in read_commands(row.commands)]
