"""The firmware page: what can be updated and why not, how far an update is, and that leaving the page leaves it running."""

import pytest
from attrs import evolve

from companion.screens.controller import FirmwareDeed, FirmwareView, Settings, UpdateStage
from companion.screens.gallery import (
    samples,
    samples_between as between,
    samples_firmware as firmware,
    samples_settled as settled,
)
from companion.screens.view_models.colony import colony_screen
from companion.screens.view_models.dialogs import CLOSE
from companion.screens.view_models.firmware import (
    ENDS,
    GOES_ON,
    LEAVE,
    RESTARTS,
    SAFE,
    UNKNOWN,
    arc_block,
    firmware_screen,
    modules_block,
    sign,
    time_left,
)
from companion.screens.view_models.menu import menu_cards
from companion.screens.view_models.page import ItemVM
from companion.session.table import ArcState, TableView
from tests.screens.stage import Stage

VIEWS = firmware.VIEWS


def rows(view: FirmwareView) -> list[tuple[str, str, str]]:
    return [(item.title, item.value, item.pill.text) for item in modules_block(view).items]


def open_page(stage: Stage, view: FirmwareView) -> None:
    """From a game in which things stand so."""
    stage.show(samples.TABLE)
    stage.puppet.firmware = view
    stage.shell.go("firmware")
    stage.settle()


def become(stage: Stage, view: FirmwareView) -> None:
    stage.puppet.firmware = view
    stage.shell.refresh()
    stage.settle()


def test_what_runs_and_what_is_at_hand() -> None:
    block = arc_block(VIEWS["due"])
    assert (block.title, block.lead, block.items, block.note) == ("The ARC runs 0.1.0", "0.2.0 is at hand", (), SAFE)
    assert rows(VIEWS["due"]) == [
        ("Automatic Well", "0.1.0", "Older"),
        ("Nuclear Power Plant", "0.1.0", "Older"),
        ("Residential Dome × 2", "0.1.0", "Older"),
        ("Solar Power Plant", "0.2.0", "Up to date"),
        ("Tanks", "", "Not known"),
    ]
    assert modules_block(VIEWS["due"]).note == UNKNOWN
    current = arc_block(VIEWS["current"])
    assert (current.lead, current.tone, current.note) == ("It is up to date.", "good", "")
    assert modules_block(VIEWS["alone"]).lead == "None is connected."


@pytest.mark.parametrize(
    ("name", "arc", "modules"),
    [
        ("due", ("Update the ARC to 0.2.0", True), ("Update 5 modules", True)),
        ("current", ("Update the ARC", False), ("Update the modules", False)),
        ("no-image", ("Update the ARC", False), ("Update the modules", False)),
        ("battery", ("Update the ARC", False), ("Update 2 modules", False)),
        ("away", ("Update the ARC", False), ("Update 5 modules", False)),
        ("back", ("Update the ARC to 0.2.0", True), ("Update 5 modules", True)),
        ("modules-ended", ("Update the ARC to 0.2.0", True), ("Update 1 module", True)),
        ("alone", ("Update the ARC to 0.2.0", True), ("Update the modules", False)),
    ],
)
def test_what_can_be_done(name: str, arc: tuple[str, bool], modules: tuple[str, bool]) -> None:
    vm = firmware_screen(VIEWS[name])
    assert (vm.right.text, vm.right.is_open, vm.right.deed) == (*arc, FirmwareDeed.UPDATE_ARC)
    assert (vm.left.text, vm.left.is_open, vm.left.deed) == (*modules, FirmwareDeed.UPDATE_MODULES)


@pytest.mark.parametrize("name", ["no-image", "battery"])
def test_why_not_is_said_where_it_belongs(name: str) -> None:
    view = VIEWS[name]
    assert arc_block(view).items == (ItemVM("Not now", view.arc_blocked, "information-outline", "poor"),)
    assert modules_block(view).items[0].text == view.modules_blocked


def test_of_an_arc_that_stays_away_nobody_says_what_it_runs() -> None:
    block = arc_block(VIEWS["away"])
    assert block.title == "The ARC ran 0.1.0"
    assert [(item.title, item.text) for item in block.items] == [("Not back yet", firmware.NOT_BACK)]


def test_not_all_and_none_are_told_apart() -> None:
    update = VIEWS["modules-ended"].update
    assert update is not None
    titles = [
        modules_block(evolve(VIEWS["modules-ended"], update=evolve(update, done=done))).items[0].title
        for done in (5, 0)
    ]
    assert titles == ["Not all were updated", "Not updated"]


@pytest.mark.parametrize("name", ["sending", "checking", "waiting", "restarting", "modules"])
def test_while_an_update_runs_it_can_only_be_stopped(name: str) -> None:
    vm = firmware_screen(VIEWS[name])
    assert (vm.left.text, vm.right.text, vm.right.deed) == ("", "Stop the update", FirmwareDeed.STOP)
    assert vm.right.is_open == (name != "restarting"), "nobody stops a restart"
    assert not any(item.title == "Not now" for block in (c[0] for c in vm.page.columns) for item in block.items)


def test_how_far_it_is() -> None:
    (row,) = arc_block(VIEWS["sending"]).items
    assert (row.title, row.text, row.value) == ("Sending", "43,078 of 102,760 bytes · about 25 s left", "41 %")
    assert row.share == 0.41
    (row,) = arc_block(VIEWS["waiting"]).items
    assert (row.title, row.text) == ("Waiting for the ARC", firmware.WAITS)
    block = modules_block(VIEWS["modules"])
    assert block.items[0].title == "Sending: Residential Dome, 3 of 6"
    assert block.items[0].value == "38 %"
    assert block.items[0].text == "9,044 of 27,365 bytes · about 2 min left"
    assert block.note == GOES_ON
    assert [pill for _, _, pill in rows(VIEWS["modules"])[1:5]] == ["Its turn", "Not updated", "Starts again", "Next"]
    assert arc_block(VIEWS["modules"]).items == ()


def test_how_it_ended() -> None:
    (row,) = arc_block(VIEWS["done"]).items
    assert (row.title, row.text, row.tone, row.share) == ("Updated", firmware.STAYS, "good", -1)
    (row,) = arc_block(VIEWS["back"]).items
    assert (row.title, row.text, row.tone) == ("Not updated", firmware.WENT_BACK, "critical")
    ended = modules_block(VIEWS["modules-ended"])
    assert [item.title for item in ended.items[:2]] == ["Not all were updated", "Automatic Well"]
    assert ended.items[1].text == firmware.PULLED


@pytest.mark.parametrize(
    ("seconds", "text"),
    [(None, ""), (1, "about 5 s left"), (56, "about 60 s left"), (60, "about 1 min left"), (61, "about 2 min left")],
)
def test_time_left_is_rounded_up(seconds: int | None, text: str) -> None:
    assert time_left(seconds) == text


def test_a_sign_in_the_header_and_the_menu_while_it_runs() -> None:
    update = VIEWS["sending"].update
    assert colony_screen(samples.TABLE, update).header.arc.text == "Updating · 41 %"
    assert colony_screen(samples.TABLE, VIEWS["restarting"].update).header.arc.text == "The ARC restarts"
    for name in ("waiting", "done", "back"):
        assert sign(VIEWS[name].update) is None, "the ARC's own state says more"
    cards = {card.id: card for card in menu_cards(samples.TABLE, Settings(), update)}
    assert cards["firmware"].pill.text == "41 %"
    assert "goes on later" in cards["leave"].text
    restarting = {card.id: card for card in menu_cards(samples.TABLE, Settings(), VIEWS["restarting"].update)}
    assert restarting["leave"].text == "Everything is saved already"
    quiet = {card.id: card for card in menu_cards(samples.TABLE, Settings(), VIEWS["done"].update)}
    assert (quiet["firmware"].pill.text, quiet["leave"].text) == ("", "Everything is saved already")


def test_it_is_opened_from_the_menu_and_asks_for_updates(stage: Stage) -> None:
    stage.show(samples.TABLE)
    stage.shell.go("menu")
    stage.settle()
    stage.puppet.firmware = VIEWS["due"]
    stage.tap_text("Firmware")
    assert stage.puppet.calls == ["firmware look"]
    assert "The ARC runs 0.1.0" in stage.texts()
    stage.tap(stage.find(key="right"))
    stage.tap(stage.find(key="left"))
    become(stage, VIEWS["sending"])
    assert "Update 5 modules" not in stage.texts()
    stage.tap(stage.find(text="Stop the update", key="right"))
    assert stage.puppet.calls == ["firmware look", "firmware update_arc", "firmware update_modules", "firmware stop"]


def test_what_cannot_be_done_is_not_asked_for(stage: Stage) -> None:
    open_page(stage, VIEWS["battery"])
    stage.tap(stage.find(key="right"))
    stage.tap(stage.find(key="left"))
    assert stage.puppet.calls == ["firmware look"]


def test_a_finger_on_stop_begins_no_other_update_when_that_one_ends_by_itself(stage: Stage) -> None:
    open_page(stage, VIEWS["modules"])
    finger = stage.finger_on(stage.find(key="right"))
    become(stage, VIEWS["modules-ended"])
    stage.lift(finger)
    assert stage.puppet.calls == ["firmware look"]


def test_leaving_the_page_stops_nothing_and_play_goes_on(stage: Stage) -> None:
    open_page(stage, VIEWS["sending"])
    stage.tap(stage.find(label="back"))
    assert stage.shell.screens.current == "menu"
    stage.tap(stage.find(label="back"))
    assert stage.shell.screens.current == "colony"
    assert "Updating · 41 %" in stage.texts()
    assert stage.puppet.calls == ["firmware look"]


@pytest.mark.parametrize(("name", "text"), [("sending", ENDS), ("modules", ENDS), ("restarting", RESTARTS)])
def test_whoever_leaves_the_game_is_told_that_an_update_ends_by_it(stage: Stage, name: str, text: str) -> None:
    stage.show(samples.TABLE)
    stage.puppet.firmware = VIEWS[name]
    stage.shell.go("menu")
    stage.settle()
    stage.tap_text("Leave the game")
    assert text in stage.texts()
    stage.tap(stage.find_where(lambda one: getattr(one, "key", "") == CLOSE))
    assert stage.puppet.calls == []
    assert stage.shell.screens.current == "menu"
    assert text not in stage.texts()
    stage.shell.leave_game()
    stage.settle()
    stage.tap(stage.find_where(lambda one: getattr(one, "key", "") == LEAVE))
    assert stage.puppet.calls == ["close"]


@pytest.mark.parametrize("table", [between.RESUME, settled.ENDED, samples.TABLE])
def test_all_ways_out_of_a_game_ask(stage: Stage, table: TableView) -> None:
    stage.show(table)
    stage.puppet.firmware = VIEWS["sending"]
    screen = stage.shell.screens.current_screen
    if hasattr(screen, "leave"):
        screen.leave()
    else:
        stage.shell.go("menu")
        stage.shell.screens.get_screen("menu").pick("leave")
    stage.settle()
    assert ENDS in stage.texts()
    assert stage.puppet.calls == []
    stage.puppet.firmware = VIEWS["done"]
    stage.shell.leave_game()
    assert stage.puppet.calls == ["close"]


def test_progress_does_not_scroll_the_page_back(stage: Stage) -> None:
    many = tuple(evolve(firmware.ROW[3], name=f"Module {n}") for n in range(20))
    view = evolve(VIEWS["modules"], modules=many)
    open_page(stage, view)
    page = stage.find_where(lambda one: type(one).__name__ == "PageView")
    page.scroll_y = 0.3
    assert view.update is not None
    become(stage, evolve(view, update=evolve(view.update, sent=20_000)))
    assert page.scroll_y == 0.3
    assert "20,000 of 27,365 bytes · about 2 min left" in stage.texts()


def test_without_an_arc_there_is_no_page(stage: Stage) -> None:
    stage.show(evolve(samples.TABLE, arc=evolve(samples.TABLE.arc, state=ArcState.NONE)))
    stage.shell.go("menu")
    stage.settle()
    assert "Firmware" not in stage.texts()
    stage.shell.go("firmware")
    stage.settle()
    assert "No ARC" in stage.texts()
    assert firmware_screen(None).right.text == ""


def test_each_stage_has_its_words() -> None:
    for stage in UpdateStage:
        view = evolve(VIEWS["sending"], update=evolve(firmware.SENDING, stage=stage))
        assert arc_block(view).items[0].title
