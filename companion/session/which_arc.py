"""Which ARC a game is played on: the one its cursor names, until people go on with another. What they said is not kept."""

from companion.session.record import Record
from companion.storage.records import Cursor
from protocol.messages import Info


class WhichArc:
    def __init__(self, record: Record) -> None:
        self._record = record
        self._other: bytes | None = None
        self._accepted: bytes | None = None
        self._declined: bytes | None = None
        self._coming: Cursor | None = None
        """Of an ARC that a game without one has found and not resumed with: it may be the neighbours'."""

    @property
    def is_asked(self) -> bool:
        """Another ARC is there, and nobody has said whether to go on with it."""
        return self._other not in (None, self._declined)

    def resume_point(self, info: Info) -> tuple[int, int] | None:
        """See `Session.resume_point`. A game that has no ARC yet takes this one from its newest event on, once
        it has `resumed`."""
        cursor, device = self._record.cursor, info.device.hex()
        self._coming = None
        if cursor is None:
            self._coming = Cursor(device, info.epoch, info.newest)
            return info.epoch, info.newest
        if cursor.arc != device and self._accepted == info.device:
            cursor = Cursor(device, info.epoch, info.newest)
            self._record.bind(cursor)
        if cursor.arc != device:
            self._other = info.device
            return None
        self._other = None
        return cursor.epoch, cursor.sequence

    def resumed(self) -> None:
        """The ARC of the last `resume_point` has taken this tablet."""
        coming, self._coming = self._coming, None
        if coming:
            self._record.bind(coming)

    def choose(self, key: str) -> None:
        """The answer of people: «continue» with the other, or «wait» for the one of this game; any other is to another question."""
        if key == "continue":
            self._accepted, self._other = self._other, None
        elif key == "wait":
            self._declined = self._other

    def device(self) -> bytes | None:
        """None: whichever is there."""
        cursor = self._record.cursor
        return self._accepted or (bytes.fromhex(cursor.arc) if cursor else None)
