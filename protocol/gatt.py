"""The ARC's Bluetooth face: one service with a fixed table, and the bytes that it advertises.

The table never changes within a major version, because hosts keep what they once discovered.
"""

from protocol.message import ProtocolError

SERVICE_UUID = "c6cd0001-1f15-4794-abb2-e02400a3153f"
INFO_UUID = "c6cd0002-1f15-4794-abb2-e02400a3153f"
COMMAND_UUID = "c6cd0003-1f15-4794-abb2-e02400a3153f"
EVENT_UUID = "c6cd0004-1f15-4794-abb2-e02400a3153f"

READ, WRITE, NOTIFY = 0x02, 0x08, 0x10
"""Characteristic properties as the Bluetooth Core Specification numbers them (Vol 3, Part G, 3.3.1.1)."""

CHARACTERISTICS = ((INFO_UUID, READ), (COMMAND_UUID, WRITE), (EVENT_UUID, NOTIFY))
"""In the order of their handles. WRITE is write with response; there is no write without."""

PREFERRED_MTU = 247
SMALLEST_MTU = 23
MAX_COMMAND = PREFERRED_MTU - 3
"""A command, whatever the transport, has at most this many bytes."""

COMPANY_ID = 0xFFFF
DEVICE_ID_SIZE = 6
_FLAGS, _UUID128, _NAME, _MANUFACTURER = 0x01, 0x07, 0x09, 0xFF
_GENERAL_DISCOVERABLE_LE_ONLY = 0x06


def advertisement(device: bytes) -> bytes:
    """Flags, the service's UUID and the device id as manufacturer data: exactly the 31 bytes there are."""
    if len(device) != DEVICE_ID_SIZE:
        raise ProtocolError("a device id has %d bytes, not %d" % (DEVICE_ID_SIZE, len(device)))
    return (
        _structure(_FLAGS, bytes((_GENERAL_DISCOVERABLE_LE_ONLY,)))
        + _structure(_UUID128, uuid_bytes(SERVICE_UUID))
        + _structure(_MANUFACTURER, bytes((COMPANY_ID & 0xFF, COMPANY_ID >> 8)) + device)
    )


def scan_response(device: bytes) -> bytes:
    """The name that people see in a list, ending in the last two bytes of the device id."""
    return _structure(_NAME, device_name(device).encode())


def device_name(device: bytes) -> str:
    """`Colonies ARC 5F3A`."""
    return "Colonies ARC %02X%02X" % (device[-2], device[-1])


def uuid_bytes(uuid: str) -> bytes:
    """The 16 bytes of a UUID in the order of the air: the last first."""
    digits = uuid.replace("-", "")
    return bytes([int(digits[at : at + 2], 16) for at in range(30, -2, -2)])


def _structure(kind: int, data: bytes) -> bytes:
    return bytes((len(data) + 1, kind)) + data
