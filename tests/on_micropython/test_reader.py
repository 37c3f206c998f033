"""The roof reader on the interpreter it ships with: driver, card watch and the chip model in one process."""

import gc

from firmware.desk.chips.air import Noise
from firmware.desk.chips.field import Field
from firmware.desk.chips.tag_kinds import Classic1K, Ntag213, Phone, Ultralight
from firmware.desk.chips.tags import Tag
from firmware.drivers.iso14443 import REQA, WUPA, TypeA
from protocol import events
from protocol.events import CardPresented, CardRemoved, CardsTogether, CardUnreadable, FaultFound
from protocol.tag import memory_for
from tests.firmware.reader.rig import Rig

UID7 = bytes.fromhex("04A3C6CAE26180")
UID4 = bytes.fromhex("88123456")
TIMEOUT_S = 1200


def presented(tag, code):
    return events.card_body(CardPresented, code, tag.uid)


def removed(tag, code):
    return events.card_body(CardRemoved, code, tag.uid)


def settled(field=None, version=0x92):
    rig = Rig(field, version)
    rig.settle()
    return rig


def test_every_kind_of_tag():
    tags = (
        Ntag213(UID7, memory_for(1)),
        Ultralight(UID7, memory_for(2)),
        Classic1K(UID4, {4: memory_for(3)}),
        Classic1K(UID7, {4: memory_for(4)}),
        Tag(bytes(range(1, 11))),
    )
    for number, tag in enumerate(tags):
        code = number + 1 if number < 4 else 0
        rig = settled()
        rig.lay(tag)
        assert rig.run(600) == [presented(tag, code)], tag.uid
        rig.take(tag)
        assert rig.run(1500) == [removed(tag, code)]


def test_collisions_of_two_and_three():
    uids = [UID4, UID7, bytes(range(1, 11)), bytes.fromhex("12345678"), bytes.fromhex("1234567A")]
    for first in range(3):
        rig = Rig()
        assert rig.chip.start()
        wanted = uids[first : first + 3]
        for uid in wanted:
            rig.lay(Tag(uid))
        rig.chip.radio_on()
        tags = TypeA(rig.chip)
        found = []
        command = WUPA
        while tags.wake(command):
            found.append(tags.identify())
            tags.halt()
            command = REQA
        assert sorted(found) == sorted(wanted), found


def test_two_at_once_and_one_left():
    rig = settled()
    first, second = Ntag213(UID7, memory_for(5)), Classic1K(UID4, {4: memory_for(6)})
    rig.lay(first)
    rig.lay(second)
    assert rig.run(1000) == [CardsTogether(2)]
    rig.take(first)
    assert rig.run(1500) == [presented(second, 6)]


def test_a_card_at_rest_for_a_minute_and_a_phone():
    rig = settled()
    card = Ntag213(UID7, memory_for(5))
    rig.lay(card)
    assert rig.run(60_000) == [presented(card, 5)]
    rig.take(card)
    rig.run(2000)
    rig.lay(Phone())
    assert rig.run(2000) == [CardUnreadable(events.UNREADABLE_RANDOM_UID)]


def test_a_tag_is_written_and_read_back():
    for tag in (Ntag213(UID7), Classic1K(UID4)):
        rig = settled()
        rig.lay(tag)
        rig.run(1000)
        assert rig.reader.write_tag(4711) == 0
        assert rig.reader.on_roof() == [(4711, tag.uid)]


def test_a_dead_chip_is_reset():
    rig = settled()
    rig.model.faults.dead_from_us = rig.clock.now_us
    assert rig.run(6000) == [FaultFound(events.FAULT_READER_RESET, 1)]


def noisy_polls(polls, seed):
    """Cards come and go over a noisy field; nothing but them may be seen, and the heap must not grow."""
    rig = settled(Field(Noise(1e-4, seed)))
    tags = (Ntag213(UID7, memory_for(5)), Classic1K(UID4, {4: memory_for(6)}))
    allowed = [presented(tags[0], 5), removed(tags[0], 5), presented(tags[1], 6), removed(tags[1], 6), CardsTogether(2)]
    allowed.append(CardUnreadable(events.UNREADABLE_DAMAGED))
    free = 0
    turn = 0
    while rig.reader.statistics()["polls"] < polls:
        laid = tags[turn % 2 :] if turn % 5 else tags
        turn += 1
        for tag in laid:
            rig.lay(tag)
        bodies = rig.run(1500)
        for tag in laid:
            rig.take(tag)
        for body in bodies + rig.run(1500):
            assert body in allowed, body
        rig.seen.clear()
        if turn == 4:
            gc.collect()
            free = gc.mem_free()
    gc.collect()
    assert turn > 4
    assert gc.mem_free() > free - 512, "heap grew by %d bytes" % (free - gc.mem_free())
    assert rig.reader.statistics()["resets"] == 0


def test_a_noisy_field_and_a_flat_heap():
    noisy_polls(1500, 3)


def test_soak_a_noisy_field_and_a_flat_heap():
    noisy_polls(150_000, 4)


def test_the_driver_allocates_nothing_for_an_empty_poll():
    rig = settled()
    chip = rig.chip
    tags = TypeA(chip)

    class NullSpi:
        """Answers at once that the chip is awake and the timer has run out."""

        def write_readinto(self, out, into):
            into[1] = 0x01

    class NullClock:
        def ticks_us(self):
            return 0

        def sleep_us(self, duration_us):
            pass

        def sleep_ms(self, duration_ms):
            pass

    chip._spi = NullSpi()
    chip._clock = NullClock()
    gc.collect()
    gc.disable()
    before = gc.mem_alloc()
    for _ in range(50):
        assert chip.radio_on()
        assert not tags.wake(WUPA)
        chip.radio_off()
    grown = gc.mem_alloc() - before
    gc.enable()
    assert grown == 0, grown
