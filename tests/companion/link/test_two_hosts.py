"""Two paired tablets and one ARC in the world of faults: one has the session, the other is told so and takes over when it is free."""

import pytest

from companion.link.reasons import Reason
from tests.companion.link.app_host import AppHost
from tests.firmware.arc.fault_line import STEP_MS, Line
from tests.firmware.arc.fault_world import Faults, Making, World

SAMPLE = 40
TAKE_OVER_MS = 5_000
STEADY = Faults(disconnect=0, power_cut=0, host_crash=0, loss=0, command_loss=0)
"""Nothing that would end the first tablet's session by itself."""


def host_of(line: Line) -> AppHost:
    assert isinstance(line.host, AppHost)
    return line.host


def play(world: World, events: int) -> None:
    """So many further events, both tablets there or coming back."""
    until = world.board.number + events
    while world.board.number < until:
        world.come_and_go()
        world.misfortune()
        if world.rng.random() < world.faults.event:
            world.board.happen()
        world.step()


def sit_down(world: World, line: Line) -> None:
    """Until this tablet has the session."""
    until = world.now_ms + TAKE_OVER_MS
    while not host_of(line).connection.is_resumed:
        assert world.now_ms < until, f"no session within {TAKE_OVER_MS} ms"
        if not line.is_connected:
            line.connect(world.now_ms)
        world.step()


@pytest.mark.parametrize("seed", range(SAMPLE))
def test_the_second_is_told_in_use_throughout_and_takes_over_when_the_first_is_gone(seed: int) -> None:
    world = World(seed, Making(host=AppHost), STEADY, hosts=2)
    first, second = world.lines
    sit_down(world, first)
    play(world, 30)
    refused = host_of(second).refused
    assert len(refused) > 5
    assert set(refused) == {Reason.IN_USE}
    assert not second.store.entries
    sit_down(world, first)  # it may just be asking anew, after a gap
    assert second.link.resumes == 0

    first.disconnect()
    sit_down(world, second)
    for line in (first, second):
        line.to_host.calm = line.to_board.calm = True
    until = world.now_ms + 60_000
    while not second.has_all():
        assert world.now_ms < until
        world.step()
    first.connect(world.now_ms)
    while not host_of(first).refused:
        world.step()
    assert host_of(first).refused[-1] is Reason.IN_USE, "now it is the other way round"

    world.calm_down()
    for line in world.lines:
        verdict = world.judge(line)
        assert verdict.is_clean, verdict
        assert not verdict.told_lost


@pytest.mark.parametrize("seed", range(SAMPLE))
def test_whoever_holds_the_session_both_have_everything_in_the_end(seed: int) -> None:
    both_in_the_end(seed)


@pytest.mark.soak
@pytest.mark.parametrize("part", range(4))
def test_whoever_holds_the_session_both_have_everything_in_the_end_soak(part: int) -> None:
    for seed in range(1_000 + part * 1_000, 2_000 + part * 1_000):
        both_in_the_end(seed)


def both_in_the_end(seed: int) -> None:
    """They drop, crash and find the board rebooted; each time the seat goes to whoever comes first."""
    world = World(seed, Making(host=AppHost), Faults(max_size=(20, 60, 244)[seed % 3], loss=0.1), hosts=2)
    play(world, 40)
    world.calm_down()
    for line in world.lines:
        verdict = world.judge(line)
        assert verdict.is_clean, (seed, verdict)
        assert not verdict.told_lost


def test_in_that_sample_the_seat_changes_hands() -> None:
    """Else the test above would be about one tablet."""
    both = 0
    for seed in range(SAMPLE):
        world = World(seed, Making(host=AppHost), Faults(loss=0.1), hosts=2)
        play(world, 40)
        both += all(line.store.entries for line in world.lines)
    assert both > SAMPLE / 2


def test_a_step_is_short_beside_what_is_waited_for() -> None:
    assert TAKE_OVER_MS > 50 * STEP_MS
