"""What goes wrong below Bluetooth, in the words that a screen can show."""

from bleak.exc import BleakBluetoothNotAvailableError, BleakDeviceNotFoundError, BleakError

from companion.link.reasons import LinkError, Reason

BROKEN = (BleakError, OSError, EOFError, TimeoutError)
"""What bleak's backends raise: their own, the operating system's (no D-Bus, no adapter), and time-outs."""

_BUSY = ("inprogress", "alreadyscanning")
"""BlueZ says InProgress when it still does what a killed app asked for; Android knows one scanner a process."""
_OFF = ("notready", "notturnedon", "notpowered")


def link_error(error: Exception, otherwise: Reason) -> LinkError:
    """Why it failed, as far as the error tells; `otherwise` when it does not."""
    return LinkError(_reason(error, otherwise), f"({str(error) or type(error).__name__})")


def _reason(error: Exception, otherwise: Reason) -> Reason:
    said = str(error).lower().replace(" ", "").replace("_", "")
    if any(word in said for word in _BUSY):
        return Reason.BLUETOOTH_BUSY
    if isinstance(error, BleakBluetoothNotAvailableError) or any(word in said for word in _OFF):
        return Reason.NO_BLUETOOTH
    if isinstance(error, BleakDeviceNotFoundError):
        return Reason.NOT_FOUND
    return otherwise
