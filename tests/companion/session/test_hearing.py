"""Which events are acts of the game, which are only told, which are nothing; and what a tag means."""

import pytest

from companion.session import acts
from companion.session.hearing import FAULTS, MODULE_NOTICES, act_of, is_low, notice_of
from companion.session.tags import is_random, label, look_up, may_learn
from protocol import events
from tests.companion.session.hands import UID, Hands
from tests.companion.session.small_rules import CODE, UNKNOWN_CODE, SmallRules


@pytest.mark.parametrize(
    ("body", "act"),
    [
        (events.ModuleAttached(3, 50, b"\x01\x02\x03", 0x21), acts.Plugged(50, 3, 0x030201)),
        (events.ModuleMoved(3, 50, bytes(3), 0x11), acts.Plugged(50, 3, 0)),
        (events.ModuleDetached(50, events.DETACHED_ITSELF), acts.Unplugged(50, False)),
        (events.ModuleDetached(50, events.DETACHED_WITH_PARENT), acts.Unplugged(50, True)),
        (events.Booted(events.BROWN_OUT, 0, 1, 0), acts.ArcStarted()),
        (events.ButtonPressed(events.PRESS_SHORT), None),
        (events.BatteryMeasured(5000, 90, events.BATTERY_GOOD), None),
        (events.PairingWindow(1), None),
        (events.TopologyChanged(2), None),
        (events.ModuleNoticed(50, events.MODULE_DUPLICATE_ID), None),
    ],
)
def test_what_an_event_changes(body: events.Body, act: acts.ArcAct | None) -> None:
    assert act_of(body) == act


@pytest.mark.parametrize(
    "body",
    [
        events.CardsTogether(2),
        events.CardUnreadable(events.UNREADABLE_DAMAGED),
        events.CardUnreadable(99),
        events.BatteryMeasured(4200, 10, events.BATTERY_LOW),
        events.Booted(events.WATCHDOG, 0, 1, 1),
        events.Booted(events.BROWN_OUT, 0, 1, 0),
        *(events.FaultFound(code, 0) for code in FAULTS),
        *(events.ModuleNoticed(1, code) for code in MODULE_NOTICES),
    ],
)
def test_what_people_are_told(body: events.Body) -> None:
    told = notice_of(body)
    assert told is not None
    assert told.text.endswith(".")


@pytest.mark.parametrize(
    "body",
    [
        events.BatteryMeasured(5000, 90, events.BATTERY_USB),
        events.FaultFound(events.FAULT_READER_RESET, 0),
        events.ModuleNoticed(1, events.MODULE_REBOOTED),
        events.ButtonPressed(events.PRESS_SHORT),
        events.Booted(events.DEEP_SLEEP, 0, 1, 0),
        events.Booted(events.WATCHDOG, 0, 1, 0),
    ],
)
def test_what_is_nobodys_business(body: events.Body) -> None:
    assert notice_of(body) is None


def test_every_kind_of_event_moves_the_cursor() -> None:
    hands = Hands().start()
    for body in (events.ButtonPressed(1), events.PairingWindow(0), events.TopologyChanged(1), events.FaultFound(99, 0)):
        hands.event(body)
        cursor = hands.session.cursor
        assert cursor is not None
        assert cursor.sequence == hands.sequence


def test_an_arc_in_safe_mode_tells_players_what_happened_and_what_to_do() -> None:
    hands = Hands().start()
    hands.event(events.Booted(events.WATCHDOG, 0, 1, 1))
    (text,) = [notice.text for notice in hands.table().notices if "ARC" in notice.text]
    assert "crashed five times" in text
    assert "switch it off and on" in text


def test_a_reader_of_an_unknown_kind_is_told_to_people() -> None:
    hands = Hands().start()
    hands.event(events.FaultFound(events.FAULT_READER_UNSURE, 0x12 << 8))
    assert any("reader chip" in notice.text for notice in hands.table().notices)


def test_the_battery_is_shown_and_its_weakness_told() -> None:
    hands = Hands().start()
    hands.event(events.BatteryMeasured(4300, 12, events.BATTERY_LOW))
    assert (hands.table().arc.battery_percent, hands.table().arc.battery_low) == (12, True)
    hands.event(events.BatteryMeasured(5000, 100, events.BATTERY_USB))
    assert (hands.table().arc.battery_percent, hands.table().arc.battery_low) == (100, False)
    assert is_low(events.BatteryMeasured(1, 1, events.BATTERY_EMPTY))


def test_a_code_decides_even_when_it_is_unknown() -> None:
    learned = {UID: "rations"}
    rules = SmallRules()
    known = look_up(rules, learned, CODE["ava"], UID)
    assert known is not None
    assert known.id == "ava"
    assert look_up(rules, learned, UNKNOWN_CODE, UID) is None
    by_uid = look_up(rules, learned, 0, UID)
    assert by_uid is not None
    assert by_uid.id == "rations"
    assert look_up(rules, learned, 0, b"\x04\x00\x00\x00") is None


def test_only_a_lasting_uid_without_a_code_can_be_learned() -> None:
    assert is_random(b"\x08\x01\x02\x03")
    assert not is_random(b"\x08\x01\x02\x03\x04\x05\x06")
    assert may_learn(0, UID)
    assert not may_learn(7, UID)
    assert not may_learn(0, b"\x08\x01\x02\x03")
    assert look_up(SmallRules(), {b"\x08\x01\x02\x03": "rations"}, 0, b"\x08\x01\x02\x03") is None


def test_labels_say_what_can_be_said() -> None:
    assert label(UNKNOWN_CODE, UID) == "Card number 6DMJ"
    assert label(0, UID) == "This tag"
    assert "phone" in label(0, b"\x08\x01\x02\x03")
