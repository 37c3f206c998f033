"""Runs on MicroPython in the place of `pathlib`: as much of a path as the tests use."""

import os


class Path:
    def __init__(self, path) -> None:
        self._path = str(path)

    def __str__(self) -> str:
        return self._path

    def __truediv__(self, name: str) -> "Path":
        return Path(self._path + "/" + name)

    @property
    def name(self) -> str:
        return self._path.split("/")[-1]

    def iterdir(self) -> "list[Path]":
        return [self / name for name in os.listdir(self._path)]

    def read_bytes(self) -> bytes:
        with open(self._path, "rb") as file:
            return file.read()

    def write_bytes(self, data: bytes) -> None:
        with open(self._path, "wb") as file:
            file.write(data)
