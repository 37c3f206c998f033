"""The folder of images: what is in it, and a sentence with a place and a way out for everything that is wrong with it."""

import os
from pathlib import Path

import pytest

from companion.updates import folder
from companion.updates.folder import ARC_FILE, MISSING, MODULE_FILE, default_folder, look_into
from protocol.update import BOARD_MODULE
from tests.firmware.update.model import image_of, make_program

PROGRAM = make_program("0.2.0")
ARC, MODULE = image_of(PROGRAM), image_of(PROGRAM, board=BOARD_MODULE)


def test_both_are_read_and_one_that_is_missing_does_not_hide_the_other(tmp_path: Path) -> None:
    (tmp_path / MODULE_FILE).write_bytes(MODULE.data)
    at_hand = look_into(tmp_path)
    assert at_hand.modules.version == (0, 2, 0)
    assert (at_hand.arc.image, at_hand.arc.trouble) == (None, MISSING.format(file=ARC_FILE, folder=tmp_path))
    (tmp_path / ARC_FILE).write_bytes(ARC.data)
    assert look_into(tmp_path).arc.version == (0, 2, 0)


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (b"", "it is empty"),
        (b"PK\x03\x04" + bytes(40), "it does not begin as an image of format 1"),
        (ARC.data[:5], "it ends too early"),
        (ARC.manifest[:-60], "it ends too early"),
        (ARC.manifest[:-1], "it ends too early"),
        (ARC.data[:-1], f"it has {len(ARC.data) - 1} bytes instead of {len(ARC.data)}"),
        (ARC.data[:-1] + b"?", "manifest.json in it is damaged"),
        (MODULE.data, "this firmware is for a module, not for an ARC"),
        (image_of(PROGRAM, board=7).data, "this firmware is for a board of kind 7, not for an ARC"),
    ],
)
def test_a_bad_file_is_told_with_its_place_and_what_to_do(tmp_path: Path, data: bytes, why: str) -> None:
    (tmp_path / ARC_FILE).write_bytes(data)
    trouble = look_into(tmp_path).arc.trouble
    assert trouble.startswith(f"{tmp_path / ARC_FILE} is no firmware that can be sent: {why}.")
    assert trouble.endswith("Copy it again, or make it anew with `make firmware`.")


def test_a_file_that_cannot_be_read_is_told(tmp_path: Path) -> None:
    (tmp_path / ARC_FILE).mkdir()
    assert look_into(tmp_path).arc.trouble == f"{tmp_path / ARC_FILE} cannot be read: Is a directory. Copy it again."


def test_a_pipe_that_nobody_writes_into_does_not_keep_a_game_waiting(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / ARC_FILE)
    assert "no firmware that can be sent: it is no file." in look_into(tmp_path).arc.trouble


def test_a_file_larger_than_any_firmware_is_not_read(tmp_path: Path) -> None:
    with (tmp_path / MODULE_FILE).open("wb") as film:
        film.truncate(1 << 43)  # more than any memory holds
    why = "it has 8,796,093,022,208 bytes, and no firmware has more than 524,288."
    assert why in look_into(tmp_path).modules.trouble


def test_the_folder_beside_the_store_comes_before_what_was_built(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store, built = tmp_path / "games.db", tmp_path / "built"
    monkeypatch.setattr(folder, "BUILT", built)
    assert default_folder(store) == tmp_path / "firmware"
    built.mkdir()
    assert default_folder(store) == built
    (tmp_path / "firmware").mkdir()
    assert default_folder(store) == tmp_path / "firmware"
