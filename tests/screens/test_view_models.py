"""View models without Kivy: which screen, questions, toasts, start, menu and tray."""

import pytest
from attrs import evolve

from companion.screens.controller import Settings
from companion.screens.gallery import samples, samples_between as between, samples_settled as settled
from companion.screens.view_models.corrections import corrections, word_cards, word_command
from companion.screens.view_models.dialogs import dialog_sheet
from companion.screens.view_models.menu import assistant_cards, menu_cards
from companion.screens.view_models.navigation import screen_for
from companion.screens.view_models.start import resume_page, start_screen
from companion.screens.view_models.toasts import outdated, toasts
from companion.screens.view_models.tray import parent_cards, tray_cards
from companion.session.table import Notice, NoticeKind, Phase
from companion.simulation.commands import CorrectValue
from companion.simulation.words import Fill, Level, Mode, Resource, Status


def test_dialog_choices_lie_under_the_thumb() -> None:
    sheet = dialog_sheet(between.dialog_table("undo"))
    assert sheet is not None
    assert [one.style for one in sheet.choices] == ["danger", "plain"]
    owner = dialog_sheet(between.dialog_table("owner"))
    assert owner is not None
    assert owner.waiting == "2 more wait"
    assert dialog_sheet(samples.TABLE) is None


def test_a_portrait_stays_two_seconds_whatever_comes() -> None:
    first, refused = toasts(between.NOTICES)
    assert first.least >= 2
    assert first.seconds >= 4
    assert first.can_undo
    assert first.manager == ("gore", "G", "#7EE081")
    assert refused.tone == "critical"


def test_two_toasts_at_most_and_one_undo() -> None:
    notices = tuple(Notice(id, NoticeKind.DONE, f"Act {id}.", "gore", can_undo=True) for id in range(4))
    shown = toasts(evolve(between.NOTICES, notices=notices))
    assert [(one.id, one.can_undo) for one in shown] == [(2, False), (3, True)]
    assert outdated(shown) == shown[:1]


def test_undo_on_a_toast_needs_something_to_undo() -> None:
    assert not toasts(evolve(between.NOTICES, undo_text=None))[0].can_undo


@pytest.mark.parametrize(
    ("phase", "opened", "screen"),
    [
        (Phase.SETUP, None, "setup"),
        (Phase.RESUME, None, "resume"),
        (Phase.ROUND, None, "colony"),
        (Phase.ROUND, "detail", "detail"),
        (Phase.SETTLING, "history", "history"),
        (Phase.SUMMARY, "detail", "summary"),
        (Phase.SUMMARY, "menu", "menu"),
        (Phase.ENDED, "tray", "ending"),
    ],
)
def test_which_screen_is_shown(phase: Phase, opened: str | None, screen: str) -> None:
    assert screen_for(evolve(samples.TABLE, phase=phase), opened) == screen


def test_no_game_shows_the_start_and_a_review_the_summary() -> None:
    assert screen_for(None, "menu") == "start"
    assert screen_for(settled.REVIEW, None) == "summary"


def test_start_resumes_the_newest_game_that_goes_on() -> None:
    assert start_screen(between.SAVED).resume_text == "New Helvetia, round 14"
    assert start_screen(between.SAVED[2:]).resume_id == ""
    assert start_screen(()).lead


def test_resume_lists_missing_and_found() -> None:
    to_plug, there = (column[0] for column in resume_page(between.RESUME).columns)
    assert [one.title for one in to_plug.items] == ["Solar Power Plant", "Residential Dome", "Nuclear Power Plant"]
    assert len(there.items) == len(samples.COLONY.modules) - 3


def test_the_menu_offers_what_fits_the_phase() -> None:
    in_round = {card.id for card in menu_cards(samples.TABLE, Settings())}
    between_rounds = {card.id for card in menu_cards(settled.summary_table(0), Settings())}
    assert {"governor", "assistant", "correct"} <= in_round
    assert not {"governor", "assistant", "correct"} & between_rounds
    assert {one.id for one in corrections(samples.COLONY)} >= {"stock", "round", "colonists"}


def test_the_tray_sorts_by_tab_and_asks_where() -> None:
    assert [card.id for card in tray_cards(between.TAPPED, "directives")] == ["martial"]
    assert [card.id for card in tray_cards(between.TAPPED, "tokens")] == ["bloch", "gore", "governor", "ambassador"]
    assert not next(card for card in tray_cards(between.TAPPED, "modules") if card.id == "2").is_open
    assert parent_cards(between.TAPPED)[0].id == "0"


def test_a_status_is_corrected_by_its_word() -> None:
    cards = word_cards(samples.COLONY, "technical")
    assert [(one.id, one.is_chosen) for one in cards] == [
        ("good", False), ("poor", False), ("alarming", True), ("critical", False),
    ]  # fmt: skip
    assert word_command("technical", "poor") == CorrectValue(0, status=Status.TECHNICAL, level=Level.POOR)
    assert word_command("gas", "full") == CorrectValue(0, accumulator=Resource.GAS, fill=Fill.FULL)
    assert [one.id for one in word_cards(samples.COLONY, "gas") if one.is_chosen] == ["empty"]


def test_the_menu_of_a_solo_game_turns_over_the_assistants_that_were_chosen() -> None:
    """It has no Governor; and the player, who is no manager, has no card."""
    chosen = samples.COLONY.assistants[1:3]
    colony = evolve(samples.COLONY, mode=Mode.SOLO, managers=(), assistants=chosen)
    offered = {card.id for card in menu_cards(evolve(samples.TABLE, colony=colony), Settings())}
    assert {"assistant", "correct"} <= offered
    assert "governor" not in offered
    assert [(card.id, card.title) for card in assistant_cards(colony)] == [("gore", "Athena Gore"), ("xu", "Ava Xu")]
    assert assistant_cards(colony)[0].text == "Drill Master lies up · other side: Special Operative"
    without = evolve(samples.TABLE, colony=evolve(colony, assistants=()))
    assert "assistant" not in {card.id for card in menu_cards(without, Settings())}
