"""A new firmware over the bus, the module's end: each frame is answered at once, the flash is worked on after the answer.

The ARC has checked who sends it; here every byte is checked against the manifest. Pure but for the `Update` it is given.
"""

from firmware.bus import words
from protocol.reasons import BUSY

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from firmware.update.writing import Update


class Receiver:
    """Call `work` after every answer: it takes as long as the flash does, and the bus waits. `make_update` is called when there
    is a new firmware: a module that plays needs no heap for it."""

    def __init__(self, make_update: "Callable[[], Update]") -> None:
        self._make_update = make_update
        self._update: "Update | None" = None
        self._digest = b""
        self._begin = (0, 0)
        self._job = 0
        self._data = b""
        self._reason = words.NOT_BEGUN
        self._at = 0
        self._unchecked = words.NOT_CHECKED

    @property
    def is_switched(self) -> bool:
        """The module is to restart into its new firmware."""
        return self._update is not None and self._update.is_switched

    def hear(self, opcode: int, payload: bytes) -> "bytes | None":
        """The payload of PROGRESS for one of the UPDATE_ requests, epoch in front; None when it is malformed."""
        if opcode == words.UPDATE_WHERE or self.is_switched:
            return self._progress()
        if opcode == words.UPDATE_IMAGE:
            return self._hear_image(payload)
        if opcode == words.UPDATE_BEGIN:
            return self._hear_begin(payload)
        if opcode == words.UPDATE_DATA:
            return self._hear_data(payload)
        if not self._reason:
            self._job, self._reason = opcode, BUSY
        return self._progress()

    def work(self) -> None:
        """What the last frame asked of the flash."""
        job, self._job = self._job, 0
        if job and self._update is None:
            self._update = self._make_update()
        if self._update is None:
            return
        if job == words.UPDATE_BEGIN:
            self._take(self._update.begin(self._begin[0], self._begin[1], self._digest, b""), job)
        elif job == words.UPDATE_DATA:
            self._reason = self._update.add(self._at - len(self._data), self._data)
        elif job == words.UPDATE_COMMIT:
            self._take(self._update.commit(), job)

    def _hear_image(self, payload: bytes) -> "bytes | None":
        if len(payload) < 1 + words.DIGEST_SIZE:
            return None
        self._digest = payload[1 : 1 + words.DIGEST_SIZE]
        self._reason, self._unchecked = words.NOT_BEGUN, words.NOT_CHECKED
        return self._progress()

    def _hear_begin(self, payload: bytes) -> "bytes | None":
        fields = words.decode_begin(payload)
        if fields is None:
            return None
        if self._digest:
            self._begin = fields
            self._job, self._reason = words.UPDATE_BEGIN, BUSY
        return self._progress()

    def _hear_data(self, payload: bytes) -> "bytes | None":
        fields = words.decode_data(payload)
        if fields is None:
            return None
        offset, data = fields
        # at another offset the answer tells where to go on
        if not self._reason and offset == self._at:
            self._job, self._data = words.UPDATE_DATA, data
            self._at += len(data)
        return self._progress()

    def _take(self, answer: "bytes | int", job: int) -> None:
        if isinstance(answer, int):
            self._reason = answer
            return
        self._reason = 0
        value = int.from_bytes(answer, "little")
        if job == words.UPDATE_BEGIN:
            self._at = value
        else:
            self._unchecked = value

    def _progress(self) -> bytes:
        return words.encode_progress(self._reason, self._at, self._unchecked)
