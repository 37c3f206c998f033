"""What is written on a tag: one NDEF URI record `arc:` and a four-character code.

Three characters number the thing, the fourth checks them. The alphabet has 23 symbols, none of which looks
like another; 23 is prime, so the weighted check finds every single wrong character and every swap of neighbours.
"""

ALPHABET = "34679ACDEFGHJKMNPQRTWXY"
CODE_COUNT = 23 * 23 * 23
NO_CODE = 0

_URI_RECORD = b"\xd1\x01\x09U\x00arc:"
_TLV_NULL, _TLV_NDEF, _TLV_TERMINATOR = 0x00, 0x03, 0xFE


class TagError(ValueError):
    """A text that is not a tag code."""


def code_text(number: int) -> str:
    """The four characters for `number` (1 … 12167)."""
    if not 1 <= number <= CODE_COUNT:
        raise TagError("tag code number %d is outside 1 to %d" % (number, CODE_COUNT))
    value = number - 1
    digits = (value // 529, value // 23 % 23, value % 23)
    return "".join([ALPHABET[d] for d in digits]) + ALPHABET[_check(digits)]


def code_number(text: str) -> int:
    """The number (1 … 12167) behind four characters; `TagError` says what is wrong with them."""
    if len(text) != 4:
        raise TagError("a tag code has 4 characters, not %d: %s" % (len(text), text))
    digits = []
    for character in text:
        index = ALPHABET.find(character)
        if index < 0:
            raise TagError("%s is not used in tag codes: %s" % (character, text))
        digits.append(index)
    if _check((digits[0], digits[1], digits[2])) != digits[3]:
        raise TagError("the check character of tag code %s does not fit" % text)
    return digits[0] * 529 + digits[1] * 23 + digits[2] + 1


def _check(digits: "tuple[int, int, int]") -> int:
    return (digits[0] + 2 * digits[1] + 3 * digits[2]) % 23


def memory_for(number: int) -> bytes:
    """The 16 bytes to write from page 4 on: NDEF TLV, URI record, terminator. Exactly four pages."""
    message = _URI_RECORD + code_text(number).encode()
    return bytes((_TLV_NDEF, len(message))) + message + bytes((_TLV_TERMINATOR,))


def find_code(memory: "bytes | bytearray | memoryview") -> int:
    """The code number in the user memory of a tag (from page 4 on), or `NO_CODE`.

    Walks the TLV blocks and every record of each NDEF message (NFC Forum Type 2 Tag 2.3, NDEF 3.2), so lock
    TLVs before and other records beside ours do no harm. Anything malformed means `NO_CODE`, never an exception.
    `memory` may end early: an NDEF message counts as far as it was read, a record only when it is whole.
    """
    memory = bytes(memory)
    at, end = 0, len(memory)
    while at < end:
        kind = memory[at]
        if kind == _TLV_NULL:
            at += 1
            continue
        if kind == _TLV_TERMINATOR or at + 1 >= end:
            return NO_CODE
        length, at = memory[at + 1], at + 2
        if length == 0xFF:
            if at + 2 > end:
                return NO_CODE
            length, at = memory[at] << 8 | memory[at + 1], at + 2
        if kind == _TLV_NDEF:
            found = _code_in_message(memory[at : at + length])
            if found:
                return found
        at += length
    return NO_CODE


def _code_in_message(message: bytes) -> int:
    at = 0
    while at + 3 <= len(message):
        header, type_length = message[at], message[at + 1]
        if header & 0x10:
            payload_length, at = message[at + 2], at + 3
        else:
            payload_length, at = int.from_bytes(message[at + 2 : at + 6], "big"), at + 6
        id_length = 0
        if header & 0x08:
            if at >= len(message):
                return NO_CODE
            id_length, at = message[at], at + 1
        kind = message[at : at + type_length]
        at += type_length + id_length
        payload = message[at : at + payload_length]
        if len(payload) < payload_length:
            return NO_CODE
        if header & 0x07 == 0x01 and kind == b"U" and len(payload) == 9 and payload[:5] == b"\x00arc:":
            try:
                return code_number(str(payload[5:], "utf-8"))
            except ValueError:
                return NO_CODE
        at += payload_length
        if header & 0x40:
            return NO_CODE
    return NO_CODE
