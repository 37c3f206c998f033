"""Notices as toasts: who did what, with Undo beside it, and how long they stay."""

from attrs import frozen

from companion.screens.view_models import words
from companion.session.table import Notice, NoticeKind, TableView

LOOKS = {
    NoticeKind.DONE: ("check-circle", "good"),
    NoticeKind.INFO: ("information", "info"),
    NoticeKind.WARNING: ("alert", "alarming"),
    NoticeKind.REFUSED: ("close", "critical"),
}
AT_MOST = 3
"""Toasts on the screen at once; the newest win."""


@frozen
class ToastVM:
    id: int = 0
    icon: str = ""
    tone: str = "info"
    text: str = ""
    manager: tuple[str, str, str] | None = None
    can_undo: bool = False
    seconds: float = 4.0
    """Stays at least this long; a portrait is seen for 2 s and more (a wrong token must be noticed)."""


def toasts(table: TableView) -> tuple[ToastVM, ...]:
    return tuple(toast(notice, table) for notice in table.notices[-AT_MOST:])


def toast(notice: Notice, table: TableView) -> ToastVM:
    icon, tone = LOOKS[notice.kind]
    manager = words.find_manager(table.colony, notice.manager)
    return ToastVM(
        id=notice.id,
        icon=icon,
        tone=tone,
        text=notice.text,
        manager=(manager.id, manager.letter, manager.colour) if manager else None,
        can_undo=notice.can_undo and table.undo_text is not None,
        seconds=reading_time(notice.text) + (3.0 if notice.kind in (NoticeKind.WARNING, NoticeKind.REFUSED) else 0.0),
    )


def reading_time(text: str) -> float:
    return 4.0 + len(text) / 25
