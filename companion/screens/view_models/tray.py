"""Cards, tokens and modules to tap when no ARC is used."""

from companion.screens.texts import _
from companion.screens.view_models import words
from companion.screens.view_models.cards import PillVM
from companion.screens.view_models.choices import TapVM
from companion.session.table import TableView, TrayCard, TrayModule

TABS = (
    ("decrees", _("Decrees"), ("decree_green", "decree_red")),
    ("directives", _("Directives"), ("directive",)),
    ("tokens", _("Tokens"), ("manager", "governor", "ambassador")),
    ("modules", _("Modules"), ()),
)
CARD_KINDS = {
    "decree_green": _("Green decree"),
    "decree_red": _("Red decree"),
    "directive": _("Directive"),
    "manager": _("Manager"),
    "governor": _("Governor"),
    "ambassador": _("Ambassador"),
}


def tray_cards(table: TableView, tab: str) -> tuple[TapVM, ...]:
    if table.tray is None:
        return ()
    if tab == "modules":
        return tuple(map(module_card, table.tray.modules))
    subjects = next(kinds for key, _name, kinds in TABS if key == tab)
    return tuple(card_card(card, table) for card in table.tray.cards if card.subject in subjects)


def card_card(card: TrayCard, table: TableView) -> TapVM:
    icon, tone = words.subject_look(card.subject)
    manager = words.find_manager(table.colony, card.manager)
    look = words.portrait(table.colony, card.manager) if card.subject == "manager" else None
    owner = manager.name if manager and look is None else ""
    pill = PillVM(
        "", owner or CARD_KINDS.get(card.subject, ""), tone if tone in ("good", "critical", "info") else "muted"
    )
    return TapVM(card.id, card.title, card.text, icon, tone, manager=look, pill=pill)


def module_card(module: TrayModule) -> TapVM:
    left = _("{n} left").format(n=module.left) if module.left else _("None left")
    return TapVM(
        str(module.type_id),
        module.name,
        "",
        "office-building",
        "accent" if module.left else "dim",
        pill=PillVM("", left, "muted"),
        is_open=module.left > 0,
    )


def parent_cards(table: TableView) -> tuple[TapVM, ...]:
    """Where a module can be plugged in: the ARC, or a module that is there."""
    assert table.colony is not None
    missing = {one.instance for one in table.missing}
    arc = TapVM("0", _("The ARC"), _("In the middle of the table"), "chip", "accent")
    modules = tuple(
        TapVM(str(module.instance), module.name, words.CONDITION_WORDS[module.condition], "office-building")
        for module in table.colony.modules
        if module.instance not in missing
    )
    return (arc, *modules)
