"""The state table cell by cell: every signal in every situation, with what must come of it."""

from collections.abc import Callable

import pytest

from companion.session import actions
from companion.session.situations import ROWS, TABLE, Response, Signal, Situation, situation_of
from companion.session.table import DialogKind, Phase
from companion.simulation.commands import Campaign, RegisterDecree, SubmitModule, UseAmbassador
from tests.companion.session.hands import Hands
from tests.companion.session.small_rules import UNKNOWN_CODE


def _in_setup(hands: Hands) -> None:
    pass


def _idle(hands: Hands) -> None:
    hands.start()
    hands.swipe("curfew", "mac")


def _last_round(hands: Hands) -> None:
    hands.start()
    for _ in range(2):
        hands.settle()
        hands.leave_summary()
    hands.swipe("ava")
    hands.choose("confirm")


def _owner(hands: Hands) -> None:
    hands.start()
    hands.swipe("mac")
    hands.choose("confirm")
    hands.swipe("rations")


def _builder(hands: Hands) -> None:
    hands.start()
    hands.swipe("curfew", "mac")
    hands.plug(50)


def _ambassador(hands: Hands) -> None:
    hands.start()
    hands.swipe("ambassador")


def _campaign(hands: Hands) -> None:
    hands.start()
    hands.swipe("ava")


def _undo(hands: Hands) -> None:
    hands.start()
    hands.swipe("curfew", "mac", "governor")


def _replace(hands: Hands) -> None:
    hands.start()
    hands.swipe("rations", "curfew")


def _foreign(hands: Hands) -> None:
    hands.start()
    hands.plug(90, type_id=9)


def _next(hands: Hands) -> None:
    hands.start()
    hands.act(actions.Next())


def _settling(hands: Hands) -> None:
    hands.start()
    hands.act(actions.Next())
    hands.choose("confirm")


def _without_arc(hands: Hands) -> None:
    hands.start()
    hands.act(actions.Next())
    hands.lose_link()
    hands.choose("confirm")


def _summary(hands: Hands) -> None:
    hands.start()
    hands.settle()


def _ended(hands: Hands) -> None:
    _last_round(hands)
    hands.settle()
    hands.leave_summary()


def _link_lost(hands: Hands) -> None:
    hands.start()
    hands.lose_link()


REACH: dict[Situation, Callable[[Hands], None]] = {
    Situation.SETUP: _in_setup,
    Situation.IDLE: _idle,
    Situation.LAST_ROUND: _last_round,
    Situation.OWNER: _owner,
    Situation.BUILDER: _builder,
    Situation.AMBASSADOR: _ambassador,
    Situation.CAMPAIGN: _campaign,
    Situation.UNDO: _undo,
    Situation.REPLACE: _replace,
    Situation.FOREIGN: _foreign,
    Situation.NEXT: _next,
    Situation.SETTLING: _settling,
    Situation.WITHOUT_ARC: _without_arc,
    Situation.SUMMARY: _summary,
    Situation.ENDED: _ended,
    Situation.LINK_LOST: _link_lost,
}

LAY: dict[Signal, Callable[[Hands], None]] = {
    Signal.DECREE: lambda hands: hands.swipe("rations" if not _asks_about(hands, "rations") else "curfew"),
    Signal.DIRECTIVE: lambda hands: hands.swipe("embargo"),
    Signal.MANAGER: lambda hands: hands.swipe("vlad"),
    Signal.GOVERNOR: lambda hands: hands.swipe("governor"),
    Signal.AMBASSADOR: lambda hands: hands.swipe("ambassador"),
    Signal.MODULE: lambda hands: hands.plug(60, type_id=2),
    Signal.UNKNOWN: lambda hands: hands.present(UNKNOWN_CODE),
}


def _asks_about(hands: Hands, id: str) -> bool:
    return any(dialog.subject == id for dialog in hands.state().dialogs)


def _kinds(hands: Hands) -> list[DialogKind]:
    return [dialog.kind for dialog in hands.state().dialogs]


def _is_same(hands: Hands, before: "Before") -> bool:
    state = hands.state()
    return (state.phase, state.dialogs, state.colony, state.seated) == before.facts


class Before:
    """What stood before the signal, for comparison."""

    def __init__(self, hands: Hands) -> None:
        state = hands.state()
        self.facts = (state.phase, state.dialogs, state.colony, state.seated)
        self.kinds = _kinds(hands)
        self.commands = hands.commands()
        self.texts = set(hands.texts)


def _new_texts(hands: Hands, before: Before) -> set[str]:
    return set(hands.texts) - before.texts


def _seats(hands: Hands, before: Before) -> None:
    assert hands.state().seated == ("vlad",)


def _asks(kind: DialogKind) -> Callable[[Hands, Before], None]:
    def check(hands: Hands, before: Before) -> None:
        assert _kinds(hands) == [*before.kinds, kind]
        assert hands.commands() == before.commands

    return check


def _asks_first(kind: DialogKind) -> Callable[[Hands, Before], None]:
    def check(hands: Hands, before: Before) -> None:
        assert _kinds(hands) == [kind, *before.kinds]
        assert hands.commands() == before.commands

    return check


def _answers(hands: Hands, before: Before) -> None:
    assert _kinds(hands) == before.kinds[1:]
    registered = hands.commands()[-1]
    assert isinstance(registered, RegisterDecree | SubmitModule | UseAmbassador)
    assert registered.manager == "vlad"


def _switches(hands: Hands, before: Before) -> None:
    (dialog,) = hands.state().dialogs
    assert (dialog.kind, dialog.subject) == (DialogKind.CAMPAIGN, "vlad")
    assert Campaign("vlad") not in hands.commands()


def _confirms(hands: Hands, before: Before) -> None:
    assert _kinds(hands) == []
    assert hands.state().registered == ()
    assert any("Taken back" in text for text in hands.texts)


def _cancels(hands: Hands, before: Before) -> None:
    assert _kinds(hands) == before.kinds[1:]
    assert hands.commands() == before.commands


def _calls_off(hands: Hands, before: Before) -> None:
    state = hands.state()
    assert state.phase is Phase.ROUND
    assert DialogKind.NEXT not in _kinds(hands)
    assert DialogKind.SETTLE_WITHOUT_ARC not in _kinds(hands)
    assert any("called off" in text for text in hands.texts)
    # what was laid down is dealt with as in the round: it asks, or (nothing to undo) says so
    assert state.dialogs or any("nothing to take back" in text for text in hands.texts)


def _keeps(hands: Hands, before: Before) -> None:
    assert _is_same(hands, before)
    assert any(text.startswith("First this:") for text in _new_texts(hands, before))


def _connects(hands: Hands, before: Before) -> None:
    assert _kinds(hands) == [*before.kinds, DialogKind.BUILDER]
    assert hands.state().knows(60)


def _remembers(hands: Hands, before: Before) -> None:
    assert _kinds(hands) == before.kinds
    assert [module.instance for module in hands.state().on_bus][-1] == 60
    assert not hands.state().knows(60)


def _refuses(hands: Hands, before: Before) -> None:
    assert _is_same(hands, before)
    assert hands.table().notices[-1].kind.value == "refused"


def _tells(hands: Hands, before: Before) -> None:
    assert _is_same(hands, before)
    assert any("not part of this game" in text for text in _new_texts(hands, before))


def _ignores(hands: Hands, before: Before) -> None:
    assert _is_same(hands, before)
    assert not _new_texts(hands, before)


EXPECT: dict[Response, Callable[[Hands, Before], None]] = {
    Response.SEAT: _seats,
    Response.ASK_OWNER: _asks(DialogKind.OWNER),
    Response.ASK_REPLACE: _asks_first(DialogKind.REPLACE_CARD),
    Response.ASK_CAMPAIGN: _asks(DialogKind.CAMPAIGN),
    Response.ASK_AMBASSADOR: _asks(DialogKind.AMBASSADOR),
    Response.ASK_UNDO: _asks(DialogKind.UNDO),
    Response.UNDO_INSTEAD: _asks_first(DialogKind.UNDO),
    Response.ANSWER: _answers,
    Response.SWITCH: _switches,
    Response.CONFIRM: _confirms,
    Response.CANCEL: _cancels,
    Response.CALL_OFF: _calls_off,
    Response.KEEP: _keeps,
    Response.CONNECT: _connects,
    Response.REMEMBER: _remembers,
    Response.REFUSE: _refuses,
    Response.TELL: _tells,
    Response.IGNORE: _ignores,
}

# The rulebook's part of the table, spelled out once more by hand: the table itself must not drift from it.
BY_HAND = {
    (Signal.DECREE, Situation.IDLE): Response.ASK_OWNER,
    (Signal.DECREE, Situation.OWNER): Response.ASK_REPLACE,
    (Signal.DECREE, Situation.BUILDER): Response.ASK_OWNER,
    (Signal.DECREE, Situation.SUMMARY): Response.REFUSE,
    (Signal.DECREE, Situation.LAST_ROUND): Response.REFUSE,
    (Signal.DIRECTIVE, Situation.LAST_ROUND): Response.REFUSE,
    (Signal.MANAGER, Situation.SETUP): Response.SEAT,
    (Signal.MANAGER, Situation.IDLE): Response.ASK_CAMPAIGN,
    (Signal.MANAGER, Situation.OWNER): Response.ANSWER,
    (Signal.MANAGER, Situation.BUILDER): Response.ANSWER,
    (Signal.MANAGER, Situation.AMBASSADOR): Response.ANSWER,
    (Signal.MANAGER, Situation.CAMPAIGN): Response.SWITCH,
    (Signal.MANAGER, Situation.SUMMARY): Response.REFUSE,
    (Signal.GOVERNOR, Situation.IDLE): Response.ASK_UNDO,
    (Signal.GOVERNOR, Situation.OWNER): Response.CANCEL,
    (Signal.GOVERNOR, Situation.BUILDER): Response.UNDO_INSTEAD,
    (Signal.GOVERNOR, Situation.AMBASSADOR): Response.CANCEL,
    (Signal.GOVERNOR, Situation.UNDO): Response.CONFIRM,
    (Signal.GOVERNOR, Situation.SUMMARY): Response.REFUSE,
    (Signal.AMBASSADOR, Situation.OWNER): Response.KEEP,
    (Signal.AMBASSADOR, Situation.AMBASSADOR): Response.IGNORE,
    (Signal.AMBASSADOR, Situation.LAST_ROUND): Response.ASK_AMBASSADOR,
    (Signal.MODULE, Situation.OWNER): Response.CONNECT,
    (Signal.MODULE, Situation.SUMMARY): Response.CONNECT,
    (Signal.UNKNOWN, Situation.OWNER): Response.TELL,
    (Signal.UNKNOWN, Situation.SUMMARY): Response.IGNORE,
}


def test_the_table_is_whole() -> None:
    assert set(TABLE) == {(signal, situation) for signal in Signal for situation in Situation}
    assert set(REACH) == set(ROWS) == set(Situation)


@pytest.mark.parametrize("cell", BY_HAND, ids=lambda cell: f"{cell[0].value} when {cell[1].value}")
def test_the_table_says_what_the_rules_say(cell: tuple[Signal, Situation]) -> None:
    assert TABLE[cell] is BY_HAND[cell]


@pytest.mark.parametrize("situation", [s for s in Situation if s is not Situation.LINK_LOST])
@pytest.mark.parametrize("signal", list(Signal))
def test_each_cell(signal: Signal, situation: Situation) -> None:
    hands = Hands()
    REACH[situation](hands)
    state = hands.state()
    is_last = state.colony is not None and hands.rules.view(state.colony).is_last_round
    assert situation_of(state, is_last) is situation
    before = Before(hands)
    LAY[signal](hands)
    EXPECT[TABLE[signal, situation]](hands, before)


@pytest.mark.parametrize("id", ["rations", "embargo", "ava", "governor", "ambassador", "nonsense"])
def test_a_tap_does_not_stand_in_for_a_lost_arc(id: str) -> None:
    hands = Hands()
    _link_lost(hands)
    before = Before(hands)
    hands.act(actions.TapCard(id))
    assert _is_same(hands, before)
    assert [notice.kind.value for notice in hands.table().notices] == ["refused"]


def test_a_tapped_module_does_not_stand_in_for_a_lost_arc() -> None:
    hands = Hands()
    _link_lost(hands)
    before = Before(hands)
    hands.act(actions.TapModule(1))
    assert _is_same(hands, before)
    assert [notice.kind.value for notice in hands.table().notices] == ["refused"]
