"""The roof reader over the chip model, in virtual time: how soon, how long, what when it fails, and writing tags."""

import pytest

from firmware.arc.outbox import Outbox
from firmware.boards import timings
from firmware.desk.chips.flash import Flash
from firmware.desk.chips.tag_kinds import Classic1K, Ntag213, Phone, Ultralight
from firmware.desk.chips.tags import HALT, Tag
from firmware.drivers.card_memory import CardMemory
from firmware.drivers.flash_ring import FlashRing
from firmware.drivers.iso14443 import REQA, WUPA, TypeA
from firmware.drivers.mfrc522 import COMMAND, POWER_DOWN
from protocol import events
from protocol.events import CardsTogether, CardUnreadable
from protocol.messages import STATISTICS_READER
from protocol.statistics import COUNTERS, pack_counters
from protocol.tag import memory_for
from tests.firmware.reader.rig import Rig, settled_rig
from tests.firmware.reader.swipes import READ, share_read, swipe
from tests.firmware.reader.told import UID4, UID7, presented, removed

# How soon.


def test_a_card_is_told_within_two_polls_of_its_first_read() -> None:
    slowest_ms = 0
    for phase_ms in range(0, 100, 3):
        rig = settled_rig()
        rig.clock.now_us += phase_ms * 1000
        laid_ms = rig.now_ms()
        card = Ntag213(UID7, memory_for(5))
        rig.lay(card)
        assert rig.run(400) == [presented(card.uid, 5)]
        slowest_ms = max(slowest_ms, rig.seen[-1][0] - laid_ms)
    # one idle period until the first read, one busy period until the second
    assert slowest_ms <= timings.POLL_IDLE_MS + timings.POLL_BUSY_MS + 30


def test_from_the_first_read_it_takes_at_most_120_ms() -> None:
    rig = settled_rig()
    rig.clock.now_us += 1_000
    rig.lay(Ntag213(UID7, memory_for(5)))
    first_ms = rig.now_ms()
    rig.run(400)
    assert rig.seen[-1][0] - first_ms <= 120


@pytest.mark.parametrize("speed_cm_s", [5, 10, 20])
def test_a_swipe_up_to_20_cm_a_second_is_always_read(speed_cm_s: int) -> None:
    assert share_read(speed_cm_s) == 1


@pytest.mark.parametrize("transfer_us", [12, 35, 45, 55, 70, 100])
def test_of_two_cards_each_poll_reads_both_on_faster_and_slower_boards(transfer_us: int) -> None:
    """The timer that HLTA has started must not pass for the silence of whoever is woken next."""
    for kind in (Ntag213, Classic1K):
        rig = settled_rig()
        rig.spi.transfer_us = transfer_us
        for first in (0x01, 0x04):
            rig.lay(kind(bytes([first]) + (UID7 if kind is Ntag213 else UID4)[1:]))
        assert rig.run(500) == [CardsTogether(2)]
        before = rig.reader.statistics()
        rig.poll()
        assert rig.reader.statistics()["reads"] == before["reads"] + 2


@pytest.mark.parametrize("transfer_us", [5, 12, 35])
def test_a_card_sleeps_after_its_halt_however_fast_the_board_goes_on(transfer_us: int) -> None:
    rig = settled_rig()
    rig.spi.transfer_us = transfer_us
    tag = Classic1K(UID4, {4: memory_for(5)})
    rig.lay(tag)
    assert rig.chip.radio_on()
    tags = TypeA(rig.chip)
    memory = CardMemory(rig.chip, tags)
    assert tags.wake(WUPA)
    assert tags.identify() == UID4
    assert memory.read_code(UID4, tags.sak) == 5
    tags.halt()
    memory.end_session(tags.sak)
    assert not tags.wake(REQA)
    assert tag.state == HALT


@pytest.mark.parametrize("transfer_us", [35, 70, 100, 200])
def test_the_promise_holds_on_faster_and_slower_boards(transfer_us: int) -> None:
    assert share_read(20, every_ms=7, transfer_us=transfer_us) == 1
    rig = settled_rig()
    rig.spi.transfer_us = transfer_us
    rig.lay(Ntag213(UID7, memory_for(5)))
    rig.run(10_000)
    assert duty_percent(rig, 20_000) <= 15


def test_a_swipe_at_30_cm_a_second_is_read_or_told_to_be_unreadable() -> None:
    for phase_ms in range(0, timings.POLL_IDLE_MS, 7):
        assert swipe(30, phase_ms) in (READ, [CardUnreadable(events.UNREADABLE_DAMAGED)])


def test_removal_is_told_a_second_after_the_last_read() -> None:
    rig = settled_rig()
    card = Ntag213(UID7, memory_for(5))
    rig.lay(card)
    rig.run(1_000)
    rig.take(card)
    taken_ms = rig.now_ms()
    assert rig.run(2_000) == [removed(card.uid, 5)]
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
        rig = settled_rig()
        rig.lay(tag)
        assert rig.run(600) == [presented(tag.uid, code)]
        assert rig.reader.on_roof() == [(code, tag.uid)]
        rig.take(tag)
        assert rig.run(1_500) == [removed(tag.uid, code)]
        assert rig.reader.on_roof() == []


def test_a_phone_is_nobody_and_told_once() -> None:
    rig = settled_rig()
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


def test_a_card_that_lay_there_before_the_start_is_no_event() -> None:
    rig = Rig()
    card = Ntag213(UID7, memory_for(5))
    rig.lay_there.add(UID7)
    rig.lay(card)
    assert rig.run(3_000) == []
    assert rig.reader.on_roof() == []
    rig.take(card)
    assert rig.run(2_000) == [removed(card.uid, 5)], "or the log would have it there at the next start"
    rig.lay(card)
    assert rig.run(500) == [presented(card.uid, 5)]


def test_a_card_lifted_after_one_start_and_laid_down_during_the_next_is_read() -> None:
    log = Outbox(FlashRing(Flash(1024, 256)), lambda: 9)
    card = Ntag213(UID7, memory_for(5))

    def boot(*lying: Ntag213) -> Rig:
        rig = Rig()
        if log.lies_on_roof(UID7):
            rig.lay_there.add(UID7)
        for tag in lying:
            rig.lay(tag)
        return rig

    def live(rig: Rig) -> list[events.Body]:
        bodies = rig.run(3_000)
        for body in bodies:
            log.append(body, 0)
        return bodies

    assert live(boot(card)) == [presented(UID7, 5)]
    rig = boot(card)
    assert live(rig) == [], "it lies there still"
    rig.take(card)
    live(rig)
    assert live(boot(card)) == [presented(UID7, 5)]


def test_a_card_laid_down_while_the_board_boots_is_read() -> None:
    rig = Rig()
    resting, laid = Ntag213(UID7, memory_for(5)), Ntag213(bytes.fromhex("04A3C6CAE26181"), memory_for(6))
    rig.lay_there.add(UID7)
    rig.lay(resting)
    rig.lay(laid)
    assert rig.run(1_000) == [presented(laid.uid, 6)]


def test_only_at_the_start_a_card_is_taken_for_one_that_lay_there_before() -> None:
    rig = settled_rig()
    rig.lay_there.add(UID7)
    rig.lay(Ntag213(UID7, memory_for(5)))
    assert rig.run(1_000) == [presented(UID7, 5)]


def test_a_token_on_a_resting_card_and_off_again() -> None:
    rig = settled_rig()
    card, token = Ntag213(UID7, memory_for(5)), Ntag213(bytes.fromhex("04A3C6CAE26181"), memory_for(6))
    rig.lay(card)
    assert rig.run(8_000) == [presented(card.uid, 5)]
    rig.lay(token)
    assert rig.run(500) == [presented(token.uid, 6)]
    rig.take(token)
    assert rig.run(3_000) == [removed(token.uid, 6)]


def test_three_at_once_and_one_left() -> None:
    rig = settled_rig()
    cards = [Ntag213(UID7[:6] + bytes((n,)), memory_for(n)) for n in (1, 2, 3)]
    for card in cards:
        rig.lay(card)
    assert rig.run(1_000) == [CardsTogether(3)]
    rig.take(cards[0])
    assert rig.run(2_000) == []
    rig.take(cards[2])
    assert rig.run(1_500) == [presented(cards[1].uid, 2)]


def test_more_than_three_are_three_and_cost_no_more() -> None:
    replies = []
    for count in (3, 5):
        rig = settled_rig()
        for n in range(count):
            rig.lay(Ntag213(UID7[:6] + bytes((n,)), memory_for(n + 1)))
        assert rig.run(1_000) == [CardsTogether(3)]
        before = rig.reader.statistics()["reads"]
        for _ in range(10):
            rig.poll()
        replies.append(rig.reader.statistics()["reads"] - before)
    assert replies == [30, 30]


PILE = (0x00, 0x55, 0xAA, 0xFF)


def pile(order: "tuple[int, ...]") -> "list[Ntag213]":
    """Four cards, of which a poll reads those with the highest first bytes, in any order of laying down."""
    return [Ntag213(bytes((4, PILE[place])) + UID7[2:], memory_for(n + 1)) for n, place in enumerate(order)]


@pytest.mark.parametrize("order", [(0, 1, 2, 3), (1, 0, 3, 2), (3, 1, 0, 2)])
def test_a_fourth_card_takes_none_of_three_that_rest_away(order: "tuple[int, ...]") -> None:
    """The one it hides has not gone, and is not presented again when the fourth is lifted."""
    rig = settled_rig()
    cards = pile(order)
    for n in range(4):
        rig.lay(cards[n])
        assert rig.run(3_000) == [presented(cards[n].uid, n + 1)]
    rig.take(cards[3])
    assert rig.run(3_000) == [removed(cards[3].uid, 4)]
    for n in range(3):
        rig.take(cards[n])
        assert rig.run(3_000) == [removed(cards[n].uid, n + 1)]


def test_a_fourth_card_that_is_not_read_is_told() -> None:
    rig = settled_rig()
    cards = pile((3, 2, 1, 0))
    for n in range(3):
        rig.lay(cards[n])
        rig.run(2_000)
    rig.lay(cards[3])
    assert rig.run(10_000) == [CardUnreadable(events.UNREADABLE_DAMAGED)]
    rig.take(cards[0])
    assert rig.run(3_000) == [presented(cards[3].uid, 4), removed(cards[0].uid, 1)]


@pytest.mark.parametrize("hold_us", [0, 5_000])
def test_one_of_four_that_others_hide_at_the_start_is_not_presented_again(hold_us: int) -> None:
    rig = Rig()
    rig.field.hold_us = hold_us
    cards = pile((0, 1, 2, 3))
    for card in cards:
        rig.lay(card)
        rig.lay_there.add(card.uid)
    assert rig.run(5_000) == [CardUnreadable(events.UNREADABLE_DAMAGED)]
    rig.take(cards[3])
    assert rig.run(5_000) == [removed(cards[3].uid, 4)]


class GarbledTag(Ntag213):
    """Wakes, and then one bit of whatever it says is wrong."""

    def receive(self, value: int, bits: int, encrypted: bool) -> tuple[int, int] | None:
        reply = super().receive(value, bits, encrypted)
        return (reply[0] ^ 1 << 9, reply[1]) if reply and reply[1] > 16 else reply


def test_a_damaged_tag_is_told_once_and_its_going_is_not() -> None:
    rig = settled_rig()
    tag = GarbledTag(UID7, memory_for(5))
    rig.lay(tag)
    assert rig.run(10_000) == [CardUnreadable(events.UNREADABLE_DAMAGED)]
    rig.take(tag)
    assert rig.run(3_000) == []
    rig.lay(tag)
    assert rig.run(1_000) == [CardUnreadable(events.UNREADABLE_DAMAGED)]


@pytest.mark.parametrize("every", [1, 2, 3, 5])
def test_a_receiver_that_hears_itself_makes_no_event(every: int) -> None:
    rig = settled_rig()
    rig.field.phantom_every = every
    assert rig.run(20_000) == []
    card = Ntag213(UID7, memory_for(5))
    rig.lay(card)
    assert rig.run(5_000) == [presented(card.uid, 5)]
    rig.take(card)
    assert rig.run(5_000) == [removed(card.uid, 5)]


def test_two_copies_of_one_uid_are_not_guessed_at() -> None:
    rig = settled_rig()
    copies = [Classic1K(UID4, {4: memory_for(code)}) for code in (5, 6)]
    for copy in copies:
        rig.lay(copy)
    assert rig.run(2_000) == [CardUnreadable(events.UNREADABLE_DAMAGED)]
    rig.take(copies[0])
    assert rig.run(2_000) == [presented(copies[1].uid, 6)]


def test_a_card_at_the_edge_of_the_field_is_read_at_the_chosen_gain() -> None:
    rig = settled_rig()
    card = Ntag213(UID7, memory_for(5))
    rig.lay(card, coupling=0.25)
    assert rig.run(500) == [presented(card.uid, 5)]


# Duty.


def duty_percent(rig: Rig, duration_ms: int) -> float:
    on_us, began_us = rig.field.on_total_us, rig.clock.now_us
    rig.run(duration_ms)
    return 100 * (rig.field.on_total_us - on_us) / (rig.clock.now_us - began_us)


def test_the_field_is_on_less_than_15_percent() -> None:
    rig = settled_rig()
    assert duty_percent(rig, 20_000) < 7, "idle"
    rig.lay(Ntag213(UID7, memory_for(5)))
    assert duty_percent(rig, 60_000) < 15, "a card resting"
    rig.reader.is_saving_power = True
    assert duty_percent(rig, 20_000) < 8, "low battery"


def test_the_field_stays_under_15_percent_in_the_busiest_game() -> None:
    rig = settled_rig()

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
    rig = settled_rig()
    rig.poll()
    assert rig.chip.read(COMMAND) & POWER_DOWN
    assert rig.field.on_since_us < 0


def test_a_slow_bus_leaves_five_polls_a_second() -> None:
    rig = settled_rig()
    rig.spi.hz = 15_000
    rig.lay(Ntag213(UID7, memory_for(5)))
    rig.run(20_000)
    assert rig.reader.period_ms() == 200


# What it counts.


def test_statistics_have_the_names_of_the_protocol() -> None:
    rig = settled_rig()
    rig.lay(Ntag213(UID7, memory_for(5)))
    rig.lay(Classic1K(UID4))
    rig.run(1_000)
    statistics = rig.reader.statistics()
    assert set(statistics) == set(COUNTERS[STATISTICS_READER])
    assert statistics["collisions"] > 0
    assert statistics["reads"] > statistics["polls"]
    assert len(pack_counters(STATISTICS_READER, statistics)) == 24
