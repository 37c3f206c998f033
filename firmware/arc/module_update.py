"""A new firmware for one module, relayed: the tablet's chunks wait here until the bus has carried them. Pure.

The ARC has no room for a module's image. Each command is answered BUSY until the module has done it, and is then sent again.
A module that restarts or vanishes keeps the firmware it has; begun again, it says where to go on.
"""

import struct

from firmware.bus import payloads, words
from protocol.reasons import BUSY, MALFORMED, UNKNOWN_MODULE, UNSUPPORTED

IDLE, BEGINNING, SENDING, CHECKING, FAILED = 0, 1, 2, 3, 4
ROOM = 512
"""Bytes that wait for the bus: two chunks of the tablet."""
FRAMES_A_CYCLE = 12
"""About 75 ms of the wire, so that polling goes on in its time."""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Generator

    from firmware.bus.coordinator import Coordinator, Steps
    from firmware.bus.dialogue import Heard, Reply, Request

    Asked = Generator[Request, Heard, tuple[int, int, int] | None]
    Said = Generator[Request, Heard, Reply | None]


class ModuleUpdate:
    """`begin`, `add` in order, `commit` until it answers 0 files: bytes for the OK or a reason, as those of `Update`."""

    def __init__(self, coordinator: "Coordinator") -> None:
        self._coordinator = coordinator
        self._wanted: "tuple[int, int, int, bytes]" = (0, 0, 0, b"")
        self._phase = IDLE
        self._reason = 0
        self._is_told = False
        self._is_asked = False
        self._held = b""
        self._at = 0
        self._left = words.NOT_CHECKED

    def begin(self, instance: int, manifest: int, size: int, digest: bytes) -> "bytes | int":
        """The offset to go on from, packed as u32."""
        wanted = (instance, manifest, size, digest)
        if wanted == self._wanted and not self._is_told:
            if self._phase == BEGINNING:
                return BUSY
            if self._phase in (SENDING, FAILED):
                self._is_told = True
                return struct.pack("<I", self._at) if self._phase == SENDING else self._reason
        self._wanted = wanted
        self._phase, self._is_told, self._is_asked = BEGINNING, False, False
        self._held = b""
        return BUSY

    def add(self, offset: int, data: bytes) -> int:
        """The next bytes of the image."""
        if self._phase == FAILED:
            return self._reason
        taken = self._at + len(self._held)
        if self._phase != SENDING or offset != taken or taken + len(data) > self._wanted[2]:
            return MALFORMED
        if len(self._held) + len(data) > ROOM:
            return BUSY
        self._held += data
        return 0

    def commit(self) -> "bytes | int":
        """How many files the module has still to read back, packed as u16; with 0 it has switched and restarts."""
        if self._phase == FAILED:
            return self._reason
        if self._phase == SENDING:
            if self._at + len(self._held) != self._wanted[2]:
                return MALFORMED
            if not self._held:
                self._phase, self._is_asked, self._left = CHECKING, False, words.NOT_CHECKED
            return BUSY
        if self._phase != CHECKING:
            return MALFORMED
        left, self._left = self._left, words.NOT_CHECKED
        if left == words.NOT_CHECKED:
            return BUSY
        if not left:
            self._phase = IDLE
        return struct.pack("<H", left)

    def steps(self) -> "Steps":
        """Its turn at the end of a cycle on the bus."""
        if self._phase in (IDLE, FAILED):
            return
        member = self._coordinator.find(self._wanted[0])
        if member is None:
            self._fail(UNKNOWN_MODULE)
            return
        if member.missed:
            return  # deaf while its flash is at work: the next it hears is to be a poll, or it would be given up
        address = member.address
        if self._phase == BEGINNING:
            yield from self._begin(address)
        elif self._phase == SENDING:
            yield from self._send(address)
        elif self._left == words.NOT_CHECKED:
            yield from self._check(address)

    # one phase each

    def _begin(self, address: int) -> "Steps":
        _, manifest, size, digest = self._wanted
        if self._is_asked:
            progress = yield from self._ask(address, words.UPDATE_WHERE, b"")
            if progress is None:
                return
            self._phase, self._at, self._held = SENDING, progress[1], b""
            return
        reply = yield from self._say(address, words.UPDATE_IMAGE, digest)
        if reply is None:
            return
        if reply.opcode == words.NAK:
            self._fail(UNSUPPORTED)
        elif (yield from self._say(address, words.UPDATE_BEGIN, payloads.encode_begin(manifest, size))) is not None:
            self._is_asked = True

    def _send(self, address: int) -> "Steps":
        for _ in range(FRAMES_A_CYCLE):
            if not self._held:
                return
            payload = payloads.encode_data(self._at, self._held[: words.DATA_SIZE])
            progress = yield from self._ask(address, words.UPDATE_DATA, payload)
            if progress is None:
                return
            # after a lost answer the module is ahead of us, never by more than it was sent
            moved = progress[1] - self._at
            if not 0 <= moved <= len(self._held):
                self._fail(UNKNOWN_MODULE)
                return
            self._at += moved
            self._held = self._held[moved:]

    def _check(self, address: int) -> "Steps":
        if not self._is_asked:
            if (yield from self._say(address, words.UPDATE_COMMIT, b"")) is not None:
                self._is_asked = True
            return
        progress = yield from self._ask(address, words.UPDATE_WHERE, b"")
        if progress is not None:
            self._left, self._is_asked = progress[2], False

    # what they share

    def _ask(self, address: int, opcode: int, payload: bytes) -> "Asked":
        """What the module says when it is ready for more; None when it is not yet, or for ever."""
        reply = yield from self._say(address, opcode, payload)
        if reply is None:
            return None  # its flash is at work, or it is gone: the polls will tell
        progress = payloads.decode_progress(reply.payload) if reply.opcode == words.PROGRESS else None
        if progress is None:
            self._fail(UNSUPPORTED)
        elif progress[0] == words.NOT_BEGUN:
            self._fail(UNKNOWN_MODULE)
        elif progress[0] == BUSY:
            return None
        elif progress[0]:
            self._fail(progress[0])
        else:
            return progress
        return None

    def _say(self, address: int, opcode: int, payload: bytes) -> "Said":
        """The reply. Between two frames another update may be begun, or this one anew: then it says nothing of that, and is None."""
        wanted = self._wanted
        reply = yield from self._coordinator.dialogue.ask(address, opcode, payload, address)
        return reply if self._wanted is wanted else None

    def _fail(self, reason: int) -> None:
        self._phase, self._reason, self._held = FAILED, reason, b""
