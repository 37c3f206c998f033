"""What people may set on the ARC, kept through boots. A byte each; the version says which there are."""

from protocol.messages import MALFORMED, UNSUPPORTED

VERSION = 1
GAIN_DB, BEEPS, LIGHT_PERCENT = 0, 1, 2
"""Places in the values."""

_AS_DELIVERED = bytes((38, 1, 100))
_ALLOWED = ((18, 23, 33, 38, 43, 48), (0, 1), range(101))

TYPE_CHECKING = False
if TYPE_CHECKING:
    from firmware.arc.pairing import Store


class Settings:
    """Read at boot; what a newer firmware stored beyond our version is left out, what an older one lacked is as delivered."""

    def __init__(self, store: "Store") -> None:
        self._store = store
        self.values = bytearray(_AS_DELIVERED)
        held = store.read()[1:]
        if _is_allowed(held[: len(_AS_DELIVERED)]):
            held = held[: len(_AS_DELIVERED)]
            self.values[: len(held)] = held

    def packed(self) -> bytes:
        """As SETTINGS_READ answers and as it is stored."""
        return bytes((VERSION,)) + bytes(self.values)

    def write(self, version: int, values: bytes) -> int:
        """0 when they are stored, else the reason why not; then, and after an `OSError` of the flash, nothing has changed."""
        if version != VERSION:
            return UNSUPPORTED
        if len(values) > len(self.values) or not _is_allowed(values):
            return MALFORMED
        wanted = bytes(values) + bytes(self.values[len(values) :])
        self._store.write(bytes((VERSION,)) + wanted)
        self.values[:] = wanted
        return 0


def _is_allowed(values: bytes) -> bool:
    return all([value in allowed for value, allowed in zip(values, _ALLOWED)])
