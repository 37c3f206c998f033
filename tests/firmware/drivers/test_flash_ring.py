"""The flash ring against a flash that loses power in any operation."""

import random
from collections.abc import Callable

import pytest
from hypothesis import given, strategies as st

from firmware.desk.chips.flash import Flash, PowerCut
from firmware.drivers.flash_ring import MAX_RECORD, FlashRing
from tests.firmware.drivers.bad_flash import spoil

BLOCK, BLOCKS = 128, 4  # four slots a block, so that every kind of operation comes soon


def make_flash(seed: int = 0) -> Flash:
    return Flash(BLOCK * BLOCKS, BLOCK, random.Random(seed).randrange)


def record_for(sequence: int) -> bytes:
    return bytes((sequence * 7 + i) & 0xFF for i in range(1 + sequence % MAX_RECORD))


def held(ring: FlashRing) -> dict[int, bytes]:
    found = {}
    buffer = bytearray(MAX_RECORD)
    for sequence in range(ring.oldest, ring.newest + 1):
        length = ring.read(sequence, buffer)
        assert length, f"sequence {sequence} of {ring.oldest} to {ring.newest} is not readable"
        found[sequence] = bytes(buffer[:length])
    return found


def append(ring: FlashRing, count: int) -> None:
    for _ in range(count):
        ring.append(ring.newest + 1, record_for(ring.newest + 1))


def test_an_empty_ring_holds_nothing() -> None:
    ring = FlashRing(make_flash())
    assert (ring.oldest, ring.newest, held(ring)) == (1, 0, {})


def test_records_come_back_after_a_restart() -> None:
    flash = make_flash()
    append(FlashRing(flash), 6)
    ring = FlashRing(flash)
    assert held(ring) == {s: record_for(s) for s in range(1, 7)}


@pytest.mark.parametrize("count", range(1, 40))
def test_the_newest_records_are_held_and_nothing_is_programmed_twice(count: int) -> None:
    flash = make_flash()
    append(FlashRing(flash), count)
    ring = FlashRing(flash)
    assert ring.newest == count
    assert count - ring.oldest + 1 >= min(count, ring.capacity)
    assert held(ring) == {s: record_for(s) for s in range(ring.oldest, count + 1)}
    assert flash.dirty_programs == 0


def test_blocks_wear_evenly_and_one_erase_serves_a_whole_block() -> None:
    flash = make_flash()
    append(FlashRing(flash), 400)
    assert sum(flash.erases) == 400 // (BLOCK // 32)
    assert max(flash.erases) - min(flash.erases) <= 1


def test_a_restart_costs_no_slot() -> None:
    flash = make_flash()
    for _ in range(200):
        append(FlashRing(flash), 1)
    assert sum(flash.erases) == 200 // (BLOCK // 32)


def test_the_last_record_of_a_block_goes_with_it() -> None:
    flash = make_flash()
    append(FlashRing(flash), 8)
    flash.cells[32:64] = bytes(32)
    ring = FlashRing(flash)
    assert (ring.oldest, ring.newest) == (3, 8)
    append(ring, 8)
    assert sorted(held(ring)) == list(range(ring.oldest, 17))


def test_preparing_moves_the_erase_out_of_the_append() -> None:
    flash = make_flash()
    ring = FlashRing(flash)
    append(ring, 3)
    assert ring.prepare_next()
    assert not ring.prepare_next()
    erased = sum(flash.erases)
    append(ring, 2)
    assert sum(flash.erases) == erased
    assert held(FlashRing(flash)) == {s: record_for(s) for s in range(1, 6)}


def test_preparing_tells_which_records_it_dropped() -> None:
    ring = FlashRing(make_flash())
    append(ring, 15)
    assert ring.oldest == 1
    ring.prepare_next()
    assert ring.oldest == 5
    assert sorted(held(ring)) == list(range(5, 16))


def test_a_block_that_cannot_be_erased_ahead_is_told_by_the_record_that_needs_it() -> None:
    flash = make_flash()
    ring = FlashRing(flash)
    append(ring, 3)

    def fail(number: int) -> None:
        raise OSError(5)

    flash._erase, erase = fail, flash._erase  # type: ignore[method-assign]
    assert not ring.prepare_next()
    append(ring, 1)
    with pytest.raises(OSError, match="5"):
        append(ring, 1)
    flash._erase = erase  # type: ignore[method-assign]
    append(ring, 1)
    assert held(FlashRing(flash)) == {s: record_for(s) for s in range(1, 6)}


def test_a_wrong_sequence_or_length_is_refused_and_changes_nothing() -> None:
    flash = make_flash()
    ring = FlashRing(flash)
    append(ring, 2)
    before = bytes(flash.cells)
    for sequence, record in ((2, b"x"), (4, b"x"), (3, b""), (3, bytes(21))):
        with pytest.raises(ValueError, match=r"sequence|bytes"):
            ring.append(sequence, record)
    assert bytes(flash.cells) == before


def test_a_cell_that_does_not_take_the_bits_costs_a_slot_and_no_record() -> None:
    flash = make_flash()
    ring = FlashRing(flash)
    append(ring, 1)
    flash.cells[40] = 0
    append(ring, 1)
    assert ring.torn_slots == 1
    assert held(FlashRing(flash)) == {1: record_for(1), 2: record_for(2)}


def test_a_flash_that_takes_nothing_is_an_error_and_the_record_is_not_held() -> None:
    flash = make_flash()
    ring = FlashRing(flash)
    append(ring, 1)
    flash._program = lambda at, data: None  # type: ignore[method-assign]
    with pytest.raises(OSError, match="5"):
        ring.append(2, b"gone")
    assert ring.newest == 1


@pytest.mark.parametrize("restarts", [False, True])
@pytest.mark.parametrize("block", range(BLOCKS))
@pytest.mark.parametrize("what", ["program", "refuse", "erase"])
def test_a_block_that_fails_costs_room_and_no_record(what: str, block: int, restarts: bool) -> None:
    flash = make_flash()
    ring = FlashRing(flash)
    append(ring, 9)
    spoil(flash, block, what)
    for count in range(10, 60):
        append(ring, 1)
        if restarts:
            ring = FlashRing(flash)
        assert ring.newest == count
        assert len(held(ring)) >= ring.capacity - 2 * (BLOCK // 32) + 1
        if count % 3 == 0:
            ring.prepare_next()
    assert held(FlashRing(flash)) == {s: record_for(s) for s in range(FlashRing(flash).oldest, 60)}


def test_a_flash_that_fails_as_a_whole_is_not_emptied_by_trying() -> None:
    flash = Flash(8 * 4096, 4096)
    ring = FlashRing(flash)
    append(ring, 1_000)
    before = ring.newest - ring.oldest
    program, flash._program = flash._program, lambda at, data: None  # type: ignore[method-assign]
    for _ in range(30):
        with pytest.raises(OSError, match="5"):
            append(ring, 1)
    flash._program = program  # type: ignore[method-assign]
    append(ring, 1)
    assert ring.newest == 1_001
    assert ring.newest - ring.oldest >= before - 4096 // 32


@pytest.mark.parametrize("seed", range(60))
def test_power_cuts_on_a_flash_with_a_failed_block_lose_nothing_that_was_written(seed: int) -> None:
    rng = random.Random(seed)
    flash = Flash(6 * BLOCK, BLOCK, rng.randrange)
    ring = FlashRing(flash)
    append(ring, rng.randrange(30))
    spoil(flash, rng.randrange(6), rng.choice(["program", "erase"]))
    for _ in range(6):
        flash.cut_at = 1 + rng.randrange(40)
        done = append_until_cut(ring, 40)
        flash.power_up()
        ring = FlashRing(flash)
        assert ring.newest in (done, done + 1)
        assert held(ring) == {s: record_for(s) for s in range(ring.oldest, ring.newest + 1)}


def test_a_record_spoilt_in_the_middle_ends_the_run_there() -> None:
    flash = make_flash()
    append(FlashRing(flash), 6)
    flash.cells[2 * 32 + 8] ^= 0x10
    ring = FlashRing(flash)
    assert (ring.oldest, ring.newest) == (4, 6)
    assert ring.read(2, bytearray(20)) == 0


def test_failed_cells_far_behind_the_head_are_a_gap_and_a_torn_erase_is_none() -> None:
    flash = make_flash()
    append(FlashRing(flash), 14)
    assert not FlashRing(flash).has_gap
    flash.cells[BLOCK + 40] ^= 1
    ring = FlashRing(flash)
    assert ring.has_gap
    assert (ring.oldest, ring.newest) == (7, 14)


@pytest.mark.parametrize("seed", range(40))
def test_power_cuts_alone_never_look_like_failed_cells(seed: int) -> None:
    rng = random.Random(seed)
    flash = Flash(BLOCK * BLOCKS, BLOCK, rng.randrange)
    for _ in range(12):
        ring = FlashRing(flash)
        assert not ring.has_gap
        flash.cut_at = 1 + rng.randrange(14)
        append_until_cut(ring, 30)
        flash.power_up()


def survive(flash: Flash, done: int, rng: random.Random) -> FlashRing:
    """Power up and check the promise: everything up to `done` that the ring had room for, and at most one record more."""
    flash.power_up()
    ring = FlashRing(flash)
    assert ring.newest in (done, done + 1)
    records = held(ring)
    assert records == {s: record_for(s) for s in records}
    # One block may be away for erasing, and torn slots take room; the block behind the head is the only one ever erased.
    assert len(records) >= min(ring.newest, ring.capacity - BLOCK // 32 - ring.torn_slots)
    return ring


def append_until_cut(ring: FlashRing, limit: int) -> int:
    """The newest sequence whose append returned."""
    done = ring.newest
    try:
        for _ in range(limit):
            append(ring, 1)
            done = ring.newest
            if done % 3 == 0:
                ring.prepare_next()
    except PowerCut:
        pass
    return done


@pytest.mark.parametrize("seed", range(4))
def test_a_cut_at_every_operation_loses_nothing_that_was_written(seed: int) -> None:
    for cut_at in range(1, 75):
        rng = random.Random(seed * 1000 + cut_at)
        flash = Flash(BLOCK * BLOCKS, BLOCK, rng.randrange)
        ring = FlashRing(flash)
        flash.cut_at = cut_at
        done = append_until_cut(ring, 60)
        ring = survive(flash, done, rng)
        append(ring, 20)
        survive(flash, ring.newest, rng)
        assert flash.dirty_programs == 0


def cut_twice(seed: int) -> None:
    rng = random.Random(seed)
    flash = Flash(BLOCK * BLOCKS, BLOCK, rng.randrange)
    ring = FlashRing(flash)
    for _ in range(2):
        flash.cut_at = 1 + rng.randrange(30)
        done = append_until_cut(ring, 40)
        ring = survive(flash, done, rng)
    append(ring, 20)
    survive(flash, ring.newest, rng)
    assert flash.dirty_programs == 0


@pytest.mark.parametrize("seed", range(300))
def test_two_cuts(seed: int) -> None:
    cut_twice(seed)


@pytest.mark.soak
def test_two_cuts_soak() -> None:
    for seed in range(20_000):
        cut_twice(seed)


@given(st.binary(max_size=BLOCK * BLOCKS), st.integers(1, 5))
def test_any_garbage_in_the_flash_is_read_without_harm_and_written_over(garbage: bytes, count: int) -> None:
    flash = make_flash()
    flash.cells[: len(garbage)] = garbage
    ring = FlashRing(flash)
    append(ring, count)
    assert len(held(FlashRing(flash))) >= count


@pytest.mark.parametrize("build", [lambda: Flash(BLOCK, BLOCK), lambda: Flash(64, 16)])
def test_a_device_too_small_for_a_ring_is_refused(build: Callable[[], Flash]) -> None:
    with pytest.raises(ValueError, match="two erase blocks"):
        FlashRing(build())
