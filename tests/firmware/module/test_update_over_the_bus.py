"""A module takes a new firmware from the ARC over the bus, while the others are polled: cut off, unplugged, damaged, refused."""

from collections.abc import Callable
from pathlib import Path

import pytest

from firmware.arc.module_update import FRAMES_A_CYCLE
from firmware.bus import words
from firmware.bus.frame import OPCODE
from firmware.bus.topology import Member
from firmware.desk.wire import Answer, Delivery
from protocol import events
from protocol.messages import BUSY, MALFORMED, UNKNOWN_MODULE, UNSUPPORTED, WRITE_FAILED
from protocol.update import BOARD_ARC, BOARD_MODULE, digest_of
from protocol.update_image import Image
from protocol.update_sending import update_steps
from tests.firmware.bus.play import game_events
from tests.firmware.module.update_table import IMAGE, NAME, NEW, OLD, UpdateTable
from tests.firmware.update.model import TOKEN, boot, fresh, image_of, make_program


@pytest.fixture
def table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> UpdateTable:
    monkeypatch.chdir(tmp_path)
    fresh(OLD)
    return UpdateTable()


def members(table: UpdateTable) -> list[Member]:
    return table.play.bus.coordinator.members()


def test_one_of_three_is_updated_and_nobody_notices(table: UpdateTable) -> None:
    table.play.events.clear()
    assert table.send() == 0
    assert all(member.missed == 0 for member in members(table))
    assert table.ran == [OLD.version]
    assert game_events(table.play.events) == []


def test_the_new_firmware_is_confirmed_by_the_first_poll(table: UpdateTable) -> None:
    assert table.send() == 0
    table.settle()
    assert table.ran == [OLD.version, NEW.version]
    assert Path("running").read_text() == "b"
    assert not Path("trial").exists()
    table.restart()
    table.settle()
    assert table.ran[-1] == NEW.version


def test_a_new_firmware_that_is_never_polled_gives_way_at_the_next_boot(table: UpdateTable) -> None:
    assert table.send() == 0
    assert boot() == ("b", NEW.version)
    assert boot() == ("a", OLD.version)


def test_in_each_cycle_every_module_is_polled_and_only_so_many_frames_are_the_update(
    table: UpdateTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[int] = []
    ask = table.play.table.exchange

    def listen(frame: bytes, *rest: object) -> object:
        asked.append(frame[3] & 0x3F)
        return ask(frame, *rest)  # type: ignore[arg-type]

    monkeypatch.setattr(table.play.table, "exchange", listen)
    assert table.send(until=0) is None
    offset, most = 0, 0
    for _ in range(20):
        while not isinstance(table.play.bus.update.add(offset, IMAGE.data[offset : offset + 200]) or None, int):
            offset = min(offset + 200, len(IMAGE.data))
            if offset == len(IMAGE.data):
                break
        asked.clear()
        table.cycle()
        assert asked.count(words.POLL) == 3
        most = max(most, asked.count(words.UPDATE_DATA))
    assert most == FRAMES_A_CYCLE


@pytest.mark.parametrize("flash_ms", [0, 40, 400])
def test_damaged_bytes_and_slow_flash_only_take_time(table: UpdateTable, flash_ms: int) -> None:
    table.flash_ms = flash_ms
    table.play.table.wire.medium.byte_error_rate = 1e-3
    assert table.send(cycles=2_000) == 0
    table.settle()
    assert table.ran == [OLD.version, NEW.version]
    assert {member.instance for member in members(table)} == {table.play.instance(name) for name in ("m0", "m1", "m2")}


def test_unplugged_in_the_middle_it_keeps_its_firmware_and_goes_on_where_it_was(table: UpdateTable) -> None:
    manifest, first = len(IMAGE.manifest), IMAGE.rows[0][1] + IMAGE.rows[1][1]
    assert table.send(until=manifest + first) is None
    table.settle(4)
    table.play.table.unplug(NAME)
    table.settle()
    assert table.play.bus.update.add(manifest + 999, b"x") == UNKNOWN_MODULE
    table.play.table.plug("arc", 1, NAME, 0)
    table.settle()
    assert table.ran == [OLD.version, OLD.version]
    assert offset_to_go_on(table) == manifest + first
    assert table.send() == 0
    table.settle()
    assert table.ran[-1] == NEW.version


def offset_to_go_on(table: UpdateTable) -> int:
    """What the module says to a BEGIN."""
    update, manifest = table.play.bus.update, IMAGE.manifest
    wanted = table.instance, len(manifest), len(IMAGE.data), digest_of(manifest)
    assert update.begin(*wanted) == BUSY
    table.settle(4)
    answer = update.begin(*wanted)
    assert isinstance(answer, bytes)
    return int.from_bytes(answer, "little")


def test_restarted_in_the_middle_it_is_told_as_lost(table: UpdateTable) -> None:
    assert table.send(until=500) is None
    table.restart()
    assert table.send(cycles=0) is None
    table.settle()
    offset = offset_to_go_on(table)
    assert 0 < offset < 500
    assert table.send() == 0


def test_a_module_that_is_not_there_is_told(table: UpdateTable) -> None:
    update = table.play.bus.update
    assert update.begin(1, 100, 200, bytes(32)) == BUSY
    table.cycle()
    assert update.begin(1, 100, 200, bytes(32)) == UNKNOWN_MODULE


def test_a_module_that_takes_no_updates_says_so(table: UpdateTable) -> None:
    update, instance = table.play.bus.update, table.play.instance("m0")
    assert update.begin(instance, 100, 200, bytes(32)) == BUSY
    table.cycle()
    assert update.begin(instance, 100, 200, bytes(32)) == UNSUPPORTED


def test_a_wrong_hash_is_found_before_the_switch(table: UpdateTable) -> None:
    files = bytearray(IMAGE.files)
    files[40] ^= 1
    damaged = Image(IMAGE.head, IMAGE.rows, IMAGE.manifest, bytes(files))
    assert table.send(damaged) == WRITE_FAILED
    table.restart()
    table.settle()
    assert table.ran == [OLD.version, OLD.version]
    assert table.send() == 0


def test_a_manifest_that_is_not_the_signed_one_is_refused_before_the_first_file(table: UpdateTable) -> None:
    manifest = bytearray(IMAGE.manifest)
    manifest[20] ^= 1
    update = table.play.bus.update
    wanted = table.instance, len(manifest), len(IMAGE.data), digest_of(IMAGE.manifest)
    update.begin(*wanted)
    table.settle(4)
    assert update.begin(*wanted) == bytes(4)
    for at in range(0, len(manifest), 200):
        update.add(at, bytes(manifest[at : at + 200]))
        table.cycle()
    table.cycle()
    assert update.commit() == MALFORMED
    assert not Path("b").exists()


def test_firmware_for_an_arc_is_refused(table: UpdateTable) -> None:
    assert table.send(image_of(NEW, board=BOARD_ARC)) == UNSUPPORTED


def test_another_image_begins_from_nothing(table: UpdateTable) -> None:
    assert table.send(until=700) is None
    other = make_program("0.4.0")
    assert table.send(image_of(other, board=BOARD_MODULE)) == 0
    table.settle()
    assert table.ran[-1] == other.version


def test_out_of_order_and_too_early_are_refused(table: UpdateTable) -> None:
    update = table.play.bus.update
    assert update.add(0, b"x") == MALFORMED
    assert update.commit() == MALFORMED
    assert table.send(until=0) is None
    assert update.add(1, b"x") == MALFORMED
    assert update.add(0, bytes(len(IMAGE.data) + 1)) == MALFORMED
    assert update.commit() == MALFORMED
    assert table.send() == 0


def test_a_module_on_trial_tells_the_app_by_being_there_again(table: UpdateTable) -> None:
    assert table.send() == 0
    table.play.events.clear()
    table.settle()
    noticed = [body for body in table.play.events if isinstance(body, events.ModuleNoticed)]
    assert [(body.instance, body.code) for body in noticed] == [(table.instance, events.MODULE_REBOOTED)]
    assert game_events(table.play.events) == []


@pytest.mark.parametrize("frame", range(1, 20))
def test_begun_anew_between_a_frame_and_its_reply_it_takes_no_old_reply_for_a_new_one(
    table: UpdateTable, frame: int
) -> None:
    """As after a link that was lost: the wire is busy most of the time."""
    deliver: Callable[[Delivery], Answer] = table.module.deliver
    heard: list[int] = []

    def deliver_and_begin(delivery: Delivery) -> Answer:
        answer = deliver(delivery)
        opcode = delivery.data[3] & OPCODE
        if words.UPDATE_IMAGE <= opcode <= words.UPDATE_WHERE:
            heard.append(opcode)
            if len(heard) == frame:
                table.do(next(update_steps(IMAGE, TOKEN, table.instance)))
        return answer

    table.module.deliver = deliver_and_begin
    assert table.send() in (0, MALFORMED), "what the first link still sends is out of order now"
    assert len(heard) >= frame
    assert table.send() == 0
