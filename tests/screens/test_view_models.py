"""View models without Kivy: words, tones and orders from hand-made views."""

import json
import subprocess
import sys

import pytest
from attrs import evolve

from companion import catalog
from companion.screens import icons, theme
from companion.screens.controller import Settings
from companion.screens.gallery import samples, samples_between as between
from companion.screens.texts import figure, signed
from companion.screens.view_models.attention import attention, brief
from companion.screens.view_models.colony import (
    colony_screen,
    population_card,
    resources_card,
    status_card,
    stock_change,
)
from companion.screens.view_models.corrections import corrections, word_cards, word_command
from companion.screens.view_models.decrees import percent
from companion.screens.view_models.dialogs import dialog_sheet
from companion.screens.view_models.ending import ending_screen
from companion.screens.view_models.history import history_page
from companion.screens.view_models.menu import menu_cards
from companion.screens.view_models.navigation import screen_for
from companion.screens.view_models.setup import choose_mode, pick_assistant, problem, setup_screen, start_action, steps
from companion.screens.view_models.setup_draft import Draft, Step
from companion.screens.view_models.setup_modes import first_sentences
from companion.screens.view_models.start import resume_page, start_screen
from companion.screens.view_models.summary import section_page
from companion.screens.view_models.toasts import outdated, toasts
from companion.screens.view_models.tray import parent_cards, tray_cards
from companion.session.table import ArcState, ArcView, Notice, NoticeKind, Phase, ScenarioChoice
from companion.simulation.commands import CorrectValue
from companion.simulation.player import DecreeSection, EconomyView
from companion.simulation.words import Ending, Fill, Level, Mode, Resource, Status


def test_view_models_need_no_kivy() -> None:
    code = (
        "import sys, pkgutil, importlib, companion.screens.view_models as v;"
        "[importlib.import_module('companion.screens.view_models.' + m.name) for m in pkgutil.iter_modules(v.__path__)];"
        "import companion.screens.controller;"
        "sys.exit(any(name.split('.')[0] == 'kivy' for name in sys.modules))"
    )
    subprocess.run([sys.executable, "-c", code], check=True, timeout=60)


@pytest.mark.parametrize(("number", "text"), [(0, "±0"), (4, "+4"), (-3, "−3"), (1200, "+1,200")])
def test_signed(number: int, text: str) -> None:
    assert signed(number) == text


def test_figures_are_grouped() -> None:
    assert figure(15000) == "15,000"
    assert figure(-20) == "−20"


def test_the_worst_status_is_named() -> None:
    good = tuple(evolve(one, level=Level.GOOD) for one in samples.COLONY.statuses)
    assert status_card(good).pill.text == "All good"
    two = (good[0], evolve(good[1], level=Level.CRITICAL), evolve(good[2], level=Level.CRITICAL))
    assert status_card(two).pill.text == "Security + Technical critical"
    assert status_card(two).pill.tone == "critical"


def test_change_against_the_last_round() -> None:
    happiness, security, technical = colony_screen(samples.TABLE).status.statuses
    assert (happiness.change, happiness.change_icon) == ("was Poor", "trending-up")
    assert (security.change, security.change_icon) == ("as last round", "trending-neutral")
    assert (technical.change, technical.change_icon) == ("was Poor", "trending-down")
    assert colony_screen(samples.FIRST_ROUND).status.statuses[0].change == "first round"


def test_a_shortage_says_where_it_comes_from() -> None:
    gas = samples.COLONY.resources[2]
    others = tuple(one for one in samples.COLONY.resources if one != gas)
    assert resources_card((*others, gas)).pill.text == "Gas: imported"
    assert resources_card((*others, evolve(gas, accumulator=Fill.FULL))).pill.text == "Gas: drawn from store"
    assert resources_card(others).pill.text == "Supplied"


def test_population_pill_and_homes() -> None:
    view = samples.COLONY.population
    assert population_card(view).pill.text == "Mostly Colonists"
    assert population_card(evolve(view, trend=(), is_leaving=True)).pill.text == "Citizens leave"
    assert population_card(evolve(view, trend=())).pill.text == "Nobody is coming"
    crowded = population_card(evolve(view, housing=4000))
    assert (crowded.housing, crowded.housing_tone) == ("only 4,000 homes", "alarming")


@pytest.mark.parametrize(
    ("stock", "history", "change"), [(27, (12, 22, 27), 5), (57, (12, 22, 27), 30), (50, (), 0), (50, (50,), 0)]
)
def test_stock_change(stock: int, history: tuple[int, ...], change: int) -> None:
    assert stock_change(EconomyView(stock, (), history)) == change


def test_attention_has_the_worst_first() -> None:
    vm = attention(samples.WORST, samples.WORST.colony)  # type: ignore[arg-type]  # a table with a colony
    tones = [tone for tone, _text in vm.items]
    assert tones == sorted(tones, key=["critical", "alarming", "poor", "info"].index)
    assert vm.items[0][1] == "A riot rages, stage 2"
    assert "Last round: no decrees any more" in [text for _tone, text in vm.items]


def test_attention_is_quiet_when_all_is_well() -> None:
    vm = colony_screen(samples.FIRST_ROUND).attention
    assert (vm.title, vm.items) == ("Nothing presses", ())


def test_brief_keeps_the_first_and_what_fits() -> None:
    assert brief(["a" * 100, "b"]) == "a" * 100
    assert brief(["aa", "bb", "c" * 100]) == "aa · bb"


def test_acts_show_each_manager_once_newest_last() -> None:
    assert [one[0] for one in colony_screen(samples.TABLE).acts.managers] == ["bloch", "xu", "gore"]


def test_the_last_round_says_so() -> None:
    assert colony_screen(samples.WORST).next_text == "End the last round"
    assert colony_screen(samples.TABLE).next_text == "End round 14"


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
    assert screen_for(between.REVIEW, None) == "summary"


def test_every_section_has_its_page() -> None:
    titles = [section_page(section, samples.COLONY).title for section in between.SECTIONS]
    assert titles == [
        "COLONY STATUS", "THIS ROUND'S OCCURRENCE", "COLONY ECONOMY", "DECREE RESULTS", "SUPPORT OF THE MANAGERS",
        "ACHIEVEMENTS", "MODULES DEVELOP", "UPKEEP",
    ]  # fmt: skip


def test_decree_results() -> None:
    blocks = [block for column in section_page(between.SECTIONS[3], samples.COLONY).columns for block in column]
    verdicts = {block.title: block.pill.text for block in blocks}
    assert verdicts == {
        "WATER RATIONING": "Passed", "CURFEW": "Rejected", "MARTIAL ORDER": "In force", "TAX RELIEF": "Blocked",
    }  # fmt: skip
    (first,) = section_page(DecreeSection(between.SECTIONS[3].results[:1]), samples.COLONY).columns[0]
    assert (first.emblem, first.lead) == ("gavel", "Passed")
    assert percent(734) == "73.4 %"
    empty = section_page(DecreeSection(()), samples.COLONY)
    assert empty.columns[0][0].title == "NO DECREES"


def test_the_wizard_asks_what_is_missing() -> None:
    view = between.SETUP_VIEW
    assert problem(evolve(view, seated=("xu",)), Draft(Step.MANAGERS)) == "1 more manager needed"
    assert problem(evolve(view, seated=tuple("abcdef")), Draft(Step.MANAGERS)) == "At most 5 managers"
    assert problem(view, Draft(Step.PLANET)) == "Choose a planet"
    assert problem(view, Draft(Step.TABLE, name=" ")) == "Name the colony"
    assert problem(view, Draft(Step.MANAGERS)) == ""


def test_solo_seats_nobody_and_picks_three_assistants() -> None:
    view = between.SETUP_VIEW
    draft = choose_mode(view, Draft(Step.MODE, planet="proxima", name="Alone"), "solo")
    assert Step.MANAGERS not in steps(view, draft)
    draft = evolve(draft, step=Step.ASSISTANTS)
    assert problem(view, draft) == "3 more assistants needed"
    for id in ("pilot", "kingpin", "sergeant", "ai"):
        draft = pick_assistant(view, draft, id)
    assert draft.picked == ("kingpin", "sergeant", "ai")
    setup = start_action(view, draft).setup
    assert (setup.managers, setup.assistants, setup.mode) == ((), ("kingpin", "sergeant", "ai"), Mode.SOLO)


def test_a_scenario_brings_mode_and_planet() -> None:
    view = evolve(between.SETUP_VIEW, scenarios=(ScenarioChoice("s", "S", "", "Hard", Mode.SEMI_COOP, "kepler"),))
    draft = choose_mode(view, Draft(), "s")
    assert (draft.mode, draft.planet, draft.scenario) == (Mode.SEMI_COOP, "kepler", "s")
    assert Step.PLANET not in steps(view, draft)


def test_the_planets_points_are_shown_where_they_count() -> None:
    view, arc = between.SETUP_VIEW, samples.READY
    plain = setup_screen(view, arc, Draft(Step.PLANET))
    common = setup_screen(view, arc, Draft(Step.PLANET, mode=Mode.CO_OP))
    assert not any("VP" in card.text for card in plain.cards)
    assert all("you need more than" in card.text for card in common.cards)


def test_the_tables_checklist_is_that_of_the_planned_game() -> None:
    view = evolve(between.SETUP_VIEW, table_setup=("Put 7 PA in the bank.", "Shuffle the artifacts."))
    block = setup_screen(view, samples.READY, Draft(Step.TABLE)).page.columns[0][0]
    assert tuple(item.text for item in block.items) == view.table_setup
    unfinished = setup_screen(between.SETUP_VIEW, samples.READY, Draft(Step.TABLE)).page.columns[0][0]
    assert unfinished.items == ()
    assert "still to be chosen" in unfinished.lead


def test_start_resumes_the_newest_game_that_goes_on() -> None:
    assert start_screen(between.SAVED).resume_text == "New Helvetia, round 14"
    assert start_screen(between.SAVED[2:]).resume_id == ""
    assert start_screen(()).lead


def test_resume_lists_missing_and_found() -> None:
    to_plug, there = (column[0] for column in resume_page(between.RESUME).columns)
    assert [one.title for one in to_plug.items] == ["Solar Power Plant", "Residential Dome", "Nuclear Power Plant"]
    assert len(there.items) == len(samples.COLONY.modules) - 3


def test_endings() -> None:
    assert ending_screen(between.ENDED.colony).page.title == "SUCCESS ON PROXIMA B"  # type: ignore[arg-type]
    for ending in between.DEFEATS:
        vm = ending_screen(between.defeat_table(ending).colony)  # type: ignore[arg-type]
        assert vm.page.title == "DEFEAT ON PROXIMA B"
        assert len(vm.page.columns) == 1
    counting = ending_screen(between.COUNTING.colony)  # type: ignore[arg-type]
    assert [one.manager for one in counting.points] == ["xu", "mccain"]
    table = counting.page.columns[1][0]
    assert "Wins" not in [one.pill.text for one in table.items]
    assert {ending.is_positive for ending in Ending} == {True, False}


def test_history_is_newest_first() -> None:
    acts = history_page(samples.TABLE, samples.COLONY).columns[0][0]
    assert acts.items[0].title == "Claims the Governor's seat"
    assert acts.items[0].text == "Governor · Athena Gore · From the next round"


def test_the_menu_offers_what_fits_the_phase() -> None:
    in_round = {card.id for card in menu_cards(samples.TABLE, Settings())}
    between_rounds = {card.id for card in menu_cards(between.summary_table(0), Settings())}
    assert {"governor", "assistant", "correct"} <= in_round
    assert not {"governor", "assistant", "correct"} & between_rounds
    assert {one.id for one in corrections(samples.COLONY)} >= {"stock", "round", "colonists"}


def test_the_tray_sorts_by_tab_and_asks_where() -> None:
    assert [card.id for card in tray_cards(between.TAPPED, "directives")] == ["martial"]
    assert [card.id for card in tray_cards(between.TAPPED, "tokens")] == ["bloch", "gore", "governor", "ambassador"]
    assert not next(card for card in tray_cards(between.TAPPED, "modules") if card.id == "2").is_open
    assert parent_cards(between.TAPPED)[0].id == "0"


def test_the_arc_pill_names_the_battery() -> None:
    arc = ArcView(ArcState.READY, "", 9, battery_low=True)
    pill = colony_screen(evolve(samples.TABLE, arc=arc)).header.arc
    assert (pill.text, pill.icon, pill.tone) == ("ARC ready · 9 %", "battery-alert", "alarming")


def test_every_icon_named_is_in_the_font() -> None:
    names = json.loads((theme.ASSETS / "icons.json").read_text())
    assert set((theme.ASSETS / "icon-names.txt").read_text().split()) == set(names)
    with pytest.raises(KeyError):
        icons.glyph("no-such-icon")
    assert icons.glyph("") == ""


def test_levels_differ_in_tone_word_and_icon() -> None:
    from companion.screens.view_models import words

    for table in (words.LEVEL_WORDS, words.LEVEL_ICONS):
        assert len(set(table.values())) == len(Level)
    assert len({theme.tone(level.value) for level in Level}) == len(Level)


def contrast(one: theme.Rgba, other: theme.Rgba) -> float:
    def luminance(colour: theme.Rgba) -> float:
        parts = [part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4 for part in colour[:3]]
        return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]

    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("name", ["good", "poor", "alarming", "critical", "info", "accent", "muted", "text", "stock"])
def test_text_can_be_read_on_its_ground(name: str) -> None:
    assert contrast(theme.tone(name), theme.CARD) >= 4.5
    assert contrast(theme.tone(name), theme.tint(name)) >= 4.5


def test_a_status_is_corrected_by_its_word() -> None:
    cards = word_cards(samples.COLONY, "technical")
    assert [(one.id, one.is_chosen) for one in cards] == [
        ("good", False), ("poor", False), ("alarming", True), ("critical", False),
    ]  # fmt: skip
    assert word_command("technical", "poor") == CorrectValue(0, status=Status.TECHNICAL, level=Level.POOR)
    assert word_command("gas", "full") == CorrectValue(0, accumulator=Resource.GAS, fill=Fill.FULL)
    assert [one.id for one in word_cards(samples.COLONY, "gas") if one.is_chosen] == ["empty"]


def test_scenarios_and_tutorials_stand_under_their_own_headings() -> None:
    groups = setup_screen(between.SETUP_VIEW, samples.READY, Draft(Step.MODE, scenario="quiet")).groups
    assert [(group.title, [card.id for card in group.cards]) for group in groups] == [
        ("", ["semi-coop", "co-op", "solo"]),
        ("SCENARIOS", ["strike", "harvest", "quiet"]),
        ("TUTORIALS", ["first", "second"]),
    ]
    assert [card.id for group in groups for card in group.cards if card.is_chosen] == ["quiet"]
    without = evolve(between.SETUP_VIEW, scenarios=())
    assert len(setup_screen(without, samples.READY, Draft(Step.MODE)).groups) == 1


@pytest.mark.parametrize(
    ("text", "taste"),
    [
        ("One word. Two! Three?", "One word. Two!"),
        ("Far longer than the room for it. Two.", "Far longer than the room for it."),
        ("No end", "No end"),
        ("It costs 1.5 CR. Pay.", "It costs 1.5 CR."),
    ],
)
def test_a_story_begins_with_whole_sentences(text: str, taste: str) -> None:
    assert first_sentences(text, 16) == taste


def test_the_shipped_stories_begin_with_two_lines_at_most() -> None:
    scenarios = catalog.load().scenarios.values()
    assert scenarios
    assert [one.name for one in scenarios if len(first_sentences(one.text)) > 130] == []
