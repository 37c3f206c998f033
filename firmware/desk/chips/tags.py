"""Tags as ISO 14443-3 type A sees them: wake-up, anticollision, select, halt, bit for bit. Memories are in tag_kinds.py.

States and what leaves them:
    IDLE    REQA, WUPA → READY                         HALT    WUPA → READY (remembering HALT)
    READY   anticollision that fits → READY; SELECT → READY of the next level, or ACTIVE
    ACTIVE  HLTA → HALT; commands of the kind
Anything else, and every damaged frame, leads back to IDLE, or to HALT if it was woken from there.
"""

from firmware.desk.chips.air import REPLY_DELAY_US, checked, with_crc

IDLE, READY, ACTIVE, HALT = 0, 1, 2, 3
REQA, WUPA = 0x26, 0x52
CASCADE_TAG = 0x88


def cascade_levels(uid: bytes) -> "list[bytes]":
    """The 4-byte parts of a UID of 4, 7 or 10 bytes as they are sent, with the cascade tag where more follows."""
    if len(uid) not in (4, 7, 10):
        raise ValueError(f"a UID has 4, 7 or 10 bytes, not {len(uid)}")
    levels = []
    while len(uid) > 4:
        levels.append(bytes((CASCADE_TAG,)) + uid[:3])
        uid = uid[3:]
    levels.append(uid)
    return levels


class Tag:
    """One tag with its UID. `receive` takes a frame and gives the answer, or None for silence."""

    SAK = 0x00
    startup_us = 1000
    """From field to listening; ISO 14443-3 allows 5 ms."""

    def __init__(self, uid: bytes, atqa: "int | None" = None) -> None:
        self.uid = bytes(uid)
        self.levels = cascade_levels(self.uid)
        self._sent = []
        for part in self.levels:
            bcc = part[0] ^ part[1] ^ part[2] ^ part[3]
            self._sent.append(int.from_bytes(part, "little") | bcc << 32)
        self.atqa = 0x04 | (len(self.levels) - 1) << 6 if atqa is None else atqa
        self.reply_delay_us = REPLY_DELAY_US
        self.refusals = 0
        self.power_off()

    def power_off(self) -> None:
        """The field is gone: everything but the memory is forgotten."""
        self.state = IDLE
        self.level = 0
        self._was_halted = False
        self.lose_session()

    def lose_session(self) -> None:
        """Forget what a command may have left behind. For kinds to override."""

    def disturb(self) -> "tuple[int, int] | None":
        """A frame came in damaged."""
        if self.state in (READY, ACTIVE):
            self.fall_back()
        return None

    def fall_back(self) -> None:
        """To IDLE, or to HALT when woken from there."""
        self.state = HALT if self._was_halted else IDLE
        self.lose_session()

    def receive(self, value: int, bits: int, encrypted: bool) -> "tuple[int, int] | None":
        """The answer to a frame. `encrypted`: it was sent through Crypto1, which only its peer understands."""
        self.reply_delay_us = REPLY_DELAY_US
        if bits == 7 and not encrypted:
            return self._wake(value)
        if self.state == READY:
            return self._select(value, bits) if not encrypted else self.disturb()
        if self.state == ACTIVE:
            return self._command(value, bits, encrypted)
        return None

    def _wake(self, value: int) -> "tuple[int, int] | None":
        if (self.state == IDLE and value in (REQA, WUPA)) or (self.state == HALT and value == WUPA):
            self._was_halted = self.state == HALT
            self.state, self.level = READY, 0
            return self.atqa, 16
        return self.disturb()

    def _select(self, value: int, bits: int) -> "tuple[int, int] | None":
        nvb = value >> 8 & 0xFF
        sent = self._sent[self.level]
        if value & 0xFF != 0x93 + 2 * self.level:
            return self.disturb()
        if nvb == 0x70:
            data = checked(value, bits)
            if data is None or len(data) != 7 or int.from_bytes(data[2:], "little") != sent:
                return self.disturb()
            if self.level + 1 < len(self.levels):
                self.level += 1
                return with_crc(bytes((self.SAK | 0x04,)))
            self.state = ACTIVE
            return with_crc(bytes((self.SAK,)))
        known = (nvb >> 4) * 8 + (nvb & 0x0F) - 16
        if not 0 <= known < 40 or bits != 16 + known or (value >> 16 ^ sent) & ((1 << known) - 1):
            return self.disturb()
        return sent >> known, 40 - known

    def _command(self, value: int, bits: int, encrypted: bool) -> "tuple[int, int] | None":
        if not self.understands(encrypted):
            return self.disturb()
        data = checked(value, bits)
        if data == b"\x50\x00":
            self.state = HALT
            self.lose_session()
            return None
        if data is None:
            return self.refuse(0x1)
        if self.refusals:
            self.refusals -= 1
            return self.refuse(0x0)
        return self.answer(data)

    def understands(self, encrypted: bool) -> bool:
        """Whether a frame makes sense in this session. Plain tags know no encryption."""
        return not encrypted

    def refuse(self, code: int) -> "tuple[int, int]":
        """A NAK of 4 bits; the tag leaves ACTIVE."""
        self.fall_back()
        return code, 4

    def answer(self, data: bytes) -> "tuple[int, int] | None":
        """The answer to a command with a good CRC. A bare tag knows none."""
        return self.disturb()

    def authenticate(self, kind: int, block: int, key: bytes, uid: bytes) -> bool:
        """MIFARE authentication; tags that know none fall back."""
        self.disturb()
        return False
