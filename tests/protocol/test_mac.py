"""HMAC against Python's own; the session's eight bytes. RFC 4231 lies in the vectors."""

import hashlib
import hmac

from hypothesis import given, strategies as st

from protocol.mac import hmac_sha256, same_bytes
from protocol.messages import session_mac

Fields = tuple[bytes, bytes, int, int, int]
fields = st.tuples(
    st.binary(min_size=16, max_size=16),
    st.binary(min_size=8, max_size=8),
    st.integers(0, 0xFFFFFFFF),
    st.integers(0, 0xFFFF),
    st.integers(0, 0xFFFFFFFF),
)


@given(st.binary(max_size=140), st.binary(max_size=200))
def test_hmac_is_the_standard_one(key: bytes, message: bytes) -> None:
    assert hmac_sha256(key, message) == hmac.new(key, message, hashlib.sha256).digest()


@given(fields, fields)
def test_every_field_counts(left: Fields, right: Fields) -> None:
    assert (session_mac(*left) == session_mac(*right)) == (left == right)


@given(fields, st.integers(0, 4), st.integers(0, 15))
def test_one_bit_in_any_field_changes_it(values: Fields, which: int, bit: int) -> None:
    changed: list[bytes | int] = list(values)
    value = changed[which]
    if isinstance(value, bytes):
        changed[which] = bytes((value[0] ^ 1 << bit % 8,)) + value[1:]
    else:
        changed[which] = value ^ 1 << bit
    assert session_mac(*changed) != session_mac(*values)  # type: ignore[arg-type]


@given(st.binary(max_size=12), st.binary(max_size=12))
def test_same_bytes_is_equality(left: bytes, right: bytes) -> None:
    assert same_bytes(left, right) == (left == right)
    assert same_bytes(left, left)
