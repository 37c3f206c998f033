"""Mutated commands on the interpreter, against everything behind the command table: nothing escapes, and the heap stays flat."""

import gc

from tests.firmware.arc.fuzzing import fuzz_session, fuzz_stranger

HEAP = "3m"
"""The models of flash, tag and files lie in it too; what counts is that it does not grow."""
TIMEOUT_S = 3_000
SLACK = 512
"""Bytes by which two looks may differ: what is under way then, a chunk that waits or a session's nonce."""
SHORT_SLACK = 2_048
"""The same in a short run of a session: files and log, in memory here, are as large as they become only after some 15,000 rounds."""


class Heap:
    """What is held, looked at every thousand rounds; the places for it are there from the start."""

    def __init__(self, rounds):
        self.levels = [0] * (rounds // 1_000)

    def look(self, number):
        gc.collect()
        self.levels[number // 1_000] = gc.mem_alloc()

    def assert_flat(self, slack):
        """The last half lies no higher than the first did at its highest, which has seen everything that is rare."""
        half = len(self.levels) // 2
        assert max(self.levels[half:]) <= max(self.levels[:half]) + slack, self.levels


def play(rounds, slack):
    heap = Heap(rounds)
    fuzz_session(1, rounds, heap.look)
    heap.assert_flat(slack)
    print("session, %d frames: heap %d … %d" % (rounds, min(heap.levels), max(heap.levels)))


def play_stranger(rounds, greets, seat_is_taken):
    heap = Heap(rounds)
    fuzz_stranger(2, rounds, heap.look, greets, seat_is_taken)
    heap.assert_flat(SLACK)
    print("stranger, %d frames: heap %d … %d" % (rounds, min(heap.levels), max(heap.levels)))


def test_no_bytes_of_a_tablet_in_session_do_harm_and_the_heap_stays():
    play(6_000, SHORT_SLACK)


def test_no_bytes_of_a_stranger_do_harm_and_the_heap_stays():
    play_stranger(5_000, True, True)


def test_soak_no_bytes_of_a_tablet_in_session_do_harm_and_the_heap_stays():
    play(1_000_000, SLACK)


def test_soak_no_bytes_of_a_stranger_do_harm_and_the_heap_stays():
    play_stranger(250_000, True, True)
    play_stranger(250_000, True, False)
