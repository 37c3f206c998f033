"""Type and salt of a module: two copies, one of them whole at any instant."""

import struct
import tempfile
from binascii import crc32
from pathlib import Path

import pytest
from hypothesis import given, strategies as st

from firmware.bus.words import instance_of
from firmware.module.settings import FILES, Settings, good_salt, read_settings, write_settings


def held(folder: str) -> tuple[int, int] | None:
    settings = read_settings(folder)
    return None if settings is None else (settings.type_id, settings.salt)


def test_none_until_written(tmp_path: Path) -> None:
    folder = f"{tmp_path}/"
    assert read_settings(folder) is None
    for salt in range(5):
        write_settings(folder, Settings(12, salt))
        assert held(folder) == (12, salt)
    assert sorted(path.name for path in tmp_path.iterdir()) == list(FILES)


@pytest.mark.parametrize("writes", [1, 2, 3])
@pytest.mark.parametrize("kept", range(16))
def test_a_torn_write_leaves_the_settings_before_it(tmp_path: Path, writes: int, kept: int) -> None:
    folder = f"{tmp_path}/"
    for salt in range(writes):
        write_settings(folder, Settings(7, salt))
    write_settings(folder, Settings(7, 99))
    newest = tmp_path / FILES[writes % 2]
    newest.write_bytes(newest.read_bytes()[: min(kept, len(newest.read_bytes()) - 1)])
    assert held(folder) == (7, writes - 1)
    write_settings(folder, Settings(8, 5))
    assert held(folder) == (8, 5)


@given(st.integers(0, 11), st.integers(1, 255))
def test_a_damaged_copy_does_not_count(at: int, damage: int) -> None:
    with tempfile.TemporaryDirectory() as name:
        write_settings(f"{name}/", Settings(7, 1))
        path = Path(name) / FILES[0]
        data = bytearray(path.read_bytes())
        data[at] ^= damage
        path.write_bytes(data)
        assert read_settings(f"{name}/") is None


def test_counters_may_wrap(tmp_path: Path) -> None:
    folder = f"{tmp_path}/"
    for index, counter in ((0, 0xFFFF), (1, 0xFFFE)):
        data = struct.pack("<HBHI", counter, 1, 1, counter)
        (tmp_path / FILES[index]).write_bytes(data + struct.pack("<I", crc32(data)))
    assert held(folder) == (1, 0xFFFF)
    write_settings(folder, Settings(1, 7))
    assert held(folder) == (1, 7)


def test_a_salt_never_makes_an_instance_that_events_take_for_the_arc() -> None:
    chip, bad = b"12345678", 0x43CA20B2
    assert instance_of(chip, bad) == 0xAB000000
    drawn = iter([bad, bad, 5])
    assert good_salt(chip, lambda: next(drawn)) == 5
