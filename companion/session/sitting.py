"""`Session`: one sitting of one game. News of the link and acts of people go in; the table and commands for the ARC come out."""

from collections.abc import Callable

from companion.link import news
from companion.session import actions, acts, hearing, tags
from companion.session.lights import LightPlan, lights
from companion.session.looking import Looking, begun, look
from companion.session.notices import NoticeBoard
from companion.session.record import Record, Source
from companion.session.rules import Rules
from companion.session.state import State
from companion.session.table import ArcState, ArcView, DialogKind, NoticeKind, Phase, TableView
from companion.session.turn import Told
from companion.session.viewing import Surroundings, missing_modules, table_of
from companion.session.waiting import FrontQuestion, RestingTags
from companion.session.which_arc import WhichArc
from companion.simulation.player import PlayerView
from companion.storage.records import Cursor, Store
from protocol.events import BatteryMeasured, CardPresented, CardRemoved, Event
from protocol.messages import Info, Mark, Message
from protocol.tag import CODE_COUNT

OTHER_CATALOG = "This game was begun with other cards or numbers than this app has now: these count from here on."
WORKED_OUT_ANEW = "This game was begun with other cards or numbers than this app has now: what happened so far is worked out anew with these."
PAIRING_TOKEN = CODE_COUNT
"""The tag that opens the ARC's pairing window: nothing to the game."""


class Session:
    """What was handed in is in the journal when `handle` or `act` returns; if they raise, nothing happened.

    `timestamp` gives the wall clock as ISO 8601 text for the list of games; all other time comes through `tick`.
    """

    def __init__(
        self,
        store: Store,
        game: str,
        rules: Rules,
        timestamp: Callable[[], str],
        *,
        uses_arc: bool = True,
        now_ms: int = 0,
    ) -> None:
        self._store, self._rules = store, rules
        self._record = Record(store, game, rules, timestamp)
        self._learned = store.learned_tags()
        self._notices = NoticeBoard()
        self._plan = LightPlan()
        self._looking = Looking()
        self._uses_arc = uses_arc
        self._arc = ArcView(ArcState.SEARCHING if uses_arc else ArcState.NONE, "", None, False)
        self._is_resuming = self._record.state.colony is not None
        self._newest_at_resume: int | None = None
        self._which_arc = WhichArc(self._record)
        self._marked_next: int | None = None
        self._resting = RestingTags()
        self._front = FrontQuestion()
        self._now_ms = now_ms
        self._out: list[Message] = []
        self._view: tuple[object, PlayerView | None] = (None, None)
        self._table: TableView | None = None
        if self._record.catalog_version != rules.version:
            self._tell(Told(NoticeKind.WARNING, OTHER_CATALOG if self.is_as_it_was else WORKED_OUT_ANEW))
        if self._link != "up":
            self._drop_link()

    # what the outside sees

    @property
    def state(self) -> State:
        return self._record.state

    @property
    def table(self) -> TableView:
        """What screens show; the same object until something changes."""
        if self._table is None:
            around = Surroundings(
                self._arc, self._notices.notices, self._is_resuming, self._which_arc.is_asked, self._looking
            )
            self._table = table_of(self._rules, self.state, around, self._player_view())
        return self._table

    def take_commands(self) -> list[Message]:
        """What the ARC is to be told now; request ids are the link's."""
        out, self._out = self._out, []
        return out

    def resume_point(self, info: Info) -> tuple[int, int] | None:
        """(epoch, sequence) up to which this ARC's log is in the journal; None: people are asked about this ARC first."""
        self._table = None
        return self._which_arc.resume_point(info)

    @property
    def is_as_it_was(self) -> bool:
        """False: with this catalog the journal gives another colony than people saw. See `adopt`."""
        return self._record.is_as_it_was

    def adopt(self) -> None:
        """People know that the catalog is another one: from now on it is this game's."""
        self._record.adopt()

    @property
    def cursor(self) -> Cursor | None:
        """Up to where the ARC's log is in the journal."""
        return self._record.cursor

    def bound_device(self) -> bytes | None:
        """The ARC this game is played on; None: whichever is there."""
        return self._which_arc.device()

    # what comes in

    def tell(self, kind: NoticeKind, text: str) -> None:
        """A notice from the app round the session, such as a disk that is full."""
        self._tell(Told(kind, text))

    def handle(self, message: news.News) -> None:
        """One piece of news from the link, in its order."""
        if isinstance(message, news.Skipped | news.Resumed):
            self._which_arc.resumed()
        match message:
            case Event():
                self._hear(message)
            case news.LinkChanged(state, detail):
                self._link_changed(state, detail)
            case news.Resumed(_, _, newest):
                self._resumed(newest)
            case news.Skipped(epoch, sequence, text):
                self._record.skip((epoch, sequence))
                self._tell(Told(NoticeKind.WARNING, text))
            case news.Snapshot(modules, pairs, _):
                self._write(acts.BusSeen(modules, pairs))
            case news.EdgesRead(pairs):
                self._write(acts.EdgesSeen(pairs))
            case news.MarkAnswered(sequence):
                # one that was asked for a NEXT that was called off says nothing of the next NEXT
                is_for_this_next, self._marked_next = self._marked_next == self.state.asked, None
                if is_for_this_next:
                    self._write(acts.Marked(sequence))
            case news.CommandRefused():
                pass  # lights of modules that just went: they are sent again when they are back
        self._settle_down()

    def act(self, action: actions.Action) -> None:
        """One act of people on the tablet."""
        match action:
            case actions.DismissNotice(id):
                self._notices.dismiss(id)
            case actions.LeaveResume():
                self._is_resuming = False
            case actions.PlanGame() | actions.LeaveIntroduction() | actions.ShowHint():
                self._looking = look(self._looking, action, self._player_view())
            case actions.StartGame() if self.state.phase is Phase.SETUP:
                self._write(action)
                self._looking = begun(self._looking, self._player_view())
            case actions.Choose(key) if self.table.dialog and self.table.dialog.kind is DialogKind.OTHER_ARC:
                self._which_arc.choose(key)
            case _:
                self._write(action)
        self._table = None
        self._settle_down()

    def tick(self, now_ms: int) -> None:
        """Time passes: notices go, questions time out, a token that rests too long is pointed at."""
        self._now_ms = now_ms
        before = self._notices.notices
        self._notices.tick(now_ms)
        if self._notices.notices != before:
            self._table = None
        for _ in range(self._resting.take_overdue(now_ms)):
            self._tell(Told(NoticeKind.INFO, "Take the card or token off the ARC."))
        self._watch_front()
        overdue = self._front.overdue(self.state, now_ms)
        if overdue is not None:
            self._write(acts.TimedOut(overdue))
        self._settle_down()

    # events

    def _hear(self, event: Event) -> None:
        source: Source = (event.epoch, event.sequence)
        body = event.body
        if isinstance(body, CardPresented):
            self._present(body, source)
            return
        if isinstance(body, CardRemoved):
            self._resting.lift(body.uid)
        if isinstance(body, BatteryMeasured):
            self._arc = ArcView(self._arc.state, self._arc.detail, body.percent, hearing.is_low(body))
            self._table = None
        told = hearing.notice_of(body)
        if told:
            self._tell(told)
        act = hearing.act_of(body)
        if act is None:
            self._record.skip(source)
            return
        if isinstance(act, acts.ArcStarted):
            self._plan.forget_all()
        elif isinstance(act, acts.Plugged):
            self._plan.forget(act.instance)
        self._write(act, source)

    def _present(self, card: CardPresented, source: Source) -> None:
        self._resting.lay(card.uid, self._now_ms)
        teaching = self.state.teaching
        if card.code == PAIRING_TOKEN:
            self._record.skip(source)
        elif teaching and tags.may_learn(card.code, card.uid):
            self._learn(card.uid, teaching, source)
        else:
            tagged = tags.look_up(self._rules, self._learned, card.code, card.uid)
            label = tags.label(card.code, card.uid)
            self._write(acts.Swiped(tagged.id) if tagged else acts.SwipedUnknown(label), source)

    def _learn(self, uid: bytes, id: str, source: Source) -> None:
        """The tag is kept before the event is done with: a crash between the two only asks for it once more."""
        self._store.learn_tag(uid, id)
        self._learned[uid] = id
        tagged = self._rules.tagged(id)
        self._write(actions.TeachTag(None), source)
        self._tell(Told(NoticeKind.DONE, f"This tag is “{tagged.title if tagged else id}” from now on."))

    # the link

    @property
    def _link(self) -> str:
        if not self._uses_arc:
            return "none"
        return "up" if self._arc.state is ArcState.READY else "down"

    def _link_changed(self, state: news.LinkState, detail: str) -> None:
        self._arc = ArcView(ArcState(state.value), detail, self._arc.battery_percent, self._arc.battery_low)
        self._table = None
        if self._link != "up":
            self._drop_link()

    def _drop_link(self) -> None:
        self._marked_next = None
        self._resting.clear()
        self._write(acts.LinkDropped())

    def _resumed(self, newest: int) -> None:
        self._newest_at_resume = newest
        self._plan.forget_all()
        self._marked_next = None
        state, front = self.state, self.state.front
        if (
            state.is_behind
            or state.is_of_another_log(newest)
            or (front and front.kind is DialogKind.SETTLE_WITHOUT_ARC)
        ):
            self._write(acts.CaughtUp(newest))

    # after everything that happens

    def _write(self, act: acts.Act, source: Source | None = None) -> None:
        for told in self._record.write(act, self._link, source).told:
            self._tell(told)
        self._table = None

    def _tell(self, told: Told) -> None:
        self._notices.tell(told, self._now_ms)
        self._table = None

    def _settle_down(self) -> None:
        """What follows by itself: the mark, the settlement behind it, lights, the end of the resume list."""
        state = self.state
        if state.phase is Phase.SETTLING and not state.dialogs:
            self._go_on_settling(state.boundary)
        if self._link == "up":
            self._out += self._plan.commands(lights(self.state, self._player_view()))
        self._end_resuming()
        self._watch_front()

    def _watch_front(self) -> None:
        self._front.watch(self.state, self._link, self._now_ms, is_shown=self.table.phase is not Phase.RESUME)

    def _go_on_settling(self, boundary: int | None) -> None:
        if boundary is None:
            if self._link == "up" and self._marked_next is None:
                self._marked_next = self.state.asked
                self._out.append(Mark(0))
        elif self._record.cursor is None or self._record.cursor.sequence >= boundary:
            self._write(acts.Drained())

    def _end_resuming(self) -> None:
        cursor, newest = self._record.cursor, self._newest_at_resume
        if not self._is_resuming or cursor is None or newest is None or cursor.sequence < newest:
            return
        around = Surroundings(self._arc)
        if self._link == "up" and not missing_modules(self._rules, self.state, around, self._player_view()):
            self._is_resuming = False
            self._table = None

    def _player_view(self) -> PlayerView | None:
        colony = self.state.colony
        if colony is None:
            return None
        if self._view[0] is not colony:
            self._view = (colony, self._rules.view(colony, self.state.name))
        return self._view[1]
