"""The user memory of a selected tag: finds our code in it, writes one. Type 2 (NTAG, Ultralight) and MIFARE Classic.

A tag that refuses or fails to answer has left the selected state; every retry therefore selects it anew.
"""

from firmware.drivers.iso14443 import ISO_14443_4
from firmware.drivers.mfrc522 import COLLIDED, TIMEOUT_LONG, TIMEOUT_SHORT
from protocol.tag import NO_CODE, find_code, memory_for

TYPE_CHECKING = False
if TYPE_CHECKING:
    from firmware.drivers.iso14443 import TypeA
    from firmware.drivers.mfrc522 import Mfrc522

CLASSIC_SAKS = (0x08, 0x09, 0x18, 0x28, 0x38)  # without bit 8, which Infineon's have (NXP AN10833, 3.2)
DEFAULT_KEY = b"\xff\xff\xff\xff\xff\xff"
NDEF_KEY = b"\xd3\xf7\xd3\xf7\xd3\xf7"  # NXP AN1304: key A of sectors that hold NDEF
TYPE2_LIMIT = 256
"""Bytes of user memory searched on a type 2 tag: 16 reads of about 3 ms (estimate)."""
CLASSIC_LIMIT = 48  # the three data blocks of sector 1
TRIES = 3
ACK = 0xA


class CardMemory:
    """Reads and writes codes through `chip`; `refusals` counts the NAKs.

    `saw_two`: the latest `read_code` met a collision: two tags with the same UID, as cheap copies have.
    """

    def __init__(self, chip: "Mfrc522", tags: "TypeA") -> None:
        self.refusals = 0
        self.saw_two = False
        self._chip = chip
        self._tags = tags
        self._memory = bytearray(TYPE2_LIMIT)

    def is_writable(self, sak: int) -> bool:
        """Whether we know this kind of memory. Phones and bank cards have none for us."""
        return is_classic(sak) or not sak & ISO_14443_4

    def read_code(self, uid: bytes, sak: int) -> "int | None":
        """The code on the tag just selected, `NO_CODE` when it has none, None when it could not be read now."""
        if not self.is_writable(sak):
            return NO_CODE
        self.saw_two = False
        self._chip.set_timeout(TIMEOUT_LONG)
        read = self._read_classic if is_classic(sak) else self._read_type2
        size = read(uid)
        self._chip.set_timeout(TIMEOUT_SHORT)
        return None if size < 0 else find_code(memoryview(self._memory)[:size])

    def write_code(self, uid: bytes, sak: int, number: int) -> bool:
        """Write the code `number` onto the tag just selected and read it back. False when any of it fails."""
        data = memory_for(number)
        self._chip.set_timeout(TIMEOUT_LONG)
        done = self._write_classic(uid, data) if is_classic(sak) else self._write_type2(data)
        self._chip.set_timeout(TIMEOUT_SHORT)
        return done and bytes(self._memory[: len(data)]) == data

    def end_session(self, sak: int) -> None:
        """After the tag was halted: stop enciphering if it was a Classic card."""
        if is_classic(sak):
            self._chip.end_session()

    # NFC Forum type 2.

    def _read_type2(self, uid: bytes) -> int:
        size, tries = 0, TRIES
        while size < bytes_wanted(self._memory, size, TYPE2_LIMIT):
            refusals = self.refusals
            if self._read_16(4 + size // 4, size):
                size += 16
                if is_blank(self._memory, size - 16):
                    break
                continue
            tries -= 1
            is_back = self._tags.reselect(uid)
            if not tries or not is_back:
                # a refusal is an answer: the memory ends here or is protected. Silence may be better next time
                return size if is_back and self.refusals > refusals else -1
        return size

    def _write_type2(self, data: bytes) -> bool:
        # an empty message first: whoever reads a half-written tag finds no code instead of a mixture
        if not self._write_page(4, b"\x03\x00\xfe\x00"):
            return False
        for at in range(4, len(data), 4):
            if not self._write_page(4 + at // 4, data[at : at + 4]):
                return False
        return self._write_page(4, data[:4]) and self._read_16(4, 0)

    def _write_page(self, page: int, data: bytes) -> bool:
        tx = self._chip.tx
        tx[0] = 0xA2
        tx[1] = page
        tx[2:6] = data
        return self._is_acknowledged(6)

    # MIFARE Classic: sector 1, where NDEF and raw payloads begin.

    def _read_classic(self, uid: bytes) -> int:
        # a foreign key and a disturbed authentication look alike: the caller gives up after some polls
        if not self._open_sector(uid):
            return -1
        size = 0
        while size < bytes_wanted(self._memory, size, CLASSIC_LIMIT):
            if not self._read_16(4 + size // 16, size):
                return -1
            size += 16
        return size

    def _open_sector(self, uid: bytes) -> bool:
        """Try the keys; a wrong one sends the card to sleep, so it is selected anew before the next."""
        for key in (DEFAULT_KEY, NDEF_KEY):
            if self._chip.authenticate(4, key, uid):
                return True
            if not self._tags.reselect(uid):
                break
        return False

    def _write_classic(self, uid: bytes, data: bytes) -> bool:
        """`data` fills the sector's first block."""
        if not self._open_sector(uid):
            return False
        tx = self._chip.tx
        tx[0] = 0xA0
        tx[1] = 4
        if not self._is_acknowledged(2):
            return False
        tx[0:16] = data
        return self._is_acknowledged(16) and self._read_16(4, 0)

    # Both.

    def _read_16(self, page: int, at: int) -> bool:
        """READ: 16 bytes from `page` (or of a block) into the memory at `at`."""
        self._chip.tx[0] = 0x30
        self._chip.tx[1] = page
        bits = self._tags.exchange(2)
        if bits == 4:
            self.refusals += 1
            return False
        if bits == COLLIDED:
            self.saw_two = True
        if bits != 144 or not self._tags.is_sound(18):
            return False
        self._memory[at : at + 16] = self._chip.rx[:16]
        return True

    def _is_acknowledged(self, length: int) -> bool:
        bits = self._tags.exchange(length)
        if bits == 4 and self._chip.rx[0] & 0x0F == ACK:
            return True
        if bits == 4:
            self.refusals += 1
        return False


def is_classic(sak: int) -> bool:
    """Whether a MIFARE Classic card answers so to its SELECT."""
    return sak & 0x7F in CLASSIC_SAKS


def is_blank(memory: "bytes | bytearray", at: int) -> bool:
    """Whether the 16 bytes from `at` on are all zero: nothing was ever written there."""
    return not any(memory[at : at + 16])


def bytes_wanted(memory: "bytes | bytearray", have: int, limit: int) -> int:
    """How much of the user memory is needed to know the NDEF messages in it, judging by the first `have` bytes.

    Walks the TLV blocks; `have` when they end there, never more than `limit`.
    """
    at = 0
    while at < have:
        kind = memory[at]
        if kind == 0xFE:
            return have
        if kind == 0x00:
            at += 1
            continue
        if at + 1 >= have:
            break
        length, at = memory[at + 1], at + 2
        if length == 0xFF:
            if at + 2 > have:
                break
            length, at = memory[at] << 8 | memory[at + 1], at + 2
        at += length
        if kind == 0x03:
            return max(have, min(at, limit))
    return max(have, min(max(at + 1, have + 1), limit))
