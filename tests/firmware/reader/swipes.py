"""Swipes over the coil in virtual time: at a speed, over all phases against the polls."""

from firmware.boards import timings
from firmware.desk.chips.tag_kinds import Ntag213
from protocol.events import Body, CardPresented, CardRemoved, card_body
from protocol.tag import memory_for
from tests.firmware.reader.rig import TRANSFER_US, Rig

UID = bytes.fromhex("04A3C6CAE26180")
CODE = 5
COIL_CM = 5
"""How far a tag is heard along its way over the roof: an estimate for a 40 mm coil at 1 to 2 cm."""

READ = [card_body(CardPresented, CODE, UID), card_body(CardRemoved, CODE, UID)]


def swipe(speed_cm_s: int, phase_ms: int, transfer_us: int = TRANSFER_US) -> list[Body]:
    """The events of one swipe that enters the field `phase_ms` after an idle poll was due."""
    rig = Rig()
    rig.spi.transfer_us = transfer_us
    rig.settle()
    enter_us = rig.clock.now_us + phase_ms * 1000
    rig.field.put(Ntag213(UID, memory_for(CODE)), enter_us, leave_us=enter_us + COIL_CM * 1_000_000 // speed_cm_s)
    return rig.run(2_500)


def share_read(speed_cm_s: int, every_ms: int = 2, transfer_us: int = TRANSFER_US) -> float:
    """The share of swipes at this speed that gave exactly one arrival and one removal."""
    phases = range(0, timings.POLL_IDLE_MS, every_ms)
    return sum(swipe(speed_cm_s, phase_ms, transfer_us) == READ for phase_ms in phases) / len(phases)
