"""What a reader tells of a card, and UIDs to tell it with."""

from protocol import events
from protocol.events import Body, CardPresented, CardRemoved

UID4 = bytes.fromhex("11223344")
UID7 = bytes.fromhex("04A3C6CAE26180")


def presented(uid: bytes, code: int = 7) -> Body:
    return events.card_body(CardPresented, code, uid)


def removed(uid: bytes, code: int = 7) -> Body:
    return events.card_body(CardRemoved, code, uid)
