"""The tags that people own: NTAG213/215/216, Ultralight, MIFARE Classic 1K, phones. Commands and memories as real ones."""

from firmware.desk.chips.air import with_crc
from firmware.desk.chips.tags import ACTIVE, Tag

ACK = (0xA, 4)
DEFAULT_KEY = b"\xff\xff\xff\xff\xff\xff"


class Ultralight(Tag):
    """NFC Forum type 2: pages of 4 bytes. READ gives 4 pages and wraps at the end, WRITE takes one."""

    PAGES = 16
    CAPABILITY = b"\x00\x00\x00\x00"
    VERSION: "bytes | None" = None
    DELIVERED = b""
    """What the maker has written into the user memory."""
    WRITE_US = 4100
    """EEPROM programming time, NTAG213 data sheet 10.5."""

    def __init__(self, uid: bytes, user_memory: "bytes | None" = None) -> None:
        if len(uid) != 7:
            raise ValueError(f"a type 2 tag has a 7-byte UID, not {len(uid)}")
        super().__init__(uid)
        self.memory = bytearray(self.PAGES * 4)
        first, second = self._sent[0].to_bytes(5, "little"), self._sent[1].to_bytes(5, "little")
        self.memory[0:10] = first[1:5] + second[0:5] + b"\x48"
        self.memory[12:16] = self.CAPABILITY
        if user_memory is None:
            user_memory = self.DELIVERED
        if len(user_memory) > self.user_size():
            raise ValueError(f"the user memory holds {self.user_size()} bytes, not {len(user_memory)}")
        self.memory[16 : 16 + len(user_memory)] = user_memory

    def user_size(self) -> int:
        """Bytes from page 4 on that are the user's."""
        return self.PAGES * 4 - 16

    def lock_pages(self, first: int, last: int) -> None:
        """Set the static lock bits of pages first … last (3 … 15): they can never be written again."""
        for page in range(first, last + 1):
            self.memory[10 + page // 8] |= 1 << page % 8

    def answer(self, data: bytes) -> "tuple[int, int] | None":
        command = data[0]
        if command == 0x30 and len(data) == 2:
            return self._read(data[1])
        if command == 0xA2 and len(data) == 6:
            return self._write(data[1], data[2:])
        if command == 0x60 and len(data) == 1 and self.VERSION:
            return with_crc(self.VERSION)
        return self.refuse(0x0)

    def _read(self, page: int) -> "tuple[int, int]":
        if page >= self.PAGES:
            return self.refuse(0x0)
        at = page * 4
        return with_crc(bytes((self.memory + self.memory)[at : at + 16]))

    def _write(self, page: int, data: bytes) -> "tuple[int, int]":
        self.reply_delay_us = self.WRITE_US
        if not 2 <= page < self.PAGES or self._is_locked(page):
            return self.refuse(0x0)
        at = page * 4
        if page == 2:
            self.memory[at + 2] |= data[2]
            self.memory[at + 3] |= data[3]
        elif page == 3:
            for i in range(4):
                self.memory[at + i] |= data[i]
        else:
            self.memory[at : at + 4] = data
        return ACK

    def _is_locked(self, page: int) -> bool:
        return 3 <= page <= 15 and bool(self.memory[10 + page // 8] & 1 << page % 8)


class Ntag213(Ultralight):
    """180 bytes, 144 of them the user's (NTAG213/215/216 data sheet, 8.5)."""

    PAGES = 45
    CAPABILITY = b"\xe1\x10\x12\x00"
    VERSION = b"\x00\x04\x04\x02\x01\x00\x0f\x03"
    DELIVERED = b"\x01\x03\xa0\x0c\x34\x03\x00\xfe"  # a lock control TLV, an empty NDEF message

    def user_size(self) -> int:
        return (self.PAGES - 9) * 4


class Ntag215(Ntag213):
    PAGES = 135
    CAPABILITY = b"\xe1\x10\x3e\x00"
    VERSION = b"\x00\x04\x04\x02\x01\x00\x11\x03"
    DELIVERED = b"\x03\x00\xfe"


class Ntag216(Ntag213):
    PAGES = 231
    CAPABILITY = b"\xe1\x10\x6d\x00"
    VERSION = b"\x00\x04\x04\x02\x01\x00\x13\x03"
    DELIVERED = b"\x03\x00\xfe"


class Classic1K(Tag):
    """MIFARE Classic 1K: 16 sectors of 4 blocks. The cipher is a key check here: the reader chip does Crypto1 itself.

    A failed authentication sends the card away from ACTIVE, as real ones do: it must be selected anew.
    """

    SAK = 0x08
    READ_US = 300

    def __init__(self, uid: bytes, blocks: "dict[int, bytes] | None" = None, key_a: bytes = DEFAULT_KEY) -> None:
        super().__init__(uid)
        self.memory = bytearray(1024)
        self.memory[0:4] = uid[:4]
        for sector in range(16):
            at = (sector * 4 + 3) * 16
            self.memory[at : at + 16] = key_a + b"\xff\x07\x80\x69" + DEFAULT_KEY
        for block, data in (blocks or {}).items():
            self.memory[block * 16 : block * 16 + len(data)] = data

    def lose_session(self) -> None:
        self._sector = -1
        self._block_to_write = -1

    def understands(self, encrypted: bool) -> bool:
        return encrypted == (self._sector >= 0)

    def authenticate(self, kind: int, block: int, key: bytes, uid: bytes) -> bool:
        at = (block // 4 * 4 + 3) * 16 + (0 if kind == 0x60 else 10)
        fits = self.state == ACTIVE and block < 64 and uid == self.uid[-4:] and key == self.memory[at : at + 6]
        if not fits:
            self.disturb()
            return False
        self._sector, self._block_to_write = block // 4, -1
        return True

    def answer(self, data: bytes) -> "tuple[int, int] | None":
        if self._block_to_write >= 0:
            return self._take_block(data)
        if len(data) != 2 or self._sector < 0 or data[1] // 4 != self._sector:
            return self.refuse(0x4)
        self.reply_delay_us = self.READ_US
        if data[0] == 0x30:
            return with_crc(self._visible(data[1]))
        if data[0] == 0xA0 and data[1]:
            self._block_to_write = data[1]
            return ACK
        return self.refuse(0x4)

    def _take_block(self, data: bytes) -> "tuple[int, int]":
        if len(data) != 16:
            return self.refuse(0x5)
        self.reply_delay_us = 2500
        self.memory[self._block_to_write * 16 : self._block_to_write * 16 + 16] = data
        self._block_to_write = -1
        return ACK

    def _visible(self, block: int) -> bytes:
        data = bytes(self.memory[block * 16 : block * 16 + 16])
        return bytes(6) + data[6:] if block % 4 == 3 else data


class InfineonClassic1K(Classic1K):
    """The same card by another maker: bit 8 of its SAK is set, of which ISO 14443-3 says nothing (NXP AN10833, 3.2)."""

    SAK = 0x88


class Phone(Tag):
    """A phone or bank card: ISO 14443-4, a new random UID (08 …) every time the field comes on."""

    SAK = 0x20

    def __init__(self, seed: int = 1) -> None:
        self._seed = seed
        super().__init__(b"\x08\x00\x00\x01")

    def power_off(self) -> None:
        self._seed = (self._seed * 1103515245 + 12345) & 0x7FFFFFFF
        self.uid = b"\x08" + (self._seed >> 4 & 0xFFFFFF).to_bytes(3, "little")
        self.levels = [self.uid]
        bcc = self.uid[0] ^ self.uid[1] ^ self.uid[2] ^ self.uid[3]
        self._sent = [int.from_bytes(self.uid, "little") | bcc << 32]
        super().power_off()
