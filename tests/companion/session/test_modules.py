"""Modules on the bus: new, back, moved, gone, foreign, missing; and how they are lit."""

import pytest

from companion.link import news
from companion.session import actions
from companion.session.lights import LightPlan
from companion.session.table import DialogKind, Phase
from companion.simulation import commands as c
from protocol import events
from protocol.messages import (
    ATTENTION,
    DARK,
    FLASH,
    GREEN,
    SLOW_FLASH,
    WHITE,
    YELLOW,
    LightArc,
    LightModule,
    LightTable,
    light,
)
from tests.companion.session.hands import Hands


@pytest.fixture
def hands() -> Hands:
    return Hands().start()


def build(hands: Hands, instance: int, type_id: int = 1, parent: int = 0) -> None:
    hands.plug(instance, type_id, parent)
    hands.swipe("ava")


def test_a_module_without_builder_leaves_no_trace_when_taken_off(hands: Hands) -> None:
    hands.plug(50)
    hands.unplug(50)
    assert hands.table().dialog is None
    assert hands.state().connected == ()
    hands.settle()
    assert hands.table().phase is Phase.SUMMARY


def test_a_built_module_stays_when_it_loses_contact(hands: Hands) -> None:
    build(hands, 50)
    hands.unplug(50)
    assert [missing.name for missing in hands.table().missing] == ["Solar Power Plant"]
    assert any("plug it in again" in text for text in hands.texts)
    commands = hands.commands()
    hands.plug(50)
    assert hands.table().missing == ()
    assert hands.table().dialog is None
    assert hands.commands() == commands


def test_modules_behind_it_are_told_apart(hands: Hands) -> None:
    build(hands, 50)
    build(hands, 60, 2, parent=50)
    hands.unplug(50)
    hands.unplug(60, events.DETACHED_WITH_PARENT)
    assert len([text for text in hands.texts if "Registered" not in text]) == 1
    assert len(hands.table().missing) == 2


def test_another_port_is_a_move_and_no_new_building(hands: Hands) -> None:
    build(hands, 50)
    build(hands, 60, 2)
    hands.event(events.ModuleMoved(2, 60, (50).to_bytes(3, "little"), 0))
    assert hands.table().dialog is None
    assert hands.state().pairs == ((0, 50), (50, 60))
    assert hands.commands()[-1] == c.SetConnections(((0, 50), (50, 60)))


def test_two_of_a_type_are_two(hands: Hands) -> None:
    build(hands, 50)
    build(hands, 51)
    assert [command for command in hands.commands() if isinstance(command, c.SubmitModule)] == [
        c.SubmitModule(50, "ava"),
        c.SubmitModule(51, "ava"),
    ]


def test_a_parent_is_found_by_its_low_bits(hands: Hands) -> None:
    build(hands, 0xAA000032)
    build(hands, 60, 2, parent=0xAA000032)
    assert (60, 0xAA000032) in hands.state().pairs


def test_a_loop_is_in_the_graph_until_its_module_moves(hands: Hands) -> None:
    build(hands, 50)
    build(hands, 60, 2)
    hands.session.handle(news.EdgesRead(((0, 50), (0, 60), (50, 60))))
    assert hands.state().pairs == ((0, 50), (0, 60), (50, 60))
    hands.event(events.ModuleMoved(2, 60, bytes(3), 0))
    assert hands.state().pairs == ((0, 50), (0, 60))


def test_a_missing_module_keeps_its_edges(hands: Hands) -> None:
    build(hands, 50)
    build(hands, 60, 2, parent=50)
    hands.unplug(60)
    assert hands.state().pairs == ((0, 50), (50, 60))


def test_a_foreign_module_is_taken_off_or_accepted(hands: Hands) -> None:
    hands.plug(90, type_id=9)
    assert hands.dialog().kind is DialogKind.FOREIGN_MODULE
    hands.choose("take_off")
    assert hands.table().dialog is None
    assert hands.commands() == []
    hands.unplug(90)
    hands.plug(90, type_id=9)
    hands.choose("accept")
    hands.swipe("mac")
    assert hands.commands()[-1] == c.SubmitModule(90, "mac")
    assert hands.state().pairs == ((0, 90),)


def test_an_unknown_type_can_only_be_taken_off(hands: Hands) -> None:
    hands.plug(91, type_id=31)
    assert hands.dialog().title == "Unknown module (type 31)"
    assert [choice.key for choice in hands.dialog().choices] == ["take_off"]
    hands.unplug(91)
    assert hands.table().dialog is None


def test_nobody_built_it(hands: Hands) -> None:
    hands.plug(50)
    hands.choose("nobody")
    assert hands.commands()[-1] == c.SubmitModule(50, None)


def test_two_modules_with_one_number_are_told_and_not_counted(hands: Hands) -> None:
    hands.event(events.ModuleNoticed(50, events.MODULE_DUPLICATE_ID))
    assert hands.commands() == []
    assert any("same number" in text for text in hands.texts)


def test_a_rebooted_module_is_nothing_to_the_game(hands: Hands) -> None:
    build(hands, 50)
    rows, texts = hands.rows(), hands.texts
    hands.event(events.ModuleNoticed(50, events.MODULE_REBOOTED))
    assert (hands.rows(), hands.texts) == (rows, texts)


def test_the_arc_switched_off_and_on_builds_nothing_anew(hands: Hands) -> None:
    build(hands, 50)
    hands.plug(60, 2)
    commands = hands.commands()
    hands.event(events.Booted(events.POWER_ON, 0, 1, 0))
    assert [missing.instance for missing in hands.table().missing] == [50, 60]
    hands.plug(50)
    hands.plug(60, 2)
    assert hands.table().missing == ()
    assert hands.commands() == commands
    assert hands.dialog().title == "Storage"


def test_next_evening_lists_what_is_still_to_be_plugged_in(hands: Hands) -> None:
    build(hands, 50)
    build(hands, 60, 2, parent=50)
    hands.sit_down(connect=False)
    hands.connect(behind=1)
    hands.event(events.Booted(events.POWER_ON, 0, 1, 0))
    assert hands.table().phase is Phase.RESUME
    assert [missing.name for missing in hands.table().missing] == ["Solar Power Plant", "Storage"]
    hands.plug(60, 2)
    assert [missing.name for missing in hands.table().missing] == ["Solar Power Plant"]
    assert hands.lights()[60] == light(SLOW_FLASH, GREEN)
    hands.act(actions.LeaveResume())
    assert hands.table().phase is Phase.ROUND
    assert len(hands.table().missing) == 1
    hands.plug(50, parent=60)
    assert hands.state().pairs == ((0, 60), (50, 60))


def test_the_resume_list_ends_with_the_last_module(hands: Hands) -> None:
    build(hands, 50)
    hands.sit_down(connect=False)
    hands.connect(behind=1)
    hands.event(events.Booted(events.POWER_ON, 0, 1, 0))
    hands.plug(50)
    assert hands.table().phase is Phase.ROUND
    hands.unplug(50)
    assert hands.table().phase is Phase.ROUND


def test_a_snapshot_is_the_same_as_its_differences(hands: Hands) -> None:
    build(hands, 50)
    hands.plug(60, 2)
    hands.session.handle(news.Snapshot(((50, 1), (70, 2)), ((0, 50), (50, 70)), ()))
    state = hands.state()
    assert [module.instance for module in state.on_bus] == [50, 70]
    assert not state.knows(60)
    assert [dialog.instance for dialog in state.dialogs] == [70]
    assert state.pairs == ((0, 50), (50, 70))


def test_modules_plugged_in_before_the_start_ask_in_round_one() -> None:
    hands = Hands()
    hands.plug(50)
    assert hands.table().phase is Phase.SETUP
    assert "Solar Power Plant is plugged in: a new game begins with the ARC alone." in hands.texts
    hands.start()
    assert hands.dialog().kind is DialogKind.BUILDER


# lights


def test_the_module_in_question_is_lit_differently(hands: Hands) -> None:
    hands.plug(50)
    hands.plug(60, 2)
    assert hands.lights() == {0: light(ATTENTION, WHITE), 50: light(ATTENTION, GREEN), 60: light(FLASH, GREEN)}
    hands.swipe("ava")
    assert hands.lights() == {0: light(ATTENTION, WHITE), 50: light(SLOW_FLASH, GREEN), 60: light(ATTENTION, GREEN)}
    hands.swipe("ava")
    assert hands.lights()[0] == light(DARK)


def test_a_foreign_module_is_lit_as_a_question(hands: Hands) -> None:
    hands.plug(90, type_id=9)
    assert hands.lights()[90] == light(ATTENTION, YELLOW)
    hands.choose("take_off")
    assert hands.lights()[90] == light(DARK)


def test_lights_are_whole_after_a_resume_and_differences_otherwise(hands: Hands) -> None:
    build(hands, 50)
    build(hands, 60, 2)
    hands.sent.clear()
    hands.wait(1000)
    assert hands.sent == []
    hands.lose_link()
    hands.connect()
    table = bytes.fromhex("32000000313c00000031")
    assert hands.sent == [LightArc(0, light(DARK)), LightTable(0, table)]


def test_a_replugged_module_gets_its_light_again(hands: Hands) -> None:
    build(hands, 50)
    hands.unplug(50)
    hands.sent.clear()
    hands.plug(50)
    assert hands.sent == [LightModule(0, 50, light(SLOW_FLASH, GREEN))]


def test_a_plan_tells_nothing_twice() -> None:
    plan = LightPlan()
    assert plan.commands({0: 0, 5: 17}) == [LightArc(0, 0), LightTable(0, b"\x05\0\0\0\x11")]
    assert plan.commands({0: 0, 5: 17}) == []
    assert plan.commands({0: 4, 5: 18}) == [LightArc(0, 4), LightModule(0, 5, 18)]
    plan.forget(5)
    assert plan.commands({0: 4, 5: 18}) == [LightModule(0, 5, 18)]


def test_a_module_that_was_withdrawn_is_connected_again_where_it_was(hands: Hands) -> None:
    """The colony has forgotten its place too."""
    build(hands, 50)
    hands.plug(60, 2, parent=50)
    hands.choose("not_this_card")
    hands.plug(60, 2, parent=50)
    hands.swipe("mac")
    assert hands.state().pairs == ((0, 50), (50, 60))
    assert [command for command in hands.commands() if isinstance(command, c.SetConnections)][-1] == c.SetConnections(
        ((0, 50), (50, 60))
    )
    assert isinstance(hands.commands()[-2], c.SetConnections)
