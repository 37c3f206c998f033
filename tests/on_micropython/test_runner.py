"""The runner sits its own exam: this really is MicroPython, with the heap and the path the docstring promises."""

import gc
import sys

HEAP = "160k"


def test_this_is_micropython():
    assert sys.implementation.name == "micropython"


def test_heap_is_the_one_asked_for():
    assert 150_000 < gc.mem_free() + gc.mem_alloc() <= 160 * 1024


def test_repository_is_on_the_path():
    from protocol import crc

    assert crc.crc16(b"123456789") == 0x29B1


async def test_coroutines_run_to_their_end():
    import asyncio

    done = []

    async def work():
        await asyncio.sleep(0)
        done.append(1)

    await asyncio.gather(work(), work())
    assert done == [1, 1]
