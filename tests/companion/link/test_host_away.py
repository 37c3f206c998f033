"""A tablet that is gone for an hour, in the world of faults: what the board's own flash holds all arrives; what it does not
hold is told as lost, and what lies on the table is right in either case."""

import pytest

from firmware.boards import arc_esp32s3 as board, timings
from firmware.drivers.flash_ring import SLOT
from tests.companion.link.app_host import AppHost
from tests.firmware.arc.fault_world import Faults, Making, Verdict, World

HOUR_S = 3_600
BLOCKS = dict(board.PARTITIONS)[board.EVENTS_PARTITION] // board.ERASE_BLOCK
HELD = (BLOCKS - 1) * board.ERASE_BLOCK // SLOT
CATCHING_UP_MS = 600_000
BEFORE = 20


def an_hour_away(seed: int, per_second: float, max_size: int) -> tuple[World, Verdict]:
    """Twenty events together, an hour apart with its events and power cuts, and together again."""
    faults = Faults(max_size=max_size, blocks=BLOCKS, block_size=board.ERASE_BLOCK, events=BEFORE, power_cut=0.0005)
    world = World(seed, Making(host=AppHost), faults)
    line = world.lines[0]
    while not line.store.epoch or world.board.number < BEFORE:
        world.come_and_go()
        world.misfortune()
        if world.board.number < BEFORE and world.rng.random() < faults.event:
            world.board.happen()
        world.step()
    line.disconnect()
    world.board.flash.power_up()
    for _ in range(int(HOUR_S * per_second)):
        world.now_ms += int(1_000 / per_second)
        world.misfortune()
        world.board.happen()
    world.calm_down(CATCHING_UP_MS)
    return world, world.judge(line)


def test_the_ring_is_the_boards() -> None:
    assert HELD == 1_920
    assert timings.RESEND_MAX_MS < 1_000 * HOUR_S


@pytest.mark.parametrize("max_size", [20, 244])
@pytest.mark.parametrize("seed", range(3))
def test_half_an_event_a_second_all_arrives(seed: int, max_size: int) -> None:
    world, verdict = an_hour_away(seed, 0.5, max_size)
    assert world.board.number >= BEFORE + HOUR_S // 2
    assert world.now_ms > 1_000 * HOUR_S
    assert verdict.is_clean, verdict
    assert not verdict.told_lost
    assert verdict.snapshots


@pytest.mark.parametrize("max_size", [20, 244])
@pytest.mark.parametrize("seed", range(3))
def test_an_event_a_second_is_more_than_is_held_and_the_loss_is_told(seed: int, max_size: int) -> None:
    world, verdict = an_hour_away(seed, 1, max_size)
    assert verdict.is_clean, verdict
    held = world.board.outbox.newest - world.board.outbox.oldest + 1
    assert HELD <= held <= HELD + board.ERASE_BLOCK // SLOT
    assert verdict.told_lost >= HOUR_S - held
    assert len(world.lines[0].store.entries) >= BEFORE / 2 + HELD - world.board.reboots
    assert verdict.snapshots
