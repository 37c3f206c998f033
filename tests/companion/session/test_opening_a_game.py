"""A game that is opened: on which ARC and from which event it goes on, with which catalog."""

import pytest

from companion.link import news
from companion.session.sitting import Session
from companion.session.table import DialogKind
from companion.storage.records import Cursor
from tests.companion.session.hands import DEVICE, EPOCH, Hands, empty_store, info
from tests.companion.session.small_rules import SmallRules


@pytest.fixture
def hands() -> Hands:
    return Hands().start()


def test_another_catalog_is_told_at_the_opening() -> None:
    class NewerRules(SmallRules):
        version = "v2"

    hands = Hands(Hands().start().store, NewerRules())
    assert any("begun with other cards" in text for text in hands.texts)


def test_another_arc_is_asked_about_first(hands: Hands) -> None:
    other = bytes(6)
    hands.lose_link()
    assert hands.session.resume_point(info(9, other)) is None
    assert hands.dialog().kind is DialogKind.OTHER_ARC
    hands.choose("wait")
    assert hands.table().dialog is None
    assert hands.session.resume_point(info(9, other)) is None
    assert hands.table().dialog is None
    hands.sit_down(connect=False)
    assert hands.session.resume_point(info(9, other)) is None
    hands.choose("continue")
    assert hands.session.resume_point(info(9, other)) == (EPOCH, 9)
    assert hands.store.game("g").cursor == Cursor(other.hex(), EPOCH, 9)


def test_a_new_game_begins_at_the_newest_event() -> None:
    hands = Hands(empty_store())
    assert hands.store.game("g").cursor == Cursor(DEVICE.hex(), EPOCH, hands.sequence)


def test_a_skip_moves_the_cursor_and_says_so(hands: Hands) -> None:
    hands.session.handle(news.Skipped(9, 4, "The ARC's log was formatted."))
    assert hands.store.game("g").cursor == Cursor(DEVICE.hex(), 9, 4)
    assert "The ARC's log was formatted." in hands.texts


def test_an_answer_to_another_question_says_nothing_of_the_other_arc(hands: Hands) -> None:
    hands.lose_link()
    hands.session.resume_point(info(9, bytes(6)))
    hands.choose("confirm")
    assert hands.dialog().kind is DialogKind.OTHER_ARC


def test_an_arc_that_did_not_take_this_tablet_is_not_that_of_a_new_game() -> None:
    """It may be the neighbours', which was heard first."""
    store = empty_store()
    session = Session(store, "g", SmallRules(), lambda: "2026-01-02T11:00:00+00:00")
    assert session.resume_point(info(9, bytes(6))) == (EPOCH, 9)
    session.handle(news.LinkChanged(news.LinkState.PAIRING, "press"))
    assert session.bound_device() is None
    assert store.game("g").cursor is None
    assert session.resume_point(info(4)) == (EPOCH, 4)
    session.handle(news.Skipped(EPOCH, 3, "the log lost its end"))
    session.handle(news.Resumed(DEVICE, EPOCH, 3))
    assert session.bound_device() == DEVICE
    assert store.game("g").cursor == Cursor(DEVICE.hex(), EPOCH, 3)
