"""What the start screen offers beside games, and the menu's pages about the ARC: cards that can be tapped, and what they ask."""

import pytest
from attrs import evolve

from companion.screens.controller import BoardDeed, BoardRow, Offer
from companion.screens.gallery import samples, samples_between as between
from companion.screens.view_models import board
from companion.screens.view_models.start import start_screen
from companion.session.actions import TeachTag
from companion.session.table import ArcState, TableView, TrayCard
from tests.screens.stage import Stage

TAKE = Offer("take", "Take over “Dawn”", "Round 5 of 20 on Verdance, left there by another tablet", "swap-horizontal")
CARDS = (
    TrayCard("open-canteens", "Open Canteens", "decree_green"),
    TrayCard("governor", "Governor", "governor"),
)


@pytest.fixture
def connected() -> TableView:
    return evolve(samples.TABLE, arc=evolve(samples.TABLE.arc, state=ArcState.READY))


def test_offers_come_before_games_and_a_message_leads() -> None:
    vm = start_screen(between.SAVED, "Looking for the ARC…", (TAKE,))
    assert vm.games[0].title == "Take over “Dawn”"
    assert len(vm.games) == len(between.SAVED) + 1
    assert vm.lead == "Looking for the ARC…"
    assert start_screen(()).lead


def test_an_offer_is_taken_by_a_tap(stage: Stage) -> None:
    stage.show(None)
    stage.puppet.offers, stage.puppet.message = (TAKE,), "This ARC keeps a game."
    stage.shell.refresh()
    stage.settle()
    assert "This ARC keeps a game." in stage.texts()
    stage.tap_text("Take over “Dawn”")
    assert stage.puppet.calls == ["accept take"]


def test_the_arcs_page_asks_and_shows(stage: Stage, connected: TableView) -> None:
    stage.show(connected)
    stage.shell.go("menu")
    stage.settle()
    stage.tap_text("The ARC")
    assert stage.puppet.calls == ["board read"]
    stage.puppet.board = (BoardRow("Firmware", "1.2.3, protocol 1.0", "chip", "good"),)
    stage.shell.refresh()
    stage.settle()
    assert "1.2.3, protocol 1.0" in stage.texts()
    stage.tap_text("Self-test")
    stage.tap_text("Export for a bug report")
    assert stage.puppet.calls == ["board read", "board test", "board report"]


@pytest.mark.parametrize("rows", range(6))
def test_a_finger_on_a_card_means_that_card_whatever_comes_in_its_place(
    stage: Stage, connected: TableView, rows: int
) -> None:
    """An answer comes, a row goes, and what moves under the finger is to forget this tablet."""
    stage.show(connected)
    told = tuple(BoardRow(f"Row {number}", "So it is", "chip") for number in range(rows))
    stage.puppet.board = (*told, BoardRow("One moment", "The ARC is asked.", "clock-outline"))
    stage.shell.go("menu", part="board")
    stage.settle()
    finger = stage.finger_on(stage.find(text="Export for a bug report"))
    stage.puppet.board = told
    stage.shell.refresh()
    stage.settle()
    stage.lift(finger)
    assert stage.puppet.calls == []
    stage.tap_text("Export for a bug report")
    assert stage.puppet.calls == ["board report"]


def test_a_card_is_chosen_to_be_taught(stage: Stage, connected: TableView) -> None:
    stage.show(connected)
    stage.puppet.teachable = CARDS
    stage.shell.go("menu")
    stage.settle()
    stage.tap_text("Teach a tag")
    stage.tap_text("Decrees")
    assert "Governor" not in stage.texts()
    stage.tap_text("Open Canteens")
    assert stage.puppet.actions == [TeachTag("open-canteens")]


def test_without_an_arc_there_is_no_page_about_it(stage: Stage, connected: TableView) -> None:
    stage.show(evolve(connected, arc=evolve(connected.arc, state=ArcState.NONE)))
    stage.shell.go("menu")
    stage.settle()
    assert "The ARC" not in stage.texts()
    assert "Teach a tag" not in stage.texts()


def test_everything_that_can_be_asked_has_a_card() -> None:
    assert {card.id for card in board.board_cards(between.BOARD) if card.is_open} == {
        deed.value for deed in BoardDeed
    } - {"read"}
    assert [card.is_open for card in board.board_cards((BoardRow("a", "b", "chip"),))] == [False, True, True, True]
    assert {card.id for card in board.kind_cards()} == {"decrees", "directives", "tokens"}
