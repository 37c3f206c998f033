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
AT_MOST = 2
"""Toasts on the screen at once; the newest win."""
SHORT, LONG = 4.0, 7.0
"""Seconds; what was refused or went wrong is read longer."""
HELD = 2.0
"""A portrait is seen at least this long, whatever happens: a wrong token must be noticed (HZ-4)."""


@frozen
class ToastVM:
    id: int = 0
    kind: NoticeKind = NoticeKind.INFO
    icon: str = ""
    tone: str = "info"
    text: str = ""
    manager: tuple[str, str, str] | None = None
    can_undo: bool = False
    seconds: float = SHORT
    """Stays so long, unless something newer takes its place."""
    least: float = 0.0
    """Stays so long in any case."""


def toasts(table: TableView) -> tuple[ToastVM, ...]:
    """The newest, oldest first. Undo takes back the newest act, so only the newest that can be undone offers it."""
    undoable = next((one.id for one in reversed(table.notices) if one.can_undo), None)
    return tuple(
        toast(one, table, can_undo=one.id == undoable and table.undo_text is not None)
        for one in table.notices[-AT_MOST:]
    )


def toast(notice: Notice, table: TableView, *, can_undo: bool) -> ToastVM:
    icon, tone = LOOKS[notice.kind]
    is_bad = notice.kind in (NoticeKind.WARNING, NoticeKind.REFUSED)
    return ToastVM(
        id=notice.id,
        kind=notice.kind,
        icon=icon,
        tone=tone,
        text=notice.text,
        manager=words.portrait(table.colony, notice.manager),
        can_undo=can_undo,
        seconds=LONG if is_bad else SHORT,
        least=HELD if notice.manager or notice.can_undo else 0.0,
    )


def outdated(shown: tuple[ToastVM, ...]) -> tuple[ToastVM, ...]:
    """Those of `shown` after which a newer one of the same kind came."""
    return tuple(one for place, one in enumerate(shown) if one.kind in {later.kind for later in shown[place + 1 :]})
