"""Every fault that the bus must bear, with its right behaviour. `boards.md`'s table, row by row, on the whole stack."""

from collections.abc import Callable
from random import Random

import pytest

from firmware.bus import words
from firmware.bus.frame import OPCODE, encode
from firmware.bus.health import ECHO_OK, ECHO_WRONG, Health
from firmware.desk.wire import Answer, Delivery, Heard
from protocol import events
from protocol.lights import FLASH, GREEN, RED, STEADY, light
from protocol.messages import BUSY, STATISTICS_BUS, UNKNOWN_MODULE, ModuleStatus
from protocol.pages import FLAG_DUPLICATE_ID
from protocol.statistics import COUNTERS
from tests.firmware.bus.play import Play, game_events, of_kind, tree

Hear = Callable[[Delivery], Answer]


def status_of(table: Play, instance: int) -> ModuleStatus:
    found = table.bus.read(instance)
    assert isinstance(found, bytes), found
    return ModuleStatus.unpack(found, 0)


@pytest.mark.parametrize("boot_ms", [0, 100, 350, 900, 1400])
@pytest.mark.parametrize("every_byte", [False, True])
def test_brown_out_is_a_notice_and_the_light_is_restored(boot_ms: int, every_byte: bool) -> None:
    table = tree(5, every_byte=every_byte)
    instance = table.instance("m0")
    table.bus.set_light(instance, light(FLASH, RED))
    table.run_ms(500)
    table.table.reset("m0", boot_ms)
    told = table.run_ms(4000)
    assert told == [events.ModuleNoticed(instance, events.MODULE_REBOOTED)]
    assert table.table.modules["m0"].light.byte == light(FLASH, RED)
    assert set(table.bus.edges()) == table.wired_edges()


def test_detached_comes_a_second_and_a_half_after_the_third_missed_poll() -> None:
    table = tree(1)
    table.table.unplug("m0")
    pulled_ms = table.table.now_ms()
    while not table.cycle():
        assert table.table.now_ms() - pulled_ms < 3000
    told_ms = table.table.now_ms() - pulled_ms
    assert 500 + 1500 <= told_ms <= 750 + 1500 + 2 * 250


def test_a_pulled_branch_is_one_batch() -> None:
    table = tree(14)
    table.table.unplug("m0")
    behind = {f"m{i}" for i in range(14)} - table.table.wire.powered() - {"m0"}
    batches = [told for told in (table.cycle() for _ in range(20)) if told]
    assert len(batches) == 1
    first, *rest = batches[0]
    assert first == events.ModuleDetached(table.instance("m0"), events.DETACHED_ITSELF)
    assert all(isinstance(body, events.ModuleDetached) and body.cause == events.DETACHED_WITH_PARENT for body in rest)
    assert {body.instance for body in rest if isinstance(body, events.ModuleDetached)} == {
        table.instance(name) for name in behind
    }


def test_pulled_and_replugged_at_once_is_no_game_event() -> None:
    table = tree(3)
    table.table.unplug("m1")
    table.run_ms(500)
    table.table.plug("arc", 1, "m1", 0, boot_ms=350)
    assert game_events(table.run_ms(4000)) == []


def test_pulled_for_long_and_replugged_is_detached_and_attached() -> None:
    table = tree(2)
    instance = table.instance("m1")
    table.table.unplug("m1")
    assert game_events(table.run_ms(4000)) == [events.ModuleDetached(instance, events.DETACHED_ITSELF)]
    table.table.plug("arc", 1, "m1", 0, boot_ms=350)
    assert game_events(table.run_ms(2000)) == [events.ModuleAttached(2, instance, bytes(3), 0x10)]


@pytest.mark.parametrize("away_ms", [0, 400, 1000])
def test_the_same_module_at_another_port_has_moved(away_ms: int) -> None:
    table = tree(2)
    table.table.unplug("m1")
    table.table.wait_ms(away_ms)
    table.table.plug("m0", 3, "m1", 1, boot_ms=350)
    told = table.run_ms(4000)
    low = (table.instance("m0") & 0xFFFFFF).to_bytes(3, "little")
    assert told == [events.ModuleMoved(2, table.instance("m1"), low, 0x31)]
    assert set(table.bus.edges()) == table.wired_edges()


def test_two_modules_with_one_identity_get_two_addresses_and_one_credit() -> None:
    # field report 69, HZ-15
    table = Play()
    for name in ("m0", "m1"):
        table.table.add(name, type_id=4, chip=b"same one", salt=1)
        table.table.plug("arc", int(name[1]), name, 0)
    told = table.run_ms(1000)
    instance = table.instance("m0")
    assert len(of_kind(told, events.ModuleAttached)) == 1
    assert of_kind(told, events.ModuleNoticed) == [events.ModuleNoticed(instance, events.MODULE_DUPLICATE_ID)]
    assert [m.address for m in table.bus.coordinator.members()] == [1, 2]
    assert table.bus.modules() == [(instance, 4, FLAG_DUPLICATE_ID)]
    table.bus.set_light(instance, light(STEADY, GREEN))
    assert table.run_ms(3000) == []
    assert {module.light.byte for module in table.table.modules.values()} == {light(STEADY, GREEN)}


def test_a_twin_plugged_later_is_noticed_and_the_first_stays() -> None:
    table = Play()
    for name in ("m0", "m1"):
        table.table.add(name, type_id=4, chip=b"same one", salt=1)
    table.table.plug("arc", 0, "m0", 0)
    table.run_ms(1000)
    table.table.plug("arc", 1, "m1", 0)
    told = table.run_ms(1000)
    assert of_kind(told, events.ModuleNoticed) == [
        events.ModuleNoticed(table.instance("m0"), events.MODULE_DUPLICATE_ID)
    ]
    assert not of_kind(told, events.ModuleAttached)
    assert not of_kind(told, events.ModuleMoved)


@pytest.mark.parametrize("error_rate", [0.0, 1e-2])
def test_a_restarted_arc_meets_modules_that_keep_old_addresses(error_rate: float) -> None:
    table = tree(8)
    before = {name: module.node.address for name, module in table.table.modules.items()}
    table.table.wire.medium.byte_error_rate = error_rate
    table.table.unplug("m7")
    table.table.plug("arc", 3, "m7", 0)
    table.start_arc(epoch=99)
    table.events.clear()
    table.run_ms(6000)
    assert set(table.bus.edges()) == table.wired_edges()
    assert len(of_kind(table.events, events.ModuleAttached)) == 8
    assert sorted(module.node.address for module in table.table.modules.values()) == sorted(before.values())
    assert all(module.node.epoch == 99 for module in table.table.modules.values())


def test_a_module_that_missed_the_reset_forgets_its_address_at_the_first_frame_of_the_new_epoch() -> None:
    table = tree(2)
    node = table.table.modules["m0"].node
    assert node.hear(table.table.now_ms(), encode(node.address, 0x05, bytes((200,))), 0).frame == b""
    table.run_ms(3000)
    assert table.found() == {table.instance("m0"), table.instance("m1")}
    assert not game_events(table.events[2:])


def test_noise_above_five_percent_for_ten_seconds_is_told_once_and_halves_the_lights() -> None:
    table = tree(8)
    table.table.wire.medium.byte_error_rate = 1e-2
    told = table.run_ms(9_000)
    assert not of_kind(told, events.FaultFound)
    caps = {module.light.cap_tenths_ma for module in table.table.modules.values()}
    assert caps == {40}
    told = table.run_ms(20_000)
    faults = of_kind(told, events.FaultFound)
    assert [body.code for body in faults if isinstance(body, events.FaultFound)] == [events.FAULT_BUS_NOISY]
    assert all(isinstance(body, events.FaultFound) and body.detail > 50 for body in faults)
    assert {module.light.cap_tenths_ma for module in table.table.modules.values()} == {20}
    table.table.wire.medium.byte_error_rate = 0.0
    table.run_ms(15_000)
    assert {module.light.cap_tenths_ma for module in table.table.modules.values()} == {40}


def test_data_stuck_low_is_told_and_modules_come_back_as_they_were() -> None:
    table = tree(4)
    table.table.wire.medium.stuck_low = True
    told = table.run_ms(1000)
    assert of_kind(told, events.FaultFound) == [events.FaultFound(events.FAULT_BUS_STUCK, 0)]
    table.table.wire.medium.stuck_low = False
    table.run_ms(2000)
    assert not game_events(table.events[4:])
    assert len(table.found()) == 4


def test_data_stuck_high_is_told() -> None:
    table = tree(2)
    table.table.wire.medium.stuck_high = True
    assert events.FaultFound(events.FAULT_BUS_STUCK, 0) in table.run_ms(1000)


def test_an_open_data_contact_with_a_live_select_line_is_named() -> None:
    table = tree(3)  # m2 hangs on port 1 of m0
    table.table.wire.cut_data("m0", 1)
    told = table.run_ms(8000)
    detail = (table.instance("m0") & 0xFFFFFF) << 8 | 1
    assert of_kind(told, events.FaultFound) == [events.FaultFound(events.FAULT_BUS_OPEN, detail)]
    assert of_kind(told, events.ModuleDetached) == [events.ModuleDetached(table.instance("m2"), events.DETACHED_ITSELF)]
    table.table.wire.cut_data("m0", 1, is_open=False)
    assert len(of_kind(table.run_ms(4000), events.ModuleAttached)) == 1


def test_an_open_data_contact_within_a_loop_harms_nobody() -> None:
    table = Play()
    table.box(2)
    table.table.plug("arc", 0, "m0", 0)
    table.table.plug("arc", 1, "m1", 0)
    table.table.plug("m0", 1, "m1", 1)
    table.run_ms(1000)
    table.table.wire.cut_data("arc", 1)
    told = table.run_ms(5000)
    assert not told
    assert len(table.found()) == 2


def test_a_module_without_a_select_line_joins_without_a_place() -> None:
    table = Play()
    table.box(2)
    table.table.plug("arc", 0, "m0", 0)
    table.table.plug("arc", 1, "m1", 0)
    table.table.wire.cut_select("arc", 1)
    told = table.run_ms(12_000)
    unplaced = events.ModuleNoticed(table.instance("m1"), events.MODULE_UNPLACED)
    assert of_kind(told, events.ModuleNoticed) == [unplaced]
    assert table.found() == {table.instance("m0")}
    table.bus.set_light(table.instance("m1"), light(STEADY, RED))
    table.run_ms(1000)
    assert table.table.modules["m1"].light.byte == light(STEADY, RED), "it has a light all the same"
    table.table.wire.cut_select("arc", 1, is_open=False)
    assert game_events(table.run_ms(2000)) == [events.ModuleAttached(2, table.instance("m1"), bytes(3), 0x10)]


def test_many_modules_without_select_lines_all_join() -> None:
    table = Play(slow=True)
    table.box(12)
    table.plug_tree(12)
    for (name, port), _ in table.table.wire.edges():
        table.table.wire.cut_select(name, port)
    table.run_ms(60_000)
    assert table.bus.coordinator.topology.count == 12
    assert len(of_kind(table.events, events.ModuleNoticed)) == 12


def test_another_major_version_is_refused_and_told_once() -> None:
    table = Play()
    stranger = table.box(2)[1]
    stranger.protocol = 0x20
    table.plug_tree(2)
    told = table.run_ms(12_000)
    assert table.found() == {table.instance("m0")}
    assert of_kind(told, events.ModuleNoticed) == [
        events.ModuleNoticed(table.instance("m1"), events.MODULE_FOREIGN_VERSION)
    ]
    assert stranger.light.byte == 0x35, "slow yellow"
    assert table.bus.foreign_version(table.instance("m1")) == 0x20
    assert table.bus.foreign_version(table.instance("m0")) == 0, "it speaks ours"


def test_late_replies_are_counted_and_never_taken_for_another() -> None:
    table = tree(12)
    random, slow = Random(1), ["m0", "m3"]
    table.table.wire.set_turnaround(lambda board: random.randrange(12_000, 40_000) if board in slow else 500)
    table.run_ms(3000)
    assert table.bus.coordinator.health.late > 0
    slow.clear()
    table.run_ms(5000)
    assert len(table.found()) == 12
    assert set(table.bus.edges()) == table.wired_edges()
    for name in table.table.modules:
        assert status_of(table, table.instance(name)).links == table.table.wire.links(name), "its own status"


def test_a_hung_module_is_detached_and_comes_back() -> None:
    table = tree(3)
    table.table.modules["m1"].stays_silent = True
    assert of_kind(table.run_ms(4000), events.ModuleDetached)
    table.table.modules["m1"].stays_silent = False
    assert of_kind(table.run_ms(5000), events.ModuleAttached)


def test_noise_needs_ten_seconds_and_enough_frames() -> None:
    health, now_ms = Health(), 0
    for index in range(900):
        now_ms += 10
        health.note(now_ms, ECHO_OK, index % 10 == 0)
    assert not health.is_noisy
    for index in range(300):
        now_ms += 10
        health.note(now_ms, ECHO_OK, index % 10 == 0)
    assert health.is_noisy
    for index in range(1_200):
        now_ms += 10
        health.note(now_ms, ECHO_OK, index % 30 == 0)
    assert health.is_noisy, "what was above 5 % is over below 2.5 % only"
    borne = Health()
    for index in range(3_000):
        borne.note(index * 10, ECHO_OK, index % 25 == 0)
        assert not borne.is_noisy, "4 % are borne"
    few = Health()
    for index in range(30):
        few.note(index * 1000, ECHO_OK, True)
    assert not few.is_noisy


def test_one_bad_echo_is_not_a_stuck_line() -> None:
    health = Health()
    for now_ms in (0, 5, 10):
        health.note(now_ms, ECHO_WRONG, False)
    assert not health.is_stuck
    health.note(25, ECHO_WRONG, False)
    assert health.is_stuck
    health.note(30, ECHO_OK, False)
    assert not health.is_stuck
    for now_ms in (40, 45, 50, 55, 59):
        health.note(now_ms, ECHO_WRONG, False)
        assert not health.is_stuck, "several, and not yet for 20 ms"
    health.note(60, ECHO_WRONG, False)
    assert health.is_stuck


def test_what_a_module_says_of_itself_can_be_read() -> None:
    table = tree(3)
    module, instance = table.table.modules["m0"], table.instance("m0")
    module.vitals.lowest_mv, module.vitals.crc_errors, module.vitals.reset_cause = 2950, 12 + 256, 3
    table.bus.set_light(instance, light(STEADY, GREEN))
    table.run_ms(500)
    assert status_of(table, instance) == ModuleStatus(
        0, 1, 0, 1, words.PROTOCOL, 3, module.boots, 2950, 12, 0b0010, 0, light(STEADY, GREEN), 1
    )
    assert table.bus.read(1) == UNKNOWN_MODULE


def test_a_module_is_asked_for_its_version_after_it_was_found() -> None:
    table = Play()
    table.box(1)
    table.table.plug("arc", 0, "m0", 0)
    told = table.cycle()
    while not of_kind(told, events.ModuleAttached):
        told = table.cycle()
    assert table.bus.read(table.instance("m0")) == BUSY
    table.cycle()
    assert status_of(table, table.instance("m0")).firmware_minor == 1


def test_a_module_that_restarts_with_another_version_is_asked_again() -> None:
    table = tree(2)
    table.run_ms(1000)
    module = table.table.modules["m1"]
    table.table.reset("m1")
    table.run_ms(500)
    module.node.identity.firmware = (2, 3, 4)
    table.run_ms(2000)
    status = status_of(table, table.instance("m1"))
    assert (status.firmware_major, status.firmware_minor, status.firmware_patch) == (2, 3, 4)
    module.stays_silent = True
    table.run_ms(250)
    assert status_of(table, table.instance("m1")).missed in (1, 2)
    table.run_ms(4000)
    assert table.bus.read(table.instance("m1")) == UNKNOWN_MODULE


def test_a_module_that_cannot_say_who_it_is_is_asked_once_and_keeps_nobody_waiting(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """As many of an older firmware, whose IDENTITY is shorter, as are asked in one cycle, and one more."""
    monkeypatch.setattr(words, "encode_identity", lambda *_: bytes(15))
    table = Play()
    asked: list[str] = []
    for module in table.box(6):

        def deliver(delivery: Delivery, name: str = module.name, hear: Hear = module.deliver) -> Answer:
            if delivery.data[3] & OPCODE == words.IDENTIFY:
                asked.append(name)
            return hear(delivery)

        module.deliver = deliver  # type: ignore[method-assign]
    table.plug_chain([f"m{index}" for index in range(6)])
    table.run_ms(5_000)
    assert sorted(asked) == [f"m{index}" for index in range(6)]
    status = status_of(table, table.instance("m5"))
    assert (status.firmware_major, status.firmware_minor, status.firmware_patch) == (0, 0, 0)


def test_the_bus_counts_under_the_protocols_names() -> None:
    table = Play()
    table.bus.coordinator.health.late = 9
    counts = table.bus.statistics()
    assert tuple(counts) == COUNTERS[STATISTICS_BUS]
    assert counts["late"] == 9


def test_an_empty_bus_stays_quiet() -> None:
    table = Play()
    assert table.run_ms(20_000) == []
    assert table.bus.statistics()["timeouts"] == 0


def test_heard_is_what_the_wire_gives() -> None:
    table = tree(1)
    heard = table.table.exchange(encode(1, 0x45, bytes((1,))), 12_000)
    assert isinstance(heard, Heard)
    assert heard.links == 0b0001


def test_an_edge_that_opens_is_told_soon_however_many_there_are() -> None:
    """By the links that its ends see: one known edge is probed again in each cycle, and 31 of them would take eight seconds."""
    table = tree(30)
    table.table.plug("m28", 3, "m29", 3)
    table.run_ms(1000)
    loops = len(table.bus.edges())
    assert set(table.bus.edges()) == table.wired_edges()
    table.table.unplug_port("m29", 3)
    opened_ms = table.table.now_ms()
    while not (told := table.cycle()):
        assert table.table.now_ms() - opened_ms < 3_000
    assert told == [events.TopologyChanged(loops - 1)]
    assert set(table.bus.edges()) == table.wired_edges()


def test_an_edge_replugged_faster_than_its_link_is_seen_to_open_is_found_out() -> None:
    table = Play()
    table.box(2)
    for port in (0, 1):
        table.table.plug("arc", port, f"m{port}", 0)
    table.table.plug("m0", 1, "m1", 1)
    table.table.plug("arc", 2, "m0", 2)
    table.run_ms(1000)
    table.table.unplug_port("arc", 2)
    table.table.plug("arc", 2, "m1", 3)
    table.run_ms(6000)
    assert set(table.bus.edges()) == table.wired_edges()
