"""The roof reader over the chip model, in virtual time: how soon, how long, what when it fails, and writing tags."""

import pytest

from firmware.arc.reader import HEALTH_MS
from firmware.boards import timings
from firmware.desk.chips.tag_kinds import ACK, Classic1K, Ntag213, Phone, Ultralight
from firmware.desk.chips.tags import Tag
from firmware.drivers.mfrc522 import COMMAND, POWER_DOWN
from protocol import events
from protocol.events import CardPresented, CardRemoved, CardsTogether, CardUnreadable, FaultFound
from protocol.messages import STATISTICS_READER
from protocol.reasons import NO_TAG, WRITE_FAILED
from protocol.statistics import COUNTERS, pack_counters
from protocol.tag import find_code, memory_for
from tests.firmware.reader.rig import Rig
from tests.firmware.reader.swipes import READ, share_read, swipe

UID7 = bytes.fromhex("04A3C6CAE26180")
UID4 = bytes.fromhex("11223344")


def presented(tag: Tag, code: int) -> events.Body:
    return events.card_body(CardPresented, code, tag.uid)


def removed(tag: Tag, code: int) -> events.Body:
    return events.card_body(CardRemoved, code, tag.uid)


def rig_with_start() -> Rig:
    rig = Rig()
    rig.settle()
    return rig


# How soon.


def test_a_card_is_told_within_two_polls_of_its_first_read() -> None:
    slowest_ms = 0
    for phase_ms in range(0, 100, 3):
        rig = rig_with_start()
        rig.clock.now_us += phase_ms * 1000
        laid_ms = rig.now_ms()
        card = Ntag213(UID7, memory_for(5))
        rig.lay(card)
        assert rig.run(400) == [presented(card, 5)]
        slowest_ms = max(slowest_ms, rig.seen[-1][0] - laid_ms)
    # one idle period until the first read, one busy period until the second
    assert slowest_ms <= timings.POLL_IDLE_MS + timings.POLL_BUSY_MS + 30


def test_from_the_first_read_it_takes_at_most_120_ms() -> None:
    rig = rig_with_start()
    rig.clock.now_us += 1_000
    rig.lay(Ntag213(UID7, memory_for(5)))
    first_ms = rig.now_ms()
    rig.run(400)
    assert rig.seen[-1][0] - first_ms <= 120


@pytest.mark.parametrize("speed_cm_s", [5, 10, 20])
def test_a_swipe_up_to_20_cm_a_second_is_always_read(speed_cm_s: int) -> None:
    assert share_read(speed_cm_s) == 1


@pytest.mark.parametrize("transfer_us", [35, 70, 100, 200])
def test_the_promise_holds_on_faster_and_slower_boards(transfer_us: int) -> None:
    assert share_read(20, every_ms=7, transfer_us=transfer_us) == 1
    rig = rig_with_start()
    rig.spi.transfer_us = transfer_us
    rig.lay(Ntag213(UID7, memory_for(5)))
    rig.run(10_000)
    assert duty_percent(rig, 20_000) <= 15


def test_a_swipe_at_30_cm_a_second_is_read_or_told_to_be_unreadable() -> None:
    for phase_ms in range(0, timings.POLL_IDLE_MS, 7):
        assert swipe(30, phase_ms) in (READ, [CardUnreadable(events.UNREADABLE_DAMAGED)])


def test_removal_is_told_a_second_after_the_last_read() -> None:
    rig = rig_with_start()
    card = Ntag213(UID7, memory_for(5))
    rig.lay(card)
    rig.run(1_000)
    rig.take(card)
    taken_ms = rig.now_ms()
    assert rig.run(2_000) == [removed(card, 5)]
    assert 1_000 - timings.POLL_IDLE_MS <= rig.seen[-1][0] - taken_ms <= 1_000 + timings.POLL_IDLE_MS


# What lies there.


def test_every_kind_of_tag_with_its_code() -> None:
    tags = [
        Ntag213(UID7, memory_for(1)),
        Ultralight(bytes.fromhex("04112233445566"), memory_for(2)),
        Classic1K(UID4, {4: memory_for(3)}),
        Classic1K(bytes.fromhex("88123456"), {4: memory_for(4)}),
        Classic1K(bytes.fromhex("04AABBCCDDEE11"), {4: memory_for(5)}),
    ]
    for code, tag in enumerate(tags, 1):
        rig = rig_with_start()
        rig.lay(tag)
        assert rig.run(600) == [presented(tag, code)]
        assert rig.reader.on_roof() == [(code, tag.uid)]
        rig.take(tag)
        assert rig.run(1_500) == [removed(tag, code)]
        assert rig.reader.on_roof() == []


def test_a_phone_is_nobody_and_told_once() -> None:
    rig = rig_with_start()
    phone = Phone()
    rig.lay(phone)
    assert rig.run(5_000) == [CardUnreadable(events.UNREADABLE_RANDOM_UID)]
    rig.take(phone)
    assert rig.run(3_000) == []
    anonymous = Tag(bytes.fromhex("08123456"))
    rig.lay(anonymous)
    assert rig.run(1_000) == [CardUnreadable(events.UNREADABLE_RANDOM_UID)]
    replies = rig.field.replies
    rig.poll()
    assert rig.field.replies - replies == 3, "wake-up and select; its memory is nobody's business"


def test_a_card_lying_there_at_the_start_is_no_event() -> None:
    rig = Rig()
    card = Ntag213(UID7, memory_for(5))
    rig.lay(card)
    assert rig.run(3_000) == []
    rig.take(card)
    assert rig.run(2_000) == []
    rig.lay(card)
    assert rig.run(500) == [presented(card, 5)]


def test_a_token_on_a_resting_card_and_off_again() -> None:
    rig = rig_with_start()
    card, token = Ntag213(UID7, memory_for(5)), Ntag213(bytes.fromhex("04A3C6CAE26181"), memory_for(6))
    rig.lay(card)
    assert rig.run(8_000) == [presented(card, 5)]
    rig.lay(token)
    assert rig.run(500) == [presented(token, 6)]
    rig.take(token)
    assert rig.run(3_000) == [removed(token, 6)]


def test_three_at_once_and_one_left() -> None:
    rig = rig_with_start()
    cards = [Ntag213(UID7[:6] + bytes((n,)), memory_for(n)) for n in (1, 2, 3)]
    for card in cards:
        rig.lay(card)
    assert rig.run(1_000) == [CardsTogether(3)]
    rig.take(cards[0])
    assert rig.run(2_000) == []
    rig.take(cards[2])
    assert rig.run(1_500) == [presented(cards[1], 2)]


class GarbledTag(Ntag213):
    """Wakes, and then one bit of whatever it says is wrong."""

    def receive(self, value: int, bits: int, encrypted: bool) -> tuple[int, int] | None:
        reply = super().receive(value, bits, encrypted)
        return (reply[0] ^ 1 << 9, reply[1]) if reply and reply[1] > 16 else reply


def test_a_damaged_tag_is_told_once_and_its_going_is_not() -> None:
    rig = rig_with_start()
    tag = GarbledTag(UID7, memory_for(5))
    rig.lay(tag)
    assert rig.run(10_000) == [CardUnreadable(events.UNREADABLE_DAMAGED)]
    rig.take(tag)
    assert rig.run(3_000) == []
    rig.lay(tag)
    assert rig.run(1_000) == [CardUnreadable(events.UNREADABLE_DAMAGED)]


@pytest.mark.parametrize("every", [1, 2, 3, 5])
def test_a_receiver_that_hears_itself_makes_no_event(every: int) -> None:
    rig = rig_with_start()
    rig.field.phantom_every = every
    assert rig.run(20_000) == []
    card = Ntag213(UID7, memory_for(5))
    rig.lay(card)
    assert rig.run(5_000) == [presented(card, 5)]
    rig.take(card)
    assert rig.run(5_000) == [removed(card, 5)]


def test_two_copies_of_one_uid_are_not_guessed_at() -> None:
    rig = rig_with_start()
    copies = [Classic1K(UID4, {4: memory_for(code)}) for code in (5, 6)]
    for copy in copies:
        rig.lay(copy)
    assert rig.run(2_000) == [CardUnreadable(events.UNREADABLE_DAMAGED)]
    rig.take(copies[0])
    assert rig.run(2_000) == [presented(copies[1], 6)]


def test_a_card_at_the_edge_of_the_field_is_read_at_the_chosen_gain() -> None:
    rig = rig_with_start()
    card = Ntag213(UID7, memory_for(5))
    rig.lay(card, coupling=0.25)
    assert rig.run(500) == [presented(card, 5)]


# Duty.


def duty_percent(rig: Rig, duration_ms: int) -> float:
    on_us, began_us = rig.field.on_total_us, rig.clock.now_us
    rig.run(duration_ms)
    return 100 * (rig.field.on_total_us - on_us) / (rig.clock.now_us - began_us)


def test_the_field_is_on_less_than_15_percent() -> None:
    rig = rig_with_start()
    assert duty_percent(rig, 20_000) < 7, "idle"
    rig.lay(Ntag213(UID7, memory_for(5)))
    assert duty_percent(rig, 60_000) < 15, "a card resting"
    rig.reader.is_saving_power = True
    assert duty_percent(rig, 20_000) < 8, "low battery"


def test_the_field_stays_under_15_percent_in_the_busiest_game() -> None:
    rig = rig_with_start()

    def swipe_again_and_again(times: int) -> None:
        for turn in range(times):
            card = Ntag213(UID7[:6] + bytes((turn % 9,)), memory_for(5))
            rig.lay(card, for_ms=700)
            rig.run(1_000)

    swipe_again_and_again(10)
    on_us, began_us = rig.field.on_total_us, rig.clock.now_us
    swipe_again_and_again(60)
    assert (rig.field.on_total_us - on_us) / (rig.clock.now_us - began_us) <= 0.15


def test_between_polls_the_chip_sleeps() -> None:
    rig = rig_with_start()
    rig.poll()
    assert rig.chip.read(COMMAND) & POWER_DOWN
    assert rig.field.on_since_us < 0


def test_a_slow_bus_leaves_five_polls_a_second() -> None:
    rig = rig_with_start()
    rig.spi.hz = 15_000
    rig.lay(Ntag213(UID7, memory_for(5)))
    rig.run(20_000)
    assert rig.reader.period_ms() == 200


# Health.


def test_a_brown_out_of_the_chip_is_found_and_mended() -> None:
    rig = rig_with_start()
    card = Ntag213(UID7, memory_for(5))
    rig.lay(card)
    rig.run(1_000)
    rig.model.brown_out()
    browned_ms = rig.now_ms()
    assert rig.run(8_000) == [FaultFound(events.FAULT_READER_RESET, 1)], "and the card has not been away"
    assert rig.seen[-1][0] - browned_ms <= HEALTH_MS + 200


def test_an_open_wire_is_a_reset_and_no_card() -> None:
    rig = rig_with_start()
    rig.model.faults.dead_value = 0xFF
    rig.model.faults.dead_from_us = rig.clock.now_us
    assert rig.run(8_000) == [FaultFound(events.FAULT_READER_RESET, 1)]
    rig.model.faults.dead_from_us = rig.clock.now_us
    rig.model.faults.dead_for_good = True
    assert all(isinstance(body, FaultFound) for body in rig.run(60_000))


@pytest.mark.parametrize("register", [0x12, 0x13, 0x15, 0x26, 0x2A, 0x2B, 0x2C, 0x2D])
def test_one_register_gone_wrong_is_mended_within_the_health_check(register: int) -> None:
    rig = rig_with_start()
    card = Ntag213(UID7, memory_for(5))
    rig.lay(card)
    rig.run(1_000)
    rig.chip.write(register, 0x03)
    rig.run(HEALTH_MS + 500)
    assert rig.reader.statistics()["resets"] == 1
    rig.take(card)
    rig.run(2_000)
    rig.lay(card)
    assert rig.run(500) == [presented(card, 5)]


def test_a_timer_that_never_ends_does_not_hang_the_board() -> None:
    rig = rig_with_start()
    rig.model.faults.stuck_timer = True
    began_us = rig.clock.now_us
    rig.reader.poll()
    assert rig.clock.now_us - began_us < 200_000


def test_three_resets_in_a_minute_are_a_dead_reader_and_told_once() -> None:
    rig = rig_with_start()
    rig.model.faults.dead_from_us = rig.clock.now_us
    rig.model.faults.dead_for_good = True
    reset = [FaultFound(events.FAULT_READER_RESET, n) for n in (1, 2, 3)]
    assert rig.run(600_000) == [*reset, FaultFound(events.FAULT_READER_DEAD, 3)]
    assert rig.reader.is_dead()
    rig.model.faults.dead_for_good = False
    rig.model.faults.dead_from_us = None
    rig.run(6_000)
    card = Ntag213(UID7, memory_for(5))
    rig.lay(card)
    assert rig.run(500) == [presented(card, 5)], "it never gave up"
    assert not rig.reader.is_dead()


def test_a_board_without_a_reader_says_so_and_polls_on() -> None:
    rig = Rig()
    rig.model.faults.dead_from_us = 0
    rig.model.faults.dead_for_good = True
    codes = [body.code for body in rig.run(60_000) if isinstance(body, FaultFound)]
    assert codes == [events.FAULT_READER_RESET] * 3 + [events.FAULT_READER_DEAD]
    assert rig.reader.write_tag(5) == NO_TAG


def test_a_card_that_stays_while_the_reader_is_dead_has_not_been_away() -> None:
    rig = rig_with_start()
    card = Ntag213(UID7, memory_for(5))
    rig.lay(card)
    rig.run(1_000)
    rig.model.faults.dead_from_us = rig.clock.now_us
    rig.model.faults.dead_for_good = True
    assert all(isinstance(body, FaultFound) for body in rig.run(90_000))
    rig.model.faults.dead_for_good = False
    assert rig.run(10_000) == []
    assert rig.reader.on_roof() == [(5, card.uid)]


def test_a_card_taken_while_the_reader_was_dead_is_removed_afterwards() -> None:
    rig = rig_with_start()
    card = Ntag213(UID7, memory_for(5))
    rig.lay(card)
    rig.run(1_000)
    rig.model.faults.dead_from_us = rig.clock.now_us
    rig.model.faults.dead_for_good = True
    rig.take(card)
    assert removed(card, 5) not in rig.run(4_000)
    rig.model.faults.dead_for_good = False
    assert rig.run(6_000)[-1] == removed(card, 5)


def test_a_counterfeit_without_working_registers_is_not_used() -> None:
    rig = Rig(version=0x12)
    rig.model.faults.deaf_registers = True
    assert rig.run(300)[0] == FaultFound(events.FAULT_READER_UNSURE, 0x12 << 8 | 1)


def test_the_check_tells_a_maker_what_the_reader_can_do() -> None:
    rig = rig_with_start()
    rig.lay(Ntag213(UID7), coupling=0.5)
    report = rig.reader.check(10)
    assert (report["version"], report["broken"]) == (0x92, 0)
    assert [good for _, good in report["gain"][:5]] == [0, 0, 10, 10, 10]
    assert rig.run(500), "and goes on reading"
    assert rig.reader.statistics()["resets"] == 0
    rig.model.faults.dead_from_us = rig.clock.now_us
    rig.model.faults.dead_for_good = True
    assert rig.reader.check() == {}


# Statistics and writing.


def test_statistics_have_the_names_of_the_protocol() -> None:
    rig = rig_with_start()
    rig.lay(Ntag213(UID7, memory_for(5)))
    rig.lay(Classic1K(UID4))
    rig.run(1_000)
    statistics = rig.reader.statistics()
    assert tuple(statistics) == COUNTERS[STATISTICS_READER]
    assert statistics["collisions"] > 0
    assert statistics["reads"] > statistics["polls"]
    assert len(pack_counters(STATISTICS_READER, statistics)) == 24


@pytest.mark.parametrize(
    "tag",
    [
        Ntag213(UID7),
        Ntag213(UID7, memory_for(7)),
        Ultralight(UID7),
        Classic1K(UID4),
        Classic1K(UID4, key_a=bytes.fromhex("D3F7D3F7D3F7")),
    ],
    ids=["blank", "written before", "ultralight", "classic", "classic with NDEF key"],
)
def test_a_tag_is_written_and_read_back(tag: Tag) -> None:
    rig = rig_with_start()
    rig.lay(tag)
    rig.run(1_000)
    assert rig.reader.write_tag(4_711) == 0
    assert rig.reader.on_roof() == [(4_711, tag.uid)]
    rig.take(tag)
    assert rig.run(1_500) == [removed(tag, 4_711)]
    rig.lay(tag)
    assert rig.run(700) == [presented(tag, 4_711)]


class ForgetfulTag(Ntag213):
    """Says yes to every write and keeps none."""

    def answer(self, data: bytes) -> tuple[int, int] | None:
        return ACK if data[0] == 0xA2 else super().answer(data)


def test_a_tag_that_only_says_yes_is_found_out() -> None:
    rig = rig_with_start()
    rig.lay(ForgetfulTag(UID7))
    assert rig.reader.write_tag(5) == WRITE_FAILED


def test_what_cannot_be_written_is_refused() -> None:
    rig = rig_with_start()
    assert rig.reader.write_tag(5) == NO_TAG
    phone = Phone()
    rig.lay(phone)
    assert rig.reader.write_tag(5) == NO_TAG
    rig.take(phone)
    rig.run(100)
    first, second = Ntag213(UID7), Ntag213(UID7[:6] + b"\1")
    rig.lay(first)
    rig.lay(second)
    assert rig.reader.write_tag(5) == NO_TAG, "which of the two?"
    assert find_code(first.memory[16:]) == find_code(second.memory[16:]) == 0
    rig.take(second)
    rig.run(100)
    first.lock_pages(4, 7)
    assert rig.reader.write_tag(5) == WRITE_FAILED


def test_a_tag_that_leaves_while_it_is_written_holds_no_code_but_the_old_or_the_new() -> None:
    for leave_ms in range(40):
        rig = rig_with_start()
        tag = Ntag213(UID7, memory_for(100))
        rig.lay(tag)
        rig.run(500)
        rig.field.take(tag, rig.clock.now_us + leave_ms * 1000)
        outcome = rig.reader.write_tag(12_000)
        code = find_code(tag.memory[16:])
        assert code in (0, 100, 12_000)
        assert code or tag.memory[16:18] == b"\x03\x00", "an empty message, not a torn one"
        assert outcome != 0 or code == 12_000
