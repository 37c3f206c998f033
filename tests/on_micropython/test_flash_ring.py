"""The flash ring and the outbox on the interpreter we ship: the heap flat."""

import gc

from firmware.arc.outbox import Outbox
from firmware.desk.chips.flash import Flash
from firmware.drivers.flash_ring import FlashRing
from protocol.events import CardPresented
from protocol.reading import decode_event


def make_outbox(flash):
    return Outbox(FlashRing(flash), lambda: 0x1234)


def test_events_come_back_after_a_restart():
    flash = Flash(8 * 4096)
    outbox = make_outbox(flash)
    for index in range(300):
        outbox.append(CardPresented(index, b"\x04\x01\x02\x03"), index * 10)
    again = Outbox(FlashRing(flash), lambda: 1)
    assert again.epoch == 0x1234
    codes = []
    for number, record in enumerate(again.after(0)):
        event = decode_event(record)
        assert event.sequence == number + 1
        codes.append(event.body.code)
    assert codes == list(range(300))


def test_heap_stays_flat_while_events_are_written():
    outbox = make_outbox(Flash(8 * 4096))
    body = CardPresented(7, b"\x04\x01\x02\x03\x04\x05\x06")
    record = bytearray(20)
    levels = []
    for index in range(6_000):
        event = outbox.append(body, index)
        outbox.read_into(event.sequence, record)
        if index % 2_000 == 1_999:
            gc.collect()
            levels.append(gc.mem_alloc())
    assert max(levels) - min(levels) <= 64, levels


def test_oldest_moves_when_the_ring_comes_round():
    outbox = make_outbox(Flash(4 * 4096))
    body = CardPresented(7, b"\x04\x01\x02\x03")
    for index in range(1_000):
        outbox.append(body, index)
    assert outbox.newest == 1_000
    assert 384 <= outbox.newest - outbox.oldest + 1 <= 512
    assert outbox.read_into(outbox.oldest - 1, bytearray(20)) == 0
    assert outbox.read_into(outbox.oldest, bytearray(20)) > 0
