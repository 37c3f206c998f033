"""Ports that come and go under other names; the partition table's bytes; the commands that put MicroPython on a chip."""

import argparse
import hashlib
import itertools
import struct
from pathlib import Path
from typing import Any

import pytest

from companion import catalog
from firmware.boards import arc_esp32s3
from firmware.flash import acts, interpreter
from firmware.flash.errors import FlashError, PortGoneError
from firmware.flash.interpreter import put_micropython, wait_for_drive
from firmware.flash.kinds import ARC, MODULE
from firmware.flash.partitions import FLASH_BYTES, TABLE_BYTES, Partition, arc_partitions, is_laid_out, pack_table
from firmware.flash.ports import AWAY_POLLS, Port, find_port, wait_for_new
from tests.firmware.flash.conftest import Watch

ARC_PORT = Port("/dev/ttyACM0", (0x303A, 0x4001), "7cdfa1005f3a", "MicroPython")
MODULE_PORT = Port("/dev/ttyACM1", (0x2E8A, 0x0005), "e6605838", "Board in FS mode")
OTHER_MODULE = Port("/dev/ttyACM2", (0x2E8A, 0x0005), "e6605839", "Board in FS mode")
STRANGER = Port("/dev/ttyUSB0", (0x1A86, 0x7523), "1-2", "a printer")


def test_the_only_port_that_fits_is_taken() -> None:
    assert find_port(ARC, None, lambda: [ARC_PORT, MODULE_PORT, STRANGER])() == "/dev/ttyACM0"


def test_several_ports_that_fit_are_named() -> None:
    with pytest.raises(FlashError, match="/dev/ttyACM1, /dev/ttyACM2") as caught:
        find_port(MODULE, None, lambda: [MODULE_PORT, OTHER_MODULE])
    assert "--port" in caught.value.do


def test_no_port_that_fits_says_what_to_press() -> None:
    with pytest.raises(PortGoneError, match="no ARC is plugged in") as caught:
        find_port(ARC, None, lambda: [STRANGER])
    assert "BOOT" in caught.value.do


def test_a_port_is_followed_when_it_gets_another_name() -> None:
    there = [ARC_PORT]
    name = find_port(ARC, None, lambda: there)
    there[:] = [Port("/dev/ttyACM7", ARC_PORT.usb_id, ARC_PORT.identity, "")]
    assert name() == "/dev/ttyACM7"
    there.clear()
    with pytest.raises(PortGoneError, match="vanished"):
        name()


def test_a_port_that_people_named_needs_no_usb() -> None:
    assert find_port(ARC, "/dev/pts/3", list)() == "/dev/pts/3"


def test_the_next_of_a_row_is_one_that_was_pulled_and_plugged_or_another() -> None:
    moments = [[MODULE_PORT], [MODULE_PORT, STRANGER], *([[]] * AWAY_POLLS), [MODULE_PORT]]

    def pause() -> None:
        moments.pop(0)

    assert wait_for_new(MODULE, {MODULE_PORT.identity}, lambda: moments[0], pause) == MODULE_PORT
    assert len(moments) == 1, "only after it had been pulled"
    assert wait_for_new(MODULE, {MODULE_PORT.identity}, lambda: [MODULE_PORT, OTHER_MODULE]) == OTHER_MODULE


def test_a_board_of_a_row_that_restarts_is_not_the_next() -> None:
    """Each does after its flash: of two of one type the second would be the first once more, and counted as done."""
    restart: list[list[Port]] = [[MODULE_PORT], *([[]] * (AWAY_POLLS - 1)), [MODULE_PORT]]
    moments = [*restart, *restart, [MODULE_PORT, OTHER_MODULE]]

    def pause() -> None:
        moments.pop(0)

    assert wait_for_new(MODULE, {MODULE_PORT.identity}, lambda: moments[0], pause) == OTHER_MODULE


def test_the_layout_fills_the_flash_without_gaps_or_overlaps() -> None:
    layout = arc_partitions()
    for before, after in itertools.pairwise(layout):
        assert before.offset + before.size == after.offset
        assert after.offset % arc_esp32s3.ERASE_BLOCK == 0
    assert layout[-1].offset + layout[-1].size == FLASH_BYTES
    assert layout[-1].size >= 512 * 1024, "room for two programs and more"
    ours = {part.label: part.size for part in layout}
    assert {label: ours[label] for label, _ in arc_esp32s3.PARTITIONS} == dict(arc_esp32s3.PARTITIONS)


def test_an_entry_of_the_table_has_espressifs_bytes() -> None:
    """The documented entry: magic AA 50, type, subtype, offset, size, label of 16 bytes, flags; then the MD5 row."""
    table = pack_table([Partition("nvs", 1, 2, 0x9000, 0x6000)])
    entry = bytes.fromhex("AA50 01 02 00900000 00600000") + b"nvs".ljust(16, b"\0") + bytes(4)
    assert table[:32] == entry
    assert table[32:48] == b"\xeb\xeb" + b"\xff" * 14
    assert table[48:64] == hashlib.md5(entry).digest()
    assert table[64:] == b"\xff" * (TABLE_BYTES - 64)


def test_the_whole_table_reads_back() -> None:
    table = pack_table(arc_partitions())
    for at, part in enumerate(arc_partitions()):
        magic, kind, subtype, offset, size, label, _ = struct.unpack_from("<HBBII16sI", table, 32 * at)
        assert (magic, kind, subtype, offset, size, label.rstrip(b"\0").decode()) == (
            0x50AA, part.type, part.subtype, part.offset, part.size, part.label,
        )  # fmt: skip


def test_a_board_is_laid_out_when_all_of_ours_are_there() -> None:
    infos = [(part.type, part.subtype, part.offset, part.size, part.label) for part in arc_partitions()]
    assert is_laid_out(infos)
    for at, (*_, label) in enumerate(infos):
        without = infos[:at] + infos[at + 1 :]
        assert is_laid_out(without) == (label in ("nvs", "phy_init", "factory"))


def test_micropython_from_a_file_erases_writes_and_lays_out(tmp_path: Path, watch: Watch) -> None:
    image = tmp_path / "micropython.bin"
    image.write_bytes(b"\xe9")
    ran: list[list[str]] = []

    def run(command: object) -> int:
        ran.append(list(command))  # type: ignore[call-overload]
        if "write-flash" in ran[-1]:
            assert Path(ran[-1][-1]).read_bytes() == pack_table(arc_partitions())
        return 0

    put_micropython(ARC, "/dev/ttyACM0", str(image), watch, dry_run=False, run=run)
    assert [command[1:] for command in ran] == [
        ["--chip", "esp32s3", "--port", "/dev/ttyACM0", "erase-flash"],
        ["--chip", "esp32s3", "--port", "/dev/ttyACM0", "write-flash", "0x0", str(image), "0x8000", ran[1][-1]],
    ]


@pytest.mark.parametrize("kind", [ARC, MODULE], ids=lambda kind: kind.name)
def test_micropython_fetched_names_board_and_version(kind: object, watch: Watch) -> None:
    ran: list[list[str]] = []
    put_micropython(kind, "P", "fetch", watch, dry_run=False, run=lambda command: ran.append(list(command)) or 0)  # type: ignore[arg-type, func-returns-value]
    assert ran[0][1:6] == ["flash", "--board", kind.micropython_board, "--version", "1.29.0"]  # type: ignore[attr-defined]
    assert len(ran) == (2 if kind is ARC else 1)


def test_a_dry_run_runs_no_command_and_a_failure_says_which_button(watch: Watch) -> None:
    put_micropython(ARC, "P", "fetch", watch, dry_run=True, run=lambda command: pytest.fail("ran"))
    assert "would run: " in watch.text
    with pytest.raises(FlashError, match="did not succeed") as caught:
        put_micropython(ARC, "P", "fetch", watch, dry_run=False, run=lambda command: 2)
    assert "hold BOOT" in caught.value.do
    with pytest.raises(FlashError, match="there is no file nowhere"):
        put_micropython(MODULE, "P", "nowhere.uf2", watch, dry_run=True)


def test_a_module_in_its_boot_loader_is_a_drive_to_copy_to(tmp_path: Path, watch: Watch) -> None:
    image, root = tmp_path / "micropython.uf2", tmp_path / "root"
    image.write_bytes(b"UF2")
    drive = root / "media" / "maker" / "RPI-RP2"
    assert wait_for_drive(root, lambda: drive.mkdir(parents=True)) == str(drive)
    put_micropython(MODULE, str(drive), str(image), watch, dry_run=True)
    assert list(drive.iterdir()) == []
    put_micropython(MODULE, str(drive), str(image), watch, dry_run=False)
    assert (drive / image.name).read_bytes() == b"UF2"


def test_a_drive_that_goes_while_it_is_copied_to_is_told(tmp_path: Path, watch: Watch) -> None:
    image = tmp_path / "micropython.uf2"
    image.write_bytes(b"UF2")
    with pytest.raises(FlashError, match="cannot be copied to") as caught:
        put_micropython(MODULE, str(tmp_path / "RPI-RP2"), str(image), watch, dry_run=False)
    assert "hold BOOT on the module" in caught.value.do


def test_on_windows_the_drive_is_known_by_what_it_says_of_itself(tmp_path: Path) -> None:
    letters = [tmp_path / "C", tmp_path / "D", tmp_path / "E"]
    letters[1].mkdir()
    (letters[1] / "INFO_UF2.TXT").write_bytes(b"UF2 Bootloader v1.0\nModel: another board\nBoard-ID: SAMD21G18A\n")

    def plug() -> None:
        letters[2].mkdir()
        (letters[2] / "INFO_UF2.TXT").write_bytes(b"UF2 Bootloader v3.0\nModel: Raspberry Pi RP2\nBoard-ID: RPI-RP2\n")

    assert wait_for_drive(tmp_path, plug, letters) == str(letters[2])


def test_an_arc_that_comes_back_with_micropython_is_another_device_and_found_all_the_same(
    watch: Watch, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The chip's own port and MicroPython's have other USB ids, serial numbers and names."""
    plugged = [Port("/dev/ttyACM0", (0x303A, 0x1001), "7C:DF:A1:00:5F:3A", "USB JTAG/serial debug unit")]
    monkeypatch.setattr(acts, "find_port", lambda kind, name: find_port(kind, name, lambda: plugged))
    monkeypatch.setattr(acts, "Board", lambda port, kind: port)
    monkeypatch.setattr(acts, "RESTART_S", 0.0)

    def put(kind: object, port: str, image: str, show: object, *, dry_run: bool) -> None:
        assert port == "/dev/ttyACM0"
        plugged.clear()

    monkeypatch.setattr(interpreter, "put_micropython", put)
    chosen = argparse.Namespace(port=None, micropython="fetch", dry_run=False)
    port: Any = acts._board(ARC, chosen, acts.Bench(watch, catalog.load()))
    with pytest.raises(PortGoneError, match="no ARC is plugged in"):
        port()
    plugged.append(Port("/dev/ttyACM1", (0x303A, 0x4001), "7cdfa1005f3a", "MicroPython"))
    assert port() == "/dev/ttyACM1"
