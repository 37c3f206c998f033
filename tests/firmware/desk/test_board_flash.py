"""A board's partitions as its shim asks for them, and power cuts that are planned across all of them."""

import json
import struct
from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest

from firmware.desk.board_flash import BoardFlash

PARTITIONS = (("events", 16 * 1024), ("settings", 8 * 1024))


def request(letter: str, partition: int = 0, block: int = 0, offset: int = 0, data: bytes = b"") -> bytes:
    return struct.pack("<HBBII", 10 + len(data), ord(letter), partition, block, offset) + data


@pytest.fixture
def make(tmp_path: Path) -> Callable[[list[str]], BoardFlash]:
    def flash(cuts: list[str]) -> BoardFlash:
        return BoardFlash(tmp_path, PARTITIONS, 4096, Random(1).randrange, lambda: cuts.append("cut"))

    return flash


def read(flash: BoardFlash, partition: int, offset: int, count: int) -> bytes:
    return flash.answer(request("r", partition, 0, offset, struct.pack("<H", count)))[2:]


def test_partitions_outlive_the_board(make: Callable[[list[str]], BoardFlash]) -> None:
    flash = make([])
    assert json.loads(flash.answer(request("l"))[2:]) == [["events", 4, 4096], ["settings", 2, 4096]]
    assert flash.answer(request("p", 1, 0, 100, b"hello")) == b"\0\0"
    assert read(flash, 1, 98, 9) == b"\xff\xffhello\xff\xff"
    flash.close()
    again = make([])
    assert read(again, 1, 100, 5) == b"hello"
    again.answer(request("e", 1, 0))
    assert read(again, 1, 100, 5) == b"\xff" * 5
    again.close()


def test_writing_without_an_offset_erases_the_block_first(make: Callable[[list[str]], BoardFlash]) -> None:
    flash = make([])
    flash.answer(request("p", 0, 1, 0, b"\0\0"))
    flash.answer(request("x", 0, 0, 4096, b"\x12" * 4096))
    assert flash.parts["events"].cells[4096:4098] == b"\x12\x12"
    flash.close()


def test_a_planned_cut_counts_the_operations_of_all_partitions(make: Callable[[list[str]], BoardFlash]) -> None:
    cuts: list[str] = []
    flash = make(cuts)
    flash.plan_cut(3)
    assert flash.answer(request("p", 0, 0, 0, b"one")) == b"\0\0"
    assert flash.answer(request("p", 1, 0, 0, b"two")) == b"\0\0"
    assert cuts == []
    assert flash.answer(request("e", 0, 0)) == b""
    assert flash.answer(request("r", 0, 0, 0, b"\1\0")) == b""
    assert cuts[0] == "cut"
    flash.power_up()
    assert read(flash, 1, 0, 3) == b"two"
    assert flash.answer(request("p", 0, 2, 0, b"more")) == b"\0\0"
    flash.close()
