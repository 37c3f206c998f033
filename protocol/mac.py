"""HMAC-SHA-256 (RFC 2104), written out because MicroPython has `hashlib` but no `hmac` module."""

import hashlib

_BLOCK = 64


def hmac_sha256(key: bytes, message: bytes) -> bytes:
    """The 32-byte HMAC-SHA-256 of `message` under `key`. Vectors: RFC 4231."""
    if len(key) > _BLOCK:
        key = hashlib.sha256(key).digest()
    key = key + bytes(_BLOCK - len(key))
    inner = hashlib.sha256(bytes(b ^ 0x36 for b in key) + message).digest()
    return hashlib.sha256(bytes(b ^ 0x5C for b in key) + inner).digest()


def same_bytes(left: bytes, right: bytes) -> bool:
    """Compare without stopping at the first difference, so that timing tells a guesser nothing."""
    if len(left) != len(right):
        return False
    difference = 0
    for a, b in zip(left, right):
        difference |= a ^ b
    return difference == 0
