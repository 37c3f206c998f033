"""The current to the modules: trips, retries, and the branch that holds the wire low."""

from firmware.boards import arc_esp32s3, timings
from firmware.bus.supply import FORGET_MS, LATER_MS, Branches, Fuse
from firmware.desk.wire_medium import Medium
from protocol import events
from tests.firmware.bus.play import Play, of_kind


class Power:
    """A board's power driver: an eFuse over `limit_ma`, and a switch for each port."""

    ports = 4

    def __init__(self) -> None:
        self.is_short = False
        self.on = True
        self.off_port = -1
        self.history: list[bool] = []
        self.medium: Medium | None = None
        self.bad_port = -1

    def is_tripped(self) -> bool:
        return self.on and self.is_short

    def set_on(self, is_on: bool) -> None:
        self.on = is_on
        self.history.append(is_on)

    def switch_off(self, port: int) -> None:
        self.off_port = port
        if self.medium is not None:
            self.medium.stuck_low = port != self.bad_port


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


def powered(count: int) -> tuple[Play, Power]:
    power = Power()
    play = Play(power=power)
    play.box(count)
    play.plug_tree(count)
    play.run_ms(1000)
    return play, power


def test_overcurrent_is_told_after_three_retries() -> None:
    play, power = powered(2)
    power.is_short = True
    told = play.run_ms(5_000)
    assert not of_kind(told, events.FaultFound)
    told = play.run_ms(6_000)
    assert of_kind(told, events.FaultFound) == [events.FaultFound(events.FAULT_BUS_OVERCURRENT, 4)]
    power.is_short = False
    play.run_ms(LATER_MS + 2000)
    assert power.on


def test_the_branch_that_holds_data_low_is_switched_off_and_named() -> None:
    play, power = powered(4)
    power.medium, power.bad_port = play.table.wire.medium, 1
    play.run_ms(4000)
    faults = [body for body in play.events if isinstance(body, events.FaultFound)]
    assert [(fault.code, fault.detail) for fault in faults] == [
        (events.FAULT_BUS_STUCK, 0),
        (events.FAULT_BUS_STUCK, 2),
    ], "first that it is stuck, then behind which port, counted from 1"
    assert power.off_port == 1


def test_limits_are_the_boards() -> None:
    assert (arc_esp32s3.LED_BUDGET_MA, arc_esp32s3.LED_MAX_MA) == (100, 4)
    assert (timings.BUS_CYCLE_MS, timings.MODULE_MISSED_POLLS, timings.MODULE_DETACHED_MS) == (250, 3, 1500)
