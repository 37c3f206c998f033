"""The notices on the screen: numbered, few at a time, gone after a while. Not of the game, so in no journal."""

from companion.session.table import Notice, NoticeKind
from companion.session.turn import Told

SHOWN_MS = {NoticeKind.DONE: 6_000, NoticeKind.INFO: 6_000, NoticeKind.WARNING: 12_000, NoticeKind.REFUSED: 10_000}
AT_MOST = 4


class NoticeBoard:
    """`now_ms` is any clock that does not go back."""

    def __init__(self) -> None:
        self._notices: tuple[Notice, ...] = ()
        self._until: dict[int, int] = {}
        self._newest = 0

    @property
    def notices(self) -> tuple[Notice, ...]:
        return self._notices

    def tell(self, told: Told, now_ms: int) -> None:
        """The same text again only stays longer; the oldest makes room."""
        for notice in self._notices:
            if (notice.kind, notice.text, notice.manager) == (told.kind, told.text, told.manager):
                self._until[notice.id] = now_ms + SHOWN_MS[told.kind]
                return
        self._newest += 1
        notice = Notice(self._newest, told.kind, told.text, told.manager, told.can_undo)
        self._until[notice.id] = now_ms + SHOWN_MS[told.kind]
        self._keep((*self._notices, notice)[-AT_MOST:])

    def dismiss(self, id: int) -> None:
        self._keep(tuple(notice for notice in self._notices if notice.id != id))

    def tick(self, now_ms: int) -> None:
        self._keep(tuple(notice for notice in self._notices if self._until[notice.id] > now_ms))

    def _keep(self, notices: tuple[Notice, ...]) -> None:
        self._notices = notices
        self._until = {notice.id: self._until[notice.id] for notice in notices}
