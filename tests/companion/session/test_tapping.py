"""Play by tapping, without an ARC, and the ways there and back in the middle of a game."""

import pytest

from companion.session import actions
from companion.session.state import FIRST_TAPPED
from companion.session.table import ArcState, DialogKind, Phase
from companion.simulation import commands as c
from protocol.messages import DARK, light
from tests.companion.session.hands import Hands
from tests.companion.session.small_rules import SETUP


@pytest.fixture
def hands() -> Hands:
    return Hands().start()


def test_the_same_game_by_tapping() -> None:
    hands = Hands(uses_arc=False)
    hands.act(actions.StartGame("Dawn", SETUP))
    assert hands.table().arc.state is ArcState.NONE
    assert hands.table().tray is not None
    hands.act(actions.TapCard("rations"), actions.TapCard("ava"), actions.TapModule(1), actions.TapCard("mac"))
    hands.settle()
    assert hands.table().phase is Phase.SUMMARY
    assert [type(command) for command in hands.commands()] == [
        c.RegisterDecree, c.ConnectModule, c.SetConnections, c.SubmitModule, c.Settle,
    ]  # fmt: skip


def test_a_tapped_module_that_does_not_exist_is_refused() -> None:
    hands = Hands(uses_arc=False).start()
    hands.act(actions.TapModule(99))
    assert hands.texts == ["There is no module of type 99 in the catalog."]
    assert hands.commands() == []


def test_a_game_goes_from_taps_to_the_arc_and_back() -> None:
    tapping = Hands(uses_arc=False)
    tapping.act(actions.StartGame("Dawn", SETUP), actions.TapModule(1), actions.TapCard("mac"))
    instance = tapping.state().connected[0][0]

    board = Hands(tapping.store)
    assert [module.name for module in board.table().missing] == ["Solar Power Plant"]
    assert board.table().phase is Phase.RESUME
    board.plug(0xABCD1234, type_id=1)
    assert board.table().dialog is None
    assert "Solar Power Plant is on the ARC now." in board.texts
    assert board.table().missing == ()
    assert board.state().colony_instance(0xABCD1234) == instance
    board.swipe("rations", "ava")

    again = Hands(tapping.store, uses_arc=False)
    assert again.table().undo_text == "decree “Ration cards” by Ava Xu"
    again.act(actions.TapCard("curfew"), actions.TapCard("mac"))
    again.settle()
    assert again.table().phase is Phase.SUMMARY


def test_a_next_that_waited_for_the_arc_is_decided_without_it() -> None:
    board = Hands().start()
    board.act(actions.Next())
    board.choose("confirm")
    tapping = Hands(board.store, uses_arc=False)
    assert tapping.dialog().kind is DialogKind.SETTLE_WITHOUT_ARC
    tapping.choose("settle")
    assert tapping.table().phase is Phase.SUMMARY


def test_a_tapped_module_that_was_withdrawn_is_a_new_one_when_it_comes_back() -> None:
    tapping = Hands(uses_arc=False).start()
    tapping.act(actions.TapModule(1))
    board = Hands(tapping.store)
    board.plug(50)
    board.unplug(50)
    assert board.state().connected == ()
    board.plug(50)
    board.swipe("mac")
    assert board.table().dialog is None
    assert board.table().missing == ()
    assert board.lights()[50] != light(DARK)
    board.plug(50, parent=0)
    assert board.table().dialog is None
    assert [command for command in board.commands() if isinstance(command, c.ConnectModule)] == [
        c.ConnectModule(FIRST_TAPPED + 1, 1),
        c.ConnectModule(50, 1),
    ]
