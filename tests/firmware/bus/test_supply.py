"""The current to the modules: trips, retries, and the branch that holds the wire low."""

from collections.abc import Callable

import pytest

from firmware.boards import arc_esp32s3, timings
from firmware.bus.supply import FORGET_MS, LATER_MS, RETRY_MS, Branches, Fuse
from firmware.desk.wire_virtual import BOOT_MS, Table
from firmware.drivers.bus_power import BusPower
from protocol import events
from protocol.lights import GREEN, STEADY, light
from tests.firmware.bus.play import Play, game_events, of_kind


class Pin:
    """A pin that tells when it is driven."""

    def __init__(self, changed: Callable[[], None] | None = None) -> None:
        self.level = 1
        self._changed = changed

    def value(self, level: int | None = None) -> int:
        if level is not None and level != self.level:
            self.level = level
            if self._changed:
                self._changed()
        return self.level

    def init(self, *, hold: bool) -> None:
        assert not hold, "the board does not sleep here"


class Adc:
    """The shunt's amplifier: 20 mA for each module that has current."""

    def __init__(self, table: Table) -> None:
        self._table = table

    def read_uv(self) -> int:
        return 20 * 2_500 * (len(self._table.wire.powered()) - 1)


class Board:
    """eFuse, port switches and shunt around the simulated wire. `is_short`: trips within a moment of being switched on.
    `bad_port`: the module there holds DATA low while it has current."""

    def __init__(self, table: Table) -> None:
        self.is_short = False
        self.bad_port = -1
        self.switched: list[tuple[int, int]] = []
        self._table = table
        self._plugged: dict[int, tuple[str, int]] = {}
        self.enable, self.fault = Pin(self._enable_changed), Pin()
        self.switches = [Pin(self._follow) for _ in range(4)]
        self.power = BusPower(self.enable, self.fault, self.switches, Adc(table), 2_500)

    def short(self, is_short: bool) -> None:
        self.is_short = is_short
        if is_short and self.enable.level:
            self.fault.level = 0
            self._follow()

    def hold_data(self, port: int) -> None:
        self.bad_port = port
        self._follow()

    def _enable_changed(self) -> None:
        self.switched.append((self._table.now_ms(), self.enable.level))
        self.fault.level = 0 if self.is_short and self.enable.level else 1
        self._follow()

    def _follow(self) -> None:
        """Modules without current lose all they know; with it they start."""
        wire = self._table.wire
        for port, switch in enumerate(self.switches):
            is_on = bool(switch.level and self.enable.level and self.fault.level)
            edges = wire.boards["arc"].edges
            if not is_on and port in edges:
                self._plugged[port] = edges[port]
                self._table.unplug_port("arc", port)
            elif is_on and port in self._plugged:
                self._table.plug("arc", port, *self._plugged.pop(port), boot_ms=BOOT_MS)
            if port == self.bad_port:
                wire.medium.stuck_low = is_on


def test_a_trip_is_retried_three_times_then_a_fault_and_later_again() -> None:
    fuse = Fuse()
    switched: list[tuple[int, bool]] = []
    for now_ms in range(0, 45_000, 250):
        is_on = fuse.step(now_ms, True)
        if not switched or switched[-1][1] != is_on:
            switched.append((now_ms, is_on))
    assert [at for at, is_on in switched if is_on] == [2000, 4250, 6500, 36_750]
    assert fuse.is_faulty


def test_a_single_trip_is_forgotten_after_a_minute() -> None:
    fuse = Fuse()
    fuse.step(0, True)
    for now_ms in range(250, FORGET_MS + 250, 250):
        fuse.step(now_ms, False)
    assert (fuse.trips, fuse.is_faulty) == (0, False)


def test_branches_are_tried_one_after_another_until_the_wire_is_free() -> None:
    branches = Branches(4)
    assert branches.step(0, False) == -1
    assert [branches.step(250 * turn, True) for turn in range(1, 4)] == [0, 1, 2]
    assert branches.step(1000, False) == 2
    assert branches.bad == 2
    assert branches.step(1000 + LATER_MS - 1, False) == 2
    assert branches.step(1000 + LATER_MS, False) == -1, "then it is tried again"


def test_a_wire_that_no_port_frees_leaves_all_ports_on_in_turn() -> None:
    branches = Branches(2)
    assert [branches.step(turn, True) for turn in range(5)] == [0, 1, -1, 0, 1]


def powered(count: int) -> tuple[Play, Board]:
    boards: list[Board] = []

    def make(table: Table) -> BusPower:
        boards.append(Board(table))
        return boards[0].power

    play = Play(make_power=make)
    play.box(count)
    play.plug_tree(count)
    play.run_ms(1000)
    play.events.clear()
    return play, boards[0]


def test_one_trip_costs_two_seconds_of_light_and_no_event_of_the_game() -> None:
    play, board = powered(6)
    instance = play.instance("m5")
    play.bus.set_light(instance, light(STEADY, GREEN))
    assert play.bus.statistics()["current_ma"] == 6 * 20
    board.short(True)
    play.run_ms(1_000)
    assert (board.enable.level, play.bus.statistics()["current_ma"]) == (0, 0)
    board.short(False)
    play.run_ms(6_000)
    (off_ms, _), (on_ms, _) = board.switched
    assert RETRY_MS <= on_ms - off_ms <= RETRY_MS + 250
    assert play.events == [
        events.ModuleNoticed(instance, events.MODULE_REBOOTED)
        for instance in (body.instance for body in play.events if isinstance(body, events.ModuleNoticed))
    ]
    assert len(play.events) == 6
    assert play.table.modules["m5"].light.byte == light(STEADY, GREEN)
    assert (play.bus.statistics()["trips"], play.bus.statistics()["current_ma"]) == (1, 120)


def test_overcurrent_is_told_after_three_retries_and_what_is_there_then_comes_back() -> None:
    play, board = powered(2)
    found = play.found()
    board.short(True)
    play.run_ms(5_000)
    assert play.events == []
    play.run_ms(60_000)
    assert play.events == [events.FaultFound(events.FAULT_BUS_OVERCURRENT, 4)], "once, and nobody is taken for gone"
    assert [level for _, level in board.switched[:8]] == [0, 1, 0, 1, 0, 1, 0, 1]
    play.events.clear()
    board.short(False)
    play.table.unplug("m1")
    board._plugged.pop(1, None)
    play.run_ms(LATER_MS + 6_000)
    assert board.enable.level == 1
    assert game_events(play.events) == [events.ModuleDetached(play.instance("m1"), events.DETACHED_ITSELF)]
    assert play.found() == found - {play.instance("m1")}


def test_the_branch_that_holds_data_low_is_switched_off_and_named() -> None:
    play, board = powered(4)
    board.hold_data(1)
    play.run_ms(4000)
    faults = [body for body in play.events if isinstance(body, events.FaultFound)]
    assert [(fault.code, fault.detail) for fault in faults] == [
        (events.FAULT_BUS_STUCK, 0),
        (events.FAULT_BUS_STUCK, 2),
    ], "first that it is stuck, then behind which port, counted from 1"
    assert [switch.level for switch in board.switches] == [1, 0, 1, 1]
    gone = {body.instance for body in game_events(play.events) if isinstance(body, events.ModuleDetached)}
    assert gone == {play.instance("m1")}, "the others lost their current for a cycle at most"
    assert {play.instance("m0"), play.instance("m2"), play.instance("m3")} == play.found()
    board.hold_data(-1)
    play.table.wire.medium.stuck_low = False
    play.run_ms(LATER_MS + 3_000)
    assert play.instance("m1") in play.found(), "tried again after half a minute"


def test_a_wire_that_nobody_frees_takes_no_module_away() -> None:
    play, board = powered(4)
    found = play.found()
    play.table.wire.medium.stuck_low = True
    play.run_ms(10_000)
    play.table.wire.medium.stuck_low = False
    play.run_ms(4_000)
    assert game_events(play.events) == []
    assert play.found() == found
    assert play.bus.statistics()["trips"] == 0
    assert [switch.level for switch in board.switches] == [1, 1, 1, 1]


@pytest.mark.parametrize("missing", ["_enable", "_fault", "_ports", "_sense", "all"])
def test_a_board_that_lacks_a_part_finds_and_lights_modules_all_the_same(missing: str) -> None:
    play, board = powered(4)
    for name in ("_enable", "_fault", "_ports", "_sense") if missing == "all" else (missing,):
        setattr(board.power, name, [] if name == "_ports" else None)
    board.power.ports = len(board.power._ports)
    play.start_arc(9)
    play.events.clear()
    play.run_ms(3_000)
    assert len(play.found()) == 4
    assert of_kind(play.events, events.FaultFound) == []
    board.short(True)
    play.run_ms(1_000)
    assert board.enable.level == (1 if missing in ("_enable", "_fault", "all") else 0)


def test_limits_are_the_boards() -> None:
    assert (arc_esp32s3.LED_BUDGET_MA, arc_esp32s3.LED_MAX_MA) == (100, 4)
    assert (timings.BUS_CYCLE_MS, timings.MODULE_MISSED_POLLS, timings.MODULE_DETACHED_MS) == (250, 3, 1500)
