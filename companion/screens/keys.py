"""Keys for those who play at a desk: Space or Enter is NEXT, Ctrl+Z undoes, Esc goes back, 1–5 open a card, H the history."""

from companion.screens.shell import AppShell
from companion.screens.view_models.details import CARD_ORDER
from companion.session.actions import LeaveIntroduction, Next, TurnPage, Undo

ESCAPE, ENTER, SPACE, RIGHT, LEFT = 27, 13, 32, 275, 276


def act_for_key(shell: AppShell, key: int, text: str, modifiers: list[str]) -> bool:
    """True: the key meant something here."""
    table = shell.controller.table
    if key == ESCAPE:
        shell.back()
        return True
    if table is None or table.dialog is not None:
        return False
    screen = shell.screens.current
    if screen == "summary" and key in (SPACE, ENTER, RIGHT, LEFT):
        shell.controller.act(TurnPage(-1 if key == LEFT else 1))
        return True
    if screen == "introduction" and table.is_introducing and key in (SPACE, ENTER):
        shell.controller.act(LeaveIntroduction())
        return True
    if screen not in ("colony", "detail", "history"):
        return False
    if key in (SPACE, ENTER):
        shell.controller.act(Next())
    elif text == "z" and "ctrl" in modifiers:
        shell.controller.act(Undo())
    elif text in ("1", "2", "3", "4", "5"):
        shell.go("detail", card=CARD_ORDER[int(text) - 1])
    elif text == "h":
        shell.go("history")
    else:
        return False
    return True
