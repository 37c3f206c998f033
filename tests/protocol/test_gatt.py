"""What an ARC advertises. Its table of characteristics is compared with the specification in `test_specification.py`."""

import pytest
from hypothesis import given, strategies as st

from protocol import gatt
from protocol.message import ProtocolError


@given(st.binary(min_size=6, max_size=6))
def test_an_advertisement_fills_31_bytes(device: bytes) -> None:
    data = gatt.advertisement(device)
    assert len(data) == 31
    assert data.endswith(device)
    assert len(gatt.scan_response(device)) <= 31


def test_a_device_id_has_6_bytes() -> None:
    with pytest.raises(ProtocolError, match="6 bytes, not 5"):
        gatt.advertisement(bytes(5))
