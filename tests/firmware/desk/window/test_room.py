"""The hand on the drawn table: what a tap, a drag, a wheel and a second finger do. The window is laid out, never drawn."""

from collections.abc import Iterator
from typing import Any

import pytest

from companion import catalog
from firmware.desk.things import Tray
from firmware.desk.window.hands import Hands
from firmware.desk.window.places import Loop, Spot
from firmware.desk.window.scene import Scene

pytestmark = pytest.mark.screens
SIZE = (1280, 800)
STATE = {
    "roof": [],
    "beeps": 0,
    "battery_mv": 5600,
    "boards": {"arc": {"is_on": True, "light": [0, 0, 0]}},
    "plugs": [],
}


class ToldHands(Hands):
    """Keeps what it was told to do; there is no desk."""

    def __init__(self) -> None:
        self.did: list[tuple[object, ...]] = []

    def lay(self, thing: str) -> None:
        self.did.append(("lay", thing))

    def take(self, thing: str) -> None:
        self.did.append(("take", thing))

    def swipe(self, thing: str) -> None:
        self.did.append(("swipe", thing))

    def plug(self, module: str, spot: Spot | None) -> None:
        self.did.append(("plug", module, spot and (spot.board, spot.port)))

    def pull(self, module: str) -> None:
        self.did.append(("pull", module))

    def set_battery(self, level_mv: int) -> None:
        self.did.append(("battery", level_mv))

    def switch(self, is_on: bool) -> None:
        self.did.append(("switch", is_on))

    def hold_button(self, is_down: bool) -> None:
        self.did.append(("hold", is_down))

    def close_loop(self, loop: Loop) -> None:
        self.did.append(("close", loop.board, loop.other))


class Hand:
    """A finger or a mouse on the window; `at` are window points."""

    def __init__(self, room: Any, hands: ToldHands) -> None:
        self.room, self.did = room, hands.did

    def touch(self, at: tuple[float, float], button: str = "left") -> Any:
        from kivy.tests.common import UnitTestTouch

        touch = UnitTestTouch(*at)
        touch.profile = [*touch.profile, "button"]
        touch.button = button
        return touch

    def drag(self, touch: Any, *points: tuple[float, float]) -> None:
        touch.touch_down()
        for point in points:
            touch.touch_move(*point)

    def card(self, name: str) -> tuple[float, float]:
        tray = self.room.tray
        index = [item.name for item in tray._strip.items].index(name)
        from firmware.desk.window.tray import CARD_WIDTH

        return (index + 0.5) * (CARD_WIDTH + 10) + tray._strip.to_window(0, 0)[0], tray.y + 60

    def of(self, board_cell: tuple[int, int]) -> tuple[float, float]:
        x, y = self.room.table._centre(board_cell)
        return x, y


@pytest.fixture
def hand() -> Iterator[Hand]:
    from companion.screens.environment import prepare

    prepare(fps=0, touch=False)
    from kivy.clock import Clock
    from kivy.core.window import Window

    from firmware.desk.window import look
    from firmware.desk.window.app import Room

    look.register_fonts()
    tray = Tray(catalog.load())
    things = [
        {"name": thing.name, "kind": thing.kind, "title": thing.title, "code": thing.code, "colour": thing.colour}
        for thing in tray.things.values()
    ]
    modules = [
        {"name": name, "module": name, "title": name.title(), "type_id": number, "on_table": False}
        for number, name in enumerate(("solar", "tanks"), 1)
    ]
    scene, hands = Scene(), ToldHands()
    scene.load(dict(STATE), things, modules)
    Window.size = SIZE
    room = Room(scene, hands)
    Window.add_widget(room)
    for _ in range(8):
        Clock.tick()
    yield Hand(room, hands)
    Window.remove_widget(room)


def test_a_tap_swipes(hand: Hand) -> None:
    touch = hand.touch(hand.card("manager:carter"))
    touch.touch_down()
    touch.touch_up()
    assert hand.did == [("swipe", "manager:carter")]


@pytest.mark.parametrize("wheel", ["scrolldown", "scrollup", "scrollleft", "scrollright"])
def test_the_wheel_over_a_card_swipes_nothing(hand: Hand, wheel: str) -> None:
    touch = hand.touch(hand.card("manager:carter"), wheel)
    touch.touch_down()
    touch.touch_up()
    assert hand.did == []


def test_the_wheel_over_the_battery_changes_nothing(hand: Hand) -> None:
    battery = hand.room.panel._battery
    touch = hand.touch(battery.center, "scrolldown")
    touch.touch_down()
    touch.touch_up()
    assert hand.did == []


@pytest.mark.parametrize("name", ["manager:bloch", "manager:xu"])
def test_a_card_is_laid_from_anywhere_in_the_tray(hand: Hand, name: str) -> None:
    start, roof = hand.card(name), hand.of((0, 0))
    touch = hand.touch(start)
    steps = [(start[0] + (roof[0] - start[0]) * n / 20, start[1] + (roof[1] - start[1]) * n / 20) for n in range(1, 21)]
    hand.drag(touch, *steps)
    touch.touch_up()
    assert hand.did == [("lay", name)]


def test_sideways_in_the_tray_lays_and_swipes_nothing(hand: Hand) -> None:
    x, y = hand.card("manager:xu")
    touch = hand.touch((x, y))
    hand.drag(touch, (x - 60, y + 5), (x - 200, y + 10))
    touch.touch_up()
    assert hand.did == []


def test_a_second_finger_neither_drops_nor_moves_what_the_first_holds(hand: Hand) -> None:
    start, roof = hand.card("manager:gore"), hand.of((0, 0))
    first, second = hand.touch(start), hand.touch(hand.card("manager:chen"))
    hand.drag(first, (start[0], start[1] + 100), roof)
    second.touch_down()
    second.touch_move(start[0], start[1] + 20)
    second.touch_up()
    assert hand.did == [("lay", "manager:gore")]
    first.touch_move(start[0], start[1] + 100)
    first.touch_up()
    assert hand.did == [("lay", "manager:gore"), ("take", "manager:gore")]


def plugged(hand: Hand, *plugs: list[object]) -> None:
    """As the desk tells it."""
    from kivy.clock import Clock

    hand.room.table._scene.change({"change": "plugs", "plugs": list(plugs)})
    hand.room.refresh()
    for _ in range(3):
        Clock.tick()


def test_a_miniature_is_dragged_to_a_port(hand: Hand) -> None:
    hand.room.tray.open("Modules")
    start, port = hand.card("tanks"), hand.of((1, 0))
    touch = hand.touch(start)
    hand.drag(touch, (start[0], start[1] + 120), port)
    assert hand.room.table.offer
    assert (hand.room.table.near.board, hand.room.table.near.port) == ("arc", 1)
    assert hand.did == []
    touch.touch_up()
    assert hand.did == [("plug", "tanks", ("arc", 1))]
    assert not hand.room.table.offer


def test_a_miniature_let_go_beside_every_port_stays_in_the_box(hand: Hand) -> None:
    hand.room.tray.open("Modules")
    start = hand.card("tanks")
    touch = hand.touch(start)
    hand.drag(touch, (start[0], start[1] + 120), (40, 760))
    touch.touch_up()
    assert hand.did == []


def test_a_tapped_miniature_takes_any_port(hand: Hand) -> None:
    hand.room.tray.open("Modules")
    touch = hand.touch(hand.card("solar"))
    touch.touch_down()
    touch.touch_up()
    assert hand.did == [("plug", "solar", None)]


def test_a_miniature_is_pulled_or_moved_to_another_port(hand: Hand) -> None:
    plugged(hand, ["arc", 0, "solar", 0])
    at, corner = hand.of((0, 1)), (40, 760)
    touch = hand.touch(at)
    hand.drag(touch, (at[0] - 60, at[1]), corner)
    touch.touch_up()
    assert hand.did == [("pull", "solar")]
    touch = hand.touch(at)
    hand.drag(touch, (at[0] + 60, at[1]), hand.of((1, 0)))
    touch.touch_up()
    assert hand.did[1:] == [("plug", "solar", ("arc", 1))]


def test_a_loop_is_closed_between_neighbours(hand: Hand) -> None:
    plugged(hand, ["arc", 0, "solar", 0], ["arc", 1, "dome", 0], ["solar", 3, "tanks", 0], ["solar", 1, "well", 0])
    (loop,) = [one for one in hand.room.table._scene.loops if "dome" in (one.board, one.other)]
    touch = hand.touch(hand.room.table._between(loop))
    touch.touch_down()
    touch.touch_up()
    assert hand.did == [("close", loop.board, loop.other)]


def test_the_plug_is_pulled_and_the_button_pressed(hand: Hand) -> None:
    hand.room.panel._button.min_state_time = 0
    for key in (hand.room.panel._power, hand.room.panel._button):
        touch = hand.touch(key.center)
        touch.touch_down()
        touch.touch_up()
    assert hand.did == [("switch", False), ("hold", True), ("hold", False)]


def test_a_finger_that_slides_off_the_button_has_let_it_go(hand: Hand) -> None:
    hand.room.panel._button.min_state_time = 0
    touch = hand.touch(hand.room.panel._button.center)
    touch.touch_down()
    touch.touch_move(0, 0)
    touch.touch_up()
    assert hand.did == [("hold", True), ("hold", False)]


def test_a_card_taken_from_the_roof(hand: Hand) -> None:
    hand.room.table._scene.change({"change": "roof", "things": ["manager:gore"]})
    roof = hand.of((0, 0))
    touch = hand.touch(roof)
    hand.drag(touch, (roof[0] + 40, roof[1]), (60, 700))
    touch.touch_up()
    assert hand.did == [("take", "manager:gore")]
