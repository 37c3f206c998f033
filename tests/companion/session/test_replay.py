"""The journal is the truth: opening it again at any row gives the same sitting, whatever was done and whenever it ended."""

from contextlib import suppress
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given, strategies as st

from companion.link import news
from companion.session import actions
from companion.session.journal_text import JournalError, read_act
from companion.session.record import Record
from companion.session.sitting import Session
from companion.session.table import Phase
from companion.simulation import commands as c
from companion.storage.memory import MemoryStore
from companion.storage.records import Cursor, Game, GameSummary, JournalRow, Snapshot, Store, StoreError
from protocol import events
from protocol.messages import Mark
from tests.companion.session.hands import EPOCH, Hands, empty_store
from tests.companion.session.small_rules import CARDS, CODE, SETUP, SmallRules

CARD = st.sampled_from(sorted(CARDS.values(), key=lambda tagged: tagged.id)).map(lambda tagged: ("swipe", tagged.id))
MODULE = st.tuples(
    st.sampled_from(("plug", "unplug", "move")),
    st.integers(50, 53),
    st.sampled_from((1, 2, 9)),
    st.sampled_from((0, 50, 51)),
)
BUTTON = st.sampled_from(
    (
        actions.Next(), actions.Undo(), actions.TurnPage(1), actions.TurnPage(1), actions.ReviewSummary(), actions.CloseReview(),
        actions.NameManager("ava"), actions.ClaimGovernor("mac"), actions.FlipAssistantCard("vlad"),
        actions.Correct(c.CorrectValue(3, stock=True)), actions.TapModule(2), actions.EnterPoints("ava", 4),
    )
)  # fmt: skip
KEY = st.sampled_from(
    ("confirm", "cancel", "not_this_card", "nobody", "replace", "keep", "take_off", "accept", "settle")
).map(actions.Choose)
LINK = st.sampled_from(("lose", "connect", "mark", "boot", "wait"))
STEPS = st.lists(st.one_of(CARD, CARD, CARD, MODULE, MODULE, BUTTON, KEY, KEY, LINK), max_size=40)


def do(hands: Hands, step: Any) -> None:
    match step:
        case ("swipe", id):
            hands.present(CODE[id])
        case ("plug", instance, type_id, parent):
            hands.plug(instance, type_id, parent)
        case ("move", instance, type_id, parent):
            hands.event(events.ModuleMoved(type_id, instance, parent.to_bytes(3, "little"), 0))
        case ("unplug", instance, _, _):
            hands.unplug(instance)
        case "lose":
            hands.lose_link()
        case "connect":
            hands.connect()
        case "boot":
            hands.event(events.Booted(events.POWER_ON, 0, 1, 0))
        case "wait":
            hands.wait(30_000)
        case "mark":
            if hands.marks():
                hands.sent = [message for message in hands.sent if not isinstance(message, Mark)]
                hands.session.handle(news.MarkAnswered(hands.sequence))
        case _:
            hands.act(step)


def check_same_after_reopening(hands: Hands) -> None:
    """A replayed record equals the one that was played, and so does what the screens show of the game."""
    record = Record(hands.store, "g", hands.rules, lambda: "")
    assert record.state == hands.state()
    assert record.cursor == Cursor("7cdfa1005f3a", EPOCH, hands.sequence)


@given(STEPS)
def test_replay_gives_the_same_sitting_after_every_step(steps: list[Any]) -> None:
    hands = Hands().start()
    for step in steps:
        do(hands, step)
        check_same_after_reopening(hands)


@given(STEPS, st.data())
def test_a_crash_between_any_two_steps_changes_nothing(steps: list[Any], data: st.DataObject) -> None:
    crash_at = data.draw(st.integers(0, len(steps)))
    calm, crashed = Hands().start(), Hands().start()
    for index, step in enumerate(steps):
        if index == crash_at:
            crashed.sent = [message for message in crashed.sent if not isinstance(message, Mark)]
            crashed.sit_down()
            # the calm one only loses its link for a moment, as the crashed one's ARC sees it
            calm.sent = [message for message in calm.sent if not isinstance(message, Mark)]
            calm.lose_link()
            calm.connect()
        do(calm, step)
        do(crashed, step)
    assert crashed.commands() == calm.commands()
    assert crashed.state() == calm.state()


@given(STEPS)
def test_random_hands_never_leave_the_colony_and_the_session_at_odds(steps: list[Any]) -> None:
    hands = Hands().start()
    for step in steps:
        do(hands, step)
        state = hands.state()
        assert {module.instance for module in hands.rules.view(state.colony).modules} == {i for i, _ in state.connected}
        numbers = [dialog.number for dialog in state.dialogs]
        assert len(set(numbers)) == len(numbers)
        if state.phase in (Phase.ENDED, Phase.SUMMARY):
            assert all(dialog.instance for dialog in state.dialogs)
        assert hands.session.table is hands.session.table


def test_opening_at_every_row_of_a_whole_game() -> None:
    hands = Hands().start()
    hands.plug(50)
    hands.swipe("ava", "rations", "mac", "ambassador", "vlad", "governor", "governor")
    for _ in range(3):
        hands.settle()
        hands.swipe("rations")
        hands.leave_summary()
    rows, states = hands.rows(), []
    for count in range(len(rows) + 1):
        store = empty_store()
        store.append("g", rows[:count], Cursor("7cdfa1005f3a", EPOCH, hands.sequence))
        states.append(Record(store, "g", hands.rules, lambda: "").state)
    assert states[-1] == hands.state()
    assert states[-1].phase is Phase.ENDED
    for before, after in pairwise(states):
        assert before != after, "a row that changes nothing has no place in a journal"


class Stumbling(MemoryStore):
    """Dies at one of its writes, before or after it took effect."""

    def __init__(self, at: int, after_write: bool) -> None:
        super().__init__()
        self.writes_left, self.after_write = at, after_write

    def append(
        self,
        id: str,
        rows: Any,
        cursor: Cursor | None = None,
        summary: GameSummary | None = None,
        saved_at: str | None = None,
        snapshot: Snapshot | None = None,
    ) -> None:
        self.writes_left -= 1
        if self.writes_left == 0 and not self.after_write:
            raise StoreError("pulled out")
        super().append(id, rows, cursor, summary, saved_at, snapshot)
        if self.writes_left == 0:
            raise StoreError("pulled out")


class Arc:
    """Events of an evening, delivered again from the cursor on as the link does it."""

    def __init__(self, ids: list[str]) -> None:
        self.log = [
            events.Event(EPOCH, n, 0, events.CardPresented(CODE[id], b"\x04\1\2\3")) for n, id in enumerate(ids, 1)
        ]

    def deliver_rest(self, session: Session, cursor: int) -> None:
        for event in self.log[cursor:]:
            session.handle(event)


@pytest.mark.parametrize("after_write", [False, True])
@pytest.mark.parametrize("at", range(1, 12))
def test_killed_at_any_write_each_act_is_there_once_and_in_order(at: int, after_write: bool) -> None:
    arc = Arc(["rations", "ava", "curfew", "mac", "ambassador", "vlad", "governor", "governor", "embargo", "mac"])
    store = Stumbling(at + 1, after_write)
    store.create_game(Game("g", 3, "v1", "", cursor=Cursor("7cdfa1005f3a", EPOCH, 0)))
    first = _open(store)
    first.act(actions.StartGame("Dawn", SETUP))
    with suppress(StoreError):
        arc.deliver_rest(first, 0)
    second = _open(store)
    cursor = store.game("g").cursor
    assert cursor is not None
    arc.deliver_rest(second, cursor.sequence)
    registered = [entry.command for entry in second.state.registered]
    assert registered == [
        c.RegisterDecree("rations", "ava"),
        c.RegisterDecree("curfew", "mac"),
        c.RegisterDirective("embargo", "mac"),
    ]


def _open(store: Store) -> Session:
    return Session(store, "g", SmallRules(), lambda: "", uses_arc=True)


def test_a_changed_catalog_is_told_with_its_row() -> None:
    class StricterRules(SmallRules):
        def step(self, colony: Any, command: c.Command) -> Any:
            if isinstance(command, c.RegisterDecree):
                return c.Refusal("gone", "This card is not in the deck any more.")
            return super().step(colony, command)

    hands = Hands().start()
    hands.swipe("rations", "ava")
    with pytest.raises(JournalError, match=r"row 3: .*, and to \[\] now \(cards then: v1, now: v1\)"):
        Hands(hands.store, StricterRules())


def test_a_row_of_a_newer_app_is_told() -> None:
    store = empty_store()
    store.append("g", (JournalRow(1, '{"act":"Teleport","to":"Mars"}'),))
    with pytest.raises(JournalError, match=r"game g, row 1: .*Teleport"):
        Hands(store)


def test_a_store_that_fails_leaves_the_sitting_as_it_was() -> None:
    store = Stumbling(3, after_write=False)
    store.create_game(Game("g", 3, "v1", ""))
    hands = Hands(store).start()
    hands.swipe("rations")
    before = hands.state()
    with pytest.raises(StoreError):
        hands.choose("not_this_card")
    assert hands.state() is before


def test_rows_say_what_people_did_and_what_it_led_to() -> None:
    hands = Hands().start()
    hands.swipe("rations", "ava")
    hands.act(actions.Undo())
    swiped, named, undo = hands.rows()[1:]
    assert (swiped.act, swiped.commands) == ('{"act":"Swiped","id":"rations"}', "[]")
    assert (named.epoch, named.sequence) == (EPOCH, hands.sequence - 1)
    assert named.commands == '[{"command":"RegisterDecree","decree":"rations","manager":"ava"}]'
    assert read_act(undo.act) == actions.Undo()
    assert undo.sequence is None


def test_a_summary_stands_in_the_list_of_games() -> None:
    hands = Hands().start()
    hands.settle()
    assert hands.store.games()[0].summary == GameSummary("Dawn", "Tethys", 2, 3, False)
