"""A module's program in its heap of 160 KiB, on the desk's shims: what it holds after start."""

import gc

HEAP = "160k"
SHIMS = True


def test_module_firmware_uses_at_most_half_of_the_heap():
    from firmware.module import main

    gc.collect()
    used = gc.mem_alloc()
    print("heap in use after import, bytes:", used)
    assert main.ModuleBoard is not None
    assert used <= 80 * 1024, used
