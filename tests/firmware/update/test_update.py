"""An image becomes the other folder; everything that is not one is refused and changes nothing that runs."""

import shutil
from pathlib import Path

import pytest

from firmware.flash.program import MANIFEST
from firmware.update.writing import SPARE_BLOCKS
from protocol.messages import MALFORMED, NO_SPACE, UNSUPPORTED, WRITE_FAILED, WRONG_MAC
from protocol.update import (
    BOARD_MODULE,
    LAST_FILE,
    MAX_IMAGE,
    MAX_MANIFEST,
    ImageHead,
    digest_of,
    pack_entry,
    update_mac,
)
from protocol.update_image import Image
from tests.firmware.update.model import MPY, TOKEN, World, boot, image_of, install, make_program, powered

OLD, NEW = make_program("0.1.0"), make_program("0.2.0")


@pytest.fixture
def world(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> World:
    monkeypatch.chdir(tmp_path)
    return powered(OLD, image_of(NEW))


def made_by_hand(*names: str, size: int = 0) -> Image:
    rows = [(name, size, digest_of(bytes(size))) for name in names]
    head = ImageHead(1, (0, 2, 0), MPY, len(rows))
    manifest = head.pack() + b"".join(pack_entry(length, digest, name) for name, length, digest in rows)
    return Image(head, rows, manifest, bytes(size * len(rows)))


@pytest.mark.parametrize("chunk", [1, 7, 100, 238, 5_000])
def test_the_new_firmware_runs_after_the_switch_whatever_the_chunks(world: World, chunk: int) -> None:
    world.chunk = chunk
    assert world.send() == 0
    assert boot() == ("a", OLD.version)
    assert world.commit() == 0
    assert world.update.is_switched
    assert world.power_on() == ("b", NEW.version)
    assert not list(Path().glob("update.*"))


def test_what_only_an_earlier_firmware_had_goes_before_the_switch(world: World) -> None:
    """In the folder that is written; the one that runs is as it was."""
    before = sorted(Path("a").rglob("*"))
    for name in (
        "b/firmware/gone.mpy",
        "b/firmware/part0/file/__init__.mpy",
        "b/old/deep/er.mpy",
        "b/firmware/part1/note.txt",
    ):
        Path(name).parent.mkdir(parents=True, exist_ok=True)
        Path(name).write_text("of an earlier firmware")
    assert world.update_all() == 0
    assert world.power_on() == ("b", NEW.version)
    assert {str(path) for path in Path("b").rglob("*") if path.is_file()} == {
        f"b/{name}" for name in (*NEW.files, MANIFEST)
    }
    assert [path for path in Path("b").rglob("*") if path.is_dir() and not any(path.iterdir())] == []
    assert sorted(Path("a").rglob("*")) == before


def test_between_the_switch_and_the_restart_no_other_image_is_taken(world: World) -> None:
    """It would be written over what runs next."""
    assert world.update_all() == 0
    before = world.disk.operations
    world.image = image_of(make_program("0.3.0"))
    assert world.begin() == -UNSUPPORTED
    assert world.disk.operations == before
    assert world.power_on() == ("b", NEW.version)


def test_the_next_update_goes_into_the_first_folder_again(world: World) -> None:
    assert world.update_all() == 0
    world.power_on()
    world.trial.passed()
    third = make_program("0.3.0")
    world.image = image_of(third)
    assert world.update_all() == 0
    assert world.power_on() == ("a", third.version)


def test_a_commit_reads_back_a_part_at_a_time(world: World) -> None:
    world.image = image_of(make_program("0.2.0", sizes=(3_000,) * 6))
    world.chunk = 1_000
    assert world.send() == 0
    left = [world.update.commit() for _ in range(4)]
    assert left == [b"\x05\0", b"\x03\0", b"\x01\0", b"\0\0"]


def test_after_a_lost_link_it_goes_on_at_the_file_that_was_under_way(world: World) -> None:
    manifest = len(world.image.manifest)
    first = world.image.rows[0][1]
    world.chunk = 10
    assert world.send(until=manifest + first + 10) == 0
    assert world.begin() == manifest + first
    world.power_on()
    assert world.begin() == manifest + first
    assert world.update_all() == 0
    assert world.power_on() == ("b", NEW.version)


def test_another_image_begins_from_nothing(world: World) -> None:
    assert world.send(until=len(world.image.manifest) + 700) == 0
    other = make_program("0.4.0")
    world.image = image_of(other)
    assert world.begin() == 0
    assert world.update_all() == 0
    assert world.power_on() == ("b", other.version)


def test_files_that_somebody_removed_meanwhile_are_sent_again(world: World) -> None:
    """The flash tool advises it when the board is full: `mpremote rm -r :b`."""
    world.send(until=len(world.image.data) - 300)
    shutil.rmtree("b")
    world.power_on()
    assert world.update_all() == WRITE_FAILED
    assert world.update_all() == 0
    assert boot() == ("b", NEW.version)


def test_after_a_flash_over_the_cable_it_begins_in_the_other_folder(world: World) -> None:
    """What was whole lies in the folder that runs now; the one that ran before is whole until it is begun with."""
    world.send(until=len(world.image.data) - 300)
    shutil.rmtree("b")
    install(make_program("0.1.1"), "b")
    assert world.power_on()[0] == "b"
    assert world.begin() == 0
    assert not Path("a", MANIFEST).exists()
    assert world.update_all() == 0
    assert boot() == ("a", NEW.version)


def test_a_signature_of_another_token_is_refused_before_anything_is_written(world: World) -> None:
    world.token = bytes(16)
    before = world.disk.operations
    assert world.begin() == -WRONG_MAC
    assert world.disk.operations == before


def test_a_tablet_forgotten_meanwhile_does_not_switch(world: World) -> None:
    assert world.send() == 0
    world.token = bytes(16)
    assert world.commit() == WRONG_MAC
    assert world.power_on() == ("a", OLD.version)


def test_a_manifest_changed_on_the_way_is_refused_before_the_first_file(world: World) -> None:
    manifest = len(world.image.manifest)
    assert world.begin() == 0
    bad = bytearray(world.image.manifest)
    bad[20] ^= 1
    assert world.update.add(0, bytes(bad)) == MALFORMED
    assert not Path("b").exists()
    assert world.update.add(manifest, b"x") == MALFORMED
    assert world.begin() == 0


def test_a_file_changed_on_the_way_or_in_flash_is_found_before_the_switch(world: World) -> None:
    assert world.send() == 0
    place = Path("b", world.image.rows[1][0])
    place.write_bytes(place.read_bytes()[:-1] + b"!")
    assert world.commit() == WRITE_FAILED
    assert world.power_on() == ("a", OLD.version)
    assert world.begin() == 0
    assert world.update_all() == 0
    assert world.power_on() == ("b", NEW.version)


def test_out_of_order_and_too_much_are_refused(world: World) -> None:
    assert world.update.add(0, b"x") == MALFORMED
    assert world.update.commit() == MALFORMED
    assert world.begin() == 0
    assert world.update.add(1, b"x") == MALFORMED
    assert world.update.add(0, bytes(len(world.image.data) + 1)) == MALFORMED
    assert world.update.commit() == MALFORMED
    assert world.update_all() == 0


@pytest.mark.parametrize(
    "image",
    [
        made_by_hand("../main.py", LAST_FILE),
        made_by_hand("/main.py", LAST_FILE),
        made_by_hand("a//b", LAST_FILE),
        made_by_hand("only.mpy"),
        made_by_hand(),
        Image(ImageHead(1, (0, 2, 0), MPY, 1), [], bytes(40), b""),
    ],
    ids=["upwards", "root", "empty part", "no manifest.json", "no files", "no magic"],
)
def test_a_signed_manifest_that_is_none_is_refused(world: World, image: Image) -> None:
    world.image = Image(image.head, image.rows, image.manifest.ljust(13, b"\0"), image.files)
    assert world.send() == MALFORMED
    assert world.power_on() == ("a", OLD.version)


def test_sizes_that_do_not_add_up_are_refused(world: World) -> None:
    world.image = Image(world.image.head, world.image.rows, world.image.manifest, world.image.files + b"x")
    assert world.send() == MALFORMED


@pytest.mark.parametrize(
    "image", [image_of(NEW, board=BOARD_MODULE), image_of(NEW, mpy=MPY + 1)], ids=["a module's", "another .mpy"]
)
def test_what_this_board_cannot_run_is_refused(world: World, image: Image) -> None:
    world.image = image
    assert world.send() == UNSUPPORTED


def test_a_board_whose_program_lies_in_no_folder_is_not_updated(world: World) -> None:
    world.update._running = ""
    assert world.begin() == -UNSUPPORTED


@pytest.mark.parametrize(
    ("manifest", "size"), [(MAX_MANIFEST + 1, MAX_IMAGE), (100, MAX_IMAGE + 1), (100, 99), (12, 99)]
)
def test_lengths_that_cannot_be_are_refused(world: World, manifest: int, size: int) -> None:
    digest = bytes(32)
    assert world.update.begin(manifest, size, digest, update_mac(TOKEN, digest)) == NO_SPACE


def test_no_room_is_told_before_the_first_file(world: World) -> None:
    world.disk.count = 2 * (SPARE_BLOCKS + len(world.image.rows)) - 1
    assert world.send() == NO_SPACE
    assert not Path("b").exists()
    world.disk.count += 1
    assert world.update_all() == 0


@pytest.mark.parametrize("until", [10, 250, 700])
def test_a_disk_that_is_full_all_the_same_is_told_and_nothing_of_it_stays(world: World, until: int) -> None:
    assert world.send(until=until) == 0
    at = world.begin()
    world.disk.full = True
    assert world.update.add(at, world.image.data[at : at + 250]) == NO_SPACE
    assert not [path for path in Path("b").rglob("*") if path.is_file()]
    assert not list(Path().glob("update.*"))
    assert world.power_on() == ("a", OLD.version)
    assert world.begin() == 0
    assert world.update_all() == 0


def test_flash_that_fails_otherwise_keeps_what_is_whole(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = len(world.image.manifest) + world.image.rows[0][1]
    world.chunk = whole
    assert world.send(until=whole) == 0

    def fail(name: str, mode: str) -> None:
        raise OSError(5, "input/output error")

    with monkeypatch.context() as broken:
        broken.setattr(world.disk, "open", fail)
        assert world.update.add(whole, b"x") == WRITE_FAILED
    assert world.begin() == whole
    assert world.update_all() == 0
