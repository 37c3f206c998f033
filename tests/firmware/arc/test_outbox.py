"""What the event log knows of the cards on the roof, for the board's next start."""

from firmware.arc.outbox import Outbox
from firmware.desk.chips.flash import Flash
from firmware.drivers.flash_ring import FlashRing
from protocol import events
from protocol.events import CardPresented, CardRemoved, card_body

FOUR, SEVEN, TEN = b"\x04\x01\x02\x03", b"\x04\x01\x02\x03\x04\x05\x06", bytes(range(10))


def logged(*bodies: events.Body, blocks: int = 4) -> Outbox:
    """The log after these, read again as at a boot."""
    flash = Flash(blocks * 256, 256)
    outbox = Outbox(FlashRing(flash), lambda: 9)
    for body in bodies:
        outbox.append(body, 0)
    return Outbox(FlashRing(flash), lambda: 9)


def test_a_card_lies_on_the_roof_from_presented_to_removed() -> None:
    for uid in (FOUR, SEVEN, TEN):
        laid, taken = card_body(CardPresented, 5, uid), card_body(CardRemoved, 5, uid)
        others = [card_body(CardPresented, 6, bytes(7)), events.ButtonPressed(1), events.Booted(1, 0, 1, 0)]
        assert logged(laid).lies_on_roof(uid)
        assert logged(laid, *others).lies_on_roof(uid), "through another boot too"
        assert not logged(laid, *others, taken, *others).lies_on_roof(uid)
        assert logged(laid, taken, laid).lies_on_roof(uid)


def test_a_card_that_the_log_does_not_have_does_not_lie_there() -> None:
    assert not logged().lies_on_roof(FOUR)
    assert not logged(card_body(CardPresented, 5, SEVEN)).lies_on_roof(FOUR)
    many = [events.ButtonPressed(1)] * 200
    assert not logged(card_body(CardPresented, 5, FOUR), *many).lies_on_roof(FOUR), "overrun: it is news again"
