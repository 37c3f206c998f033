"""The front dialog as a sheet draws it, and what stands behind the attention strip as one."""

from attrs import frozen

from companion.screens.texts import _, count
from companion.screens.view_models import words
from companion.screens.view_models.attention import AttentionVM
from companion.screens.view_models.page import ItemVM
from companion.session.table import Choice, ChoiceStyle, TableView

FROM_THE_RIGHT = (ChoiceStyle.PRIMARY, ChoiceStyle.DANGER, ChoiceStyle.PLAIN)
"""What most people want lies under the thumb, whatever order the session names it in."""

CLOSE = "close"
"""The key of a choice that only closes a sheet opened on the tablet."""


@frozen
class ManagerButtonVM:
    id: str = ""
    name: str = ""
    letter: str = ""
    colour: str = "#6F7F9B"


@frozen
class ChoiceVM:
    key: str = ""
    label: str = ""
    style: str = "plain"


@frozen
class SheetVM:
    icon: str = ""
    tone: str = "accent"
    title: str = ""
    lines: tuple[str, ...] = ()
    hint: str = ""
    waiting: str = ""
    items: tuple[ItemVM, ...] = ()
    managers: tuple[ManagerButtonVM, ...] = ()
    choices: tuple[ChoiceVM, ...] = ()
    number: int = 0
    """Of the question; 0: one of the screens' own."""


def dialog_sheet(table: TableView) -> SheetVM | None:
    """None: no question waits."""
    dialog = table.dialog
    if dialog is None:
        return None
    icon, tone = words.subject_look(dialog.subject)
    managers = (words.find_manager(table.colony, id) for id in dialog.managers)
    return SheetVM(
        icon=icon,
        tone=tone,
        title=dialog.title,
        lines=dialog.lines,
        hint=dialog.hint,
        waiting=count(table.waiting_dialogs, _("{n} more waits"), _("{n} more wait")) if table.waiting_dialogs else "",
        managers=tuple(ManagerButtonVM(one.id, one.name, one.letter, one.colour) for one in managers if one),
        choices=tuple(choice(one) for one in sorted(dialog.choices, key=lambda one: FROM_THE_RIGHT.index(one.style))),
        number=dialog.number,
    )


def choice(one: Choice) -> ChoiceVM:
    return ChoiceVM(one.key, one.label, one.style.value)


def attention_sheet(vm: AttentionVM) -> SheetVM:
    icons = {"critical": "alert-octagon", "alarming": "alert", "poor": "alert-circle-outline", "info": "information"}
    return SheetVM(
        icon=vm.icon,
        tone=vm.tone,
        title=vm.title,
        lines=() if vm.items else (vm.text,),
        items=tuple(ItemVM(text=text, icon=icons[tone], tone=tone) for tone, text in vm.items),
        choices=(ChoiceVM(CLOSE, _("Close"), ChoiceStyle.PLAIN.value),),
    )
