"""Undo: what it takes back and names, how far, and what it leaves alone."""

import pytest

from companion.session import actions
from companion.session.table import DialogKind, Phase
from companion.simulation import commands as c
from tests.companion.session.hands import Hands


@pytest.fixture
def hands() -> Hands:
    return Hands().start()


def test_undo_names_what_it_takes_back_and_what_to_do_at_the_table(hands: Hands) -> None:
    hands.swipe("rations", "ava")
    assert hands.table().undo_text == "decree “Ration cards” by Ava Xu"
    hands.swipe("governor")
    assert hands.dialog().lines == (
        "Decree “Ration cards” by Ava Xu.",
        "The card goes back to the hand, and its fee to the Repository.",
    )


def test_undo_is_repeatable_to_the_start_of_the_round(hands: Hands) -> None:
    start = hands.state().colony
    hands.swipe("rations", "ava", "ambassador", "mac", "vlad")
    hands.choose("confirm")
    hands.act(actions.ClaimGovernor("mac"), actions.FlipAssistantCard("ava"))
    hands.act(actions.Correct(c.CorrectValue(40, stock=True)))
    texts = []
    for _ in range(6):
        texts.append(hands.table().undo_text)
        hands.swipe("governor", "governor")
    assert texts == [
        "the correction of STOCK to 40",
        "the turned assistant card of Ava Xu",
        "Mac McCain becomes Governor",
        "campaign of Vlad Pokorny",
        "the Ambassador, used by Mac McCain",
        "decree “Ration cards” by Ava Xu",
    ]
    assert hands.state().colony == start
    hands.swipe("governor")
    assert "There is nothing to take back in this round." in hands.texts


def test_one_resting_governor_token_undoes_nothing_by_itself(hands: Hands) -> None:
    hands.swipe("rations", "ava", "governor")
    assert hands.table().dialog is not None
    hands.wait(200_000)
    assert hands.table().dialog is None
    assert hands.table().undo_text is not None


def test_undo_of_a_module_asks_its_builder_again(hands: Hands) -> None:
    hands.plug(50)
    hands.swipe("ava")
    hands.swipe("governor", "governor")
    assert hands.dialog().kind is DialogKind.BUILDER
    hands.swipe("mac")
    assert hands.commands()[-1] == c.SubmitModule(50, "mac")


def test_a_module_whose_builder_was_undone_can_be_taken_off_without_trace(hands: Hands) -> None:
    hands.plug(50)
    hands.swipe("ava", "governor", "governor")
    hands.unplug(50)
    assert hands.table().dialog is None
    assert hands.state().connected == ()
    assert hands.state().submitted == ()


def test_undo_leaves_modules_that_were_plugged_in_later(hands: Hands) -> None:
    hands.swipe("rations", "ava")
    hands.plug(50)
    hands.swipe("governor")
    hands.choose("confirm")
    assert hands.state().knows(50)
    assert [module.instance for module in hands.table().colony.modules] == [50]  # type: ignore[union-attr]  # the game has begun
    assert hands.table().undo_text is None


def test_a_settlement_is_never_undone(hands: Hands) -> None:
    hands.swipe("rations", "ava")
    hands.settle()
    hands.swipe("governor")
    assert "A settlement is never taken back." in hands.texts
    hands.leave_summary()
    hands.swipe("governor")
    assert hands.table().dialog is None


def test_undo_keeps_the_dice(hands: Hands) -> None:
    """What is settled after an undo is what would have been settled anyhow."""
    other = Hands().start()
    hands.swipe("rations", "ava", "governor", "governor", "curfew", "mac")
    other.swipe("curfew", "mac")
    hands.settle()
    other.settle()
    assert hands.state().colony == other.state().colony


def test_the_undo_button_asks_before_other_questions(hands: Hands) -> None:
    hands.swipe("rations", "ava")
    hands.plug(50)
    hands.act(actions.Undo(), actions.Undo())
    assert [dialog.kind for dialog in hands.state().dialogs] == [DialogKind.UNDO, DialogKind.BUILDER]


# without an ARC, and another ARC


def test_undo_of_a_module_that_has_gone_asks_when_it_is_back(hands: Hands) -> None:
    """The question says that it is connected; NEXT would wait for an answer about what nobody sees."""
    hands.plug(50)
    hands.swipe("ava")
    hands.unplug(50)
    hands.act(actions.Undo())
    hands.choose("confirm")
    assert hands.table().dialog is None
    assert hands.table().missing == ()
    assert any("not plugged in" in text for text in hands.texts)
    hands.plug(50)
    assert hands.dialog().kind is DialogKind.BUILDER
    hands.swipe("mac")
    hands.settle()
    assert hands.table().phase is Phase.SUMMARY
