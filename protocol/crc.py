"""CRC-16/CCITT-FALSE for frames. Table-driven by nibble: 32 bytes of table, fast enough on a microcontroller."""

_NIBBLE = (
    0x0000, 0x1021, 0x2042, 0x3063, 0x4084, 0x50A5, 0x60C6, 0x70E7,
    0x8108, 0x9129, 0xA14A, 0xB16B, 0xC18C, 0xD1AD, 0xE1CE, 0xF1EF,
)  # fmt: skip


def crc16(data: "bytes | bytearray | memoryview", crc: int = 0xFFFF) -> int:
    """CRC-16 of `data`: polynomial 0x1021, initial value 0xFFFF, no reflection, no final XOR.

    Pass an earlier result as `crc` to continue over several pieces.
    """
    table = _NIBBLE
    for byte in data:
        crc = ((crc << 4) & 0xFFFF) ^ table[(crc >> 12) ^ (byte >> 4)]
        crc = ((crc << 4) & 0xFFFF) ^ table[(crc >> 12) ^ (byte & 0x0F)]
    return crc
