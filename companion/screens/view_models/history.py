"""The acts of the round as a list, and who sits at the table."""

from companion.screens.texts import _, count
from companion.screens.view_models import words
from companion.screens.view_models.cards import PillVM
from companion.screens.view_models.page import BlockVM, ItemVM, PageVM
from companion.session.table import TableView
from companion.simulation.player import ManagerView, PlayerView, RegisteredAct

KIND_WORDS = {
    "decree": _("Decree"),
    "directive": _("Directive"),
    "module": _("Module"),
    "campaign": _("Campaign"),
    "ambassador": _("Ambassador"),
    "governor": _("Governor"),
    "correction": _("Corrected by hand"),
    "assistant": _("Assistant"),
}


def history_page(table: TableView, colony: PlayerView) -> PageVM:
    rows = tuple(act_row(act, colony) for act in reversed(colony.registered))
    acts = BlockVM(
        title=_("REGISTERED"),
        icon="history",
        pill=PillVM("", count(len(rows), _("{n} act"), _("{n} acts")), "muted") if rows else PillVM(),
        lead="" if rows else _("Nothing yet. Cards, tokens and modules appear here as soon as the ARC has seen them."),
        items=rows,
        note=_("Undo would take back: {text}").format(text=table.undo_text) if table.undo_text else "",
    )
    managers = BlockVM(
        title=_("TURN ORDER"), icon="account-group", items=tuple(manager_row(manager) for manager in colony.managers)
    )
    return PageVM(
        title=_("ROUND {n}").format(n=colony.round),
        subtitle=_("What counts when this round is settled"),
        icon="history",
        columns=((acts,), (managers,)),
    )


def act_row(act: RegisteredAct, colony: PlayerView) -> ItemVM:
    manager = words.find_manager(colony, act.manager)
    parts = (KIND_WORDS.get(act.kind, ""), manager.name if manager else "", act.detail)
    return ItemVM(
        title=act.text,
        text=" · ".join(part for part in parts if part and part != act.text),
        icon=words.ACT_ICONS.get(act.kind, "check"),
        tone="accent",
        manager=words.portrait(colony, act.manager),
    )


def manager_row(manager: ManagerView) -> ItemVM:
    pill = PillVM()
    if manager.is_governor:
        pill = PillVM("crown", _("Governor"), "poor")
    elif manager.becomes_governor:
        pill = PillVM("crown", _("Next round"), "info")
    return ItemVM(title=manager.name, manager=words.portrait_of(manager), pill=pill)
