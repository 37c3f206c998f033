"""What travels between antenna and tag: bit times, CRC_A, noise. Frames are (value, bits), the first bit lowest."""

import math

BIT_NS = 9440
"""One bit at 106 kBd: 128 periods of 13.56 MHz."""

REPLY_DELAY_US = 91
"""Frame delay time of REQA, anticollision and SELECT: fixed by ISO 14443-3 so that tags answer together."""


def frame_us(bits: int) -> int:
    """How long a frame of `bits` data bits is on the air: a parity bit per byte, start and end of frame."""
    return (bits + bits // 8 + 2) * BIT_NS // 1000


def _make_table() -> "list[int]":
    table = []
    for byte in range(256):
        crc = byte
        for _ in range(8):
            crc = crc >> 1 ^ 0x8408 if crc & 1 else crc >> 1
        table.append(crc)
    return table


_CRC_TABLE = _make_table()


def crc_a(data: bytes, preset: int = 0x6363) -> int:
    """CRC of ISO 14443-3 annex B: polynomial x16 + x12 + x5 + 1, bits reflected, sent low byte first."""
    crc = preset
    for byte in data:
        crc = crc >> 8 ^ _CRC_TABLE[(crc ^ byte) & 0xFF]
    return crc


def to_frame(data: bytes) -> "tuple[int, int]":
    """Whole bytes as a frame."""
    return int.from_bytes(data, "little"), len(data) * 8


def with_crc(data: bytes) -> "tuple[int, int]":
    """Whole bytes and their CRC_A as a frame."""
    return to_frame(data + crc_a(data).to_bytes(2, "little"))


def checked(value: int, bits: int) -> "bytes | None":
    """The bytes of a frame without its CRC_A, or None when the CRC is wrong or the frame no whole bytes."""
    if bits % 8 or bits < 24:
        return None
    data = value.to_bytes(bits // 8, "little")
    return data[:-2] if crc_a(data) == 0 else None


class Noise:
    """Flips bits at `rate`, the same ones for the same `seed`. Works by drawing the distance to the next flip."""

    def __init__(self, rate: float, seed: int) -> None:
        self.rate = rate
        self._state = (seed * 2654435761 + 1) & 0xFFFFFFFF or 1
        self._distance = self._draw()

    def flips(self, bits: int) -> "list[int]":
        """The positions hit in the next `bits` bits on the air."""
        hit = []
        at = self._distance
        while at < bits:
            hit.append(at)
            at += 1 + self._draw()
        self._distance = at - bits
        return hit

    def _draw(self) -> int:
        if self.rate <= 0:
            return 1 << 30
        x = self._state
        x ^= x << 13 & 0xFFFFFFFF
        x ^= x >> 17
        x ^= x << 5 & 0xFFFFFFFF
        self._state = x
        return min(1 << 30, int(math.log(x / 4294967296.0) / math.log(1.0 - self.rate)))


def flip(value: int, bits: int, align: int, hits: "list[int]") -> "tuple[int, bool]":
    """The frame after flips at `hits`, and whether a parity bit tells it.

    Positions count the parity bit after each byte. `align`: bits of the first byte that are not on the air;
    the parity of such a split byte is not checked (ISO 14443-3, 6.1.5.3).
    """
    first = 8 - align
    odd: dict[int, int] = {}
    for hit in hits:
        byte, bit = (0, hit) if hit <= first else (1 + (hit - first - 1) // 9, (hit - first - 1) % 9)
        position = bit if byte == 0 else first + (byte - 1) * 8 + bit
        is_parity = bit == (first if byte == 0 else 8)
        if not is_parity:
            if position >= bits:
                continue
            value ^= 1 << position
        odd[byte] = odd.get(byte, 0) ^ 1
    if align:
        odd.pop(0, None)
    return value, any(odd.values())
