"""The board's life in the menu: what it says of itself, its self-test, forgetting the tablet, the bug report, teaching tags."""

import io
import json
import logging
import zipfile
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from companion import bug_report, recent_log
from companion.board_page import NO_TWINS, Board as Known, BoardPage, rows
from companion.link.conversations import Conversations
from companion.screens.controller import BoardDeed, BoardRow
from companion.screens.icons import glyph
from companion.session import actions
from companion.session.table import ArcState, ArcView
from companion.storage.records import Game, JournalRow, StoreError
from protocol import messages as m
from protocol.events import (
    BATTERY_LOW,
    MODULE_ALONE,
    MODULE_DUPLICATE_ID,
    BatteryMeasured,
    CardPresented,
    ModuleAttached,
    ModuleNoticed,
    TopologyChanged,
)
from protocol.pages import FLAG_DUPLICATE_ID
from tests.companion.link.board import DEVICE, Board
from tests.companion.link.line import Line
from tests.companion.tablets import TestTablet, swipe, until

CRASH = "crash: watchdog\n12 ms: boot\n61200 ms: reader failed: OSError: SPI\n"
SINCE = "since then:\nboot 4, cause 3, version 0.1\n"


@pytest.fixture
async def board() -> Board:
    board = Board()
    board.pairing.open_window(board.now_ms)
    return board


@pytest.fixture
async def tablet(board: Board, tmp_path: Path) -> AsyncIterator[TestTablet]:
    tablet = TestTablet(board, reports=tmp_path / "reports")
    tablet.begin()
    await until(lambda: tablet.is_kept_by_arc)
    yield tablet
    await tablet.stop()


def row(tablet: TestTablet, title: str) -> BoardRow:
    return next(row for row in tablet.board if row.title == title)


async def test_what_the_board_says_of_itself(board: Board, tablet: TestTablet) -> None:
    board.log = (CRASH * 20 + SINCE).encode()
    board.happen(BatteryMeasured(3600, 18, BATTERY_LOW))
    tablet.ask_board(BoardDeed.READ)
    assert tablet.board[-1].title == "One moment"
    await until(lambda: tablet.board[-1].title != "One moment")
    assert row(tablet, "Firmware").text == f"0.1.0, protocol 1.0, board {DEVICE.hex()}"
    assert (row(tablet, "Battery").text, row(tablet, "Battery").tone) == ("18 %", "poor")
    assert row(tablet, "Since it was switched on").text.startswith("3 starts, 7 cards read")
    assert row(tablet, "Troubles counted").text == "1 restarts by the watchdog (life)"
    crash = row(tablet, "Last crash")
    assert (crash.text, crash.tone) == ("watchdog. 61200 ms: reader failed: OSError: SPI", "critical")


async def test_the_self_test_in_words(tablet: TestTablet) -> None:
    tablet.ask_board(BoardDeed.TEST)
    await until(lambda: tablet.board[-1].title == "Card reader")
    assert [(one.title, one.text) for one in tablet.board[-2:]] == [
        ("Memory", "good"),
        ("Card reader", "does not work"),
    ]


async def test_what_the_arc_refuses_is_told(board: Board, tablet: TestTablet) -> None:
    board.refuse[m.SelfTest] = m.BUSY
    tablet.ask_board(BoardDeed.TEST)
    await until(lambda: "the ARC is busy: try again" in tablet.texts)
    assert tablet.board[-1].title != "One moment"


async def test_a_forgotten_tablet_has_to_pair_again(board: Board, tablet: TestTablet) -> None:
    assert tablet.store.token(DEVICE) is not None
    tablet.ask_board(BoardDeed.FORGET)
    await until(lambda: any("has forgotten this tablet" in text for text in tablet.texts))
    assert tablet.store.token(DEVICE) is None
    board.pairing.close_window()
    tablet.pull_wire()
    await until(lambda: tablet.table and tablet.table.arc.state is ArcState.PAIRING)


async def test_a_tablet_that_is_forgotten_while_its_disk_is_full_says_so(
    tablet: TestTablet, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(device: bytes) -> None:
        raise StoreError("cannot write: the disk is full")

    monkeypatch.setattr(tablet.store, "forget_token", full)
    tablet.ask_board(BoardDeed.FORGET)
    await until(lambda: "cannot write: the disk is full" in tablet.texts)
    assert any("has forgotten this tablet" in text for text in tablet.texts)
    assert tablet.table is not None
    assert tablet.table.arc.state is not ArcState.LOST, "nothing was wrong with the link"


async def test_one_of_two_modules_with_one_number_gets_its_own(board: Board, tablet: TestTablet) -> None:
    title = "Two modules have one number"
    assert title not in [one.title for one in tablet.board]
    tablet.ask_board(BoardDeed.PART)  # nothing to part: nothing happens
    board.table.set_modules([(50, 1, FLAG_DUPLICATE_ID)], [(0, 0, 50, 1), (0, 2, 50, 0)])
    board.happen(ModuleAttached(1, 50, bytes(3), 0x01), ModuleNoticed(50, MODULE_DUPLICATE_ID), TopologyChanged(1))
    assert tablet._line
    connection = tablet._line.arc.connection
    await until(lambda: connection.twins == ((50, 0, 0), (50, 0, 2)))
    assert row(tablet, title).deed is BoardDeed.PART
    tablet.ask_board(BoardDeed.PART)
    await until(lambda: any("has a number of its own now" in text for text in tablet.texts))
    assert board.resalted == [(50, 0, 2)]
    board.happen(ModuleNoticed(50, MODULE_ALONE))
    await until(lambda: not connection.twins)
    assert title not in [one.title for one in tablet.board]


async def test_twins_of_which_one_was_taken_off_are_told_as_that(board: Board, tablet: TestTablet) -> None:
    board.table.set_modules([(50, 1, FLAG_DUPLICATE_ID)], [(0, 0, 50, 1)])
    board.happen(ModuleAttached(1, 50, bytes(3), 0x01), ModuleNoticed(50, MODULE_DUPLICATE_ID))
    assert tablet._line
    connection = tablet._line.arc.connection
    await until(lambda: connection.twins)
    board.refuse[m.ResaltModule] = m.UNKNOWN_MODULE
    tablet.ask_board(BoardDeed.PART)
    await until(lambda: NO_TWINS in tablet.texts)
    board.happen(ModuleNoticed(50, MODULE_ALONE))
    await until(lambda: not connection.twins)
    assert "Two modules have one number" not in [one.title for one in tablet.board]


async def test_a_bug_report_has_everything_but_what_is_hidden(board: Board, tablet: TestTablet, tmp_path: Path) -> None:
    board.log = CRASH.encode()
    swipe(board, "rations")
    tablet.ask_board(BoardDeed.REPORT)
    await until(lambda: any("Hidden numbers are not in it" in text for text in tablet.texts))
    (path,) = (tmp_path / "reports").iterdir()
    parts = unzipped(path.read_bytes())
    assert parts["log.txt"] == CRASH
    assert '"Swiped"' in parts["journal.jsonl"]
    assert json.loads(parts["arc.json"])["info"]["device"] == DEVICE.hex()
    assert json.loads(parts["arc.json"])["counters"]["life"]["boots"] == 3
    assert "seed" not in parts["game.json"]


async def test_a_bug_report_without_an_arc(board: Board, tmp_path: Path) -> None:
    tablet = TestTablet(board, reports=tmp_path / "file")
    (tmp_path / "file").write_text("in the way")
    tablet.ask_board(BoardDeed.REPORT)
    tablet.begin()
    tablet.ask_board(BoardDeed.REPORT)
    await until(lambda: any("could not be written" in text for text in tablet.texts))
    await tablet.stop()


def test_hidden_numbers_of_a_continued_game_stay_hidden() -> None:
    row = JournalRow(1, json.dumps({"act": "Continued", "snapshot": '{"colony":"trend 7"}'}))
    report = bug_report.bug_report(Game("g", 4711, "v1", "now"), (row,), None, Known(), "", "v1")
    text = "".join(unzipped(report).values())
    assert "trend" not in text
    assert "4711" not in text
    assert bug_report.HIDDEN in text


def unzipped(data: bytes) -> dict[str, str]:
    with zipfile.ZipFile(io.BytesIO(data)) as zip_file:
        return {name: zip_file.read(name).decode() for name in zip_file.namelist()}


def test_every_row_can_be_drawn() -> None:
    info = m.Info(1, 0, DEVICE, 1, 2, 3, m.INFO_SAFE_MODE, 1, 1, 1, bytes(8))
    every = Known({"life": {"watchdog_resets": 1}}, CRASH, tuple((part, part % 5) for part in range(9)), True)
    seen = rows(every, info, ArcView(ArcState.READY, "", None, False))
    assert all(glyph(one.icon) and one.text for one in seen)
    assert next(one for one in seen if one.title == "Firmware").tone == "critical"
    assert rows(Known(log=""), None, ArcView(ArcState.LOST, "", 80, False))[-1].text == "none kept"


def test_without_a_session_a_question_fails_at_once() -> None:
    told: list[str] = []
    page = BoardPage(Conversations(lambda command: False), lambda: None, told.append)
    page.read()
    page.test()
    assert told == ["The ARC is out of reach."] * 3
    assert not page.board.asked


def test_one_moment_stands_there_until_the_last_answer() -> None:
    line = Line()
    page = BoardPage(line.talk, lambda: None, lambda why: None)

    def waits() -> bool:
        return rows(page.board, None, ArcView(ArcState.READY, "", None, False))[-1].title == "One moment"

    page.test()
    page.read()
    page.forget(1, lambda: None)
    assert waits()
    line.answer(b"\0\0")
    assert page.board.tests == ((0, 0),)
    assert waits(), "the rest is still asked"
    line.refuse("not now")
    assert waits()
    line.answer()
    assert not waits()
    line.refuse("not you")
    assert not waits()


async def test_a_boxed_card_is_taught_and_known_from_then_on(board: Board, tablet: TestTablet) -> None:
    uid = b"\x04\x11\x22\x33\x44\x55\x66"
    board.happen(CardPresented(0, uid))
    await until(lambda: any("choose it in the menu under “Teach a tag”" in text for text in tablet.texts))
    tablet.act(actions.TeachTag("rations"))
    assert "Lay “Ration cards” on the ARC now: its tag is learned." in tablet.texts
    board.happen(CardPresented(0, uid))
    await until(lambda: tablet.store.learned_tags() == {uid: "rations"})
    board.happen(CardPresented(0, uid))
    await until(lambda: tablet.table and tablet.table.dialog)
    tablet.act(actions.TeachTag("nothing of ours"))
    assert "There is no card or token “nothing of ours”." in tablet.texts


def test_the_apps_own_log_keeps_its_last_lines() -> None:
    recent_log.keep()
    recent_log.keep()
    logging.getLogger("companion.link.arc").warning("link: for the report")
    assert recent_log.text().count("link: for the report") == 1
