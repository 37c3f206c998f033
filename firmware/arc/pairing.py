"""Who may hold a session: tokens of up to four tablets, the pairing window, the lock after wrong answers. No I/O but the store."""

import struct

from firmware.boards import timings
from protocol.mac import same_bytes
from protocol.messages import (
    LOCKED,
    NOT_PAIRING,
    TOO_MANY_TABLETS,
    WRONG_MAC,
    session_mac,
)
from protocol.update import update_mac

MAX_TABLETS = 4
TOKEN_SIZE = 16
PAIRING_TOKEN_CODE = 12_167
"""The tag code that opens the pairing window when it lies on the roof: the only code firmware knows."""

_ENTRY = "<I16s"
_ENTRY_SIZE = 20

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Callable, Protocol

    from protocol.messages import Resume

    class Store(Protocol):
        def read(self) -> bytes: ...

        def write(self, value: bytes) -> None: ...


class Pairing:
    """The tablets this ARC knows. `random_bytes(n)` makes tokens and must be good enough for secrets."""

    def __init__(self, store: "Store", random_bytes: "Callable[[int], bytes]") -> None:
        self._store = store
        self._random_bytes = random_bytes
        self._tokens = _unpack(store.read())
        self._open_until_ms = 0
        self._locked_until_ms = 0
        self._wrong = 0

    def tablets(self) -> "list[int]":
        """The ids of the tablets it knows."""
        return list(self._tokens)

    def open_window(self, now_ms: int) -> None:
        """A hand on the board: for a minute tablets may pair."""
        self._open_until_ms = now_ms + timings.PAIRING_WINDOW_MS

    def close_window(self) -> None:
        self._open_until_ms = 0

    def is_open(self, now_ms: int) -> bool:
        return now_ms < self._open_until_ms

    def seconds_locked(self, now_ms: int) -> int:
        """Whole seconds, rounded up, until answers are taken again; 0 when they are."""
        return max(0, (self._locked_until_ms - now_ms + 999) // 1000)

    def pair(self, tablet: int, now_ms: int) -> "bytes | int":
        """A token for this tablet, stored before it is given away; or the reason why not.

        The same tablet may ask again while the window is open, because its answer may have been lost.
        """
        if not self.is_open(now_ms):
            return NOT_PAIRING
        if tablet not in self._tokens and len(self._tokens) >= MAX_TABLETS:
            return TOO_MANY_TABLETS
        tokens = dict(self._tokens)
        tokens[tablet] = self._random_bytes(TOKEN_SIZE)
        self._keep(tokens)
        return tokens[tablet]

    def forget(self, tablet: int) -> bool:
        """Remove one tablet; False when it was not known."""
        if tablet not in self._tokens:
            return False
        self._keep({known: token for known, token in self._tokens.items() if known != tablet})
        return True

    def forget_all(self) -> None:
        self._keep({})

    def check(self, resume: "Resume", nonce: bytes, now_ms: int) -> int:
        """0 when the RESUME carries this tablet's HMAC over the nonce, else the reason to refuse it."""
        if self.seconds_locked(now_ms):
            return LOCKED
        token = self._tokens.get(resume.tablet)
        # An unknown tablet costs the same time and gets the same answer as a wrong HMAC.
        expected = session_mac(token or bytes(TOKEN_SIZE), nonce, resume.tablet, resume.epoch, resume.sequence)
        if same_bytes(expected, resume.mac) and token is not None:
            self._wrong = 0
            return 0
        self._wrong += 1
        if self._wrong >= timings.LOCK_AFTER_WRONG:
            self._wrong = 0
            self._locked_until_ms = now_ms + timings.LOCK_MS
        return WRONG_MAC

    def is_signed(self, tablet: int, digest: bytes, mac: bytes) -> bool:
        """Whether `mac` is this tablet's signature of an update's manifest."""
        token = self._tokens.get(tablet)
        return token is not None and same_bytes(update_mac(token, digest), mac)

    def _keep(self, tokens: "dict[int, bytes]") -> None:
        self._store.write(b"".join([struct.pack(_ENTRY, tablet, token) for tablet, token in tokens.items()]))
        self._tokens = tokens


def _unpack(value: bytes) -> "dict[int, bytes]":
    tokens = {}
    for at in range(0, len(value) - _ENTRY_SIZE + 1, _ENTRY_SIZE):
        tablet, token = struct.unpack_from(_ENTRY, value, at)
        tokens[tablet] = bytes(token)
    return tokens
