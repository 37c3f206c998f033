"""Runs on MicroPython in the place of `tempfile`. Whoever starts the interpreter gives it a folder and clears it away."""

import os

_count = 0


class TemporaryDirectory:
    """A new folder within the one the process was started in."""

    def __init__(self) -> None:
        global _count
        _count += 1
        self.name = os.getcwd() + "/" + str(_count)
        os.mkdir(self.name)

    def __enter__(self) -> str:
        return self.name

    def __exit__(self, *_error) -> None:
        pass
