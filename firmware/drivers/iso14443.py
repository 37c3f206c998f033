"""ISO 14443-3 type A on top of the reader chip: wake, tell tags apart, select, halt. Knows no memory and no game.

Rules kept here: the SAK's bit 0x04 alone says that the UID goes on; BCC and CRC of every answer are checked; a UID
counts only after its SELECT was answered; a collision is walked, never guessed around.
"""

from firmware.drivers.mfrc522 import COLLIDED, DAMAGED, SILENCE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from firmware.drivers.mfrc522 import Mfrc522

REQA, WUPA = 0x26, 0x52
# several tags of different kinds collide in their ATQA already: that is an answer too
_GARBLED = (COLLIDED, DAMAGED)
_WHOLE_ATQA = (16, COLLIDED)
CASCADE_TAG, UID_INCOMPLETE = 0x88, 0x04
ISO_14443_4 = 0x20
"""Bit of the SAK: speaks the transmission protocol, as phones and bank cards do."""


def crc_a(data: "bytes | bytearray | memoryview", length: int) -> int:
    """CRC_A of the first `length` bytes (ISO 14443-3 annex B). In software: it then also checks the chip."""
    crc = 0x6363
    for i in range(length):
        byte = data[i] ^ (crc & 0xFF)
        byte ^= (byte << 4) & 0xFF
        crc = (crc >> 8) ^ (byte << 8) ^ (byte << 3) ^ (byte >> 4)
    return crc


def is_random(uid: bytes) -> bool:
    """Whether a UID is made up anew each time: 4 bytes that begin with 0x08 (ISO 14443-3, 6.5.4)."""
    return len(uid) == 4 and uid[0] == 0x08


class TypeA:
    """The tags in the field of `chip`. `last` is why the latest call failed: SILENCE, COLLIDED, DAMAGED or STUCK.

    `collisions` and `damaged` count for ever; `sak` belongs to the UID that `identify` gave. `is_certain`: the latest
    `wake` heard a whole ATQA, or several; anything else may have been the receiver hearing itself.
    """

    def __init__(self, chip: "Mfrc522") -> None:
        self.last = SILENCE
        self.is_certain = False
        self.sak = 0
        self.collisions = 0
        self.damaged = 0
        self._chip = chip
        self._part = bytearray(5)
        self._uid = bytearray(10)

    def wake(self, command: int) -> bool:
        """REQA (idle tags) or WUPA (halted ones too). True when something answered, be it several at once."""
        self._chip.tx[0] = command
        bits = self._chip.transceive(1, 7)
        self.is_certain = bits in _WHOLE_ATQA
        if bits >= 0 or bits in _GARBLED:
            return True
        self.last = bits
        return False

    def identify(self) -> "bytes | None":
        """After `wake`: the UID of one tag, which is then selected, or None (see `last`). Prefers 1 where tags differ."""
        length = 0
        for level in range(3):
            if not self._resolve(0x93 + 2 * level) or not self._select(0x93 + 2 * level):
                return None
            if not self.sak & UID_INCOMPLETE:
                self._uid[length : length + 4] = self._part[0:4]
                return bytes(self._uid[: length + 4])
            if self._part[0] != CASCADE_TAG:
                break
            self._uid[length : length + 3] = self._part[1:4]
            length += 3
        self._fail(DAMAGED)
        return None

    def reselect(self, uid: bytes) -> bool:
        """Wake everything and select the tag with this very UID, whatever state it is in.

        After a refusal it sleeps and wakes at once; still selected, it takes the first WUPA for a mistake, falls
        asleep and wakes at the second.
        """
        return self._wake_and_select(uid) or self._wake_and_select(uid)

    def _wake_and_select(self, uid: bytes) -> bool:
        if not self.wake(WUPA):
            return False
        at, level = 0, 0
        while True:
            goes_on = len(uid) - at > 4
            self._part[0] = CASCADE_TAG
            if goes_on:
                self._part[1:4] = uid[at : at + 3]
            else:
                self._part[0:4] = uid[at : at + 4]
            self._part[4] = self._bcc()
            if not self._select(0x93 + 2 * level):
                return False
            if bool(self.sak & UID_INCOMPLETE) != goes_on:
                return self._fail(DAMAGED)
            if not goes_on:
                return True
            at, level = at + 3, level + 1

    def halt(self) -> None:
        """The selected tag sleeps until a WUPA. Silence is its consent, and not waited for: the field costs current."""
        self._chip.tx[0] = 0x50
        self._chip.tx[1] = 0x00
        self._append_crc(2)
        self._chip.send(4)

    def exchange(self, length: int) -> int:
        """Send `length` bytes of the chip's `tx` with their CRC; the bits of the answer, or as `transceive`."""
        self._append_crc(length)
        return self._chip.transceive(length + 2)

    def _append_crc(self, length: int) -> None:
        tx = self._chip.tx
        crc = crc_a(tx, length)
        tx[length] = crc & 0xFF
        tx[length + 1] = crc >> 8

    def is_sound(self, length: int) -> bool:
        """Whether the answer of `length` bytes ends with its right CRC. Counts when not."""
        rx = self._chip.rx
        if length > 2 and crc_a(rx, length - 2) == rx[length - 2] | rx[length - 1] << 8:
            return True
        return self._fail(DAMAGED)

    def _fail(self, why: int) -> bool:
        self.last = why
        if why == DAMAGED:
            self.damaged += 1
        return False

    def _bcc(self) -> int:
        part = self._part
        return part[0] ^ part[1] ^ part[2] ^ part[3]

    def _resolve(self, sel: int) -> bool:
        """Anticollision of one level (ISO 14443-3, 6.5.3): `_part` gets 4 bytes and BCC of one of the tags."""
        chip, part = self._chip, self._part
        known = 0
        # 40 bits, at least one more known after each step
        while known < 32:
            whole, rest = known >> 3, known & 7
            chip.tx[0] = sel
            chip.tx[1] = (2 + whole) << 4 | rest
            sent = whole + (1 if rest else 0)
            for i in range(sent):
                chip.tx[2 + i] = part[i]
            bits = chip.transceive(2 + sent, rest, rest)
            if bits == COLLIDED:
                known = self._step_over(known)
                if known < 0:
                    return self._fail(DAMAGED)
                continue
            if bits < 0:
                return self._fail(bits)
            if bits != 40 - whole * 8:
                return self._fail(DAMAGED)
            self._merge(known, 40)
            if part[4] != self._bcc():
                return self._fail(DAMAGED)
            return True
        return self._complete()

    def _step_over(self, known: int) -> int:
        """Take over what came before the collision and decide for 1 there. The bits known then, or -1."""
        where = self._chip.collision_at
        position = where + (known & ~7)
        if where < 0 or position < known or position > 31:
            return -1
        self.collisions += 1
        self._merge(known, position)
        self._part[position >> 3] |= 1 << (position & 7)
        return position + 1

    def _merge(self, known: int, end: int) -> None:
        """Bits `known` … `end` of the part come from the answer, whose first byte is the part's byte known // 8."""
        first = known >> 3
        for i in range(first, 5):
            keep = (1 << (known & 7)) - 1 if i == first else 0
            fresh = self._chip.rx[i - first]
            if i * 8 + 8 > end:
                fresh &= (1 << max(0, end - i * 8)) - 1
            self._part[i] = (self._part[i] & keep) | (fresh & ~keep & 0xFF)

    def _complete(self) -> bool:
        # the last bit collided: all 32 are decided, and BCC follows from them
        self._part[4] = self._bcc()
        return True

    def _select(self, sel: int) -> bool:
        tx = self._chip.tx
        tx[0] = sel
        tx[1] = 0x70
        for i in range(5):
            tx[2 + i] = self._part[i]
        bits = self.exchange(7)
        if bits < 0:
            return self._fail(bits)
        if bits != 24:
            return self._fail(DAMAGED)
        if not self.is_sound(3):
            return False
        self.sak = self._chip.rx[0]
        return True
